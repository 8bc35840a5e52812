"""Limits for connections: uvicorn waits for a request's head without a time limit, and for any number of them."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

from .model import Settings

# Key in the state of a request, of the function that closes its connection at once.
ABORT = "abort"


def protocol(settings: Settings) -> type[asyncio.Protocol]:
    """The protocol of one server: it closes connections whose head does not come, and bounds how many there are."""
    waiting: dict[Any, asyncio.TimerHandle] = {}

    class Bounded(H11Protocol):
        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            # For the application, if the client does not read: an ordinary close would wait for it.
            self.app_state = {**self.app_state, ABORT: transport.abort}
            self._expect()
            if len(self.connections) > settings.connections:
                # The connection that has waited longest without a request is closed; if all have one, the new one is.
                oldest = next(iter(waiting))
                oldest.transport.abort()
                self._forget(oldest)

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            if self.cycle is not None and not self.cycle.response_complete:
                self._forget(self)
            elif self not in waiting and not self.transport.is_closing():
                self._expect()

        def on_response_complete(self) -> None:
            super().on_response_complete()
            # Kept open for a further request: it can be closed like those that have not sent their first.
            if self.cycle.response_complete and self not in waiting and not self.transport.is_closing():
                self._expect()

        def connection_lost(self, exc: Exception | None) -> None:
            self._forget(self)
            super().connection_lost(exc)

        def _expect(self) -> None:
            waiting[self] = self.loop.call_later(settings.head_time, self._too_slow)

        def _too_slow(self) -> None:
            waiting.pop(self, None)
            self.transport.abort()

        @staticmethod
        def _forget(which: Any) -> None:
            timer = waiting.pop(which, None)
            if timer is not None:
                timer.cancel()

    return Bounded
