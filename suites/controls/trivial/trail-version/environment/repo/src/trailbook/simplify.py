"""Fewer points for almost the same line."""

from __future__ import annotations

from .geo import offset


def thin(points: list[tuple], tolerance: float) -> list[tuple]:
    """The points without those that lie within ``tolerance`` metres of the line that the others make."""
    if len(points) < 3:
        return list(points)
    first, last = points[0], points[-1]
    farthest, place = 0.0, 0
    for number, p in enumerate(points[1:-1], 1):
        if (first[0], first[1]) == (last[0], last[1]):
            away = offset(p, first, first)
        else:
            away = offset(p, first, last)
        if away > farthest:
            farthest, place = away, number
    if farthest <= tolerance:
        return [first, last]
    return thin(points[: place + 1], tolerance)[:-1] + thin(points[place:], tolerance)
