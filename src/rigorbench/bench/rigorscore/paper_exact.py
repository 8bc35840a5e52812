"""Scores by the letter of the paper, where its formulas are others than ours (docs/scoring.md, section 6).

A sub-metric has ``paper`` beside its value where the two differ. Pillars and RigorScore by the letter have no quorum of
evidence: whatever has a value counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal, Protocol

from msgspec.structs import replace

from ...review.pillars import PILLARS, SUBMETRICS
from ...review.result import Pillar, Score, SubMetric
from .combining import ENOUGH, combine

Departure = Literal["cycles", "tau", "headroom", "waste", "references", "requirements", "quorum"]
# Departure -> the sub-metrics that it is about, and what the paper has instead.
DEPARTURES: dict[Departure, tuple[tuple[str, ...], str]] = {
    "cycles": (("f(RAC)",), "f of the number of recovery attempts in the session"),
    "tau": (("PEA",), "Kendall's tau-b without the share of items carried out"),
    "headroom": (("dC",), "coverage delta not divided by the headroom"),
    "waste": (("1-TWR",), "all tokens of failed attempts / all tokens"),
    "references": (("TCR", "RT"), "a test that refers to the function or requirement"),
    "requirements": (tuple(s.name for s in SUBMETRICS), "no bound by the requirements that the change meets"),
    "quorum": ((), "no quorum of evidence: whatever has a value counts"),
}
# How the reason of a value begins that the bound by requirements lowers.
BOUNDED = "at most "
BY_REFERENCE = frozenset(DEPARTURES["references"][0])
ALL = frozenset(DEPARTURES)


class Value(Protocol):
    """What of a sub-metric is needed. ``reason``: begins with ``BOUNDED`` where that bound lowers it."""

    @property
    def status(self) -> str: ...
    @property
    def value(self) -> float | None: ...
    @property
    def paper(self) -> float | None: ...
    @property
    def reason(self) -> str: ...


def letter_value(name: str, found: Value, departures: Iterable[Departure] = ALL) -> float | None:
    """The value of a sub-metric, by the letter where one of these departures is about it."""
    if found.status != "scored":
        return None
    undone = {d for d in departures if name in DEPARTURES[d][0]}
    if not found.reason.startswith(BOUNDED):
        undone.discard("requirements")
    return found.paper if undone and found.paper is not None else found.value


def letter_scores(
    submetrics: Mapping[str, Value], departures: Iterable[Departure] = ALL
) -> tuple[float | None, dict[str, float | None]]:
    """(RigorScore, pillars) of a run with these departures from our definitions undone."""
    undone = frozenset(departures)
    enough = 0.0 if "quorum" in undone else ENOUGH
    pillars: dict[str, tuple[str, float | None, float]] = {}
    for pillar in PILLARS:
        parts = {
            s.name: (found.status, letter_value(s.name, found, undone), s.weight)
            for s in SUBMETRICS
            if s.pillar == pillar.name and (found := submetrics.get(s.name)) is not None
        }
        value, share = combine(parts, enough)
        status = "not_applicable" if share is None else "unscorable" if value is None else "scored"
        pillars[pillar.name] = (status, value, pillar.weight)
    return combine(pillars, enough)[0], {name: value for name, (_, value, _) in pillars.items()}


def by_the_letter(score: Score) -> Score:
    """A score document by the letter of the paper."""
    submetrics: dict[str, SubMetric] = {n: s for p in score.pillars.values() for n, s in p.submetrics.items()}
    total, values = letter_scores(submetrics)
    pillars: dict[str, Pillar] = {}
    for name, pillar in score.pillars.items():
        status = "scored" if values[name] is not None else pillar.status
        subs = {n: replace(s, value=letter_value(n, s), paper=None) for n, s in pillar.submetrics.items()}
        pillars[name] = replace(pillar, value=values[name], status=status, submetrics=subs)
    return replace(score, rigor_score=total, pillars=pillars)
