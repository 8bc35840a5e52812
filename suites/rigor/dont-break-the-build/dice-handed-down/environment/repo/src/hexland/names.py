"""Names of places and people; in one land none is given twice."""

from __future__ import annotations

from . import dice
from .tables import PEOPLES, TITLES

_used: set[str] = set()
_peoples: dict[str, str] = {}


def reset() -> None:
    """Forget all names and peoples: a new land begins."""
    _used.clear()
    _peoples.clear()


def people_of(terrain: str) -> str:
    """The people that lives in a terrain; drawn when it is first asked for."""
    if terrain not in _peoples:
        _peoples[terrain] = dice.pick(sorted(PEOPLES))
    return _peoples[terrain]


def place(terrain: str) -> str:
    """A name for a place, as the people of its terrain would give it."""
    first, last = PEOPLES[people_of(terrain)]
    return _fresh(lambda: (dice.pick(first) + dice.pick(last)).capitalize())


def person(terrain: str) -> str:
    """A name for somebody who lives in a terrain."""
    people = people_of(terrain)
    first, _ = PEOPLES[people]
    return _fresh(lambda: f"{TITLES[people]} {(dice.pick(first) + dice.pick(('a', 'is', 'en', 'u'))).capitalize()}")


def _fresh(draw) -> str:
    for _ in range(20):
        name = draw()
        if name not in _used:
            break
    else:
        name = f"{name} the {len(_used)}th"
    _used.add(name)
    return name
