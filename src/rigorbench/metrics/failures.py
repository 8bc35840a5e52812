"""Why a session has no error episode: no check of the change ran or failed, or it is not known whether one did."""

from __future__ import annotations

from ..evidence.commands.classify import classify_line, starts_program
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
from ..reader.secrets import quoted_command
from ..trajectory.model import Shell
from .session import Session

_RED = ("failed", "error")


def why_no_error(session: Session) -> str:
    """Why a session without an error episode has none."""
    if (left_open := session.cached(open_failure)) is not None:
        return left_open
    edits, elsewhere = _edits_of_code(session), session.evidence.elsewhere
    after = session.events[session.position[edits[0].id] :] if edits else []
    checks = (e for e in after if isinstance(e, TestRunEvent | BuildEvent | LintEvent | ReproductionEvent))
    if all(e.id in elsewhere for e in checks):
        return "no test, build or lint of the change by the agent is known"
    others = session.foreign_failures or any(e.red_phase for e in session.test_runs)
    but = ", besides what had failed before, by the environment, or in tests that were wrong or ahead of their code"
    return f"no failed check of the change is known{but if others else ''}"


def open_failure(session: Session) -> str | None:
    """Why it is not known whether a check of the change failed; None: no call leaves it open.

    What failed before the first edit of the code, or without any edit, was no check of the change.
    """
    if not any(isinstance(e, EditEvent) for e in session.events) and not session.evidence.may_have("edit"):
        return None
    edits = _edits_of_code(session)
    first, step = (session.position[edits[0].id], edits[0].step) if edits else (0, 0)
    decided = {i for e in session.foreign_failures for i in e.checks} | session.evidence.elsewhere
    found = [_left_open(session, e) for e in session.events[first:] if e.id not in decided]
    # A check, or a program that is started by its path or an interpreter, says more than a tool.
    ranked = sorted((f for f in found if f is not None), key=lambda f: f[:2])
    unseen = (u for u in session.evidence.unplaced if "run" in u.may and (u.step is None or u.step >= step))
    lost = next((f"the log does not show what was done by {u.why}" for u in unseen), None)
    why = ranked[0][2] if ranked else lost
    return None if why is None else f"whether there was a failure to recover from is for a reader: {why}"


def _edits_of_code(session: Session) -> list[EditEvent]:
    """The edits of production code; where there are none, all of the project."""
    return [e for e in session.project_edits if e.role == "production"] or session.project_edits


def _left_open(session: Session, event: AnyEvent) -> tuple[bool, int, str] | None:
    """(is a tool, rank, what is known) of a check, or of what may be one, that is not known to have ended well."""
    if not isinstance(event, TestRunEvent | BuildEvent | LintEvent | RunEvent | VcsEvent):
        return None
    if event.id in session.evidence.effectless or (isinstance(event, TestRunEvent) and event.red_phase):
        return None
    status = getattr(event, "exit_status", None)
    outcome = getattr(event, "outcome", "unknown" if status is None else "failed" if status else "passed")
    what = f"`{quoted_command(event.command)}` at step {event.step}"
    known = tool = isinstance(event, VcsEvent)
    if isinstance(event, RunEvent) and not isinstance(event, ReproductionEvent):
        # Of a program that is not known, nothing shows whether it checks anything, nor that what it printed is well.
        known = all(part.kind != "run" for part in classify_line(event.command))
        tool = not starts_program(event.command)
        ended = status == 0 or (status is None and _ended_well(session, event))
        outcome = outcome if not ended else "unknown" if session.reading.shown(event).strip() else "passed"
        status = 0 if ended else status
    if outcome in _RED:
        return tool, 0, f"{what} ended with status {status}" if status else f"{what} failed"
    if outcome == "passed" or known:
        return None
    why = f"the output of {what} is for a reader" if status == 0 else f"how {what} ended is not known"
    return tool, 2 if status == 0 else 1, why


def _ended_well(session: Session, event: RunEvent) -> bool:
    """Whether a command is the last of a call, of which the log would say that it failed."""
    call = session.reading.call(event)
    if call is None or call.result is None or not session.evidence.trajectory.states_failure:
        return False
    last = isinstance(call.action, Shell) and call.action.command.rstrip().endswith(event.command)
    result = call.result
    return last and not (result.is_error or result.interrupted or result.timed_out or result.running)
