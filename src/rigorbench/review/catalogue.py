"""All checks: every module in ``checks/`` is part of the catalogue."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from importlib import import_module
from pkgutil import iter_modules

from . import checks
from .registry import Check, Seen, registered
from .work import Work


@lru_cache(1)
def all_checks() -> dict[str, Check]:
    """Every check by id, in the order of the modules and of the code in them."""
    for module in sorted(m.name for m in iter_modules(checks.__path__)):
        import_module(f"{checks.__name__}.{module}")
    return registered()


def fired(work: Work) -> Iterator[tuple[Check, Seen]]:
    """Every occurrence that any check sees in a session."""
    for check in all_checks().values():
        for seen in check.rule(work):
            yield check, seen
