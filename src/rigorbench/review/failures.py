"""Why a session has no error episode: no check of the change ran or failed, or it is not known whether one did."""

from __future__ import annotations

from ..evidence.commands.classify import classify_line
from ..evidence.events import (
    AnyEvent,
    BuildEvent,
    EditEvent,
    LintEvent,
    ReproductionEvent,
    RunEvent,
    TestRunEvent,
    VcsEvent,
)
from ..session.model import Shell
from .session import Session

_RED = ("failed", "error")


def why_no_error(session: Session) -> str:
    """Why a session without an error episode has none."""
    if session.cached(open_failure):
        return "whether there was a failure to recover from is for a reader"
    edits, elsewhere = _edits_of_code(session), session.evidence.elsewhere
    after = session.events[session.position[edits[0].id] :] if edits else []
    checks = (e for e in after if isinstance(e, TestRunEvent | BuildEvent | LintEvent | ReproductionEvent))
    if all(e.id in elsewhere for e in checks):
        return "no test, build or lint of the change by the agent is known"
    others = session.foreign_failures or any(e.red_phase for e in session.test_runs)
    but = ", besides what had failed before, by the environment, or in tests that were wrong or ahead of their code"
    return f"no failed check of the change is known{but if others else ''}"


def open_failure(session: Session) -> bool:
    """Whether some call leaves open whether a check of the change failed.

    What failed before the first edit of the code, or without any edit, was no check of the change.
    """
    if not any(isinstance(e, EditEvent) for e in session.events) and not session.evidence.may_have("edit"):
        return False
    edits = _edits_of_code(session)
    first, step = (session.position[edits[0].id], edits[0].step) if edits else (0, 0)
    decided = {i for e in session.foreign_failures for i in e.checks} | session.evidence.elsewhere
    unseen = any("run" in u.may and (u.step is None or u.step >= step) for u in session.evidence.unplaced)
    return unseen or any(_left_open(session, e) for e in session.events[first:] if e.id not in decided)


def _edits_of_code(session: Session) -> list[EditEvent]:
    """The edits of production code; where there are none, all of the project."""
    return [e for e in session.project_edits if e.role == "production"] or session.project_edits


def _left_open(session: Session, event: AnyEvent) -> bool:
    """Whether an event is a check, or may be one, that is not known to have ended well."""
    if not isinstance(event, TestRunEvent | BuildEvent | LintEvent | RunEvent | VcsEvent):
        return False
    if event.id in session.evidence.effectless or (isinstance(event, TestRunEvent) and event.red_phase):
        return False
    status = getattr(event, "exit_status", None)
    outcome = getattr(event, "outcome", "unknown" if status is None else "failed" if status else "passed")
    known = isinstance(event, VcsEvent)
    if isinstance(event, RunEvent) and not isinstance(event, ReproductionEvent):
        # Of a program that is not known, nothing shows whether it checks anything, nor that what it printed is well.
        known = all(part.kind != "run" for part in classify_line(event.command))
        ended = status == 0 or (status is None and _ended_well(session, event))
        outcome = outcome if not ended else "unknown" if session.reading.shown(event).strip() else "passed"
    return outcome in _RED or (outcome != "passed" and not known)


def _ended_well(session: Session, event: RunEvent) -> bool:
    """Whether a command is the last of a call, of which the log would say that it failed."""
    call = session.reading.call(event)
    if call is None or call.result is None or not session.evidence.trajectory.states_failure:
        return False
    last = isinstance(call.action, Shell) and call.action.command.rstrip().endswith(event.command)
    result = call.result
    return last and not (result.is_error or result.interrupted or result.timed_out or result.running)
