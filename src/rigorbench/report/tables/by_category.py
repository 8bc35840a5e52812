"""Table V: RigorScore of each condition in each category of tasks."""

from __future__ import annotations

from ...experiment.compare import Condition
from ...experiment.model import RunResult
from .groups import GroupData
from .measures import entry
from .model import Column, Entry, Table
from .spec import TableSpec, per_group
from .suite import categories, category_of, category_title

_CAPTION = (
    "n: runs behind a figure. A category of other tasks is another measure: compare down a column, not along a row."
)
_NO_RUN = Entry(None, runs=0, tasks=0, reason="no run on a task of this category counts")


def _table(group: GroupData) -> Table:
    manifest = group.gathered.manifest
    names = categories(manifest, group.group.tasks)

    def entries(condition: Condition, runs: list[RunResult]) -> list[Entry]:
        chosen = {name: [r for r in runs if category_of(manifest, r.cell.task) == name] for name in names}
        return [entry(group, of, "rigor_score") if of else _NO_RUN for of in chosen.values()]

    columns = [Column(name or "none", category_title(name)) for name in names]
    return TABLE.table(_CAPTION, columns, group.rows(entries, counted=False), group=group)


TABLE = TableSpec(
    stem="table-5",
    number="V",
    title="RigorScore by category of tasks",
    about="RigorScore by category and condition",
    build=per_group(_table),
)
