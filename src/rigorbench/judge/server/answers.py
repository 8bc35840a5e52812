"""The JSON bodies that the server sends. Their classes are also the schemas of its description (openapi.py)."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from ..problems.problem import Feedback
from ..problems.verdicts import Verdict
from .records import HintBudget, SubmissionBudget

Count = Annotated[int, Meta(ge=0)]
Number = Annotated[int, Meta(ge=1)]
Date = Annotated[str, Meta(extra_json_schema={"format": "date-time"})]
Digest = Annotated[str, Meta(description="SHA-256")]
# Before the end "pending" or "judging"; then a verdict or "aborted". "received", for ever, if the feedback is "none".
Status = Literal["received", "pending", "judging", "aborted"] | Verdict


class Health(Struct, frozen=True, forbid_unknown_fields=True):
    status: Literal["ok"]
    judge: str


class Error(Struct, frozen=True, forbid_unknown_fields=True):
    error: Annotated[str, Meta(description="a word for programs")]
    message: Annotated[str, Meta(description="a sentence for people")]
    budget: SubmissionBudget | None


class AcceptedAnswer(Struct, frozen=True, forbid_unknown_fields=True):
    id: Number
    revision: str | None
    submission: Digest
    notes: Annotated[list[str], Meta(description="what was left out of it")]
    budget: SubmissionBudget


class ResourceUsage(Struct, frozen=True, forbid_unknown_fields=True):
    time_msecs: Count | None
    memory_bytes: Count | None
    file_count: Count | None
    file_size_bytes: Count | None


class TestPoint(Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    result: Verdict
    message: str
    score: Annotated[float, Meta(ge=0, le=1)] | None
    resource_usage: ResourceUsage


class GroupAnswer(Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    name: str
    result: Verdict
    score: float | None
    full_score: float
    message: str
    testpoints: list[TestPoint]


class Details(Struct, frozen=True, forbid_unknown_fields=True):
    groups: list[GroupAnswer]


class SummaryAnswer(Struct, frozen=True, forbid_unknown_fields=True):
    id: Number
    problem: str
    language: str
    revision: Annotated[str | None, Meta(description="the commit that was submitted")]
    status: Status
    over: Annotated[bool, Meta(description="whether this is all that will be shown")]
    score: float | None
    full_score: float | None
    created_at: Date


class SubmissionAnswer(SummaryAnswer, frozen=True, forbid_unknown_fields=True):
    message: Annotated[str, Meta(description="after a compile error, the compiler's messages")]
    time_msecs: Annotated[Count | None, Meta(description="CPU time of all test points together")]
    memory_bytes: Annotated[Count | None, Meta(description="the largest peak of a test point")]
    finished_at: Date | None
    feedback: Feedback
    abort_url: str | None
    package: Annotated[str | None, Meta(description="SHA-256 of the problem package that it was judged by")]
    submission: Digest
    judge: Annotated[str, Meta(description="version of the judge")]
    details: Details
    budget: SubmissionBudget


class SubmissionsAnswer(Struct, frozen=True, forbid_unknown_fields=True):
    submissions: list[SummaryAnswer]
    budget: SubmissionBudget


class LimitsAnswer(Struct, frozen=True, forbid_unknown_fields=True):
    time_msecs: Count
    memory_bytes: Count
    output_bytes: Count
    disk_bytes: Count
    file_count: Count
    code_bytes: Count
    compile_time_msecs: Count
    submissions: Count | None


class Attachments(Struct, frozen=True, forbid_unknown_fields=True):
    url: str
    size_bytes: Count


class ProblemAnswer(Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    title: str
    statement: Annotated[str, Meta(description="Markdown")]
    languages_accepted: list[str]
    limits: LimitsAnswer
    full_score: float
    feedback: Feedback
    repository: Annotated[bool, Meta(description="whether revisions can be submitted by their names")]
    attachments: Attachments | None
    package: Digest
    budget: SubmissionBudget


class HintAnswer(Struct, frozen=True, forbid_unknown_fields=True):
    id: Number
    group: Annotated[str | None, Meta(description="the test group that it is about")]
    question: str | None
    source: Literal["package", "person"]
    text: Annotated[str | None, Meta(description="null: the person has not answered yet")]
    created_at: Date
    hints: HintBudget


class HintsAnswer(Struct, frozen=True, forbid_unknown_fields=True):
    asked: list[HintAnswer]
    hints: HintBudget
