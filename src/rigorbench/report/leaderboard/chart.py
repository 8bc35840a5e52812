"""Scores over time as places in an SVG: small in a row, large on the page of an entry."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from msgspec import Struct

WIDTH, HEIGHT = 720.0, 240.0
LEFT, RIGHT, TOP, BOTTOM = 34.0, 12.0, 10.0, 24.0
SPARK_WIDTH, SPARK_HEIGHT = 72.0, 20.0


class Point(Struct):
    """A score at a time. ``line``: points of one line may be compared. ``own``: it is of the entry shown."""

    date: datetime
    value: float
    low: float | None
    high: float | None
    line: int
    own: bool
    label: str


class Dot(Struct):
    x: str
    y: str
    top: str | None
    bottom: str | None
    own: bool
    label: str


class Chart(Struct):
    """``lines``: (points of a polyline, whether it is that of the entry's own board)."""

    dots: list[Dot]
    lines: list[tuple[str, bool]]
    marks: list[tuple[str, str]]
    ends: list[tuple[str, str, str]]


def chart(points: Sequence[Point], own: int) -> Chart | None:
    """Places in a picture of WIDTH x HEIGHT; None without a point."""
    if not points:
        return None
    times = [_seconds(p.date) for p in points]
    first, span = min(times), max(max(times) - min(times), 1.0)
    single = max(times) == min(times)

    def x(time: float) -> float:
        share = 0.5 if single else (time - first) / span
        return LEFT + share * (WIDTH - LEFT - RIGHT)

    def y(value: float) -> float:
        return TOP + (1 - min(1.0, max(0.0, value))) * (HEIGHT - TOP - BOTTOM)

    dots = [
        Dot(
            _text(x(time)),
            _text(y(p.value)),
            None if p.high is None else _text(y(p.high)),
            None if p.low is None else _text(y(p.low)),
            p.own,
            p.label,
        )
        for p, time in zip(points, times, strict=True)
    ]
    lines = []
    for line in sorted({p.line for p in points}):
        of = sorted((t, p.value) for p, t in zip(points, times, strict=True) if p.line == line)
        if len(of) > 1:
            lines.append((" ".join(f"{_text(x(t))},{_text(y(v))}" for t, v in of), line == own))
    marks = [(_text(y(v)), f"{v:.2f}") for v in (0.0, 0.25, 0.5, 0.75, 1.0)]
    earliest, latest = min(p.date for p in points), max(p.date for p in points)
    ends = [(_text(x(first)), "middle" if single else "start", f"{earliest:%Y-%m-%d}")]
    if f"{earliest:%Y-%m-%d}" != f"{latest:%Y-%m-%d}":
        ends.append((_text(x(max(times))), "end", f"{latest:%Y-%m-%d}"))
    return Chart(dots, lines, marks, ends)


def spark(points: Sequence[tuple[datetime, float]]) -> str:
    """The points of a polyline in a picture of SPARK_WIDTH x SPARK_HEIGHT; "" with fewer than two."""
    if len(points) < 2:
        return ""
    ordered = sorted((_seconds(d), v) for d, v in points)
    first, span = ordered[0][0], max(ordered[-1][0] - ordered[0][0], 1.0)
    return " ".join(
        f"{_text(2 + (t - first) / span * (SPARK_WIDTH - 4))},{_text(2 + (1 - v) * (SPARK_HEIGHT - 4))}"
        for t, v in ordered
    )


def _seconds(date: datetime) -> float:
    return date.replace(tzinfo=UTC).timestamp()


def _text(value: float) -> str:
    return f"{value:.1f}"
