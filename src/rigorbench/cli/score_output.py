"""What ``rigor score`` writes: a session in full, a table of several, or one document of all (``--format``)."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from msgspec import Struct, field

from .common import console, message, messages, over_logs, unknown, write_line
from .options import status

if TYPE_CHECKING:
    from ..review.gate import Gate
    from ..review.pages.outcome import Reported
    from ..review.pages.summary import SessionRow
    from ..review.reviewed import ReviewedSession
    from ..session.logfile import LogFile


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
            from ..review.pages.listing import print_frequent, print_sessions

            target = console()
            print_sessions(self._rows, target, numbered=False)
            print_frequent(self._rows, target)
        sys.stdout.flush()


def in_format(
    name: str,
    paths: list[str],
    reports: Callable[[LogFile], list[ReviewedSession]],
    gate: Gate,
    jobs: int | None,
) -> int:
    """Writes one document of all sessions to stdout, for another tool.

    Args:
        reports: reads and reviews the sessions of a log.

    Raises:
        Usage: there is no such format.
    """
    from ..review.pages.formats import names, write
    from ..review.pages.outcome import Outcome

    if name not in names():
        raise unknown("format", name, names())
    outcome = Outcome([], [], gate)
    work = partial(_reported, reports=reports, gate=gate)
    for sessions, problems in over_logs(paths, work, jobs=jobs, label="sessions"):
        outcome.sessions += sessions or ()
        outcome.problems += problems
    messages(outcome.problems)
    for session in outcome.sessions:
        notice = outcome.gate.notice(session.source, session.review)
        if notice is not None:
            message(notice)
    sys.stdout.buffer.write(write(name, outcome).encode("utf-8", "replace"))
    sys.stdout.flush()
    return status(not outcome.problems, not any(s.failed for s in outcome.sessions))


def _reported(log: LogFile, reports: Callable[[LogFile], list[ReviewedSession]], gate: Gate) -> list[Reported]:
    from ..review.pages.outcome import reported

    return [reported(session, gate) for session in reports(log)]
