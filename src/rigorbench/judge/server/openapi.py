"""The description of the API (OpenAPI 3.1): every operation, every answer it can give, the schema of every body."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from ...base.version import __version__
from . import answers
from .model import GIT, Settings

Schema = dict[str, Any]
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


def _ref(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


_BODIES = (
    *(answers.Health, answers.Error, answers.Accepted, answers.Problem, answers.Submission, answers.Submissions),
    *(answers.Hint, answers.Hints),
)
_TEXT: Schema = {"type": "string"}
# A text of a form that is no program: a zero byte in it is refused.
_FIELD: Schema = {"type": "string", "pattern": r"^[^\x00]*$"}


def _forms(languages: list[str]) -> Schema:
    """One of: source text; a file; a revision, of the repository or of a bundle."""
    code = {"type": "string", "minLength": 1, "description": "source text; for the language git, a revision"}
    file = {
        "type": "string",
        "format": "binary",
        "description": "a source file, a tar archive (plain or compressed), or a git bundle",
    }
    others = [name for name in languages if name != GIT]

    def one(names: list[str], *fields: str, also: Schema | None = None) -> Schema:
        language = {"type": "string", "enum": names} if names else _FIELD
        properties = {"language": language, **(also or {})}
        properties |= {field: {"code": code, "file": file}[field] for field in fields}
        return {"type": "object", "properties": properties, "required": ["language", *fields]}

    text = one(languages, "code", also={"file": False})
    files = [one(others, "file", also={"code": False})] if others or not languages else []
    bundle = [one([GIT], "file", also={"code": code})] if GIT in languages or not languages else []
    form: Schema = {"schema": {"oneOf": [text, *files, *bundle]}}
    return dict.fromkeys(("multipart/form-data", "application/x-www-form-urlencoded"), form)


def _hint_forms() -> Schema:
    text = {"type": "string", "pattern": r"^[^\x00]*[^\s\x00][^\x00]*$", "minLength": 1, "maxLength": 4000}
    form: Schema = {"schema": {"type": "object", "properties": {"group": _FIELD, "question": text}}}
    return dict.fromkeys(("application/x-www-form-urlencoded", "multipart/form-data"), form)


def _answers(good: Mapping[int, Schema], errors: Iterable[int], headers: Schema) -> Schema:
    found = {str(status): answer | {"headers": headers | answer.get("headers", {})} for status, answer in good.items()}
    for status in errors:
        body = {"application/json": {"schema": _ref("Error")}}
        more: Schema = {}
        if status in (429, 503):
            more["Retry-After"] = {"schema": {"type": "integer", "minimum": 1}, "required": True}
        if status == 401:
            more["WWW-Authenticate"] = {"schema": _TEXT, "required": True}
        found[str(status)] = {"description": _ERRORS[status], "content": body, "headers": more}
    return found


def _body(description: str, name: str) -> Schema:
    return {"description": description, "content": {"application/json": {"schema": _ref(name)}}}


def describe(problem: str | None, languages: list[str], settings: Settings) -> Schema:
    """The whole document for a token's problem and its languages; None and none of them: for anybody."""
    amount: Schema = {"type": "string", "pattern": "^([0-9]+|unlimited)$"}
    budget = {f"X-Budget-{n}": {"schema": amount, "required": True} for n in ("Limit", "Used", "Remaining")}
    always = (401, 429, 503)
    name = {
        "name": "problem",
        "in": "path",
        "required": True,
        "schema": _TEXT if problem is None else {"type": "string", "enum": [problem]},
    }
    number = {
        "name": "id",
        "in": "path",
        "required": True,
        "schema": {"type": "integer", "minimum": 1, "maximum": 10**18 - 1},
    }
    key = {
        "name": "Idempotency-Key",
        "in": "header",
        "required": False,
        "schema": {"type": "string", "pattern": "^[!-~]{1,200}$"},
        "description": "the same key with the same form gives the same submission, with another form 409",
    }
    location = {"schema": _TEXT, "required": True, "description": "of the submission"}
    replayed = {"schema": {"const": "true"}, "description": "if the submission was accepted before"}
    created = _body("The submission is accepted: it is on disk, counts, and will be judged.", "Accepted")
    created |= {"headers": {"Location": location, "Idempotency-Replayed": replayed}}
    tar = {"description": "A tar archive.", "content": {"application/x-tar": {"schema": {}}}}
    data = _TEXT | {"contentMediaType": "application/json", "contentSchema": _ref("Submission")}
    event = {
        "type": "object",
        "properties": {"event": {"const": "status"}, "data": data},
        "required": ["event", "data"],
    }
    stream = {
        "description": "Events named status, at the beginning and after each change; data is a Submission as JSON.",
        "content": {"text/event-stream": {"schema": event}},
    }

    def operation(name: str, summary: str, good: Mapping[int, Schema], errors: Iterable[int], **more: Any) -> Schema:
        return {"operationId": name, "summary": summary, "responses": _answers(good, errors, budget), **more}

    def open_to_all(name: str, summary: str, answer: Schema) -> Schema:
        return {"operationId": name, "summary": summary, "security": [], "responses": {"200": answer}}

    _, schemas = msgspec.json.schema_components(_BODIES, ref_template="#/components/schemas/{name}")
    api = "/api/v1"
    form = {"required": True, "content": _forms(languages)}
    status = _body("The submission, with as much of its result as the feedback level allows.", "Submission")
    nothing = {"description": "It is aborted. It counts, and will have no result."}
    link = {"operationId": "status", "parameters": {"id": "$response.body#/id"}}
    created["links"] = {
        "status": link,
        "events": link | {"operationId": "events"},
        "abort": link | {"operationId": "abort"},
    }
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "RigorBench judge",
            "version": __version__,
            "description": "A token stands for one run and one problem. Requests that are refused cost no budget. "
            f"A request may have at most {settings.request} bytes.",
        },
        "security": [{"token": []}],
        "paths": {
            f"{api}/problem/{{problem}}": {
                "parameters": [name],
                "get": operation(
                    "problem", "Statement and limits.", {200: _body("The problem.", "Problem")}, (*always, 403, 404)
                ),
            },
            f"{api}/problem/{{problem}}/attachments": {
                "parameters": [name],
                "get": operation("attachments", "The files to start from.", {200: tar}, (*always, 403, 404)),
            },
            f"{api}/problem/{{problem}}/submit": {
                "parameters": [name, key],
                "post": operation(
                    "submit", "Submit.", {201: created}, (*always, 400, 403, 404, 408, 409, 413, 415), requestBody=form
                ),
            },
            f"{api}/problem/{{problem}}/hint": {
                "parameters": [name, key],
                "post": operation(
                    "hint",
                    "Ask for a hint: the next of the package (of a group), or a person by a question.",
                    {201: _body("The hint. It counts. A question waits for its text: ask for the list.", "Hint")},
                    (*always, 400, 403, 404, 408, 413, 415),
                    requestBody={"required": True, "content": _hint_forms()},
                ),
            },
            f"{api}/hint": {
                "get": operation(
                    "hints", "What the run asked for, oldest first.", {200: _body("The hints.", "Hints")}, always
                )
            },
            f"{api}/submission": {
                "get": operation(
                    "list",
                    "The run's submissions, oldest first.",
                    {200: _body("The submissions.", "Submissions")},
                    always,
                )
            },
            f"{api}/submission/{{id}}": {
                "parameters": [number],
                "get": operation("status", "A submission.", {200: status}, (*always, 404)),
            },
            f"{api}/submission/{{id}}/events": {
                "parameters": [number],
                "get": operation("events", "Changes of a submission.", {200: stream}, (*always, 404)),
            },
            f"{api}/submission/{{id}}/abort": {
                "parameters": [number],
                "post": operation("abort", "Abort a submission.", {204: nothing}, (*always, 404, 409)),
            },
            "/health": {"get": open_to_all("health", "Whether the judge runs.", _body("It runs.", "Health"))},
            "/openapi.json": {
                "get": open_to_all(
                    "describe",
                    "This document.",
                    {"description": "This document.", "content": {"application/json": {"schema": {"type": "object"}}}},
                )
            },
        },
        "components": {
            "schemas": schemas,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }
