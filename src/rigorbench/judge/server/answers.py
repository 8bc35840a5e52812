"""The JSON bodies that the server sends. Their classes are also the schemas of its description, ``openapi.yaml``."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta, Struct

from ...base.version import __version__
from ..problems.problem import Feedback
from ..problems.verdicts import Verdict
from .records import GIT, HintBudget, ServerSettings, SubmissionBudget

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


Schema = dict[str, Any]
URLENCODED, MULTIPART = "application/x-www-form-urlencoded", "multipart/form-data"
_REFERENCE: Final = "#/components/schemas/{name}"


def document() -> Schema:
    """The file, without what depends on the token and the settings."""
    import yaml

    text = Path(__file__).with_name("openapi.yaml").read_text("utf-8")
    found: Schema = yaml.safe_load(text)
    del found["shared"]
    names = sorted(set(re.findall(_REFERENCE.format(name=r"(\w+)"), text)))
    bodies = [globals()[name] for name in names]
    _, found["components"]["schemas"] = msgspec.json.schema_components(bodies, ref_template=_REFERENCE)
    found["info"]["version"] = __version__
    return found


def _submit_form(languages: list[str]) -> Schema:
    """One of: source text; a file; a revision, of the repository or of a bundle."""
    code = {"type": "string", "minLength": 1, "description": "source text; for the language git, a revision"}
    file = {
        "type": "string",
        "format": "binary",
        "description": "a source file, a tar archive (plain or compressed), or a git bundle",
    }
    others = [name for name in languages if name != GIT]

    def one(names: list[str], required: str, **fields: Any) -> Schema:
        # A text of a form that is no program: a zero byte in it is refused.
        language = {"type": "string", **({"enum": names} if names else {"pattern": r"^[^\x00]*$"})}
        return {"type": "object", "properties": {"language": language, **fields}, "required": ["language", required]}

    forms = [one(languages, "code", code=code, file=False)]
    if others or not languages:
        forms.append(one(others, "file", file=file, code=False))
    if GIT in languages or not languages:
        forms.append(one([GIT], "file", file=file, code=code))
    return {"oneOf": forms}


def describe(problem: str | None, languages: list[str], settings: ServerSettings) -> Schema:
    """The whole document for a token's problem and its languages; None and none of them: for anybody."""
    found = document()
    found["info"]["description"] += f" A request may have at most {settings.request} bytes."
    for path, item in found["paths"].items():
        if "{problem}" in path and problem is not None:
            item["parameters"][0]["schema"] = {"type": "string", "enum": [problem]}
        if path.endswith("/submit"):
            content = {kind: {"schema": _submit_form(languages)} for kind in (MULTIPART, URLENCODED)}
            item["post"]["requestBody"] = {"required": True, "content": content}
    return found
