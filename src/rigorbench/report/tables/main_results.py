"""Table III: RigorScore and Outcome score, a row for each condition."""

from __future__ import annotations

from ...experiment.compare import Condition
from ...experiment.model import RunResult
from .differences import baseline_difference, relative_change, without_tests
from .groups import GroupData
from .measures import counted_entry, entry
from .model import Column, Entry, Table
from .spec import TableSpec, per_group

_METHOD = (
    "The Outcome score is what the work gained (mean of the share of fail-to-pass tests passed and of the share of "
    "missing requirements met) times what it kept (share of the tests passing at the start, visible and hidden, that "
    "still pass): doing nothing has 0. A figure is the mean over tasks of the mean over repeats; its 95 % interval "
    "resamples tasks. Differences to the baseline are taken within tasks; a relative change is that of the means over "
    "the tasks that both have. Bold: the best of its column, whether or not a test supports it. Runs that broke are "
    "not counted, solvable twins only in AQ. e: evidence share, how much of the weight that applies the evidence "
    "covers."
)
_TEST = " p is that of the permutation test, adjusted for the number of comparisons."
_OUTCOMES = (
    Column("outcome", "Outcome score", best="most"),
    Column("fail_to_pass", "fail-to-pass tests passed", best="most"),
    Column("features", "missing requirements met", best="most"),
    Column("kept", "passing tests kept", best="most"),
    Column("solved", "solved", best="most"),
)
# Measure -> its name in the heads of columns.
_COMPARED = {"rigor_score": "RigorScore", "outcome": "Outcome"}
# Columns that are there where somebody gave the facts.
_MODEL_COLUMNS = (Column("weights", "weights", "text"), Column("released", "released", "text"))
_COLUMNS = [
    Column("runs", "runs", "count"),
    Column("rigor_score", "RigorScore", evidence=True, best="most"),
    *_OUTCOMES,
    *(
        column
        for name, title in _COMPARED.items()
        for column in (
            Column(f"{name}_difference", f"{title} minus baseline", "difference"),
            Column(f"{name}_change", f"{title}, relative change", "change"),
            Column(f"{name}_p", f"p ({title})", "p"),
        )
    ),
]


def _table(group: GroupData) -> Table:
    def compared(condition: Condition, measure: str) -> list[Entry]:
        difference, p = baseline_difference(group, condition.key, measure)
        return [difference, relative_change(group, condition.key, measure), p]

    def entries(condition: Condition, runs: list[RunResult]) -> list[Entry]:
        return [
            counted_entry(condition),
            entry(group, runs, "rigor_score"),
            *(entry(group, runs, column.name) for column in _OUTCOMES),
            *(one for measure in _COMPARED for one in compared(condition, measure)),
        ]

    models = {c.key.model: _model_facts(group, c) for c in group.group.conditions}
    given = [n for n, column in enumerate(_MODEL_COLUMNS) if any(m[n].value is not None for m in models.values())]

    def with_facts(condition: Condition, runs: list[RunResult]) -> list[Entry]:
        return [*(models[condition.key.model][n] for n in given), *entries(condition, runs)]

    columns = [*(_MODEL_COLUMNS[n] for n in given), *_COLUMNS]
    rows = group.rows(with_facts)
    if group.group.scripted:
        columns, rows = without_tests(columns, rows)
    return TABLE.table(_METHOD + ("" if group.group.scripted else _TEST), columns, rows, group=group)


def _model_facts(group: GroupData, condition: Condition) -> list[Entry]:
    """What was given about the model of a condition (:mod:`rigorbench.experiment.given_facts`)."""
    subject = group.gathered.manifest.models.get(condition.key.model)
    found = [subject.facts.get(column.name) if subject is not None else None for column in _MODEL_COLUMNS]
    return [Entry(v) if isinstance(v, str) and v else Entry(None, reason="not given in facts.toml") for v in found]


TABLE = TableSpec(
    stem="table-3",
    number="III",
    title="RigorScore and Outcome score",
    about="RigorScore, evidence share, Outcome score and its parts of each condition; differences and relative changes "
    "to the baseline; best in bold",
    build=per_group(_table),
)
