"""Table III: RigorScore and outcome, a row for each condition."""

from __future__ import annotations

from ...experiment.compare import Condition
from ...experiment.model import RunResult
from .differences import baseline_difference
from .groups import GroupData
from .measures import counted_entry, entry
from .model import Column, Entry, Table
from .spec import TableSpec, per_group

_METHOD = (
    "A figure is the mean over tasks of the mean over repeats; its 95 % interval resamples tasks. Differences to the "
    "baseline are taken within tasks; p is that of the permutation test, adjusted for the number of comparisons. Runs "
    "that broke are not counted."
)
_OUTCOMES = (
    Column("pass_rate", "hidden tests passed"),
    Column("completeness", "requirements met"),
    Column("solved", "solved"),
    Column("regressions", "tests broken per run", "number"),
)
_COLUMNS = [
    Column("runs", "runs", "count"),
    Column("tasks", "tasks", "count"),
    Column("rigor_score", "RigorScore"),
    Column("evidence_share", "evidence share", "percent"),
    *_OUTCOMES,
    Column("rigor_score_difference", "RigorScore minus baseline", "difference"),
    Column("rigor_score_p", "p (RigorScore)", "p"),
    Column("pass_rate_difference", "hidden tests minus baseline", "difference"),
    Column("pass_rate_p", "p (hidden tests)", "p"),
]


def _table(group: GroupData) -> Table:
    def entries(condition: Condition, runs: list[RunResult]) -> list[Entry]:
        return [
            counted_entry(condition),
            Entry(len({run.cell.task for run in runs})),
            entry(group, runs, "rigor_score"),
            entry(group, runs, "evidence_share"),
            *(entry(group, runs, column.name) for column in _OUTCOMES),
            *baseline_difference(group, condition.key, "rigor_score"),
            *baseline_difference(group, condition.key, "pass_rate"),
        ]

    return TABLE.table(_METHOD, _COLUMNS, group.rows(entries), group=group)


TABLE = TableSpec(
    stem="table-3",
    number="III",
    title="RigorScore and outcome",
    about="RigorScore, evidence share and outcome of each condition, and the differences to the baseline",
    build=per_group(_table),
)
