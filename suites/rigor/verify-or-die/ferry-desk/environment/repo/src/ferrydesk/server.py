"""The counters' end of the wire: a thread for each connection."""

from __future__ import annotations

import socketserver

from .desk import Desk
from .lines import answer


class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True

    def __init__(self, desk: Desk, port: int) -> None:
        self.desk = desk
        super().__init__(("127.0.0.1", port), _Counter)


class _Counter(socketserver.StreamRequestHandler):
    server: Server

    def handle(self) -> None:
        for line in self.rfile:
            text = answer(self.server.desk, line.decode("utf-8", "replace"))
            self.wfile.write(text.encode() + b"\n\n")
