"""Tracks from text."""

from __future__ import annotations

from pathlib import Path

from .errors import TrackError


def read(path: Path) -> list[tuple]:
    return parse(path.read_text(encoding="utf-8"))


def parse(text: str) -> list[tuple]:
    """The points of a track; blank lines and comments (``#``) are passed over."""
    points: list[tuple] = []
    for number, line in enumerate(text.splitlines(), 1):
        line = line.partition("#")[0].strip()
        if not line:
            continue
        try:
            lat, lon, elevation, seconds = (float(word) for word in line.split())
        except ValueError:
            raise TrackError(f"line {number}: expected four numbers") from None
        if not -90 <= lat <= 90 or not -180 <= lon <= 180:
            raise TrackError(f"line {number}: not a place on earth")
        if points and seconds < points[-1][3]:
            raise TrackError(f"line {number}: time runs backwards")
        points.append((lat, lon, elevation, seconds))
    return points
