"""The local page of ``rigor label``: cases one by one, answers saved as they are given.

It listens on the loopback address only. Every address begins with a random token, the Host header must be ours (a page
elsewhere cannot reach us under a name of its own), and an answer is taken only as JSON from our own pages.
"""

from __future__ import annotations

import contextlib
import hmac
import os
import re
import secrets
import socket
import sys
import tempfile
import webbrowser
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct, field
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ...panel.labels.model import FORMS, Answers, Ask, Sheet, Value
from ...panel.labels.store import LabelError, LabelFile
from ..session.html import render
from ..text.words import plural

HOST = "127.0.0.1"
# Answers are a hundred bytes; what is longer is not from our page.
_LONGEST = 16_384
_STYLES = ("label.css",)
# Lines that tools add to messages to say who wrote them.
_AUTHORS = re.compile(r"(?im)^[^\w\n]*(co-authored-by|signed-off-by|generated (?:with|by)|assisted-by)\b.*$")
_HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


def blind(text: str) -> str:
    """``text`` without the lines by which tools sign commits."""
    return _AUTHORS.sub("[who wrote it is left out]", text)


class Posted(Struct, forbid_unknown_fields=True):
    """One answer as the page sends it; ``answer`` None takes it back."""

    case: str
    question: str
    item: str | None
    answer: Value | None


class _Choice(Struct):
    value: str
    text: str
    meaning: str
    chosen: bool


class _Block(Struct):
    """A question of a case as the page shows it."""

    name: str
    question: str
    item: str | None
    after: str | None
    text: str
    choices: list[_Choice]
    moot: bool


class _Group(Struct):
    heading: str = ""
    text: str = ""
    blocks: list[_Block] = field(default_factory=list)


class Desk:
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
        return f"{plural(left, 'question')} open" if self.given(sheet) else "not begun"

    def take(self, posted: Posted) -> Sheet:
        """Raises: LabelError (not stored) or ValueError (no such case, question or answer)."""
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
            "label_case.html.j2",
            "label.js",
            _STYLES,
            talks=True,
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

    def list_page(self) -> str:
        rows = [
            {
                "number": number,
                "title": FORMS[sheet.kind].title,
                "state": self.state(sheet),
                "tone": "pass" if not self._open[sheet.digest] else "muted",
            }
            for number, sheet in enumerate(self.sheets, 1)
        ]
        values: dict[str, Any] = {
            "labeller": self.file.labeller,
            "done": self.done,
            "total": len(self.sheets),
            "rows": rows,
        }
        return render("label_list.html.j2", "label.js", _STYLES, **values)

    def _groups(self, sheet: Sheet) -> list[_Group]:
        groups: dict[str | None, _Group] = {}
        several = bool(sheet.items)
        for n, (ask, item) in enumerate(sheet.points()):
            name = item.id if item is not None else None
            if name not in groups:
                heading = f"Item {name}" if name is not None else "The whole" if several else ""
                groups[name] = _Group(heading, blind(item.text) if item is not None else "")
            groups[name].blocks.append(self._block(sheet, ask, name, f"q{n}"))
        return list(groups.values())

    def _block(self, sheet: Sheet, ask: Ask, item: str | None, name: str) -> _Block:
        given = self.given(sheet)
        known = (ask.id, item) in given
        said = given.get((ask.id, item))
        choices = [
            _Choice(
                msgspec.json.encode(c.value).decode(),
                c.text,
                "" if ask.each else c.meaning,
                known and type(said) is type(c.value) and said == c.value,
            )
            for c in ask.choices
        ]
        choices.append(_Choice("null", "Cannot tell", "", known and said is None))
        moot = ask.after is not None and given.get((ask.after, item)) is False
        return _Block(name, ask.id, item, ask.after, ask.text, choices, moot)


class _Guard:
    """Lets through what our own pages ask: right host, right token, and posts from our origin only."""

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
            return PlainTextResponse("not under this name", 421)
        token = str(scope["path"]).split("/")[1:2]
        if not token or not hmac.compare_digest(token[0].encode(errors="replace"), self.token):
            return PlainTextResponse("not found", 404)
        if scope["method"] not in ("GET", "HEAD"):
            origin = headers.get("origin", [f"http://{host[0]}"])
            site = headers.get("sec-fetch-site", ["same-origin"])
            kind = headers.get("content-type", [""])[0].split(";")[0].strip().lower()
            if origin != [f"http://{host[0]}"] or site != ["same-origin"] or kind != "application/json":
                return PlainTextResponse("not from a page of ours", 403)
        return None


def application(desk: Desk, token: str, port: int) -> ASGIApp:
    """The page under ``/TOKEN/``."""
    decoder = msgspec.json.Decoder(Posted)

    async def begin(request: Request) -> Response:
        number = desk.first_open()
        return RedirectResponse("list" if number is None else f"case/{number}", 303)

    async def case(request: Request) -> Response:
        number = request.path_params["number"]
        if not 1 <= number <= len(desk.sheets):
            return PlainTextResponse("no such case", 404)
        return HTMLResponse(desk.case_page(number))

    async def overview(request: Request) -> Response:
        return HTMLResponse(desk.list_page())

    async def answer(request: Request) -> Response:
        body = b""
        async for chunk in request.stream():
            body += chunk
            if len(body) > _LONGEST:
                return PlainTextResponse("too long", 413)
        try:
            sheet = desk.take(decoder.decode(body))
        except LabelError as error:
            return PlainTextResponse(str(error), 500)
        except (ValueError, msgspec.MsgspecError) as error:
            return PlainTextResponse(" ".join(str(error).split())[:200], 400)
        found: dict[str, Any] = {"state": f"Saved; {desk.state(sheet)}", "done": desk.done}
        return Response(msgspec.json.encode(found), media_type="application/json")

    routes = [
        Route("/{token}/", begin),
        Route("/{token}/list", overview),
        Route("/{token}/case/{number:int}", case),
        Route("/{token}/answer", answer, methods=["POST"]),
    ]
    return _Guard(Starlette(routes=routes), token, port)


def serve(desk: Desk, *, port: int, browser: bool, announce: Callable[[str], None]) -> None:
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
            raise LabelError(f"port {port}: {error.strerror}; choose another --port, or none") from None
        port = listener.getsockname()[1]
        url = f"http://{HOST}:{port}/{token}/"
        config = uvicorn.Config(
            application(desk, token, port),
            access_log=False,  # its lines would hold the token
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
    """The browser sent to an address by way of a private file: command lines are for every user to read."""
    graphical = sys.platform in ("darwin", "win32") or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    if not graphical:
        # Python would start a browser in this terminal.
        yield
        return
    with tempfile.TemporaryDirectory(prefix="rigor-label-") as private:
        page = Path(private) / "open.html"
        page.write_text(f'<!doctype html><meta http-equiv="refresh" content="0; url={url}"><a href="{url}">open</a>')
        page.chmod(0o600)
        with contextlib.suppress(webbrowser.Error):
            webbrowser.open(page.as_uri())
        yield
