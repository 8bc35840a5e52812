"""Reviews in the formats that other tools read. A module of this package is a format, and nothing else lists it.

Its name is what ``rigor score --format`` takes; its function ``write`` makes the document.
"""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..outcome import ScoredSessions


@lru_cache(1)
def names() -> tuple[str, ...]:
    """The names of the formats."""
    return tuple(sorted(module.name for module in iter_modules(__path__)))


def write(name: str, outcome: ScoredSessions) -> str:
    """The document of all sessions in one format."""
    text: str = import_module(f".{name}", __name__).write(outcome)
    return text
