"""Runs an experiment: what is missing of it, and only that. One broken run never stops the others."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct, field

from ..experiment.manifest import merged
from ..experiment.model import Cell, Manifest, RunResult
from ..experiment.store import ExperimentDirectory, StoreError, load_results, remove
from .observer import Observer
from .plan import Plan, PlanError, manifest, resolve_harnesses
from .scoring import order_for, score_run


class Todo(Struct):
    """The cells of a plan by how far they are. ``aside``: names of the leftovers that were moved out of the way."""

    done: list[Cell] = field(default_factory=list)
    unscored: list[Cell] = field(default_factory=list)
    missing: list[Cell] = field(default_factory=list)
    aside: list[str] = field(default_factory=list)


class Summary(Struct):
    """What came of a call. ``problems``: one line for each run that broke or could not be scored."""

    manifest: Manifest
    results: list[RunResult]
    problems: list[str] = field(default_factory=list)
    aside: list[str] = field(default_factory=list)
    interrupted: bool = False


def survey(plan: Plan, directory: ExperimentDirectory, *, retry_errors: bool = False) -> Todo:
    """How far the cells of a plan are, without changing anything."""
    todo = Todo()
    for cell in plan.cells:
        state = directory.state(cell)
        if state == "done":
            result = directory.result(cell)
            again = retry_errors and result is not None and result.status == "error"
            (todo.missing if again else todo.done).append(cell)
        else:
            (todo.unscored if state == "unscored" else todo.missing).append(cell)
    return todo


def run_experiment(
    plan: Plan,
    out: Path,
    *,
    jobs: int = 1,
    command: Sequence[str] = (),
    observer: Observer | None = None,
    retry_errors: bool = False,
    replay: bool = True,
) -> Summary:
    """Make the runs of a plan that are missing in ``out``, at most ``jobs`` at a time, and score those that are not.

    Raises:
        PlanError: a harness cannot be laid over a task, or the engine knows no such model.
        rigorbench.experiment.store.StoreError: the directory cannot be used, or is in use.
        rigorbench.experiment.manifest.ManifestConflict: it holds another experiment.
    """
    observer = observer or Observer()
    directory = ExperimentDirectory(out)
    resolve_harnesses(plan)
    with directory.locked():
        # Checked before anything is written: a conflict leaves the directory as it was.
        whole = merged(directory.manifest(), manifest(plan, list(command)), directory.path)
        todo = survey(plan, directory, retry_errors=retry_errors)
        if todo.missing:
            # The engine takes seconds to import; whether it knows the models is said before anything is begun.
            from .evaluation import check_models

            check_models(sorted({cell.model for cell in todo.missing}))
        directory.write_manifest(whole)
        summary = Summary(whole, [])
        watch = _Watch(observer, summary.problems)
        observer.begin(plan.cells, todo.done, [r for c in todo.done if (r := directory.result(c)) is not None])
        try:
            _make(plan, directory, todo, jobs, watch, replay)
        except KeyboardInterrupt:
            summary.interrupted = True
        finally:
            observer.close()
        summary.results = load_results(directory.path, plan.cells)
        summary.aside = directory.aside()
    if not summary.interrupted:
        found = {result.cell for result in summary.results}
        said = {line.split(": ", 1)[0] for line in summary.problems}
        for cell in plan.cells:
            if cell not in found and cell.id not in said:
                summary.problems.append(f"{cell.id}: not run")
    return summary


def _make(plan: Plan, directory: ExperimentDirectory, todo: Todo, jobs: int, watch: Observer, replay: bool) -> None:
    workspaces = directory.path.absolute() / ".workspaces"
    remove(workspaces)
    try:
        if todo.unscored:
            asyncio.run(_score_again(plan, directory, todo.unscored, jobs, watch, replay))
        if todo.missing:
            for cell in todo.missing:
                if directory.run(cell).exists():
                    todo.aside.append(directory.set_aside(cell, _why(directory, cell)).name)
            from .evaluation import evaluate

            evaluate(plan, todo.missing, directory, workspaces, jobs, watch, replay=replay)
    finally:
        remove(workspaces)


def _why(directory: ExperimentDirectory, cell: Cell) -> str:
    return "killed" if directory.result(cell) is None else "failed"


async def _score_again(
    plan: Plan, directory: ExperimentDirectory, cells: Sequence[Cell], jobs: int, watch: Observer, replay: bool
) -> None:
    """Score runs whose evidence is complete; their agents do not run again."""
    free = asyncio.Semaphore(jobs)

    async def one(cell: Cell) -> None:
        async with free:
            watch.started(cell)
            directory.forget_scores(cell)
            task = plan.tasks[cell.task].place
            order = order_for(directory.run(cell).absolute(), task, cell.harness, cell.agent, replay=replay)
            answer = await score_run(order)
            watch.scored(cell, answer.problem, directory.result(cell))

    async with asyncio.TaskGroup() as group:
        for cell in cells:
            group.create_task(one(cell))


class _Watch(Observer):
    """Passes everything on, and keeps one line of each run that broke."""

    def __init__(self, other: Observer, problems: list[str]) -> None:
        self.other, self.problems = other, problems

    def begin(self, cells: Sequence[Cell], done: Sequence[Cell], results: Sequence[RunResult]) -> None:
        self.other.begin(cells, done, results)

    def started(self, cell: Cell) -> None:
        self.other.started(cell)

    def ended(self, cell: Cell) -> None:
        self.other.ended(cell)

    def scored(self, cell: Cell, problem: str | None, result: RunResult | None) -> None:
        if problem is not None:
            self.problems.append(f"{cell.id}: {problem}")
        elif result is not None and result.status == "error":
            self.problems.append(f"{cell.id}: {result.error or 'the run broke'}")
        self.other.scored(cell, problem, result)


def default_out() -> Path:
    """Where results go when nothing is said: a new directory in the present one."""
    import time

    base = Path(time.strftime("rigor-%Y%m%d-%H%M%S"))
    return base if not base.exists() else Path(f"{base}-{os.getpid()}")


__all__ = ["PlanError", "StoreError", "Summary", "Todo", "default_out", "run_experiment", "survey"]
