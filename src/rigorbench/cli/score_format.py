"""``rigor score --format``: all sessions in one document for another tool."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from .common import message, over_logs, unknown
from .options import status

if TYPE_CHECKING:
    from ..report.session.outcome import Reported
    from ..review.gate import Gate
    from ..review.score import ReviewedSession
    from ..trajectory.logfile import LogFile


Reports = Callable[["LogFile"], "list[ReviewedSession]"]


def in_format(name: str, paths: list[str], reports: Reports, gate: Gate, jobs: int | None) -> int:
    """Write the document to stdout.

    Args:
        reports: reads and reviews the sessions of a log.

    Raises:
        Usage: there is no such format.
    """
    from ..report.session.formats import names, write
    from ..report.session.outcome import Outcome

    if name not in names():
        raise unknown("format", name, names())
    outcome = Outcome([], [], gate)
    for sessions, problems in over_logs(
        paths, partial(_reported, reports=reports, gate=gate), jobs=jobs, label="sessions"
    ):
        outcome.sessions += sessions or ()
        outcome.problems += problems
    for problem in outcome.problems:
        message(problem)
    for session in outcome.sessions:
        notice = outcome.gate.notice(session.source, session.review)
        if notice is not None:
            message(notice)
    sys.stdout.buffer.write(write(name, outcome).encode("utf-8", "replace"))
    sys.stdout.flush()
    return status(not outcome.problems, not any(s.failed for s in outcome.sessions))


def _reported(log: LogFile, reports: Reports, gate: Gate) -> list[Reported]:
    from ..report.session.outcome import reported

    return [reported(session, gate) for session in reports(log)]
