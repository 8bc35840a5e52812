"""The review without the paper's measure, which `rigor score` computes only where it shows it."""

from __future__ import annotations

from pathlib import Path

import msgspec

from rigorbench import read
from rigorbench.bench.rigorscore.reviewing import score_and_review
from rigorbench.session.task import Task

LOG = Path(__file__).parents[2] / "examples" / "sessions" / "b358d1b227-full.jsonl"


def test_the_review_is_the_same_without_the_sub_metrics() -> None:
    [trajectory] = read(LOG)
    measured, unmeasured = score_and_review(trajectory), score_and_review(trajectory, measure=False)
    assert msgspec.json.encode(unmeasured.document()) == msgspec.json.encode(measured.document())
    assert measured.score.pillars
    assert unmeasured.score.pillars == unmeasured.score.extended == {}
    assert unmeasured.findings == []


def test_a_run_with_a_task_is_always_measured() -> None:
    [trajectory] = read(LOG)
    report = score_and_review(trajectory, task=Task(id="t"), measure=False)
    assert report.document().benchmark is not None
    assert report.score.pillars
