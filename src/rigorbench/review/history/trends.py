"""How sessions develop: by week, and by week for each project, model, agent and range of cost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

from msgspec import Struct

from ..pages.summary import SessionRow
from ..pages.tally import SessionsSummary, Tally, Week, summary, tally, weeks

Kind = Literal["project", "model", "agent", "cost"]
KINDS: tuple[Kind, ...] = ("project", "model", "agent", "cost")
UNKNOWN = "unknown"
# Upper ends of the ranges of cost, in dollars.
_COSTS = ((0.1, "under $0.10"), (1.0, "$0.10 to $1"), (10.0, "$1 to $10"), (float("inf"), "over $10"))


class SessionGroup(Struct):
    """Sessions that have something in common, as a whole and in each week in which there was any session."""

    name: str
    tally: Tally
    weeks: list[Week]


class Trends(Struct):
    summary: SessionsSummary
    groups: dict[Kind, list[SessionGroup]]
    """Those with the most sessions first; of cost, the cheapest first."""
    undated: int
    """Sessions of which no time is known: they are in no week."""


def trends(rows: Sequence[SessionRow], kinds: Sequence[Kind] = KINDS) -> Trends:
    """The trends of sessions in any order. ``kinds``: by what they are grouped."""
    undated = sum(row.week is None for row in rows)
    return Trends(summary(rows), {kind: _groups(rows, kind) for kind in kinds}, undated)


def cost_range(cost: float | None) -> str:
    """The range that a cost is in; "unknown" where there is none."""
    return UNKNOWN if cost is None else next(name for end, name in _COSTS if cost < end)


_NAMES: dict[Kind, Callable[[SessionRow], str]] = {
    "project": lambda row: row.project or UNKNOWN,
    "model": lambda row: row.model or UNKNOWN,
    "agent": lambda row: row.agent_name,
    "cost": lambda row: cost_range(row.cost),
}


def _groups(rows: Sequence[SessionRow], kind: Kind) -> list[SessionGroup]:
    name = _NAMES[kind]
    found: dict[str, list[SessionRow]] = {}
    for row in rows:
        found.setdefault(name(row), []).append(row)
    starts = [week.start for week in weeks(rows)]
    groups = []
    for key, members in found.items():
        # Also the weeks without one of these sessions.
        own = {week.start: week for week in weeks(members)}
        groups.append(SessionGroup(key, tally(members), [own.get(start) or Week(start, tally([])) for start in starts]))
    if kind == "cost":
        order = [*(title for _, title in _COSTS), UNKNOWN]
        return sorted(groups, key=lambda group: order.index(group.name))
    return sorted(groups, key=lambda group: (-group.tally.sessions, group.name))
