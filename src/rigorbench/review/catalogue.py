"""All checks: every module in ``checks/`` is part of the catalogue."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache
from hashlib import blake2b
from importlib import import_module
from pkgutil import iter_modules

from ..evidence.calls import ends_in_a_call
from ..evidence.events import AnyEvent
from ..session.model import MAIN_LANE
from . import checks
from .findings import quote
from .review import Fired
from .work import Work

_CUT = ("limit", "error", "interrupted")
_ORDER = ("flag", "weak", "note", "strength")


def fingerprint(session: str, check: str, events: Sequence[AnyEvent]) -> str:
    """ "V-narrow:5f0c2b9d31aa": the check, and a digest of the session's id and of what the events quote.

    Ids of events, steps and lines are no part of it: they change when a log is copied, continued or read by another
    version.
    """
    words = [session, *(f"{event.__struct_config__.tag} {quote(event)}" for event in events)]
    return f"{check}:{blake2b(chr(0).join(words).encode('utf-8', 'replace'), digest_size=6).hexdigest()}"


@lru_cache(1)
def all_checks() -> dict[str, checks.Check]:
    """Every check by id, in the order of the modules and of the code in them."""
    for module in sorted(m.name for m in iter_modules(checks.__path__)):
        import_module(f"{checks.__name__}.{module}")
    return dict(checks.CHECKS)


def findings(work: Work, excluded: Collection[str] = ()) -> list[Fired]:
    """The checks that fired: flags first, then by their place in the log. ``excluded``: fingerprints.

    Of the end of a session that the agent did not end, nothing is held against it, nor for it.
    """
    trajectory = work.session.evidence.trajectory
    last = [s for s in trajectory.steps if s.lane == MAIN_LANE][-1:]
    unended = any(s.role == "user" and not s.calls and not s.text.startswith("/") for s in last)  # nobody answered
    unended |= trajectory.complete is False or trajectory.end in _CUT or ends_in_a_call(trajectory)
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
        for check in all_checks().values()
        if not (unended and check.of_the_end)
        for seen in check.rule(work)
    ]
    found = [f for f in found if f.fingerprint not in excluded]
    found.sort(key=lambda f: (_ORDER.index(f.severity), -1 if f.step is None else f.step, f.id))
    return found
