"""Projects: the distribution of verdicts over submissions."""

from __future__ import annotations

from ...judge.scores.formulas import CLASSES, distribution
from ...problems.verdicts import VERDICTS
from .groups import GroupData
from .model import Column, Entry, Row, Table
from .of_projects import per_group_with_projects, project_runs
from .spec import TableSpec


def _table(group: GroupData) -> Table:
    """Shares of submissions, not of runs, as they are published."""
    rows = []
    for condition in group.group.conditions:
        runs = project_runs(group.runs[condition.key])
        given = [s.verdict for r in runs if r.project for s in r.project.submissions if s.counted]
        known = distribution(v for v in VERDICTS for given_one in given if given_one == v)
        total = sum(number for number, _ in known.values())
        cells = [
            Entry(share / 100) if total else Entry(None, reason="no submission has a verdict")
            for _, share in known.values()
        ]
        rows.append(Row([group.label(condition.key)], [Entry(len(given)), *cells], len(runs)))
    return TABLE.table(
        "Shares of the submissions that the budget counts, by the published classes of verdicts.",
        [
            Column("submissions", "submissions", "count"),
            *(Column(name, name.replace("_", " "), "percent") for name in CLASSES),
        ],
        rows,
        group=group,
    )


TABLE = TableSpec(
    stem="projects-verdicts",
    title="Verdicts on submissions of projects",
    about="of projects: shares of the submissions by class of verdict",
    build=per_group_with_projects(_table),
)
