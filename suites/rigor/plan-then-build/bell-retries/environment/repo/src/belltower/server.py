"""The API over HTTP."""

from __future__ import annotations

from http.server import BaseHTTPRequestHandler, HTTPServer

from .app import App
from .wire import Request

LARGEST = 1 << 20


def make_server(app: App, port: int) -> HTTPServer:
    """A server on the loopback interface; one request at a time, as the database wants it."""

    class Handler(BaseHTTPRequestHandler):
        def _answer(self) -> None:
            try:
                length = min(int(self.headers.get("Content-Length") or 0), LARGEST)
            except ValueError:
                length = 0
            request = Request(self.command, self.path, dict(self.headers.items()), self.rfile.read(length))
            answer = app.handle(request)
            body = answer.encoded()
            self.send_response(answer.status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_GET = do_POST = do_PUT = do_DELETE = _answer

        def log_message(self, format: str, *args: object) -> None:
            """Silent: a line for each request helps nobody."""

    return HTTPServer(("127.0.0.1", port), Handler)
