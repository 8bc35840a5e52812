"""Projects: what they failed by."""

from __future__ import annotations

from collections import Counter

from ...experiment.model import FAILURE_MODES
from ..text import words
from .groups import GroupData
from .model import Column, Entry, Row, Table
from .of_projects import per_group_with_projects, project_runs
from .spec import TableSpec


def _table(group: GroupData) -> Table:
    """In how many runs each failure mode was found, with one example of its evidence."""
    rows = []
    for condition in group.group.conditions:
        runs = project_runs(group.runs[condition.key])
        found: Counter[str] = Counter()
        for run in runs:
            found.update({f.kind for f in run.project.failures} if run.project else set())
        for kind, title in FAILURE_MODES.items():
            if found[kind]:
                shown = [(r.cell.task, f) for r in runs if r.project for f in r.project.failures if f.kind == kind]
                task, example = shown[0]
                at = f", submission {example.submission}" if example.submission is not None else ""
                cells = [Entry(found[kind]), Entry(len(runs)), Entry(f"{task}{at}: {example.evidence}")]
                rows.append(Row([group.label(condition.key), title], cells, len(runs)))
    total = sum(len(project_runs(runs)) for runs in group.runs.values())
    return TABLE.table(
        "A run has a mode if its best submission, its work tree or its course shows it; "
        "`rigor query` (table project_failures) has the evidence of each.",
        [
            Column("runs", "runs with it", "count"),
            Column("of", "of", "count"),
            Column("example", "for example", "text"),
        ],
        rows,
        heads=[group.labels.column, "failure"],
        block=1,
        notes=[] if rows else [f"No failure mode was found in {words.plural(total, 'run')}."],
        group=group,
    )


TABLE = TableSpec(
    stem="projects-failures",
    title="What projects failed by",
    about="of projects: failure modes, in how many runs, with an example of the evidence",
    build=per_group_with_projects(_table),
)
