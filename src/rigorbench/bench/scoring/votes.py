"""An experiment and its panel: what there is to judge in its runs, and scores that take the votes into account.

Votes are in ``OUT/votes``, one directory for all runs. No engine is imported, and no model is asked here.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path

from msgspec import Struct, field

from ...base.files import read_json
from ...experiment.model import Cell, Manifest
from ...experiment.store import FACTS, ExperimentDirectory, Facts, StoreError, load_manifest, read_result
from ...panel.model import Case
from ...tasks.suite import SuiteError, SuiteTask, load_suite
from ...tasks.task import TaskError
from .finish import VOTES, ScoringRequest
from .process import score_run


class RunCases(Struct):
    """What there is to judge in one run.

    Attributes:
        problem: why nothing of it can be judged, in one line.
    """

    cell: Cell
    directory: Path
    task: SuiteTask | None = None
    cases: list[Case] = field(default_factory=list)
    problem: str | None = None


def votes_directory(out: Path) -> Path:
    return out / VOTES


def runs_to_judge(out: Path, suite: str | None = None) -> Iterator[RunCases]:
    """The runs of an experiment with their cases, in the order of the manifest.

    Args:
        suite: where its tasks are; by default the suite that the manifest names.

    Raises:
        StoreError: there is no experiment.
        SuiteError: its tasks cannot be found.
    """
    manifest = load_manifest(out)
    directory = ExperimentDirectory(out)
    tasks = _tasks(manifest, suite)
    for cell in manifest.cells:
        run = RunCases(cell, directory.run(cell))
        run.problem = _unfit(directory, cell)
        if run.problem is None:
            run.task, run.problem = _task(manifest, tasks, cell)
        if run.task is not None:
            _add_cases(run, run.task)
        yield run


def _tasks(manifest: Manifest, suite: str | None) -> dict[str, SuiteTask]:
    try:
        found = load_suite(suite or manifest.suite)
    except (SuiteError, TaskError) as error:
        raise SuiteError(f"{error}; give the directory of this experiment's tasks with --suite") from None
    return {one.id: one for task in found.tasks for one in (task, *task.variants())}


def _unfit(directory: ExperimentDirectory, cell: Cell) -> str | None:
    """Why a run cannot be judged, or None."""
    state = directory.state(cell)
    if state == "unscored":
        return "not scored yet; the command that made the experiment finishes it"
    result = directory.result(cell)
    if result is None:
        return "not run" if state == "absent" else "did not end"
    return "the run broke, and is no result of the agent" if result.status == "error" else None


def _task(manifest: Manifest, tasks: dict[str, SuiteTask], cell: Cell) -> tuple[SuiteTask | None, str | None]:
    task = tasks.get(cell.task)
    if task is None:
        return None, f"its task {cell.task!r} is not in the suite; give the right suite with --suite"
    subject = manifest.tasks.get(cell.task)
    if subject is not None and subject.digest is not None and subject.digest != task.digest:
        return None, f"its task {cell.task!r} has changed since; give the version that was run with --suite"
    return task, None


def _add_cases(run: RunCases, task: SuiteTask) -> None:
    from ...evidence.walk.extract import extract
    from ...metrics.cases import cases
    from ...metrics.session import Session
    from ...trajectory.logfile import LogError
    from ...trajectory.registry import read_path

    try:
        found = cases(Session(extract(read_path(run.directory)[0]), task.task))
    except LogError as error:
        run.problem = str(error)
        return
    # If faulty implementations showed which requirements the tests check, no judge's vote would count.
    traced = _method(run.directory, "VC", "RT") == "replayed"
    run.cases = [case for case in found if not (traced and case.kind == "test_link")]
    if task.project:
        from ..projects.review import criteria_cases

        result, facts = read_result(run.directory), read_json(run.directory / FACTS, Facts)
        best = result.project.best if result is not None and result.project is not None else None
        run.cases += criteria_cases(task, run.directory, best, facts.start_commit if facts is not None else None)


def _method(directory: Path, pillar: str, name: str) -> str | None:
    score = read_json(directory / "score.json", dict)
    try:
        return str(score["pillars"][pillar]["submetrics"][name]["method"]) if score is not None else None
    except (KeyError, TypeError):
        return None


def take_votes(
    out: Path, runs: list[RunCases], *, jobs: int = 1, progress: Callable[[int, int], None] | None = None
) -> list[str]:
    """Score runs, and review projects, again with the present votes; other outcomes stay as they are.

    Returns one line for each run that failed.

    A run is scored in a process of its own, from its recording and the cache of the replay. Its result is replaced
    last, so that a kill leaves the former one and the same call brings it up to date later.

    Raises:
        StoreError: another process uses the experiment.
    """
    problems: list[str] = []
    to_score = [(run, run.task) for run in runs if run.cases and run.task is not None]
    done = 0

    async def score_all() -> None:
        free = asyncio.Semaphore(max(1, jobs))

        async def score(run: RunCases, task: SuiteTask) -> None:
            nonlocal done
            async with free:
                answer = await score_run(ScoringRequest.of(run.cell, run.directory, task, again=True))
            if answer.problem is not None:
                problems.append(f"{run.cell.id}: {answer.problem}")
            done += 1
            if progress is not None:
                progress(done, len(to_score))

        async with asyncio.TaskGroup() as group:
            for run, task in to_score:
                group.create_task(score(run, task))

    with ExperimentDirectory(out).locked():
        asyncio.run(score_all())
    return sorted(problems)


__all__ = ["RunCases", "StoreError", "SuiteError", "runs_to_judge", "take_votes", "votes_directory"]
