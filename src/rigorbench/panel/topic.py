"""What a panel can be asked of a session for a check of the review, all of it in one module of ``topics/``.

A topic has its questions, the cases that it finds in a session, and the findings that follow from the votes. Nothing
else lists it: the rubrics, the cases of a session and the checks of the review all come from
:data:`rigorbench.panel.topics.TOPICS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Literal, Protocol

from msgspec import Struct, field

from ..evidence.events import AnyEvent, EditEvent, EpisodeEvent
from ..evidence.facts import EditFacts, Evidence
from ..trajectory.model import MAIN_LANE, Step
from .cases import INSTRUCTION_LENGTH, MESSAGE_LENGTH, diff_of, pieces
from .model import Case, Excerpt, Rubric, Verdict

# Cases of one topic in one session; more are not asked about.
MOST_CASES = 12
# Characters of an excerpt.
_DIFF = 8_000
_OUTPUT = 4_000
_CODE = 6_000
_ACTIONS = 8_000
_ACTION = 160
SILENT = "Whatever no panel was asked: without votes it is silent."


class SessionView(Protocol):
    """What a topic sees of a session; :class:`rigorbench.metrics.session.Session` is one.

    Attributes:
        events: all events; ``position``: event id -> index in them.
        episodes: the failures that the agent had to recover from; ``foreign_failures``: the others.
        edits: the edits of which something is left at the end.
        instruction: what the agent was asked to do, in all messages of the user.
    """

    evidence: Evidence
    events: Sequence[AnyEvent]

    @property
    def position(self) -> Mapping[str, int]: ...
    @property
    def episodes(self) -> Sequence[EpisodeEvent]: ...
    @property
    def foreign_failures(self) -> Sequence[EpisodeEvent]: ...
    @property
    def edits(self) -> Sequence[EditEvent]: ...
    @property
    def instruction(self) -> str: ...
    def facts(self, edit: EditEvent) -> EditFacts: ...


class Finding(Struct, frozen=True, kw_only=True):
    """A check of the review that rests on the votes on a topic. The fields of a check are those of the registry.

    Attributes:
        when: question -> the answer that the majority must have given.
        unless: question -> the answer that the majority must not have given.
        message: what is said where it fires; what the case is about follows it.
    """

    id: str
    pillar: Literal["planning", "verification", "recovery", "abstention", "integrity", "honesty"]
    severity: Literal["weak", "note", "strength"]
    sentence: str
    did: str
    applies: str
    when: Mapping[str, bool]
    message: str
    unless: Mapping[str, bool] = field(default_factory=dict)
    advice: str | None = None

    def holds(self, verdict: Verdict, item: str | None) -> bool:
        met = all(verdict.majority(q, item) is answer for q, answer in self.when.items())
        return met and not any(verdict.majority(q, item) is answer for q, answer in self.unless.items())


class Topic(Struct, frozen=True, kw_only=True):
    """One thing that a panel is asked about.

    Attributes:
        rubric: its questions.
        names: what a case is called, one and several.
        cases: the cases in a session. What a finding says of one is ``Case.about``.
        findings: what follows from the votes.
        estimate: answers by features of the texts, for the judge without a model; None: it says no to everything.
    """

    rubric: Rubric
    names: tuple[str, str]
    cases: Callable[[SessionView], Iterator[Case]]
    findings: tuple[Finding, ...] = ()
    estimate: Callable[[Case], dict[tuple[str, str | None], bool]] | None = None

    @property
    def kind(self) -> str:
        return self.rubric.kind


# -- excerpts ----------------------------------------------------------------------------------------------------


def instruction(text: str) -> list[Excerpt]:
    return pieces("instruction", text, INSTRUCTION_LENGTH)


def output(text: str) -> list[Excerpt]:
    return pieces("check that failed", text, _OUTPUT)


def words(label: str, text: str) -> list[Excerpt]:
    """What the agent said."""
    return pieces(label, text or "(nothing)", MESSAGE_LENGTH)


def change(label: str, text: str) -> list[Excerpt]:
    return pieces(label, text or "(nothing)", _DIFF)


def code(label: str, text: str) -> list[Excerpt]:
    return pieces(label, text, _CODE)


def actions(text: str) -> list[Excerpt]:
    return pieces("what the agent did", text or "(nothing)", _ACTIONS)


# -- what a session shows ----------------------------------------------------------------------------------------


def events_of(session: SessionView, ids: Iterable[str]) -> list[AnyEvent]:
    return [session.events[session.position[i]] for i in ids if i in session.position]


def edits_of(session: SessionView, ids: Iterable[str]) -> list[EditEvent]:
    return [e for e in events_of(session, ids) if isinstance(e, EditEvent)]


def diff(session: SessionView, edits: Iterable[EditEvent]) -> str:
    return "\n".join(text for e in edits if (text := diff_of(session.facts(e).change, e)))


def printed(session: SessionView, check: AnyEvent) -> str:
    """The command of a check and what it printed. Events count the completed calls of their lane."""
    done = [c for s in _steps(session, check.lane) for c in s.calls if c.result is not None]
    call = done[check.call] if check.call is not None and check.call < len(done) else None
    text = call.result.text if call is not None and call.result is not None else ""
    return f"$ {getattr(check, 'command', '')}\n{text}".strip()


def said(session: SessionView, after: int, before: int | None = None, lane: str = MAIN_LANE) -> str:
    """What the agent said in a lane after one step and until another."""
    steps = session.evidence.trajectory.steps[after + 1 : None if before is None else before + 1]
    mine = [s for s in steps if s.role == "agent" and s.lane == lane]
    return "\n\n".join(t for step in mine for t in (step.reasoning.strip(), step.text.strip()) if t)


def done(session: SessionView, after: int) -> str:
    """What was done after a position, a line each."""
    lines = (_line(e) for e in session.events[after + 1 :] if e.call is not None)
    return "\n".join(dict.fromkeys(line for line in lines if line))


def _line(event: AnyEvent) -> str:
    if isinstance(event, EditEvent):
        return f"{event.operation} {event.path}"
    what = getattr(event, "command", None) or getattr(event, "target", None) or getattr(event, "message", "")
    return (
        f"{type(event).__name__.removesuffix('Event').lower()}: {' '.join(str(what).split())[:_ACTION]}" if what else ""
    )


def _steps(session: SessionView, lane: str) -> list[Step]:
    return [s for s in session.evidence.trajectory.steps if s.lane == lane]
