"""Table VI: RigorScore and pillars of each condition, with their evidence shares."""

from __future__ import annotations

from ...experiment.compare import Condition
from ...experiment.model import RunResult
from ...metrics.result import PILLAR_TITLES
from .groups import GroupData
from .measures import entry
from .model import Column, Entry, Table
from .spec import TableSpec, per_group

_CAPTION = (
    "e: evidence share, how much of the weight that applies the evidence covers, over the runs to which the pillar "
    "applies. n: runs behind a figure where not all count. AQ is Youden's J over unsolvable tasks and their solvable "
    "twins."
)
_COLUMNS = [
    Column("rigor_score", "RigorScore", evidence=True),
    *(Column(name, f"{name} {title}", evidence=True) for name, title in PILLAR_TITLES.items()),
]


def _table(group: GroupData) -> Table:
    def entries(condition: Condition, runs: list[RunResult]) -> list[Entry]:
        pillars = [entry(group, runs, name, mean=condition.means[name]) for name in PILLAR_TITLES]
        return [entry(group, runs, "rigor_score"), *pillars]

    return TABLE.table(_CAPTION, _COLUMNS, group.rows(entries), group=group)


TABLE = TableSpec(
    stem="table-6",
    number="VI",
    title="Pillars",
    about="each pillar of each condition, with its evidence share",
    build=per_group(_table),
)
