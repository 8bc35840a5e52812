"""One session scored and reviewed: what ``rigor score`` prints."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from ...review.config import Config
from ...review.grades import review_session
from ...review.reader.ask import Readers
from ...review.reader.store import AnswerStore
from ...review.reading import prove
from ...review.reviewed import ReviewedSession
from .score import open_session, points_of, score_evidence, with_reading

if TYPE_CHECKING:
    from ...session.model import Trajectory


def score_and_review(
    trajectory: Trajectory,
    *,
    config: Config | None = None,
    reader: Readers | None = None,
    measure: bool = True,
    **given: Any,
) -> ReviewedSession:
    """Score and review one session.

    Args:
        config: which checks are shown, and which findings are excluded; grades are made from all that are not excluded.
        reader: who is asked to read the session; None: nobody, and of the reader of ``config`` what is stored counts.
        measure: whether to compute the paper's sub-metrics even of a session that was no run of a benchmark.
        given: further arguments of :func:`open_session`.
    """
    session = open_session(trajectory, **given)
    excluded = config.exclude if config is not None else ()
    if reader is None and config is not None and config.reader is not None:
        names = [name.strip() for name in config.reader.split(",") if name.strip()]
        from ...review.reader.backends import open_reader  # late: it can start programs, and few name a reader

        opened = partial(open_reader, tables=config.readers)
        reader = Readers(names, opened, AnswerStore(), readings=config.readings, budget=config.reader_budget, ask=False)
    asked = None
    if reader is not None and session.why_no_answer is None:
        asked = reader.read(session.evidence, points_of(session))
    reading = None if asked is None else prove(asked, session, excluded)
    session = with_reading(session, reading)
    benchmarked = session.task is not None or session.replay is not None
    report = score_evidence(session, measure=measure or benchmarked)
    review = review_session(session, excluded, reading)
    if config is not None:
        review.checks = config.shown(review.checks, trajectory.source.file)
    return ReviewedSession(
        report.trajectory,
        report.events,
        report.score,
        report.findings,
        report.replay,
        review=review,
        benchmarked=benchmarked,
        unread=[] if asked is None else asked.failed,
    )
