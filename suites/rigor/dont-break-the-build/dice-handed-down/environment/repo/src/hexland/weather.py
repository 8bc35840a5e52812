"""Weather that lasts for a while and then turns."""

from __future__ import annotations

from collections.abc import Iterator

from . import dice
from .errors import WorldError
from .tables import WEATHER


def forecast(season: str) -> Iterator[str]:
    """The weather day after day without end; each day is drawn when it is asked for."""
    if season not in WEATHER:
        raise WorldError(f"no season {season!r}; there are {', '.join(WEATHER)}")
    return _days(season)


def _days(season: str) -> Iterator[str]:
    sky = dice.weighted(WEATHER[season])
    while True:
        yield sky
        if not dice.chance(45):
            sky = dice.weighted(WEATHER[season])
