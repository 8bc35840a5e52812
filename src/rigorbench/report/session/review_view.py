"""The review of a session as its page shows it: verdict, gauges, flags, what to change; then every grade and check."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from ...metrics.result import SessionReport
from ...review.causes import Finding, findings
from ...review.model import Fired, Grade, Review
from ...review.verdict import did, level, unknown, verdict
from ..pages import slug
from ..text.words import graded, tone
from .places import Link
from .proof import Proof, Proofs, place

# So many things to change: more are not kept in mind.
CHANGES = 3
# The colour classes of a gauge.

# What a list of checks says of a severity, and its colour class.
_TONES = {"flag": "fail", "weak": "talk", "note": "muted", "strength": "pass"}


class GradeView(Struct):
    """One grade."""

    name: str
    value: int | None
    text: str
    reason: str


class GaugeView(Struct):
    """A grade as a gauge. ``tone``: its colour class, "none" without a value; ``word``: the value in a word."""

    name: str
    value: int | None
    text: str
    tone: str
    word: str
    reason: str


class FlagView(Struct):
    """An accusation on the first screen, with the words of the log that show it."""

    id: str
    anchor: str
    message: str
    place: str
    href: str | None
    proofs: list[tuple[Proof, str | None]]


class ChangeView(Struct):
    """One thing to change: what the agent did, where, and the line that would have prevented it.

    Attributes:
        checks: those that found it, linked to all that they saw.
        message: what was seen first; empty where it is among the flags.
        more: how many occurrences there are besides.
    """

    deed: str
    flag: bool
    checks: list[Link]
    message: str
    place: str
    href: str | None
    more: int
    advice: str


class SeenView(Struct):
    """One occurrence of a check. ``href``: its first event in the page, or its step; None: neither is there."""

    message: str
    place: str
    href: str | None
    links: list[Link]


class CheckView(Struct):
    """A check and all its occurrences, in their order in the log."""

    id: str
    anchor: str
    severity: str
    tone: str
    advice: str | None
    seen: list[SeenView]


class ReviewView(Struct):
    """The review. ``accused``: each flag with its proof; ``flags``, ``problems`` (weak checks, then notes) and
    ``strengths`` have every check that fired."""

    tone: str
    verdict: str
    gauges: list[GaugeView]
    accused: list[FlagView]
    changes: list[ChangeView]
    overall: int | None
    text: str
    reason: str
    size: str | None
    grades: list[GradeView]
    flags: list[CheckView]
    problems: list[CheckView]
    strengths: list[CheckView]


def review_view(review: Review, report: SessionReport, anchors: Mapping[str, str]) -> ReviewView:
    """The view of a review. ``anchors``: the place of each event in the page."""
    steps = len(report.trajectory.steps)
    said = verdict(review)
    proofs = Proofs(report)
    found: dict[str, list[Fired]] = {}
    for fired in review.checks:
        found.setdefault(fired.id, []).append(fired)
    checks = [_check(group, anchors, steps) for group in found.values()]
    return ReviewView(
        said.tone,
        said.sentence,
        _gauges(review),
        [_flag(c, proofs, anchors, steps) for c in review.checks if c.severity == "flag"],
        [_change(f, steps) for f in findings(review, report.events)[:CHANGES]],
        review.overall,
        "–" if review.overall is None else str(review.overall),
        review.reason,
        review.size,
        [_grade(name, grade) for name, grade in review.grades.items()],
        [c for c in checks if c.severity == "flag"],
        [c for severity in ("weak", "note") for c in checks if c.severity == severity],
        [c for c in checks if c.severity == "strength"],
    )


def check_anchor(name: str) -> str:
    """The place of a check in the page."""
    return f"c-{slug(name)}"


def _gauges(review: Review) -> list[GaugeView]:
    """The overall grade and the others; a reason that all of them share is said once."""
    nothing = unknown(review)
    others = (_gauge(n, g.value, g.status, "" if nothing else g.reason) for n, g in review.grades.items())
    return [_gauge("overall", review.overall, "unscorable", review.reason), *others]


def _gauge(name: str, value: int | None, status: str, reason: str) -> GaugeView:
    if value is None:
        word = "does not apply" if status == "not_applicable" else "not known"
        return GaugeView(name, None, graded(None, status), "none", word, reason)
    return GaugeView(name, value, str(value), tone(value), level(value), reason)


def _flag(fired: Fired, proofs: Proofs, anchors: Mapping[str, str], steps: int) -> FlagView:
    shown = [(proof, anchors.get(proof.event)) for proof in proofs.of(fired)]
    where = place(fired.step, fired.source)
    return FlagView(fired.id, check_anchor(fired.id), fired.message, where, _step(fired, steps), shown)


def _change(finding: Finding, steps: int) -> ChangeView:
    first, deed = finding.first, did(finding.first.id)
    flag = first.severity == "flag"
    return ChangeView(
        deed[0].upper() + deed[1:],
        flag,
        [Link(id, check_anchor(id)) for id in finding.ids],
        "" if flag else first.message,
        place(first.step, first.source),
        _step(first, steps),
        sum(c.id == first.id for c in finding.seen) - 1,
        first.advice or "",
    )


def _step(fired: Fired, steps: int) -> str | None:
    """The row of the page that a check points to; None: there is none."""
    return f"s{fired.step}" if fired.step is not None and 0 <= fired.step < steps else None


def _grade(name: str, grade: Grade) -> GradeView:
    return GradeView(name, grade.value, graded(grade.value, grade.status), grade.reason)


def _check(group: Sequence[Fired], anchors: Mapping[str, str], steps: int) -> CheckView:
    first = group[0]
    seen = [_seen(fired, anchors, steps) for fired in group]
    return CheckView(first.id, check_anchor(first.id), first.severity, _TONES[first.severity], first.advice, seen)


def _seen(fired: Fired, anchors: Mapping[str, str], steps: int) -> SeenView:
    links = [Link(e, anchors.get(e)) for e in dict.fromkeys(fired.events)]
    return SeenView(fired.message, place(fired.step, fired.source), _step(fired, steps), links)
