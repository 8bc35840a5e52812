"""A wrapper of the application: errors become JSON, slow readers are dropped, and answers are not cached."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import msgspec
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .answers import Error
from .connections import ABORT
from .log import log_error
from .model import Budget, Refused

_PIECE = 65_536
_HEADERS = [(b"cache-control", b"no-store"), (b"x-content-type-options", b"nosniff")]


class Json(Response):
    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        return msgspec.json.encode(content)


def refusal(refused: Refused, budget: Budget | None = None, **headers: str) -> Response:
    """The answer to a refused request."""
    if refused.retry_after is not None:
        headers["Retry-After"] = str(refused.retry_after)
    if refused.status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    body = Error(error=refused.error, message=refused.message, budget=budget)
    return Json(body, refused.status, headers)


def _parts(message: Message) -> Iterator[Message]:
    """A long body in pieces, so that each is sent only after the client has read the previous one."""
    body = message.get("body", b"")
    if len(body) <= _PIECE:
        yield message
        return
    for start in range(0, len(body), _PIECE):
        more = start + _PIECE < len(body) or message.get("more_body", False)
        yield {**message, "body": body[start : start + _PIECE], "more_body": more}


class Guard:
    """`send_time`: seconds for which a client may stop reading."""

    def __init__(self, app: ASGIApp, send_time: float) -> None:
        self.app, self.send_time = app, send_time

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        begun = False
        scope["app"] = self.app  # so that routes raise HTTPException instead of answering in plain text

        async def bounded(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                message = {**message, "headers": [*message.get("headers", []), *_HEADERS]}
            for part in _parts(message):
                async with asyncio.timeout(self.send_time):
                    await send(part)

        try:
            await self.app(scope, receive, bounded)
        except (TimeoutError, ConnectionError):
            # The client is gone or does not read.
            abort = scope.get("state", {}).get(ABORT)
            if abort is not None:
                abort()
        except HTTPException as error:
            name = {404: "not_found", 405: "wrong_method"}.get(error.status_code, "bad_request")
            detail = "this address takes another method" if error.status_code == 405 else error.detail
            answer = refusal(Refused(error.status_code, name, detail), None, **dict(error.headers or {}))
            await answer(scope, receive, bounded)
        except Exception as error:
            log_error(error)
            if begun:
                raise
            await refusal(Refused(500, "defect", "a defect of the judge; please report it"))(scope, receive, bounded)
