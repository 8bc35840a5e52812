"""All checks: every module in ``checks/`` is part of the catalogue."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import lru_cache
from importlib import import_module
from pkgutil import iter_modules

from . import checks
from .fingerprint import fingerprint
from .model import Fired
from .registry import Check, Seen, registered
from .work import Work

_ORDER = ("flag", "weak", "note", "strength")


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


def findings(work: Work, excluded: Collection[str] = ()) -> list[Fired]:
    """The checks that fired: flags first, then by their place in the log. ``excluded``: fingerprints.

    Of the end of a session that the agent did not end, nothing is held against it, nor for it.
    """
    trajectory = work.session.evidence.trajectory
    unended = trajectory.complete is False or trajectory.end in ("limit", "error", "interrupted")
    found = [
        Fired(
            check.id,
            check.pillar,
            check.severity,
            seen.message,
            check.advice,
            [e.id for e in seen.events],
            seen.events[0].step if seen.events else None,
            seen.events[0].source if seen.events else None,
            fingerprint(trajectory.id, check.id, seen.events),
        )
        for check, seen in fired(work)
        if not (unended and check.of_the_end)
    ]
    found = [f for f in found if f.fingerprint not in excluded]
    found.sort(key=lambda f: (_ORDER.index(f.severity), -1 if f.step is None else f.step, f.id))
    return found
