"""The figures of a track."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from .errors import TrackError
from .geo import bearing, distance

# Changes of elevation below this are noise of the receiver.
NOISE = 3.0
# Slower than this (metres per second) is a rest.
REST = 0.2


@dataclass(frozen=True)
class Summary:
    """Metres, seconds, metres per second, and a bearing in degrees."""

    length: float
    ascent: float
    descent: float
    lowest: float
    highest: float
    seconds: float
    resting: float
    speed: float
    heading: float


def summary(points: list[tuple]) -> Summary:
    if len(points) < 2:
        raise TrackError("a track needs at least two points")
    length = sum(distance(a, b) for a, b in pairwise(points))
    ascent, descent = climbs(points)
    seconds = points[-1][3] - points[0][3]
    resting = sum(b[3] - a[3] for a, b in pairwise(points) if distance(a, b) < REST * (b[3] - a[3]))
    moving = seconds - resting
    return Summary(
        length,
        ascent,
        descent,
        min(p[2] for p in points),
        max(p[2] for p in points),
        seconds,
        resting,
        length / moving if moving else 0.0,
        bearing(points[0], points[-1]),
    )


def climbs(points: list[tuple]) -> tuple[float, float]:
    """Metres up and metres down, small changes left out."""
    up = down = 0.0
    level = points[0][2]
    for p in points[1:]:
        change = p[2] - level
        if abs(change) < NOISE:
            continue
        if change > 0:
            up += change
        else:
            down -= change
        level = p[2]
    return up, down
