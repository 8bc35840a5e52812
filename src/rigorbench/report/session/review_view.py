"""The review of a session as its page shows it: grades, and the checks that fired, grouped by check."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from ...review.model import Fired, Grade, Review
from ..pages import slug
from ..text.words import graded
from .places import Link

# What a list of checks says of a severity, and its colour class.
_TONES = {"flag": "fail", "weak": "talk", "note": "muted", "strength": "pass"}


class GradeView(Struct):
    """One grade; ``checks``: those that it rests on, linked where they are in the page."""

    name: str
    value: int | None
    text: str
    reason: str
    checks: list[Link]


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
    """The review. ``flags`` accuse and are shown above all else; ``problems``: weak checks, then notes."""

    overall: int | None
    text: str
    reason: str
    size: str | None
    grades: list[GradeView]
    flags: list[CheckView]
    problems: list[CheckView]
    strengths: list[CheckView]


def review_view(review: Review, anchors: Mapping[str, str], steps: int) -> ReviewView:
    """The view of a review. ``anchors``: the place of each event in the page; ``steps``: how many rows it has."""
    found: dict[str, list[Fired]] = {}
    for fired in review.checks:
        found.setdefault(fired.id, []).append(fired)
    checks = [_check(group, anchors, steps) for group in found.values()]
    return ReviewView(
        review.overall,
        "–" if review.overall is None else str(review.overall),
        review.reason,
        review.size,
        [_grade(name, grade, found) for name, grade in review.grades.items()],
        [c for c in checks if c.severity == "flag"],
        [c for severity in ("weak", "note") for c in checks if c.severity == severity],
        [c for c in checks if c.severity == "strength"],
    )


def check_anchor(name: str) -> str:
    """The place of a check in the page."""
    return f"c-{slug(name)}"


def _grade(name: str, grade: Grade, fired: Mapping[str, object]) -> GradeView:
    links = [Link(c, check_anchor(c) if c in fired else None) for c in grade.checks]
    return GradeView(name, grade.value, graded(grade.value, grade.status), grade.reason, links)


def _check(group: Sequence[Fired], anchors: Mapping[str, str], steps: int) -> CheckView:
    first = group[0]
    seen = [_seen(fired, anchors, steps) for fired in group]
    return CheckView(first.id, check_anchor(first.id), first.severity, _TONES[first.severity], first.advice, seen)


def _seen(fired: Fired, anchors: Mapping[str, str], steps: int) -> SeenView:
    links = [Link(e, anchors.get(e)) for e in dict.fromkeys(fired.events)]
    place = [f"step {fired.step}"] if fired.step is not None else []
    place += [f"line {fired.source.line}"] if fired.source is not None and fired.source.line is not None else []
    step = f"s{fired.step}" if fired.step is not None and 0 <= fired.step < steps else None
    return SeenView(fired.message, ", ".join(place), step, links)
