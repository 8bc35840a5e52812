"""What the panel is asked, what it answers, and what becomes of the answers.

A :class:`Case` is one thing to judge: a plan, a refusal, a commit message. It holds excerpts, never a whole session. A
:class:`Rubric` holds the yes/no questions for one kind of case. A judge answers all of them in one :class:`Vote`; the
votes of all seats make a :class:`Verdict`, from which a metric takes its value.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from statistics import median
from typing import Literal, Protocol

import msgspec
from msgspec import Struct, field

VOTE_SCHEMA = "rigor-vote/1"

Kind = Literal["plan", "abstention", "clarification", "commit_message", "test_link", "criterion"]


class Question(Struct, frozen=True):
    """A yes/no question. ``yes``, ``no``: its anchors, what must be there for each answer. ``each``: asked of every
    item of the case, else once of the whole."""

    id: str
    text: str
    yes: str
    no: str
    each: bool = False


class Rubric(Struct, frozen=True):
    """The questions for one kind of case. ``version`` goes up with every change of their meaning."""

    kind: Kind
    version: int
    title: str
    questions: tuple[Question, ...]

    @property
    def digest(self) -> str:
        return _digest(self)


class Excerpt(Struct, frozen=True):
    """A piece of text under a label. ``untrusted``: from the session, fenced as data; else from the task's authors."""

    label: str
    text: str
    untrusted: bool = True


class Item(Struct, frozen=True):
    """A part of a case that is asked about by itself, such as a step of a plan. Its text is untrusted."""

    id: str
    text: str


class Case(Struct, frozen=True):
    """``subject``: what it is about, unique in its session (a lane, the id of an event, requirement and test);
    ``events``: the events it was made from. Neither is shown to a judge."""

    kind: Kind
    subject: str
    excerpts: tuple[Excerpt, ...]
    items: tuple[Item, ...] = ()
    events: tuple[str, ...] = ()

    @property
    def digest(self) -> str:
        """Over what a judge is shown: the same content in another session has the same votes."""
        return _digest((self.kind, self.excerpts, self.items))

    def points(self, rubric: Rubric) -> list[tuple[str, str | None]]:
        """(question, item or None) of every answer that a vote must hold, in the order of the questions."""
        return [
            (question.id, item)
            for question in rubric.questions
            for item in ([i.id for i in self.items] if question.each else [None])
        ]


class Answer(Struct, frozen=True, omit_defaults=True):
    """To a question by its id; ``item``: of which item, where it is asked of each."""

    question: str
    yes: bool
    item: str | None = None


class Vote(Struct, kw_only=True):
    """One judge's answers to one case, as they are stored.

    ``case``, ``rubric``: digests; ``prompt``: SHA-256 of the exact text that was sent, ``raw``: the reply as it came.
    ``model``: what was asked for, ``answered_by``: what the provider says answered. ``judge``: digest of the judge's
    settings and the version of the prompt, for an exam is passed by a judge as it is set. ``answers`` holds each point
    of the case once, or nothing where ``status`` is "failed"; then ``problem`` says why. ``cost`` in dollars, None:
    unknown. ``time``: of the reply, in seconds since 1970.
    """

    schema: str = VOTE_SCHEMA
    kind: Kind
    case: str
    rubric: str
    seat: str
    model: str
    prompt: str
    status: Literal["voted", "failed"]
    judge: str = ""
    answers: list[Answer] = field(default_factory=list)
    answered_by: str | None = None
    raw: str = ""
    problem: str | None = None
    attempts: int = 1
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost: float | None = None
    time: float | None = None

    @property
    def key(self) -> str:
        """Name of the vote: over what was asked of whom. The same question is not put to the same model twice."""
        return _digest((self.case, self.rubric, self.model, self.prompt, self.judge))[:16]

    def answer(self, question: str, item: str | None = None) -> bool | None:
        return next((a.yes for a in self.answers if a.question == question and a.item == item), None)


class Verdict(Struct, frozen=True):
    """The valid votes on one case, in the order of the seats; at least a quorum of them, else there is no verdict."""

    kind: Kind
    subject: str
    case: str
    votes: tuple[Vote, ...]

    def majority(self, question: str, item: str | None = None) -> bool | None:
        """What more than half of the votes say; None: a tie, or nobody answered."""
        said = [a for vote in self.votes if (a := vote.answer(question, item)) is not None]
        yes = sum(said)
        return None if not said or 2 * yes == len(said) else 2 * yes > len(said)

    def median(self, value: Callable[[Vote], float]) -> float:
        """Median over the votes of what each is worth by itself."""
        return float(median(value(vote) for vote in self.votes))

    @property
    def keys(self) -> list[str]:
        return [vote.key for vote in self.votes]


class Judge(Protocol):
    """Who answers. ``seat``: its name on the panel; ``model``: what answers, such as ``openai/gpt-5``.

    ``method``: "judged" for a model, "estimated" for features that we compute ourselves.
    """

    seat: str
    model: str
    method: Literal["judged", "estimated"]

    async def vote(self, case: Case, rubric: Rubric) -> Vote:
        """Answer every point of a case. What goes wrong is a vote with status "failed", never an exception."""
        ...


def _digest(value: object) -> str:
    return hashlib.sha256(msgspec.json.encode(value)).hexdigest()
