"""What the panel is asked, what it answers, and how the answers are combined.

A :class:`Case` is one thing to judge: a plan, a refusal, a commit message. It contains excerpts, never a whole session.
A :class:`Rubric` has the yes/no questions for one kind of case. A judge answers all of them in one :class:`Vote`; the
votes of all seats make a :class:`Verdict`, from which a metric takes its value.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Literal, Protocol

import msgspec
from msgspec import Struct, field

VOTE_SCHEMA = "rigor-vote/1"

# Of a case: one of the rubrics.
Kind = str


class Question(Struct, frozen=True):
    """A yes/no question. ``yes``, ``no``: its anchors, what each answer requires. ``each``: asked about every item of
    the case, else once about the whole."""

    id: str
    text: str
    yes: str
    no: str
    each: bool = False


class Rubric(Struct, frozen=True):
    """The questions for one kind of case. ``version`` is raised with every change of their meaning."""

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
    """A part of a case with questions of its own, such as a step of a plan. Its text is untrusted."""

    id: str
    text: str


class Case(Struct, frozen=True):
    """One thing to judge.

    Attributes:
        kind: which rubric applies.
        subject: unique in its session (a lane, the id of an event, requirement and test); not shown to a judge.
        excerpts: the texts that a judge is shown.
        items: the parts that are asked about one by one.
        events: the events it was made from; not shown to a judge.
        about: what a finding says of it; not shown to a judge.
    """

    kind: Kind
    subject: str
    excerpts: tuple[Excerpt, ...]
    items: tuple[Item, ...] = ()
    events: tuple[str, ...] = ()
    about: str = ""

    def text(self, label: str) -> str:
        """The text under a label, also if it is shown in two pieces."""
        return "\n".join(e.text for e in self.excerpts if e.label == label or e.label.endswith(f"of the {label}"))

    @property
    def digest(self) -> str:
        """Over what a judge is shown: the same content in another session has the same votes."""
        return _digest((self.kind, self.excerpts, self.items))

    def points(self, rubric: Rubric) -> list[tuple[str, str | None]]:
        """(question, item or None) of every answer that a vote must contain, in the order of the questions."""
        return [
            (question.id, item)
            for question in rubric.questions
            for item in ([i.id for i in self.items] if question.each else [None])
        ]


class Answer(Struct, frozen=True, omit_defaults=True):
    """An answer to a question, given by its id; ``item``: the item it is about, if it is about one."""

    question: str
    yes: bool
    item: str | None = None


class Vote(Struct, kw_only=True):
    """One judge's answers to one case, as they are stored.

    Attributes:
        schema: ``rigor-vote/1``.
        kind: of the case.
        case: digest of the case.
        rubric: digest of the rubric.
        seat: the name of the judge on the panel.
        model: what was asked.
        prompt: SHA-256 of the exact text that was sent.
        status: "failed" if there are no answers.
        judge: digest of the judge's settings and the version of the prompt.
        answers: each point of the case once; empty if the vote failed.
        answered_by: the model that answered, according to the provider.
        raw: the reply as it came.
        problem: why the vote failed.
        attempts: requests that were sent.
        input_tokens: of all attempts; None: unknown.
        output_tokens: of all attempts; None: unknown.
        cost: dollars; None: unknown.
        time: of the reply, in seconds since 1970.
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
        """Name of the vote: a digest of who was asked what. The same judge is not asked the same question twice."""
        return _digest((self.case, self.rubric, self.model, self.prompt, self.judge))[:16]

    def answer(self, question: str, item: str | None = None) -> bool | None:
        return next((a.yes for a in self.answers if a.question == question and a.item == item), None)


class Verdict(Struct, frozen=True):
    """The valid votes on one case, in the order of the seats; at least a quorum of them."""

    kind: Kind
    subject: str
    case: str
    votes: tuple[Vote, ...]

    def majority(self, question: str, item: str | None = None) -> bool | None:
        """The answer of more than half of the votes; None: a tie, or nobody answered."""
        answers = [a for vote in self.votes if (a := vote.answer(question, item)) is not None]
        yes = sum(answers)
        return None if not answers or 2 * yes == len(answers) else 2 * yes > len(answers)

    def median(self, value: Callable[[Vote], float]) -> float:
        """Median over the votes of what each is worth by itself."""
        from statistics import median

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
        """Answer every point of a case. An error gives a vote with status "failed", never an exception."""
        ...


def _digest(value: object) -> str:
    return hashlib.sha256(msgspec.json.encode(value)).hexdigest()
