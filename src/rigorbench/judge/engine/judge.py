"""Judges submissions to problems on this machine."""

from __future__ import annotations

import time
from collections.abc import Callable

from ...base.version import __version__
from ...problems.model import Problem
from ..model import Judgement
from ..submission import Submission
from .observer import Observer
from .resources import Resources
from .session import Session


class Judge(Resources):
    """Judges submissions. Used by one thread for each submission under way; close it in the end."""

    def judge(
        self,
        problem: Problem,
        submission: Submission,
        *,
        observer: Observer | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> Judgement:
        """Build, run all test points, check, score.

        A failure of the judge is a verdict (``judge_error``) and its score None; what the submission does never raises.
        Cancelled: what was not run is skipped, and a note says so.

        Raises:
            JudgeError: nothing can be judged here at all (no sandbox, no compiler for the language).
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
