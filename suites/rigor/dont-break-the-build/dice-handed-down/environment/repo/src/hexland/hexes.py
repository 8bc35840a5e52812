"""Places on a map of hexes: columns and rows, every other row half a hex to the right."""

from __future__ import annotations

from collections.abc import Container

Place = tuple[int, int]

_EVEN = ((-1, 0), (1, 0), (-1, -1), (0, -1), (-1, 1), (0, 1))
_ODD = ((-1, 0), (1, 0), (0, -1), (1, -1), (0, 1), (1, 1))


def neighbours(place: Place, land: Container[Place]) -> list[Place]:
    """The places around one that are on the map, in an order that is always the same."""
    col, row = place
    around = _ODD if row % 2 else _EVEN
    return [(col + dc, row + dr) for dc, dr in around if (col + dc, row + dr) in land]


def label(place: Place) -> str:
    """What a place is called on the map's margin: B03 is the second column of the third row."""
    col, row = place
    return f"{chr(ord('A') + col)}{row + 1:02d}"
