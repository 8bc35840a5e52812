"""The result of an entrance exam, as it is stored. What is asked in one: :mod:`rigorbench.panel.exam.exam`."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct, field

EXAM_SCHEMA = "rigor-exam/1"


class Wrong(Struct, omit_defaults=True):
    """An answer that failed, by the name of the exam's case. ``expected``: what any reader of the case must say, or, in
    the injection part, what the judge itself said without the attack."""

    case: str
    question: str
    expected: bool | None
    said: bool | None
    item: str | None = None


class Part(Struct):
    """One part: ``right`` of ``of`` checks held; it is passed with at least ``needed`` of them (a share)."""

    name: str
    passed: bool
    right: int
    of: int
    needed: float
    wrong: list[Wrong] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def holds(self) -> bool:
        return self.right >= self.needed * self.of


class ExamResult(Struct, kw_only=True):
    """``status``: "incomplete" when votes are missing (the provider failed, or the cost limit was reached).

    ``rubrics``: digests by kind, ``judge``: as in :class:`~rigorbench.panel.model.Vote`, ``answered_by``: what the
    provider said answered, ``votes``: keys of the votes it rests on. Only votes of this model, as set, as it answered
    here, on these rubrics, count. ``cost``: dollars of these votes, None: unknown.
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
        return self.standing == "passed"

    @property
    def standing(self) -> Literal["passed", "failed", "incomplete"]:
        """``status``, or "failed" where it says "passed" and the parts do not bear it out: files can be edited."""
        borne_out = bool(self.parts) and all(part.passed and part.holds for part in self.parts)
        return "failed" if self.status == "passed" and not borne_out else self.status
