"""Has the runs of an experiment read, and scores them again by the answers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from ....base.files import write_json
from ....review.reader.ask import ReaderSpec
from ....review.reader.request import PROMPT_VERSION
from ....review.reader.store import AnswerStore
from ....session.task import TaskError
from ...experiment.records import Cell, Subject
from ...experiment.store import ExperimentDirectory, load_manifest
from ...tasks.suite import SuiteError, SuiteTask, load_suite
from .finish import READERS, READINGS, ScoringRequest
from .process import score_run


class ReadRun(Struct):
    """A run to be read, or why it cannot be."""

    cell: Cell
    directory: Path
    task: SuiteTask | None = None
    problem: str | None = None


def runs_to_read(out: Path, suite: str | None = None) -> Iterator[ReadRun]:
    """The runs of an experiment, in the order of the manifest.

    Args:
        suite: where its tasks are; by default the suite that the manifest names.

    Raises:
        ExperimentError: there is no experiment.
        SuiteError: its tasks cannot be found.
    """
    manifest = load_manifest(out)
    directory = ExperimentDirectory(out)
    try:
        found = load_suite(suite or manifest.suite)
    except (SuiteError, TaskError) as error:
        raise SuiteError(f"{error}; give the directory of this experiment's tasks with --suite") from None
    tasks = {one.id: one for task in found.tasks for one in (task, *task.variants())}
    for cell in manifest.cells:
        problem = _unfit(directory, cell, tasks.get(cell.task), manifest.tasks.get(cell.task))
        yield ReadRun(cell, directory.run(cell), tasks[cell.task] if problem is None else None, problem)


def _unfit(directory: ExperimentDirectory, cell: Cell, task: SuiteTask | None, planned: Subject | None) -> str | None:
    """Why a run cannot be read, or None."""
    state = directory.state(cell)
    if state == "unscored":
        return "not scored yet; the command that made the experiment finishes it"
    result = directory.result(cell)
    if result is None:
        return "not run" if state == "absent" else "did not end"
    if result.status == "error":
        return "the run broke, and is no result of the agent"
    if task is None:
        return f"its task {cell.task!r} is not in the suite; give the right suite with --suite"
    if planned is not None and planned.digest not in (None, task.digest):
        return f"its task {cell.task!r} has changed since; give the version that was run with --suite"
    return None


def read_runs(
    out: Path,
    runs: list[ReadRun],
    spec: ReaderSpec,
    *,
    jobs: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> list[str]:
    """Has the runs read, and scores them again by the answers; their outcomes stay as they are.

    Returns one line for each run that could not be scored again, and for each answer that is missing.

    A run is read and scored in a process of its own, from its recording and the cache of the replay. Its result is
    replaced last, so that a kill leaves the former one and the same call brings it up to date later.

    Raises:
        ExperimentError: another process uses the experiment.
    """
    problems: list[str] = []
    to_read = [(run, run.task) for run in runs if run.task is not None]
    done = 0

    async def read_all(asked: ReaderSpec) -> None:
        free = asyncio.Semaphore(max(1, jobs))

        async def read(run: ReadRun, task: SuiteTask) -> None:
            nonlocal done
            async with free:
                directory, cell = str(run.directory.absolute()), run.cell
                request = ScoringRequest(directory, task.locator, cell.harness, cell.agent, again=True, reader=asked)
                answer = await score_run(request)
            problems.extend(f"{run.cell.id}: {line}" for line in [*filter(None, [answer.problem]), *answer.unread])
            done += 1
            if progress is not None:
                progress(done, len(to_read))

        async with asyncio.TaskGroup() as group:
            for run, task in to_read:
                group.create_task(read(run, task))

    with ExperimentDirectory(out).locked():
        asyncio.run(read_all(_name_readers(out, spec)))
    return sorted(problems)


def _name_readers(out: Path, spec: ReaderSpec) -> ReaderSpec:
    """Notes whose answers count from now on, with what a check found of each, and returns how they are asked."""
    spec = replace(spec, store=str(out / READINGS))
    readers, checks = spec.open(), AnswerStore()
    for key in readers.keys.values():
        line = checks.check_of(key, PROMPT_VERSION)
        if line is not None and readers.store.check_of(key, PROMPT_VERSION) != line:
            readers.store.add_check(key, PROMPT_VERSION, line)
    (out / READINGS).mkdir(parents=True, exist_ok=True)
    noted = ReaderSpec(tuple(readers.keys.values()), spec.readings, spec.budget, stored_only=True)
    write_json(out / READINGS / READERS, noted)
    return spec
