"""Table V: RigorScore and Outcome score in each category of tasks under each condition."""

from __future__ import annotations

from ...experiment.model import RunResult
from .differences import from_baseline, runs_difference
from .groups import GroupData
from .measures import entry
from .model import Column, Entry, Row, Table
from .spec import TableSpec, per_group
from .suite import categories, category_of, category_title

_CAPTION = (
    "Differences to the baseline are taken within the tasks of the category, without a test: a category has few tasks. "
    "Bold: the best condition of the category. Categories have different tasks: do not compare across them. n: runs "
    "behind a figure."
)
_NO_RUN = Entry(None, runs=0, tasks=0, reason="no run on a task of this category counts")
_MEASURES = {"rigor_score": "RigorScore", "outcome": "Outcome score"}


def _table(group: GroupData) -> Table:
    manifest = group.gathered.manifest
    rows = []
    for name in categories(manifest, group.group.tasks):
        for condition in group.group.conditions:

            def of(runs: list[RunResult], name: str = name) -> list[RunResult]:
                return [run for run in runs if category_of(manifest, run.cell.task) == name]

            runs = of(group.runs[condition.key])
            base, empty = from_baseline(group, condition.key)
            cells = [Entry(len(runs)), Entry(len({run.cell.task for run in runs}))]
            for measure in _MEASURES:
                cells.append(entry(group, runs, measure) if runs else _NO_RUN)
                if base is not None and runs:
                    cells.append(runs_difference(runs, of(group.runs[base]), measure))
                else:
                    cells.append(empty if runs or base is None else _NO_RUN)
            rows.append(Row([category_title(name), group.label(condition.key)], cells, len(runs)))
    columns = [Column("runs", "runs", "count"), Column("tasks", "tasks", "count")]
    for measure, title in _MEASURES.items():
        columns.append(Column(measure, title, best="most"))
        columns.append(Column(f"{measure}_difference", f"{title} minus baseline", "difference"))
    return TABLE.table(_CAPTION, columns, rows, heads=["category", group.labels.column], block=1, group=group)


TABLE = TableSpec(
    stem="table-5",
    number="V",
    title="RigorScore and Outcome score by category of tasks",
    about="RigorScore and Outcome score by category and condition, with the differences to the baseline",
    build=per_group(_table),
)
