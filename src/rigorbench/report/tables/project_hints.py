"""Projects: hints that were asked for, and what they changed."""

from __future__ import annotations

from collections import defaultdict
from statistics import fmean

from ...experiment.model import HintFact, RunResult
from .groups import GroupData
from .model import Column, Entry, Row, Table
from .of_projects import project_runs
from .spec import ReportData, TableSpec


def _tables(data: ReportData) -> list[Table]:
    """A table for each group in which a run asked for a hint."""
    return [_table(group) for group in data.groups if any(_hints(run) for runs in group.runs.values() for run in runs)]


def _hints(run: RunResult) -> list[HintFact]:
    return run.project.hints if run.project is not None else []


def _table(group: GroupData) -> Table:
    rows = []
    for condition in group.group.conditions:
        runs = project_runs(group.runs[condition.key])
        asked = [hint for run in runs for hint in _hints(run)]
        given = [hint for hint in asked if hint.text is not None]
        cells = [
            Entry(len(asked)),
            Entry(len(given)),
            Entry(sum(any(h.text is not None for h in _hints(run)) for run in runs)),
            *_effect(given),
            *_with_and_without(runs),
        ]
        rows.append(Row([group.label(condition.key)], cells, len(runs)))
    return TABLE.table(
        "Points of 100 of the best submission before a hint was given, and at the next hint or the end, over the hints "
        "after which something was submitted: points that would have risen anyway are in the difference. Final with "
        "and without a hint: over the problems that have runs of both kinds; who asks is not drawn by lot.",
        [
            Column("asked", "hints asked for", "count"),
            Column("given", "given", "count"),
            Column("runs", "runs with one", "count"),
            Column("before", "points before", "number"),
            Column("after", "points after", "number"),
            Column("with", "final with a hint", "number"),
            Column("without", "final without", "number"),
        ],
        rows,
        group=group,
    )


def _effect(given: list[HintFact]) -> list[Entry]:
    known = [(h.before, h.after) for h in given if h.before is not None and h.after is not None]
    if not known:
        return [Entry(None, reason="nothing was submitted after a hint")] * 2
    return [Entry(fmean(pair[side] for pair in known), runs=len(known)) for side in (0, 1)]


def _with_and_without(runs: list[RunResult]) -> list[Entry]:
    """Means over the problems that have runs with a hint and runs without, of the means over these runs."""
    finals: defaultdict[str, dict[bool, list[float]]] = defaultdict(lambda: {True: [], False: []})
    for run in runs:
        if run.project is not None and run.project.final is not None:
            finals[run.cell.task][any(h.text is not None for h in run.project.hints)].append(run.project.final)
    both = [found for found in finals.values() if found[True] and found[False]]
    if not both:
        return [Entry(None, reason="no problem has runs with a hint and runs without")] * 2
    return [
        Entry(fmean(fmean(found[kind]) for found in both), runs=sum(len(found[kind]) for found in both))
        for kind in (True, False)
    ]


TABLE = TableSpec(
    stem="projects-hints",
    title="Hints on projects",
    about="of projects: hints that were asked for, points before and after them, final with and without",
    build=_tables,
)
