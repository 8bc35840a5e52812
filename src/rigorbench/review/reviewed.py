"""A scored session with its review: what screens and pages show."""

from __future__ import annotations

from msgspec import field

from .document import ScoreDocument, document
from .result import SessionReport
from .review import Review


class ReviewedSession(SessionReport, kw_only=True):
    """A report with its review."""

    review: Review
    benchmarked: bool
    """It was scored with a task or a replay, so its RigorScore is meant."""
    unread: list[str] = field(default_factory=list)
    """Why answers of readers are missing, one line each."""

    def document(self, *, paper: bool = False) -> ScoreDocument:
        """The ``rigor-score/2`` document; with ``paper``, the sub-metrics of any session."""
        return document(self.score, self.review, benchmark=paper or self.benchmarked, headline=self.benchmarked)
