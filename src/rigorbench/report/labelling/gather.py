"""Everything that can be labelled in logs and in experiments."""

from __future__ import annotations

from pathlib import Path

from ...evidence.walk.extract import extract
from ...metrics.session import Session
from ...panel.labels.model import OWN_KINDS, Sheet
from ...trajectory.logfile import LogFile
from ...trajectory.registry import read_log
from .sample import sheets


def is_experiment(path: str) -> bool:
    return (Path(path) / "manifest.json").is_file()


def of_log(log: LogFile, task: str | None = None) -> list[Sheet]:
    """``task``: path of a task file; it has the keys by which abstentions and clarifications are judged.

    Raises:
        rigorbench.trajectory.logfile.LogError: the log cannot be read.
        rigorbench.tasks.task.TaskError: the task cannot.
    """
    from ...tasks.task import load_task

    loaded = load_task(Path(task)) if task is not None else None
    return [s for trajectory in read_log(log) for s in sheets(Session(extract(trajectory), loaded))]


def of_experiment(out: Path, suite: str | None = None) -> tuple[list[Sheet], list[str]]:
    """The sheets of all runs, and a line for each run that has none to give.

    Raises:
        rigorbench.experiment.store.StoreError: no experiment is there.
        rigorbench.tasks.suite.SuiteError: its tasks cannot be found.
    """
    from ...bench.scoring.votes import runs_to_judge
    from ...trajectory.logfile import LogError
    from ...trajectory.registry import read_path

    found: list[Sheet] = []
    problems: list[str] = []
    for run in runs_to_judge(out, suite):
        if run.problem is not None or run.task is None:
            problems.append(f"{run.cell.id}: {run.problem}")
            continue
        # What the panel is not asked (links that a replay has decided) people are not asked either.
        asked = {case.digest for case in run.cases}
        try:
            criteria = [case for case in run.cases if case.kind == "criterion"]
            mine = sheets(Session(extract(read_path(run.directory)[0]), run.task.task), criteria)
        except LogError as error:
            problems.append(f"{run.cell.id}: {error}")
            continue
        found += [sheet for sheet in mine if sheet.kind in OWN_KINDS or sheet.digest in asked]
    return found, problems
