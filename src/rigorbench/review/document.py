"""The ``rigor-score/2`` document: the review of a session, and its RigorScore where one is meant."""

from __future__ import annotations

import msgspec
from msgspec import UNSET, Struct, UnsetType, field

from .result import Header, Pillar, ReplaySummary, Score, SubMetric
from .review import Review

SCHEMA = "rigor-score/2"
REVIEW_SCHEMA = "rigor-run-review/2"
# Beside score.json in the directory of a run.
REVIEW_FILE = "review.json"


class ReviewDocument(Struct):
    """The review of a run of the benchmark, whose score is in a file of its own."""

    schema: str
    review: Review


class Benchmark(Struct):
    """The paper's measure. ``rigor_score`` is null where ``--paper`` asked for the sub-metrics of any log."""

    rigor_score: float | None
    evidence_share: float | None
    pillars: dict[str, Pillar]
    extended: dict[str, SubMetric] = field(default_factory=dict)
    replay: ReplaySummary | UnsetType = UNSET


class ScoreDocument(Struct):
    """One document per session. ``benchmark`` is null without a task, a replay or ``--paper``."""

    schema: str
    trajectory: Header
    review: Review
    benchmark: Benchmark | None


def document(score: Score, review: Review, *, benchmark: bool, headline: bool) -> ScoreDocument:
    """The document of a scored and reviewed session.

    Args:
        benchmark: whether the paper's measure is part of it.
        headline: whether its RigorScore is: it means something only with a task or a replay.
    """
    part = None
    if benchmark:
        value, share = (score.rigor_score, score.evidence_share) if headline else (None, None)
        part = Benchmark(value, share, score.pillars, score.extended, score.replay)
    return ScoreDocument(SCHEMA, score.trajectory, review, part)


def decode_review(data: bytes | None) -> Review | None:
    """The review in a ``review.json``. None: the run has none (it was recorded before there were reviews), or the file
    is damaged or of another version."""
    if data is None:
        return None
    try:
        found = msgspec.json.decode(data, type=ReviewDocument)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return found.review if found.schema == REVIEW_SCHEMA else None
