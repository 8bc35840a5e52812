"""What each departure from the letter of the paper does to the RigorScore and to the ranking of the conditions."""

from __future__ import annotations

from collections.abc import Collection

from ...experiment.model import RunResult
from ...metrics.paper_exact import ALL, DEPARTURES, Departure, letter_scores
from .gather import Gathered
from .groups import GroupData
from .measures import Value, entry
from .model import Column, Entry, Row, Table
from .spec import TableSpec, per_group

_CAPTION = (
    "The RigorScore with one of our departures undone at a time, and with all of them undone (`rigor report "
    "--paper-exact` makes every table so). Rank: of the conditions, by this score; equal scores share a rank. A rank "
    "that differs from that of our formulas is in the last column. Departures that no score document can undo (the "
    "planning tool of an agent, the quorum of judges) are in docs/scoring.md."
)
_COLUMNS = [
    Column("rigor_score", "RigorScore", best="most"),
    Column("rank", "rank", "count"),
    Column("moved", "places moved", "text"),
]


def _score(gathered: Gathered, undone: Collection[Departure]) -> Value:
    def value(run: RunResult) -> float | None:
        found = gathered.submetrics.get(run.cell.id)
        return None if found is None else letter_scores(found, undone)[0]

    return value


def ranks(values: list[float | None]) -> list[int | None]:
    """The place of each value among all, from 1; equal values share a place, None has none."""
    known = [v for v in values if v is not None]
    return [None if v is None else 1 + sum(other > v for other in known) for v in values]


def _table(group: GroupData) -> Table:
    conditions = group.group.conditions
    variants: dict[str, Collection[Departure]] = {"our formulas": ()}
    variants |= {text: (name,) for name, (_, text) in DEPARTURES.items()} | {"all, by the letter": ALL}
    rows: list[Row] = []
    ours: list[int | None] = []
    for text, undone in variants.items():
        of = _score(group.gathered, undone)
        cells = [
            entry(group, group.runs[c.key], "rigor_score", of, because=lambda _: "too little evidence or no score")
            for c in conditions
        ]
        places = ranks([e.value if isinstance(e.value, int | float) else None for e in cells])
        ours = ours or places
        for condition, cell, place, before in zip(conditions, cells, places, ours, strict=True):
            rank = Entry(place, reason="" if place is not None else "no score")
            moved = _moved(place, before)
            label = [text, group.label(condition.key)]
            rows.append(Row(label, [cell, rank, moved], len(group.runs[condition.key])))
    return TABLE.table(_CAPTION, _COLUMNS, rows, heads=["formula", group.labels.column], block=1, group=group)


def _moved(place: int | None, before: int | None) -> Entry:
    if place is None or before is None:
        return Entry(None, reason="no rank in one of the two")
    return Entry("none" if place == before else f"{before} to {place}")


TABLE = TableSpec(
    stem="departures",
    title="Departures from the paper, and the ranking",
    about="RigorScore and rank of each condition with each departure from the paper's formulas undone "
    "([scoring.md](scoring.md#6-where-this-departs-from-the-paper))",
    build=per_group(_table),
)
