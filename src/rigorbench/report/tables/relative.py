"""The figures of the paper's abstract: outcome, tokens and waste of a condition relative to the baseline's."""

from __future__ import annotations

from ...experiment.compare import Condition
from ...experiment.model import RunResult
from ..text import experiment as say
from .differences import relative_change
from .groups import GroupData
from .measures import Value, counted_entry
from .model import Column, Entry, Table
from .spec import TableSpec, per_group
from .submetrics import submetric_of

_CAPTION = (
    "Mean of the condition / mean of its baseline - 1, over the tasks on which both have a value; the 95 % interval "
    "resamples tasks. Waste is TWR, the share of the output tokens that went into attempts that still failed; tasks on "
    "which either condition met no error have none."
)
_MEASURES = {
    "rigor_score": "RigorScore",
    "outcome": "Outcome score",
    "pass_rate": "hidden tests passed",
    "tokens": "tokens",
    "waste": "waste (TWR)",
    "seconds": "time",
}


def _table(group: GroupData) -> Table:
    kept = submetric_of(group.gathered, "1-TWR")

    def waste(run: RunResult) -> float | None:
        found = kept(run)
        return None if found is None else 1 - found

    measures: dict[str, str | Value] = {name: name for name in _MEASURES} | {"waste": waste}

    def entries(condition: Condition, runs: list[RunResult]) -> list[Entry]:
        return [
            counted_entry(condition),
            *(relative_change(group, condition.key, measures[name]) for name in _MEASURES),
        ]

    columns = [Column("runs", "runs", "count"), *(Column(n, t, "change") for n, t in _MEASURES.items())]
    notes = [say.POLICY_TOKENS] if group.group.scripted else []
    return TABLE.table(_CAPTION, columns, group.rows(entries), notes=notes, group=group)


TABLE = TableSpec(
    stem="relative",
    title="Relative changes to the baseline",
    about="by how many percent outcome, tokens, waste and time of each condition are above or below the baseline's "
    "(the figures of the paper's abstract)",
    build=per_group(_table),
)
