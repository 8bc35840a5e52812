"""``GET /submission/{id}/events``: server-sent events, one for each change, until the end of judging."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Awaitable, Callable

import msgspec
from msgspec import Struct
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from .answers import Submission
from .changes import Changes
from .guard import refusal
from .model import Refused, Settings

# Seconds of silence after which a comment shows that the connection lives.
_BEAT = 15.0


class Seen(Struct, frozen=True):
    """What an author may see now.

    Attributes:
        data: of the event.
        over: nothing will follow.
        until: when it changes without a notification, in seconds since 1970; None: not known.
    """

    data: Submission
    over: bool
    until: float | None


Look = Callable[[], Awaitable[Seen]]


class Streams:
    """All streams of a server; their number and duration are limited."""

    def __init__(self, changes: Changes, settings: Settings) -> None:
        self.changes, self.settings = changes, settings
        self.open: Counter[str] = Counter()

    def response(self, run: str, number: int, look: Look) -> Response:
        return _Stream(self, run, number, look)


class _Stream(Response):
    media_type = "text/event-stream"

    def __init__(self, streams: Streams, run: str, number: int, look: Look) -> None:
        super().__init__()
        del self.headers["content-length"]
        self._streams, self._run, self._number, self._look = streams, run, number, look

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        streams, run = self._streams, self._run
        limits = streams.settings
        if streams.open[run] >= limits.streams_per_run or streams.open.total() >= limits.streams:
            busy = refusal(Refused(429, "busy", "too many event streams at a time", retry_after=2))
            await busy(scope, receive, send)
            return
        streams.open[run] += 1
        changed = streams.changes.subscribe(self._number)
        gone = asyncio.create_task(_gone(receive))
        try:
            await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
            try:
                async with asyncio.timeout(limits.stream_time):
                    await self._tell(send, changed, gone)
            except TimeoutError:
                pass  # the client may ask again
            await send({"type": "http.response.body", "body": b""})
        finally:
            gone.cancel()
            streams.changes.unsubscribe(self._number, changed)
            streams.open[run] -= 1
            if not streams.open[run]:
                del streams.open[run]

    async def _tell(self, send: Send, changed: asyncio.Event, gone: asyncio.Task[None]) -> None:
        last: object = None
        beat = time.monotonic() + _BEAT
        while not gone.done():
            changed.clear()
            seen = await self._look()
            if seen.data.status != last:
                last = seen.data.status
                await _part(send, b"event: status\ndata: " + msgspec.json.encode(seen.data) + b"\n\n")
            if seen.over:
                return
            pause = beat - time.monotonic()
            if seen.until is not None:
                pause = min(pause, seen.until - time.time())
            news = asyncio.create_task(changed.wait())
            await asyncio.wait({news, gone}, timeout=max(0.0, pause), return_when=asyncio.FIRST_COMPLETED)
            news.cancel()
            if time.monotonic() >= beat:
                beat = time.monotonic() + _BEAT
                await _part(send, b": still there\n\n")


async def _part(send: Send, data: bytes) -> None:
    await send({"type": "http.response.body", "body": data, "more_body": True})


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
