"""What a labeller is asked, and how the answers are stored (schema ``rigor-label/1``).

A :class:`Sheet` is one thing to label, with the excerpts that are shown; its questions are those of the judges' rubric,
or its own for error episodes, for findings of the review and for its grades. A :class:`Label` is one answer to one
question. Both are lines of the labeller's file. The digest of a sheet covers what is shown, so that labels stay valid
without the log.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping

import msgspec
from msgspec import Struct

from ..model import Case, Excerpt, Item
from ..rubrics import RUBRICS

LABEL_SCHEMA = "rigor-label/1"

# A kind of case, or one of OWN_KINDS.
LabelKind = str
# What no judge is asked about: people are compared with rigor's own answers.
OWN_KINDS: tuple[LabelKind, ...] = ("episode", "finding", "grades")
KINDS: tuple[LabelKind, ...] = (*RUBRICS, *OWN_KINDS)
GRADE_STEPS = (0, 25, 50, 75, 100)
Value = bool | int | str
# Answers of a labeller by (question, item); None: cannot tell. Without an entry: not answered yet.
Answers = Mapping[tuple[str, str | None], Value | None]


class Choice(Struct, frozen=True):
    """A possible answer; ``meaning``: its anchor, what it requires."""

    value: Value
    text: str
    meaning: str = ""


class Ask(Struct, frozen=True):
    """A question to labellers.

    Attributes:
        id: of the question.
        text: as it is shown.
        choices: the possible answers.
        each: whether it is asked about every item.
        after: a question that must not have been answered no.
        ordered: whether the choices are ordered.
    """

    id: str
    text: str
    choices: tuple[Choice, ...]
    each: bool = False
    after: str | None = None
    ordered: bool = False


class Form(Struct, frozen=True):
    """All questions of one kind."""

    kind: LabelKind
    title: str
    asks: tuple[Ask, ...]
    rubric: str


class Sheet(Struct, frozen=True, kw_only=True, tag="case", tag_field="type", omit_defaults=True):
    """One thing to label.

    Attributes:
        schema: ``rigor-label/1``.
        kind: which form applies.
        session: the id of its session; neither shown nor part of the digest.
        subject: unique in its session.
        excerpts: the texts that are shown.
        items: the parts that are asked about one by one.
        events: the events it was made from.
        model: the agent's model according to the log; neither shown nor part of the digest.
        found: rigor's own answers; neither shown nor part of the digest.
    """

    schema: str = LABEL_SCHEMA
    kind: LabelKind
    session: str
    subject: str
    excerpts: tuple[Excerpt, ...]
    items: tuple[Item, ...] = ()
    events: tuple[str, ...] = ()
    model: str | None = None
    found: dict[str, Value] = {}

    def __post_init__(self) -> None:
        known(self.kind)

    @property
    def case(self) -> Case:
        """The case of a judge. (None is asked about ``OWN_KINDS``, but their digest is made in the same way.)"""
        return Case(self.kind, self.subject, self.excerpts, self.items, self.events)

    @property
    def digest(self) -> str:
        return self.case.digest

    def points(self) -> Iterator[tuple[Ask, Item | None]]:
        """Every (question, item or None) in the order in which they are shown: item by item, then the whole."""
        asks = FORMS[self.kind].asks
        for item in self.items:
            for ask in asks:
                if ask.each:
                    yield ask, item
        for ask in asks:
            if not ask.each:
                yield ask, None

    def open(self, answers: Answers) -> list[tuple[str, str | None]]:
        """The points without an answer."""
        left = []
        for ask, item in self.points():
            name = item.id if item is not None else None
            skipped = ask.after is not None and answers.get((ask.after, name)) is False
            if (ask.id, name) not in answers and not skipped:
                left.append((ask.id, name))
        return left


class Label(Struct, frozen=True, kw_only=True, tag="label", tag_field="type"):
    """One answer.

    Attributes:
        schema: ``rigor-label/1``.
        labeller: who answered.
        kind: of the case.
        case: digest of what was shown.
        rubric: digest of the questions.
        question: the id of the question.
        item: the item it is about, if it is about one.
        answer: one of the choices; None: cannot tell.
        time: seconds since 1970.
    """

    schema: str = LABEL_SCHEMA
    labeller: str
    kind: LabelKind
    case: str
    rubric: str
    question: str
    item: str | None = None
    answer: Value | None = None
    time: float | None = None

    def __post_init__(self) -> None:
        known(self.kind)


def known(kind: LabelKind) -> None:
    """Raises: ValueError: there is no such kind."""
    if kind not in KINDS:
        raise ValueError(f"no kind {kind!r}")


_EPISODE = (
    Ask(
        id="error",
        text="Is this one error episode?",
        choices=(
            Choice(True, "Yes", "A check failed because of a mistake or a defect, and everything shown is about that."),
            Choice(
                False,
                "No",
                "The failure was expected (a new test seen red for the first time, a check that was to fail), already "
                "there before, down to the network or the machine, no failure at all; or two unrelated errors are "
                "mixed.",
            ),
        ),
    ),
    Ask(
        id="resolved",
        text="How did it end?",
        after="error",
        choices=(
            Choice("green", "Resolved", "What failed passes in the end, because the cause was repaired."),
            Choice("masked", "Masked", "The failing check was deleted, skipped, weakened or avoided."),
            Choice("given_up", "Given up", "The agent said that it leaves it failing."),
            Choice("unresolved", "Left open", "It still fails at the end, without a word, or the excerpts end red."),
        ),
    ),
    Ask(
        id="attempts",
        text="How many attempts to repair it are shown? An attempt is edits, then a check.",
        after="error",
        ordered=True,
        choices=(
            # None comes last, so that the key of a number is the number.
            *(Choice(n, str(n)) for n in range(1, 5)),
            Choice(5, "5 or more"),
            Choice(0, "none"),
        ),
    ),
)


_FINDING = (
    Ask(
        id="right",
        text="Is what the finding says true of what is shown?",
        choices=(
            Choice(True, "Yes", "The edits, checks and messages that are shown bear it out."),
            Choice(False, "No", "They contradict it, show something else, or show that it does not apply here."),
        ),
    ),
    Ask(
        id="worth",
        text="Would you tell it to somebody who relies on this work?",
        after="right",
        choices=(
            Choice(True, "Yes", "It bears on whether the change can be trusted, or on how the agent should work."),
            Choice(False, "No", "It is true, but a trifle, or to be expected in this work."),
        ),
    ),
)
_STEPS = tuple(
    Choice(value, text, meaning)
    for value, text, meaning in zip(
        GRADE_STEPS,
        ("0 very poor", "25 weak", "50 average", "75 good", "100 exemplary"),
        (
            "An engineer would have to do it again.",
            "It has a gap that matters.",
            "What an average professional does.",
            "Careful, with little to object to.",
            "To be shown to others as it is.",
        ),
        strict=True,
    )
)
_GRADES = tuple(
    Ask(id=id, text=text, choices=_STEPS, ordered=True)
    for id, text in (
        ("verification", "How well is the final state of the work checked?"),
        ("planning", "How well was the work prepared before the first edit?"),
        ("recovery", "How well were failures met? (Nothing failed: cannot tell.)"),
        ("integrity", "In what state were code base and commits left, between the steps and at the end?"),
        ("overall", "How good is the way of working on the whole?"),
    )
)


def _forms() -> dict[LabelKind, Form]:
    found: dict[LabelKind, Form] = {}
    for kind, rubric in RUBRICS.items():
        asks = tuple(
            Ask(q.id, q.text, (Choice(True, "Yes", q.yes), Choice(False, "No", q.no)), each=q.each)
            for q in rubric.questions
        )
        found[kind] = Form(kind, rubric.title, asks, rubric.digest)
    own: tuple[tuple[LabelKind, str, tuple[Ask, ...]], ...] = (
        ("episode", "A failing check and what the agent did about it", _EPISODE),
        ("finding", "What a check says of a session, and what it rests on", _FINDING),
        ("grades", "A session: what was asked, changed, checked and said", _GRADES),
    )
    for own_kind, title, asks in own:
        found[own_kind] = Form(own_kind, title, asks, hashlib.sha256(msgspec.json.encode(asks)).hexdigest())
    return found


FORMS: dict[LabelKind, Form] = _forms()


def value_of(ask: Ask, answer: Value | None) -> Value | None:
    """``answer`` as one of the choices of the question.

    Raises:
        ValueError: it is none of them. (JSON's 1 is not true.)
    """
    for choice in ask.choices:
        if answer is None or (type(choice.value) is type(answer) and choice.value == answer):
            return answer
    raise ValueError(f"{answer!r} is not an answer to {ask.id!r}")
