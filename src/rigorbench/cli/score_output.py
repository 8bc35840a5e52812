"""What ``rigor score`` writes: a session in full, or of several sessions a table, and documents with ``--json``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from msgspec import Struct, field

from .common import console, message, messages, write_line

if TYPE_CHECKING:
    from ..report.session.summary import SessionRow


class Output(Struct):
    """What is written of one session: its text or document, or its row of the table.

    Attributes:
        page: for ``--html``.
        unread: why answers of readers are missing.
        notice: what the gate has to say of it; ``fails``: the gate stops it.
    """

    text: bytes | None = None
    row: SessionRow | None = None
    page: str | None = None
    notice: str | None = None
    fails: bool = False
    unread: list[str] = field(default_factory=list)


class Writer:
    """Writes outputs as they come; rows are kept for the table that :meth:`close` prints."""

    def __init__(self) -> None:
        self._rows: list[SessionRow] = []
        self.unread: list[str] = []

    def write(self, output: Output) -> None:
        if output.text is not None:
            write_line(output.text)
        if output.row is not None:
            self._rows.append(output.row)
        self.unread += output.unread
        if output.notice is not None:
            message(output.notice)

    def close(self) -> None:
        messages(self.unread)
        if self._rows:
            from ..report.session.listing import print_frequent, print_sessions

            target = console()
            print_sessions(self._rows, target, numbered=False)
            print_frequent(self._rows, target)
        sys.stdout.flush()
