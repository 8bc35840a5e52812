"""Calls the engine with one Inspect task for each model, whose samples are the runs to make."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, cast

from inspect_ai import eval as inspect_eval
from inspect_ai.log import EvalLog
from inspect_ai.model import GenerateConfigArgs, get_model

from ...base.files import write_json
from ...sandbox.kit import trees
from ..experiment.records import RESULT_SCHEMA, Cell, RunResult
from ..experiment.store import RESULT, ExperimentDirectory
from ..projects.endpoint import judge_endpoints
from ..recording.failures import cause, cause_of
from . import _registry  # noqa: F401 -- registers our models, hooks and sandbox, with and without entry points
from .engine.prepared import Breaker, prepare_cells
from .engine.task import EvaluationRuns, make_task
from .planning.plan import ExperimentPlan, PlanError
from .preflight import preflight
from .progress import RunObserver

# The engine tries a model call again for ever, and the time of the run stands still meanwhile: these take 13 minutes.
RETRIES = 8


def check_models(names: Sequence[str]) -> None:
    """Create each model once, which sends nothing.

    Raises:
        PlanError: the engine knows no such provider, or a key or a package is missing.
    """
    with _silent():
        for name in names:
            try:
                get_model(name, memoize=False)
            except Exception as error:  # providers raise anything, some with a page of text; one line is reported
                raise PlanError(f"model {name}: {cause_of(error)}") from None


def ask_models(names: Sequence[str], options: dict[str, Any], say: Callable[[str], None]) -> None:
    """Ask each model for one small tool call.

    Raises:
        PlanError: one refused it: so it would every run.
    """
    for name in names:
        with _silent():
            found = preflight(name, options)
        if found.calls in ("refused", "no answer"):
            raise PlanError(f"model {name}: {found.text()}; nothing was run")
        say(f"model {name}: {found.text()}")


@contextlib.contextmanager
def _silent() -> Iterator[None]:
    """Keep the engine's greeting off standard output, which is for results."""
    with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere):
        yield


def evaluate(
    plan: ExperimentPlan,
    cells: Sequence[Cell],
    directory: ExperimentDirectory,
    workspaces: Path,
    jobs: int,
    observer: RunObserver,
    *,
    replay: bool = True,
    breaker: Breaker | None = None,
) -> None:
    """Make runs. A run that breaks gets a result with status "error".

    Raises:
        KeyboardInterrupt: Ctrl-C; runs that had begun are closed without a result.
        PlanError: a workspace cannot be built.
    """
    with judge_endpoints(directory.path.absolute(), {cell.task: plan.tasks[cell.task] for cell in cells}) as opening:
        workspaces.mkdir(parents=True, exist_ok=True)
        prepared = prepare_cells(plan, cells, workspaces, directory, opening)
        directory.runs.mkdir(parents=True, exist_ok=True)
        runs = EvaluationRuns(prepared, observer, replay=replay, breaker=breaker)
        models = list(dict.fromkeys(p.cell.model for p in prepared))
        parallel, each = _shares(jobs, len(models))
        with _silent():
            # Made anew: by its name the engine takes the one of an earlier experiment of this process, with the address
            # and the key that it had then.
            made = {name: get_model(name, memoize=False) for name in models}
            tasks = []
            for name, model in made.items():
                title = f"{plan.suite.name}-" + "".join(c if c.isalnum() else "-" for c in name)
                tasks.append(make_task([p for p in prepared if p.cell.model == name], runs, model=model, name=title))
            logs = inspect_eval(
                tasks,
                log_dir=str(directory.logs),
                display="none",
                log_level="critical",
                max_tasks=parallel,
                max_samples=each,
                fail_on_error=False,
                score_display=False,
                log_realtime=False,
                log_model_api=False,
                acp_server=False,
                ctl_server=False,
                **cast(GenerateConfigArgs, {"max_retries": RETRIES, **plan.request.generation}),
            )
        # After Ctrl-C the engine returns as usual: with a cancelled log, or without those of tasks not begun.
        if len(logs) < len(tasks) or any(log.status == "cancelled" for log in logs):
            raise KeyboardInterrupt
        _settle(logs, runs, directory, plan)


def _shares(jobs: int, models: int) -> tuple[int, int]:
    """(models at a time, runs of each at a time) with the largest product that is at most ``jobs``."""
    choices = [(parallel, jobs // parallel) for parallel in range(1, min(jobs, models) + 1)]
    return max(choices, key=lambda c: (c[0] * c[1], c[0]))


def _settle(
    logs: Sequence[EvalLog], runs: EvaluationRuns, directory: ExperimentDirectory, plan: ExperimentPlan
) -> None:
    """Give a result to runs that broke before they began, for example because their sandbox did not start."""
    observer, cells = runs.observer, {name: p.cell for name, p in runs.prepared.items()}
    for log in logs:
        for sample in log.samples or ():
            cell = cells[str(sample.id)]
            if cell.id in runs.breaker.skipped:
                trees.remove(directory.run(cell))  # the engine has prepared its sandbox
                continue
            if sample.error is None or directory.result(cell) is not None:
                continue
            if directory.facts(cell) is not None:
                # The agent had ended. What failed after it is reported, and done again by the next call.
                if cell.id not in runs.reported:
                    observer.scored(cell, cause(sample.error.message), None)
                continue
            _broke(cell, sample.error.message, directory, plan, observer)
        if log.status == "error" and not log.samples:
            message = log.error.message if log.error is not None else "the engine failed"
            for cell in cells.values():
                if cell.model == str(log.eval.model) and directory.state(cell) == "absent":
                    _broke(cell, message, directory, plan, observer)


def _broke(
    cell: Cell, message: str, directory: ExperimentDirectory, plan: ExperimentPlan, observer: RunObserver
) -> None:
    scripted = plan.models[cell.model].facts.get("scripted", False)
    result = RunResult(RESULT_SCHEMA, cell, "error", 0.0, 0.0, scripted=scripted, error=cause(message))
    os.makedirs(directory.run(cell), exist_ok=True)
    write_json(directory.run(cell) / RESULT, result)
    observer.scored(cell, None, result)
