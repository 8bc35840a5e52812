"""The API as a WSGI application."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from http import HTTPStatus
from typing import Any

from .api import Api


def application(api: Api) -> Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]:
    def respond(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        target = environ.get("PATH_INFO", "/")
        if environ.get("QUERY_STRING"):
            target = f"{target}?{environ['QUERY_STRING']}"
        try:
            length = int(environ.get("CONTENT_LENGTH") or 0)
            body = json.loads(environ["wsgi.input"].read(length)) if length else {}
            if not isinstance(body, dict):
                raise ValueError("expected an object")
        except ValueError as error:
            status, answer = 400, {"error": f"the body is no JSON: {error}"}
        else:
            status, answer = api.handle(environ["REQUEST_METHOD"], target, body)
        data = b"" if answer is None and status == 204 else json.dumps(answer).encode()
        headers = [("Content-Type", "application/json"), ("Content-Length", str(len(data)))]
        start_response(f"{status} {HTTPStatus(status).phrase}", headers)
        return [data]

    return respond
