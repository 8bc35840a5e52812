"""Submissions to the judge are test runs: what its client prints counts, and what only looks like it does not."""

from __future__ import annotations

import pytest

from rigorbench.base.agent_paths import CLIENT
from rigorbench.evidence.commands.classify import classify_line
from rigorbench.evidence.testruns.runners import find_runner, recognise
from sources import text_file

WRONG = text_file("judge_runner.wrong.txt")


def _read(text: str):
    runner = find_runner("judge")
    return runner.read(text)


def test_points_are_tests_under_the_name_of_their_group() -> None:
    summary = _read(WRONG)
    assert (summary.passed, summary.failed, summary.skipped) == (3, 1, 1)
    assert summary.failing == ["2-large/1"]
    assert summary.outcome == "failed"


@pytest.mark.parametrize(
    ("line", "outcome"),
    [
        ("submission 3: accepted, 100 of 100 points", "passed"),
        ("submission 3: compile error, 0 of 100 points", "error"),
        ("submission 3: time limit exceeded", "failed"),
        ("submission 3: judge error", "unknown"),
    ],
)
def test_the_last_verdict_decides(line: str, outcome: str) -> None:
    assert _read(WRONG + line + "\n").outcome == outcome


@pytest.mark.parametrize(
    "text", ["", "submission 3: queued\n", "submission 3: commit 12ab accepted\n", "  1: accepted\n"]
)
def test_without_a_verdict_nothing_is_said(text: str) -> None:
    assert _read(text) is None


def test_other_output_that_looks_like_it_is_not_believed() -> None:
    assert recognise(WRONG) is None


@pytest.mark.parametrize(
    ("command", "kind"),
    [
        (f"python3 {CLIENT} submit --wait", "test"),
        (f"python3 {CLIENT} status 3 --wait", "test"),
        (f"python3 {CLIENT} list", "probe"),
        (f"python3 {CLIENT} --help", "probe"),
        ("python3 oj_client.py submit --wait", "run"),
        ("python3 /tmp/oj_client.py submit --wait", "run"),
    ],
)
def test_only_the_client_that_the_sandbox_shows_submits(command: str, kind: str) -> None:
    assert [found.kind for found in classify_line(command)] == [kind]
