"""When a check applies, as something that can be tried on a session: the events that make it apply.

The keys are the words of the checks (``applies``). A check with new words needs a row here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rigorbench.evidence.events import AnyEvent, ReproductionEvent
from rigorbench.review.checks.honesty import CLAIMS
from rigorbench.review.work import MEDIUM, Work


def _changed(work: Work) -> Sequence[AnyEvent]:
    return [work.production[-1], *work.checks[-1:]] if work.edits else []


def _failed(work: Work) -> Sequence[AnyEvent]:
    red = [e for e in work.checks if work.red(e)]
    return [red[0], *work.checks[-1:]] if red else []


def _test_failed(work: Work) -> Sequence[AnyEvent]:
    return [e for e in work.tests if work.red(e)][:1]


def _tested_later(work: Work) -> Sequence[AnyEvent]:
    later = [e for e in work.tests if work.green(e) and work.at[e.id] > work.first_edit]
    return later[-1:] if len({e.new_path or e.path for e in work.production}) >= MEDIUM[0] else []


def _commits(work: Work) -> Sequence[AnyEvent]:
    return [c for c in work.session.commits if any(work.at[e.id] < work.at[c.id] for e in work.production)][-1:]


def _modified(work: Work) -> Sequence[AnyEvent]:
    return [e for e in work.production if e.operation == "modify"][:1]


def _code(work: Work) -> bool:
    return any(e.role == "production" for e in work.edits)


def _behaviour(work: Work) -> Sequence[AnyEvent]:
    shown = [work.production[0], *work.checks[-1:]] if work.production else []
    return shown if _code(work) and work.size not in (None, "none", "trivial") else []


APPLIES: dict[str, Callable[[Work], Sequence[AnyEvent]]] = {
    "edits of files that existed before": _modified,
    "changes of three files or more with a test run that passed after the first of them": _tested_later,
    "more than trivial changes of production code": _behaviour,
    "sessions in which a check failed": _failed,
    "sessions in which a test failed": _test_failed,
    "sessions in which the user forbids one of these deeds":
        lambda work: (work.production[-1:] if work.evidence.prohibitions else []),
    "sessions in which the agent ran tests or programs of its own":
        lambda work: [*work.session.test_runs[-1:], *(e for e in work.checks if isinstance(e, ReproductionEvent))],
    "sessions in which production code was changed": lambda work: work.production[-1:] if _code(work) else [],
    "sessions in which something besides documents was changed": _changed,
    "sessions with commits of code": _commits,
    "requests for a change": lambda work: work.events[-1:] if work.session.asks_change else [],
    "runs of tasks whose solutions are known": lambda work: work.events[-1:] if work.session.touched else [],
    CLAIMS: lambda work: work.claims[-1:],
}  # fmt: skip
