"""The local page of ``rigor label``: cases one by one, answers saved as they are given.

It listens on the loopback address only. Every address begins with a random token, the Host header must be ours (so that
a foreign page cannot reach us under its own name), and answers are accepted only as JSON from our own pages.
"""

from __future__ import annotations

import contextlib
import hmac
import os
import secrets
import socket
import sys
import tempfile
import webbrowser
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ...panel.labels.store import LabelError
from .queue import CaseQueue, Posted

HOST = "127.0.0.1"
# Answers are a hundred bytes; what is longer is not from our page.
_LONGEST = 16_384
_HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


class _Guard:
    """Lets through requests of our own pages: right host, right token, and posts only from our origin."""

    def __init__(self, app: ASGIApp, token: str, port: int) -> None:
        self.app, self.token = app, token.encode()
        self.hosts = {f"{name}:{port}" for name in (HOST, "localhost")}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        refusal = self._refusal(scope)
        if refusal is not None:
            await refusal(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                extra = [(k.lower().encode(), v.encode()) for k, v in _HEADERS.items()]
                message = {**message, "headers": [*message.get("headers", []), *extra]}
            await send(message)

        await self.app(scope, receive, with_headers)

    def _refusal(self, scope: Scope) -> Response | None:
        headers: dict[str, list[str]] = {}
        for name, value in scope["headers"]:
            headers.setdefault(name.decode("latin-1").lower(), []).append(value.decode("latin-1"))
        host = headers.get("host", [])
        if len(host) != 1 or host[0].lower() not in self.hosts:
            return PlainTextResponse("unknown host name", 421)
        token = str(scope["path"]).split("/")[1:2]
        if not token or not hmac.compare_digest(token[0].encode(errors="replace"), self.token):
            return PlainTextResponse("not found", 404)
        if scope["method"] not in ("GET", "HEAD"):
            origin = headers.get("origin", [f"http://{host[0]}"])
            site = headers.get("sec-fetch-site", ["same-origin"])
            kind = headers.get("content-type", [""])[0].split(";")[0].strip().lower()
            if origin != [f"http://{host[0]}"] or site != ["same-origin"] or kind != "application/json":
                return PlainTextResponse("not sent by one of our pages", 403)
        return None


def application(queue: CaseQueue, token: str, port: int) -> ASGIApp:
    """The page under ``/TOKEN/``."""
    decoder = msgspec.json.Decoder(Posted)

    async def begin(request: Request) -> Response:
        number = queue.first_open()
        return RedirectResponse("list" if number is None else f"case/{number}", 303)

    async def case(request: Request) -> Response:
        number = request.path_params["number"]
        if not 1 <= number <= len(queue.sheets):
            return PlainTextResponse("no such case", 404)
        return HTMLResponse(queue.case_page(number))

    async def overview(request: Request) -> Response:
        return HTMLResponse(queue.list_page())

    async def answer(request: Request) -> Response:
        body = b""
        async for chunk in request.stream():
            body += chunk
            if len(body) > _LONGEST:
                return PlainTextResponse("too long", 413)
        try:
            sheet = queue.take(decoder.decode(body))
        except LabelError as error:
            return PlainTextResponse(str(error), 500)
        except (ValueError, msgspec.MsgspecError) as error:
            return PlainTextResponse(" ".join(str(error).split())[:200], 400)
        found: dict[str, Any] = {"state": f"Saved; {queue.state(sheet)}", "done": queue.done}
        return Response(msgspec.json.encode(found), media_type="application/json")

    routes = [
        Route("/{token}/", begin),
        Route("/{token}/list", overview),
        Route("/{token}/case/{number:int}", case),
        Route("/{token}/answer", answer, methods=["POST"]),
    ]
    return _Guard(Starlette(routes=routes), token, port)


def serve(queue: CaseQueue, *, port: int, browser: bool, announce: Callable[[str], None]) -> None:
    """Serve until Ctrl-C. ``port`` 0: any that is free. ``announce`` is called with the address once it is open.

    Raises:
        LabelError: the port is taken.
    """
    import uvicorn

    token = secrets.token_urlsafe(24)
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((HOST, port))
        except OSError as error:
            raise LabelError(f"port {port}: {error.strerror}; choose another --port, or leave it out") from None
        port = listener.getsockname()[1]
        url = f"http://{HOST}:{port}/{token}/"
        config = uvicorn.Config(
            application(queue, token, port),
            access_log=False,  # its lines would contain the token
            log_level="warning",
            lifespan="off",
            server_header=False,
            timeout_graceful_shutdown=1,
        )
        listener.listen()
        announce(url)
        with contextlib.suppress(KeyboardInterrupt), _opened(url) if browser else contextlib.nullcontext():
            uvicorn.Server(config).run(sockets=[listener])


@contextlib.contextmanager
def _opened(url: str) -> Iterator[None]:
    """Opens a browser with a private file that leads to the address: every user can read command lines."""
    graphical = sys.platform in ("darwin", "win32") or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    if not graphical:
        # Python would start a text browser in this terminal.
        yield
        return
    with tempfile.TemporaryDirectory(prefix="rigor-label-") as private:
        page = Path(private) / "open.html"
        page.write_text(f'<!doctype html><meta http-equiv="refresh" content="0; url={url}"><a href="{url}">open</a>')
        page.chmod(0o600)
        with contextlib.suppress(webbrowser.Error):
            webbrowser.open(page.as_uri())
        yield
