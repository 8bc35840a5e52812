"""Runs an experiment: what is missing of it, and only that. One broken run never stops the others."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct, field

from ...sandbox.kit import trees
from ..experiment.grid import is_scripted
from ..experiment.manifest import merged
from ..experiment.records import Cell, Manifest, RunResult
from ..experiment.store import SCORED, ExperimentDirectory, load_results
from .planning.manifest import manifest
from .planning.plan import CellStates, ExperimentPlan, resolve_harnesses, survey
from .progress import RunObserver
from .scoring.finish import ScoringRequest
from .scoring.process import score_run

if TYPE_CHECKING:
    from .engine.prepared import Breaker


class ExperimentSummary(Struct):
    """The result of a call."""

    manifest: Manifest
    results: list[RunResult]
    problems: list[str] = field(default_factory=list)
    """One line for each run that broke or could not be scored."""
    aside: list[str] = field(default_factory=list)
    """Names of the directories of broken and killed runs that were moved out of the way."""
    interrupted: bool = False


def run_experiment(
    plan: ExperimentPlan,
    out: Path,
    *,
    jobs: int = 1,
    command: Sequence[str] = (),
    observer: RunObserver | None = None,
    retry_errors: bool = False,
    replay: bool = True,
    say: Callable[[str], None] | None = None,
) -> ExperimentSummary:
    """Make the runs of a plan that are missing in ``out``, at most ``jobs`` at a time, and score those without scores.

    Args:
        say: models are asked for one small call first, and this prints what it showed.

    Raises:
        rigorbench.bench.run.planning.plan.PlanError: a harness cannot be laid over a task, or the engine does not know
            a model.
        rigorbench.bench.experiment.store.ExperimentError: the directory cannot be used, or is in use.
        rigorbench.bench.experiment.manifest.ManifestConflict: it contains another experiment.
    """
    directory = ExperimentDirectory(out)
    resolve_harnesses(plan)
    with directory.locked():
        # Checked before anything is written: a conflict leaves the directory as it was.
        before = directory.manifest()
        whole = merged(before, manifest(plan, list(command)), directory.path)
        states = survey(plan, directory, retry_errors=retry_errors)
        if states.to_run:
            # Imported late: the engine takes seconds. Models are checked before anything starts.
            from .evaluation import ask_models, check_models

            models = sorted({cell.model for cell in states.to_run})
            check_models(models)
            if say is not None:
                ask_models([name for name in models if not is_scripted(name)], plan.request.generation, say)
        if before is not None and whole.cells == before.cells and not states.to_run and not states.unscored:
            whole = before  # a call that does nothing leaves no trace: a report of these runs stays true
        else:
            directory.write_manifest(whole)
        summary = ExperimentSummary(whole, [])
        collector = _ProblemCollector(observer or RunObserver(), summary.problems)
        results = [result for cell in states.done if (result := directory.result(cell)) is not None]
        collector.begin(plan.cells, states.done, results)
        try:
            stopped = _make(plan, directory, states, jobs, collector, replay)
            summary.problems += stopped.problems()
        except KeyboardInterrupt:
            summary.interrupted = True
        finally:
            collector.close()
        summary.results = load_results(directory.path, plan.cells)
        summary.aside = directory.aside()
    if summary.interrupted:
        unscored = [cell for cell in plan.cells if directory.state(cell) == "unscored"]
        summary.problems += [f"{cell.id}: ended, and was not scored; the same command scores it" for cell in unscored]
    else:
        found = {result.cell for result in summary.results}
        reported = {line.split(": ", 1)[0] for line in summary.problems}
        for cell in plan.cells:
            if cell not in found and cell.id not in reported and cell.id not in stopped.skipped:
                summary.problems.append(f"{cell.id}: not run")
    return summary


def _make(
    plan: ExperimentPlan,
    directory: ExperimentDirectory,
    states: CellStates,
    jobs: int,
    observer: _ProblemCollector,
    replay: bool,
) -> Breaker:
    from .engine.prepared import Breaker

    breaker = Breaker()
    workspaces = directory.path.absolute() / ".workspaces"
    trees.remove(workspaces)
    try:
        if states.unscored:
            asyncio.run(_score(plan, directory, states.unscored, jobs, observer, replay))
        if states.to_run:
            for cell in states.to_run:
                if directory.run(cell).exists():
                    directory.set_aside(cell, "killed" if directory.result(cell) is None else "failed")
            from .evaluation import evaluate

            evaluate(plan, states.to_run, directory, workspaces, jobs, observer, replay=replay, breaker=breaker)
            # Not the agent's doing, and perhaps over by now: each is made once more, unless its model answers nobody.
            broken = observer.take_broken()
            again = [cell for cell in broken if cell.model not in breaker.reasons]
            for cell in broken:
                if cell in again:
                    directory.set_aside(cell, "failed")
                else:
                    observer.scored(cell, None, directory.result(cell))
            if again:
                trees.remove(workspaces)
                evaluate(plan, again, directory, workspaces, jobs, observer, replay=replay, breaker=breaker)
    finally:
        trees.remove(workspaces)
    return breaker


async def _score(
    plan: ExperimentPlan,
    directory: ExperimentDirectory,
    cells: Sequence[Cell],
    jobs: int,
    observer: RunObserver,
    replay: bool,
) -> None:
    """Score runs whose evidence is complete; their agents do not run again."""
    free = asyncio.Semaphore(jobs)

    async def one(cell: Cell) -> None:
        async with free:
            observer.started(cell)
            for name in SCORED:  # what a scoring left that did not finish
                (directory.run(cell) / name).unlink(missing_ok=True)
            run, locator = str(directory.run(cell).absolute()), plan.tasks[cell.task].locator
            answer = await score_run(ScoringRequest(run, locator, cell.harness, cell.agent, replay))
            observer.scored(cell, answer.problem, directory.result(cell))

    async with asyncio.TaskGroup() as group:
        for cell in cells:
            group.create_task(one(cell))


class _ProblemCollector(RunObserver):
    """Passes everything on, and adds one line to ``problems`` for each run that broke.

    Runs that break are kept back until `take_broken` has been called; they are reported when they break again.
    """

    def __init__(self, other: RunObserver, problems: list[str]) -> None:
        self.other, self.problems = other, problems
        self._broken: list[Cell] | None = []
        # What it does not look at goes to the other as it is.
        vars(self).update((name, getattr(other, name)) for name in ("begin", "started", "ended", "close"))

    def take_broken(self) -> list[Cell]:
        broken, self._broken = self._broken or [], None
        return broken

    def scored(self, cell: Cell, problem: str | None, result: RunResult | None) -> None:
        if problem is None and result is not None and result.status == "error" and self._broken is not None:
            self._broken.append(cell)
            return
        if problem is not None:
            self.problems.append(f"{cell.id}: {problem}")
        elif result is not None and result.status == "error":
            self.problems.append(f"{cell.id}: {result.error or 'the run broke'}")
        self.other.scored(cell, problem, result)


def default_out() -> Path:
    """The default directory for results: a new one in the current directory."""
    base = Path(time.strftime("rigor-%Y%m%d-%H%M%S"))
    return base if not base.exists() else Path(f"{base}-{os.getpid()}")
