"""Times for parts of equal length."""

from __future__ import annotations

from dataclasses import dataclass

from .errors import TrackError
from .geo import between, distance


@dataclass(frozen=True)
class Part:
    """``length`` in metres, ``seconds`` for it, ``rise`` in metres (negative: down)."""

    length: float
    seconds: float
    rise: float


def splits(points: list[tuple], every: float) -> list[Part]:
    """The parts of a track, each ``every`` metres long; the last one is what is left."""
    if every <= 0:
        raise TrackError("parts need a length")
    if not points:
        return []
    parts: list[Part] = []
    start = previous = points[0]
    walked = 0.0
    for p in points[1:]:
        step = distance(previous, p)
        while walked + step >= every:
            cut = between(previous, p, (every - walked) / step)
            parts.append(Part(every, cut[3] - start[3], cut[2] - start[2]))
            step -= every - walked
            start = previous = cut
            walked = 0.0
        walked += step
        previous = p
    if walked > 0.01:
        parts.append(Part(walked, previous[3] - start[3], previous[2] - start[2]))
    return parts
