"""Where a track comes closest to a place."""

from __future__ import annotations

from .errors import TrackError
from .geo import distance


def nearest(points: list[tuple], lat: float, lon: float) -> tuple[tuple, float]:
    """The point of the track that is nearest to a place, and its distance in metres; of equals the first."""
    if not points:
        raise TrackError("the track has no points")
    place = (lat, lon, 0.0, 0.0)
    best = min(points, key=lambda p: distance(p, place))
    return best, distance(best, place)


def passes(points: list[tuple], lat: float, lon: float, within: float) -> list[tuple[float, float]]:
    """When the track was within so many metres of a place: (from, to) in seconds for each time it passed."""
    place = (lat, lon, 0.0, 0.0)
    found: list[tuple[float, float]] = []
    begin: float | None = None
    for p in points:
        if distance(p, place) > within:
            begin = None
        elif begin is None:
            begin = p[3]
            found.append((begin, begin))
        else:
            found[-1] = (begin, p[3])
    return found
