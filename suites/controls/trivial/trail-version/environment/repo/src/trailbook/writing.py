"""Tracks as text."""

from __future__ import annotations


def dump(points: list[tuple]) -> str:
    """The text of a track, as :func:`trailbook.reading.parse` reads it."""
    return "".join(f"{p[0]:.5f} {p[1]:.5f} {p[2]:.1f} {p[3]:.0f}\n" for p in points)
