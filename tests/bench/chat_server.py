"""A server on loopback with OpenAI's chat protocol, which answers, refuses and breaks as a test wants."""

from __future__ import annotations

import contextlib
import http.server
import json
import threading
from collections.abc import Callable, Iterator
from typing import Any

# What a test wants for the n-th request (from 0): the status, and the document or the bytes of the body.
Answer = Callable[[int, dict[str, Any]], tuple[int, Any]]

FIX = "sed -i 's,return count // size,return -(-count // size),' src/pages.py"
USAGE = {"prompt_tokens": 500, "completion_tokens": 20, "total_tokens": 520}


def said(text: str | None = None, command: str | None = None, stop: str = "stop", **usage: Any) -> tuple[int, Any]:
    """An answer with a text, with a call of the tool ``bash``, or with both."""
    message: dict[str, Any] = {"role": "assistant", "content": text}
    if command is not None:
        function = {"name": "bash", "arguments": json.dumps({"command": command})}
        message["tool_calls"] = [{"id": "call_1", "type": "function", "function": function}]
        stop = "tool_calls"
    choices = [{"index": 0, "finish_reason": stop, "message": message}]
    head = {"id": "c", "object": "chat.completion", "created": 0, "model": "stand-in"}
    return 200, {**head, "choices": choices, "usage": {**USAGE, **usage}}


def refused(status: int, message: str, **more: Any) -> tuple[int, Any]:
    return status, {"error": {"code": status, "message": message, **more}}


@contextlib.contextmanager
def serving(answer: Answer, models: Any = None) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """(address, requests so far) of a server. ``models``: its answer to ``GET /v1/models``."""
    requests: list[dict[str, Any]] = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._send(200 if models is not None else 404, models or {"error": "none"})

        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            requests.append(request)
            self._send(*answer(len(requests) - 1, request))

        def _send(self, status: int, document: Any) -> None:
            body = document if isinstance(document, bytes) else json.dumps(document).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *words: object) -> None:
            """Says nothing."""

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/v1", requests
        finally:
            server.shutdown()
