"""The operations of the API, and their description (OpenAPI 3.1): every answer and the schema of every body."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from ...base.version import __version__
from . import answers
from .records import GIT, ServerSettings

Schema = dict[str, Any]
URLENCODED, MULTIPART = "application/x-www-form-urlencoded", "multipart/form-data"
_ERRORS = {
    400: "The request is not well formed. It costs nothing.",
    401: "No token, or none that is valid.",
    403: "The token is for another problem, or the budget is used up. It costs nothing.",
    404: "It does not exist, or does not belong to this token.",
    408: "The body of the request came too slowly. It costs nothing.",
    409: "It is well formed, but contradicts an earlier request, or the submission is refused (a damaged archive, an "
    "unknown revision). It costs nothing.",
    413: "Too large. It costs nothing.",
    415: "The body is not a form. It costs nothing.",
    429: "Too many requests: try again after the time in Retry-After. It costs nothing.",
    503: "The judge cannot do it at present (its disk is full, ...): try again later. It costs nothing.",
}


class Operation(msgspec.Struct, frozen=True):
    """A request of the API, as it is routed and described."""

    path: str
    summary: str
    answer: str
    """What the good answer is."""
    body: type | Schema | None = None
    """Of the good answer: a class of JSON, or content by media type; None: it has none."""
    errors: tuple[int, ...] = ()
    """Besides 401, 429 and 503."""
    method: str = "GET"
    status: int = 200
    """Of the good answer."""


_STREAM: Final[Schema] = {
    "text/event-stream": {
        "schema": {
            "type": "object",
            "properties": {
                "event": {"const": "status"},
                "data": {
                    "type": "string",
                    "contentMediaType": "application/json",
                    "contentSchema": {"$ref": "#/components/schemas/SubmissionAnswer"},
                },
            },
            "required": ["event", "data"],
        }
    }
}
_PROBLEM, _SUBMISSION = "/api/v1/problem/{problem}", "/api/v1/submission/{id}"
OPERATIONS: Final = {
    "problem": Operation(_PROBLEM, "Statement and limits.", "The problem.", answers.ProblemAnswer, (403, 404)),
    "attachments": Operation(
        f"{_PROBLEM}/attachments",
        "The files to start from.",
        "A tar archive.",
        {"application/x-tar": {"schema": {}}},
        (403, 404),
    ),
    "submit": Operation(
        f"{_PROBLEM}/submit",
        "Submit.",
        "The submission is accepted: it is on disk, counts, and will be judged.",
        answers.AcceptedAnswer,
        (400, 403, 404, 408, 409, 413, 415),
        "POST",
        201,
    ),
    "hint": Operation(
        f"{_PROBLEM}/hint",
        "Ask for a hint: the next of the package (of a group), or a person by a question.",
        "The hint. It counts. A question waits for its text: ask for the list.",
        answers.HintAnswer,
        (400, 403, 404, 408, 413, 415),
        "POST",
        201,
    ),
    "hints": Operation("/api/v1/hint", "What the run asked for, oldest first.", "The hints.", answers.HintsAnswer),
    "list": Operation(
        "/api/v1/submission", "The run's submissions, oldest first.", "The submissions.", answers.SubmissionsAnswer
    ),
    "status": Operation(
        _SUBMISSION,
        "A submission.",
        "The submission, with as much of its result as the feedback level allows.",
        answers.SubmissionAnswer,
        (404,),
    ),
    "events": Operation(
        f"{_SUBMISSION}/events",
        "Changes of a submission.",
        "Events named status, at the beginning and after each change; data is a Submission as JSON.",
        _STREAM,
        (404,),
    ),
    "abort": Operation(
        f"{_SUBMISSION}/abort",
        "Abort a submission.",
        "It is aborted. It counts, and will have no result.",
        None,
        (404, 409),
        "POST",
        204,
    ),
}
_OPEN: Final = {
    "health": Operation("/health", "Whether the judge runs.", "It runs.", answers.Health),
    "describe": Operation(
        "/openapi.json", "This document.", "This document.", {"application/json": {"schema": {"type": "object"}}}
    ),
}
_TEXT: Final[Schema] = {"type": "string"}
# A text of a form that is no program: a zero byte in it is refused.
_FIELD: Final[Schema] = {"type": "string", "pattern": r"^[^\x00]*$"}
_QUESTION: Final = {"type": "string", "pattern": r"^[^\x00]*[^\s\x00][^\x00]*$", "minLength": 1, "maxLength": 4000}
_HINT_FORM: Final = {"type": "object", "properties": {"group": _FIELD, "question": _QUESTION}}
_KEY: Final = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "schema": {"type": "string", "pattern": "^[!-~]{1,200}$"},
    "description": "the same key with the same form gives the same submission, with another form 409",
}


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
        language = {"type": "string", "enum": names} if names else _FIELD
        return {"type": "object", "properties": {"language": language, **fields}, "required": ["language", required]}

    forms = [one(languages, "code", code=code, file=False)]
    if others or not languages:
        forms.append(one(others, "file", file=file, code=False))
    if GIT in languages or not languages:
        forms.append(one([GIT], "file", file=file, code=code))
    return {"oneOf": forms}


def _good(operation: Operation, headers: Schema) -> Schema:
    content = operation.body
    if isinstance(content, type):
        content = {"application/json": {"schema": {"$ref": f"#/components/schemas/{content.__name__}"}}}
    found: Schema = {"description": operation.answer}
    return found | ({"content": content} if content else {}) | ({"headers": headers} if headers else {})


def _error(status: int) -> Schema:
    headers: Schema = {}
    if status in (429, 503):
        headers["Retry-After"] = {"schema": {"type": "integer", "minimum": 1}, "required": True}
    if status == 401:
        headers["WWW-Authenticate"] = {"schema": _TEXT, "required": True}
    content = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
    return {"description": _ERRORS[status], "content": content, "headers": headers}


def _parameters(operation: Operation, problem: str | None) -> list[Schema]:
    found: list[Schema] = []
    if "{problem}" in operation.path:
        name = _TEXT if problem is None else {"type": "string", "enum": [problem]}
        found.append({"name": "problem", "in": "path", "required": True, "schema": name})
    if "{id}" in operation.path:
        number = {"type": "integer", "minimum": 1, "maximum": 10**18 - 1}
        found.append({"name": "id", "in": "path", "required": True, "schema": number})
    if 415 in operation.errors:
        found.append(_KEY)
    return found


def describe(problem: str | None, languages: list[str], settings: ServerSettings) -> Schema:
    """The whole document for a token's problem and its languages; None and none of them: for anybody."""
    amount: Schema = {"type": "string", "pattern": "^([0-9]+|unlimited)$"}
    budget = {f"X-Budget-{n}": {"schema": amount, "required": True} for n in ("Limit", "Used", "Remaining")}
    forms = {"submit": _submit_form(languages), "hint": _HINT_FORM}
    paths: Schema = {}
    for name, operation in OPERATIONS.items():
        responses = {str(operation.status): _good(operation, budget)}
        responses |= {str(status): _error(status) for status in (401, 429, 503, *operation.errors)}
        found: Schema = {"operationId": name, "summary": operation.summary, "responses": responses}
        if name in forms:
            content = {kind: {"schema": forms[name]} for kind in (MULTIPART, URLENCODED)}
            found["requestBody"] = {"required": True, "content": content}
        paths[operation.path] = {operation.method.lower(): found}
        if parameters := _parameters(operation, problem):
            paths[operation.path]["parameters"] = parameters
    created = paths[OPERATIONS["submit"].path]["post"]["responses"]["201"]
    created["headers"] = budget | {
        "Location": {"schema": _TEXT, "required": True, "description": "of the submission"},
        "Idempotency-Replayed": {"schema": {"const": "true"}, "description": "if the submission was accepted before"},
    }
    link = {"parameters": {"id": "$response.body#/id"}}
    created["links"] = {name: {"operationId": name, **link} for name in ("status", "events", "abort")}
    for name, operation in _OPEN.items():
        found = {"operationId": name, "summary": operation.summary, "security": []}
        paths[operation.path] = {"get": found | {"responses": {"200": _good(operation, {})}}}
    classes = [operation.body for operation in (*OPERATIONS.values(), *_OPEN.values())]
    bodies = [answers.Error, *(each for each in classes if isinstance(each, type))]
    _, schemas = msgspec.json.schema_components(bodies, ref_template="#/components/schemas/{name}")
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "RigorBench judge",
            "version": __version__,
            "description": "A token stands for one run and one problem. Requests that are refused cost no budget. "
            f"A request may have at most {settings.request} bytes.",
        },
        "security": [{"token": []}],
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }
