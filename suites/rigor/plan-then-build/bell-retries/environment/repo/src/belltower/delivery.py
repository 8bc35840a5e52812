"""Sends what is pending."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Callable

from .signing import signature
from .store import Row, Store
from .times import Clock, now, text

# (url, body, headers) -> HTTP status. OSError if there was no answer.
Send = Callable[[str, bytes, dict[str, str]], int]
TIMEOUT = 10.0


def send_by_http(url: str, body: bytes, headers: dict[str, str]) -> int:
    """Post `body` to `url` and return the status of the answer, whatever it is."""
    request = urllib.request.Request(url, data=body, headers=headers, method="POST")
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code


class Dispatcher:
    def __init__(self, store: Store, send: Send = send_by_http, clock: Clock = now) -> None:
        self._store, self._send, self._clock = store, send, clock

    def run_once(self) -> dict[str, int]:
        """Send everything that is pending; how much was ``delivered`` and how much ``failed``."""
        counts = {"delivered": 0, "failed": 0}
        for delivery in self._store.pending():
            code, error = self._attempt(delivery)
            status = "failed" if error else "delivered"
            with self._store.transaction():
                self._store.finish(delivery["id"], status, code, error, text(self._clock()))
            counts[status] += 1
        return counts

    def _attempt(self, delivery: Row) -> tuple[int | None, str | None]:
        """(HTTP status, what went wrong)."""
        body = json.dumps(
            {
                "event": delivery["event"],
                "topic": delivery["topic"],
                "created": delivery["created"],
                "payload": json.loads(delivery["payload"]),
            }
        ).encode("utf-8")
        headers = {"Content-Type": "application/json", "Belltower-Signature": signature(delivery["secret"], body)}
        try:
            code = self._send(delivery["url"], body, headers)
        except OSError as error:
            return None, error.strerror or type(error).__name__
        return code, None if 200 <= code < 300 else f"status {code}"
