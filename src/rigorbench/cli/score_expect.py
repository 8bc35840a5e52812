"""``rigor score --expect``: whether logs show what their cases expect."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from .common import message, messages
from .gate_options import status

if TYPE_CHECKING:
    from ..review.case import Case
    from ..review.config import Config


def check_cases(paths: list[str], config: Config) -> int:
    """A line for each case. 0: all as expected; 3: some not; 1: some could not be read."""
    from ..base.sanitize import terminal
    from ..review.case import CaseError, find_cases, read_case
    from ..trajectory.logfile import LogError

    complete, passed = True, True
    for path in paths:
        try:
            files = find_cases(Path(path))
        except CaseError as error:
            complete = False
            message(str(error))
            continue
        for file in files:
            try:
                failures = _failures(read_case(file), file, config)
            except (CaseError, LogError) as error:
                complete = False
                message(str(error))
                continue
            print(terminal(f"{'FAILED' if failures else 'ok':<7}{file}"), flush=True)
            passed = passed and not failures
            messages([f"  {f}" for f in failures])
    return status(complete, passed)


def _failures(case: Case, file: Path, config: Config) -> list[str]:
    from ..review.case import CaseError
    from ..review.score import score_and_review
    from ..trajectory.logfile import LogFile
    from ..trajectory.registry import read_log

    found = [t for t in read_log(LogFile(file.parent / case.log)) if case.session in ("", t.id)]
    if not found:
        raise CaseError(f"{file}: the log has no session {case.session}")
    reviews = [score_and_review(t, config=config, measure=False).review for t in found]
    return case.failures([c for r in reviews for c in r.checks])
