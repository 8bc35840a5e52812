"""Tokens, model calls, time and cost of each condition; the paper gives them in its text."""

from __future__ import annotations

from ...experiment.compare import Condition
from ...experiment.model import RunResult
from ..text import experiment as say
from ..text import words
from .differences import baseline_difference
from .groups import GroupData
from .measures import counted_entry, entry
from .model import Column, Entry, Table
from .spec import TableSpec, per_group


def _table(group: GroupData) -> Table:
    scripted = group.group.scripted

    def entries(condition: Condition, runs: list[RunResult]) -> list[Entry]:
        return [
            counted_entry(condition),
            entry(group, runs, "tokens"),
            entry(group, runs, "output_tokens", _output_tokens),
            *(entry(group, runs, name) for name in ("model_calls", "seconds", "cost")),
            baseline_difference(group, condition.key, "tokens")[0],
        ]

    budget = group.gathered.manifest.budget
    limit = "no token limit" if budget.tokens is None else f"{words.count(budget.tokens)} tokens"
    return TABLE.table(
        f"Tokens: those counted against the budget of a run ({limit}; {budget.metering}).",
        [
            Column("runs", "runs", "count"),
            Column("tokens", "tokens", "tokens"),
            Column("output_tokens", "output tokens", "tokens"),
            Column("model_calls", "turns" if scripted else "model calls", "number"),
            Column("seconds", "time", "seconds"),
            Column("cost", "cost", "dollars"),
            Column("tokens_difference", "tokens minus baseline", "token_difference"),
        ],
        group.rows(entries),
        notes=[say.POLICY_TOKENS] if scripted else [],
        group=group,
    )


def _output_tokens(run: RunResult) -> float | None:
    return None if run.tokens is None else run.tokens.get("output")


TABLE = TableSpec(
    stem="tokens",
    title="Token consumption",
    about="tokens, turns, time and cost of each condition (the paper gives them in the text)",
    build=per_group(_table),
)
