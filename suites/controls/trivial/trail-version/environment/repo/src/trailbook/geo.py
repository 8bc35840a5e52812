"""Distances on the sphere."""

from __future__ import annotations

import math

RADIUS = 6_371_000.0


def distance(a: tuple, b: tuple) -> float:
    """Metres between two points along the surface, elevation left out."""
    lat1, lat2 = math.radians(a[0]), math.radians(b[0])
    dlat, dlon = lat2 - lat1, math.radians(b[1] - a[1])
    h = math.sin(dlat / 2) ** 2 + math.cos(lat1) * math.cos(lat2) * math.sin(dlon / 2) ** 2
    return 2 * RADIUS * math.asin(math.sqrt(h))


def bearing(a: tuple, b: tuple) -> float:
    """Degrees from north, clockwise, in which b lies as seen from a."""
    lat1, lat2 = math.radians(a[0]), math.radians(b[0])
    dlon = math.radians(b[1] - a[1])
    y = math.sin(dlon) * math.cos(lat2)
    x = math.cos(lat1) * math.sin(lat2) - math.sin(lat1) * math.cos(lat2) * math.cos(dlon)
    return math.degrees(math.atan2(y, x)) % 360


def offset(p: tuple, a: tuple, b: tuple) -> float:
    """Metres from p to the line from a to b, taking the earth for flat."""
    scale = math.cos(math.radians(a[0]))
    ax, ay = 0.0, 0.0
    bx, by = (b[1] - a[1]) * scale, b[0] - a[0]
    px, py = (p[1] - a[1]) * scale, p[0] - a[0]
    length = math.hypot(bx - ax, by - ay)
    across = abs(bx * py - by * px) / length if length else math.hypot(px, py)
    return math.radians(across) * RADIUS


def between(a: tuple, b: tuple, share: float) -> tuple:
    """The point that lies at a share of the way from a to b."""
    return (
        a[0] + (b[0] - a[0]) * share,
        a[1] + (b[1] - a[1]) * share,
        a[2] + (b[2] - a[2]) * share,
        a[3] + (b[3] - a[3]) * share,
    )
