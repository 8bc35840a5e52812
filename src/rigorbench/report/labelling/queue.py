"""The cases of one labeller: their order, the answers given so far, and the pages that show them."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec
from msgspec import Struct, field

from ...panel.labels.model import FORMS, Answers, Ask, Sheet, Value
from ...panel.labels.store import LabelFile
from ...panel.model import Excerpt, Item
from ..pages import Page, render
from ..text.words import plural

# Lines that tools add to messages to say who wrote them.
_AUTHORS = re.compile(r"(?im)^[^\w\n]*(co-authored-by|signed-off-by|generated (?:with|by)|assisted-by)\b.*$")


def blind(text: str) -> str:
    """``text`` without the lines by which tools sign commits."""
    return _AUTHORS.sub("[who wrote it is left out]", text)


class Posted(Struct, forbid_unknown_fields=True):
    """One answer as the page sends it; ``answer`` None takes it back."""

    case: str
    question: str
    item: str | None
    answer: Value | None


class Choice(Struct):
    """An answer that can be chosen. ``value`` is JSON; ``meaning``: what the answer means, where the page says it."""

    value: str
    text: str
    meaning: str
    chosen: bool


class QuestionView(Struct):
    """A question about a case or about one of its items.

    Attributes:
        name: of its form fields, unique in the page.
        question: its id.
        item: the id of the item, or None when it is about the whole case.
        after: the question on whose answer this one depends.
        text: the question.
        moot: hidden, because the answer to ``after`` is no.
    """

    name: str
    question: str
    item: str | None
    after: str | None
    text: str
    choices: list[Choice]
    moot: bool


class QuestionGroup(Struct):
    """The questions about one item, or about the whole case."""

    heading: str = ""
    text: str = ""
    questions: list[QuestionView] = field(default_factory=list)


class CasePage(Page):
    """One case with its questions.

    Attributes:
        title: what kind of case it is.
        number: its place in the order of this labeller, from 1.
        done: how many cases have all their answers.
        previous: address of the case before it, None for the first; ``next``: of the one after it, or of the list.
        state: how many of its questions are open.
        guide: questions about each item, whose answers are explained once for all items.
    """

    template = "label_case.html.j2"
    scripts = ("label.js",)
    styles = ("label.css",)
    connects = True

    labeller: str
    title: str
    number: int
    total: int
    done: int
    digest: str
    previous: str | None
    next: str
    state: str
    excerpts: list[Excerpt]
    items: list[Item]
    guide: list[Ask]
    groups: list[QuestionGroup]


class CaseRow(Struct):
    """A line of the list of cases; ``tone``: its colour class."""

    number: int
    title: str
    state: str
    tone: str


class CaseListPage(Page):
    """All cases of a labeller."""

    template = "label_list.html.j2"
    scripts = ("label.js",)
    styles = ("label.css",)

    labeller: str
    done: int
    total: int
    rows: list[CaseRow]


class CaseQueue:
    """The cases of one labeller in their order, the answers given so far, and the file they go to."""

    def __init__(
        self, sheets: Sequence[Sheet], file: LabelFile, answers: dict[str, dict[tuple[str, str | None], Value | None]]
    ) -> None:
        self.sheets, self.file = list(sheets), file
        self.answers = {digest: dict(given) for digest, given in answers.items()}
        self.numbers = {sheet.digest: n for n, sheet in enumerate(self.sheets, 1)}
        self._open = {sheet.digest: len(sheet.open(self.given(sheet))) for sheet in self.sheets}

    def given(self, sheet: Sheet) -> Answers:
        return self.answers.get(sheet.digest, {})

    @property
    def done(self) -> int:
        return sum(not left for left in self._open.values())

    def first_open(self) -> int | None:
        return next((self.numbers[digest] for digest, left in self._open.items() if left), None)

    def state(self, sheet: Sheet) -> str:
        left = self._open[sheet.digest]
        if not left:
            return "done"
        return f"{plural(left, 'question')} open" if self.given(sheet) else "not started"

    def take(self, posted: Posted) -> Sheet:
        """Stores an answer. Raises: LabelError (not stored) or ValueError (no such case, question or answer)."""
        number = self.numbers.get(posted.case)
        if number is None:
            raise ValueError("no such case")
        sheet = self.sheets[number - 1]
        self.file.answer(sheet, posted.question, posted.item, posted.answer)
        self.answers.setdefault(sheet.digest, {})[posted.question, posted.item] = posted.answer
        self._open[sheet.digest] = len(sheet.open(self.given(sheet)))
        return sheet

    def case_page(self, number: int) -> str:
        sheet = self.sheets[number - 1]
        form, total = FORMS[sheet.kind], len(self.sheets)
        return render(
            CasePage(
                labeller=self.file.labeller,
                title=form.title,
                number=number,
                total=total,
                done=self.done,
                digest=sheet.digest,
                previous=str(number - 1) if number > 1 else None,
                next=str(number + 1) if number < total else "../list",
                state=self.state(sheet).capitalize(),
                excerpts=[msgspec.structs.replace(e, text=blind(e.text)) for e in sheet.excerpts],
                items=[msgspec.structs.replace(i, text=blind(i.text)) for i in sheet.items],
                guide=[ask for ask in form.asks if ask.each] if sheet.items else [],
                groups=self._groups(sheet),
            )
        )

    def list_page(self) -> str:
        rows = [
            CaseRow(number, FORMS[sheet.kind].title, self.state(sheet), "muted" if self._open[sheet.digest] else "pass")
            for number, sheet in enumerate(self.sheets, 1)
        ]
        return render(CaseListPage(self.file.labeller, self.done, len(self.sheets), rows))

    def _groups(self, sheet: Sheet) -> list[QuestionGroup]:
        groups: dict[str | None, QuestionGroup] = {}
        several = bool(sheet.items)
        for n, (ask, item) in enumerate(sheet.points()):
            name = item.id if item is not None else None
            if name not in groups:
                heading = f"Item {name}" if name is not None else "The whole" if several else ""
                groups[name] = QuestionGroup(heading, blind(item.text) if item is not None else "")
            groups[name].questions.append(self._question(sheet, ask, name, f"q{n}"))
        return list(groups.values())

    def _question(self, sheet: Sheet, ask: Ask, item: str | None, name: str) -> QuestionView:
        given = self.given(sheet)
        known = (ask.id, item) in given
        said = given.get((ask.id, item))
        choices = [
            Choice(
                msgspec.json.encode(c.value).decode(),
                c.text,
                "" if ask.each else c.meaning,
                known and type(said) is type(c.value) and said == c.value,
            )
            for c in ask.choices
        ]
        choices.append(Choice("null", "Cannot tell", "", known and said is None))
        moot = ask.after is not None and given.get((ask.after, item)) is False
        return QuestionView(name, ask.id, item, ask.after, ask.text, choices, moot)
