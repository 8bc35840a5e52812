"""The result of an entrance exam, as it is stored; :mod:`rigorbench.panel.exam.exam` is the exam itself."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct, field

EXAM_SCHEMA = "rigor-exam/1"


class Wrong(Struct, omit_defaults=True):
    """A wrong answer.

    Attributes:
        case: the name of the exam's case.
        question: the id of the question.
        expected: the right answer; in the injection part, the judge's own answer without the attack.
        said: the judge's answer.
        item: the item that the question was about.
    """

    case: str
    question: str
    expected: bool | None
    said: bool | None
    item: str | None = None


class Part(Struct):
    """One part: ``right`` of ``of`` answers are right; the share ``needed`` passes."""

    name: str
    passed: bool
    right: int
    of: int
    needed: float
    wrong: list[Wrong] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def reached(self) -> bool:
        return self.right >= self.needed * self.of


class ExamResult(Struct, kw_only=True):
    """The exam of one judge. Only votes of this model with these settings, answered as here, on these rubrics count.

    Attributes:
        schema: ``rigor-exam/1``.
        seat: the name of the judge on the panel.
        model: what was asked.
        judge: digest of the settings, as in :class:`~rigorbench.panel.model.Vote`.
        method: "judged" for a model, "estimated" for features.
        version: of the exam.
        status: "incomplete" if votes are missing (the provider failed, or the cost limit was reached).
        rubrics: kind of case -> digest.
        answered_by: the models that answered, according to the provider.
        parts: the parts of the exam.
        votes: keys of the votes that the result is based on.
        problems: what went wrong, one line each.
        cost: dollars of these votes; None: unknown.
        time: of the result, in seconds since 1970.
    """

    schema: str = EXAM_SCHEMA
    seat: str
    model: str
    judge: str
    method: Literal["judged", "estimated"]
    version: int
    status: Literal["passed", "failed", "incomplete"]
    rubrics: dict[str, str]
    answered_by: list[str]
    parts: list[Part]
    votes: list[str]
    problems: list[str] = field(default_factory=list)
    cost: float | None = None
    time: float | None = None

    @property
    def passed(self) -> bool:
        return self.verified_status == "passed"

    @property
    def verified_status(self) -> Literal["passed", "failed", "incomplete"]:
        """``status``, but "failed" if the parts contradict a "passed": files can be edited."""
        confirmed = bool(self.parts) and all(part.passed and part.reached for part in self.parts)
        return "failed" if self.status == "passed" and not confirmed else self.status
