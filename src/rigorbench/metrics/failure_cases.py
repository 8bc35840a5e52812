"""The cases about failures: whether what the agent said is a diagnosis, and whether a changed test was asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..evidence.events import AnyEvent, EditEvent
from ..panel.cases import diagnosis_case, diff_of, expectation_case
from ..panel.model import Case
from ..trajectory.model import ToolCall
from .session import Session

# More of one session are not asked about.
_MOST = 12


def diagnosis_cases(session: Session) -> Iterator[Case]:
    """Each failure of the agent's own that it repaired, with what it said before the change that made the check pass.

    Without a word of the agent there is nothing to judge.
    """
    steps = session.evidence.trajectory.steps
    for episode in [e for e in session.episodes if e.resolved == "green" and e.attempt_edits][:_MOST]:
        edits = _edits(session, episode.attempt_edits[-1])
        red = _last_before(session, episode.checks, edits)
        change = _diff(session, edits)
        if red is None or not change:
            continue
        between = [s for s in steps[red.step + 1 : edits[0].step + 1] if s.role == "agent" and s.lane == red.lane]
        said = "\n\n".join(t for step in between for t in (step.reasoning.strip(), step.text.strip()) if t)
        if said:
            shown = [red.id, *(e.id for e in edits)]
            yield diagnosis_case(_printed(session, red), said, change, subject=episode.id, events=shown)


def expectation_cases(session: Session) -> Iterator[Case]:
    """Each failing test that was changed where the log does not decide whether that bent it."""
    request = session.task.instruction if session.task is not None else None
    undecided = [
        t for t in session.evidence.tampering if t.how != "unread" and not t.certain and t.change in session.position
    ]
    for found in undecided[:_MOST]:
        change = _diff(session, _edits(session, [found.change]))
        if change and found.red in session.position:
            red = session.events[session.position[found.red]]
            yield expectation_case(
                request or session.evidence.prompt.text,
                _printed(session, red),
                change,
                subject=found.change,
                events=[found.red, found.change],
            )


def _edits(session: Session, ids: Iterable[str]) -> list[EditEvent]:
    found = [session.events[session.position[i]] for i in ids if i in session.position]
    return [e for e in found if isinstance(e, EditEvent)]


def _last_before(session: Session, checks: Iterable[str], edits: list[EditEvent]) -> AnyEvent | None:
    """The last of these checks before the first of the edits."""
    if not edits:
        return None
    first = session.position[edits[0].id]
    places = [p for i in checks if (p := session.position.get(i, first)) < first]
    return session.events[max(places)] if places else None


def _diff(session: Session, edits: Iterable[EditEvent]) -> str:
    return "\n".join(text for e in edits if (text := diff_of(session.facts(e).change, e)))


def _printed(session: Session, check: AnyEvent) -> str:
    """The command of a check and what it printed."""
    call = _call(session, check)
    output = call.result.text if call is not None and call.result is not None else ""
    return f"$ {getattr(check, 'command', '')}\n{output}".strip()


def _call(session: Session, event: AnyEvent) -> ToolCall | None:
    """The call of an event: events count the completed calls of their lane."""
    steps = session.evidence.trajectory.steps
    done = [c for s in steps if s.lane == event.lane for c in s.calls if c.result is not None]
    return done[event.call] if event.call is not None and event.call < len(done) else None
