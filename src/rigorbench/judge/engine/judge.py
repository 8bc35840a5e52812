"""Judges submissions to problems on this machine."""

from __future__ import annotations

import time
from collections.abc import Callable

from ...base.version import __version__
from ..model import Judgement
from ..problems.model import Problem
from ..submission import Submission
from .observer import Observer
from .resources import Resources
from .session import Session


class Judge(Resources):
    """Judges submissions; several threads may each judge one at the same time. Close it at the end."""

    def judge(
        self,
        problem: Problem,
        submission: Submission,
        *,
        observer: Observer | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> Judgement:
        """Build, run all test points, check, score.

        A failure of the judge is the verdict ``judge_error`` without a score. Nothing that a submission does raises.

        Args:
            cancelled: asked from time to time; once it is true, the rest is skipped, and a note says so.

        Raises:
            JudgeError: this machine cannot judge it at all (no sandbox, no compiler for the language).
        """
        started, clock = time.time(), time.perf_counter()
        session = Session(self, problem, submission, observer or Observer(), cancelled)
        try:
            judgement = session.run()
        finally:
            session.close()
        judgement.judge = __version__
        judgement.started = started
        judgement.seconds = time.perf_counter() - clock
        return judgement
