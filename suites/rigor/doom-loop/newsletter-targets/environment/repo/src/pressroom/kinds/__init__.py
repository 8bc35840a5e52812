"""The kinds of targets: modules of this package, found by their names."""

from __future__ import annotations

import importlib
import pkgutil
from typing import Protocol

from ..buildfile import Target
from ..context import Context
from ..errors import PressError


class Kind(Protocol):
    """What the module of a kind offers."""

    def collect(self, target: Target, context: Context) -> list[str]:
        """All files that the target is made of."""

    def make(self, target: Target, files: list[str], context: Context) -> None:
        """Make it of the files that ``collect`` gave."""


def names() -> list[str]:
    return sorted(module.name for module in pkgutil.iter_modules(__path__))


def of(target: Target) -> Kind:
    """The kind of a target."""
    if target.kind not in names():
        raise PressError(f"{target.name}: unknown kind {target.kind!r}; there are {', '.join(names())}")
    return importlib.import_module(f"{__name__}.{target.kind}")  # type: ignore[return-value]
