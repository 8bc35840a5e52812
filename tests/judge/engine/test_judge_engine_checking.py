"""The contracts of checkers: what every ending of theirs means."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rigorbench.judge.engine.checking import (
    ToolError,
    checker_limits,
    compare_output,
    decision_by_kattis,
    decision_by_testlib,
    failure_reason,
)
from rigorbench.judge.engine.verdicts import CheckerDecision
from rigorbench.judge.files import read_regular
from rigorbench.judge.problems.problem import Case, Checker, PointLimits
from rigorbench.sandbox.cell.spec import Measured


def test_kattis_words_go_to_whom_they_are_for(tmp_path: Path) -> None:
    (tmp_path / "judgemessage.txt").write_text("expected 17, got 4")
    (tmp_path / "teammessage.txt").write_text("off by some")
    (tmp_path / "score.txt").write_text("3.5\n")
    assert decision_by_kattis(Measured(exit_code=43), tmp_path) == CheckerDecision(
        "wrong_answer", "off by some", "expected 17, got 4"
    )
    accepted = decision_by_kattis(Measured(exit_code=42), tmp_path)
    assert (accepted.verdict, accepted.points, accepted.share) == ("accepted", 3.5, None)


@pytest.mark.parametrize("code", [0, 1, 41, 44, 127, None])
def test_kattis_knows_two_endings(code: int | None, tmp_path: Path) -> None:
    with pytest.raises(ToolError, match="neither 42 nor 43"):
        decision_by_kattis(Measured(exit_code=code), tmp_path)


@pytest.mark.parametrize("text", ["nan", "inf", "-inf", "", "1e999", "0x10", "1_000", "twelve", "1 2", "١"])
def test_scores_are_finite_numbers(text: str, tmp_path: Path) -> None:
    for name in ("score.txt", "score_multiplier.txt"):
        path = tmp_path / name
        path.write_text(text)
        with pytest.raises(ToolError, match="not a finite number"):
            decision_by_kattis(Measured(exit_code=42), tmp_path)
        path.unlink()


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_any_finite_number_is_read_as_python_writes_it(tmp_path_factory: pytest.TempPathFactory, value: float) -> None:
    place = tmp_path_factory.mktemp("score")
    (place / "score.txt").write_text(f" {value!r}\n")
    assert decision_by_kattis(Measured(exit_code=42), place).points == value


@pytest.mark.parametrize(
    ("code", "verdict"),
    [
        (0, "accepted"),
        (1, "wrong_answer"),
        (2, "presentation_error"),
        (4, "presentation_error"),
        (8, "presentation_error"),
    ],
)
def test_testlib_exit_codes(code: int, verdict: str) -> None:
    checked = decision_by_testlib(Measured(exit_code=code, stderr=b"wrong answer 1st numbers differ - expected: '3'"))
    assert checked.verdict == verdict
    # It quotes the answer: the author must not see it.
    assert checked.message == ""
    assert "expected: '3'" in checked.details


@pytest.mark.parametrize(
    ("said", "points"), [(b"points 0.75 good", 0.75), (b"points 12", 12.0), (b"partially correct (30) x", 30.0)]
)
def test_testlib_points(said: bytes, points: float) -> None:
    assert decision_by_testlib(Measured(exit_code=7, stderr=said)).points == points


@pytest.mark.parametrize(
    ("run", "words"),
    [
        (Measured(exit_code=3, stderr=b"FAIL the jury has no answer"), "the jury has no answer"),
        (Measured(exit_code=5), "exit code 5"),
        (Measured(exit_code=7, stderr=b"points many"), "not a finite number"),
        (Measured(exit_code=7), "not a finite number"),
    ],
)
def test_testlib_failures_are_the_judges(run: Measured, words: str) -> None:
    with pytest.raises(ToolError, match=words):
        decision_by_testlib(run)


@pytest.mark.parametrize(
    ("run", "words"),
    [
        (Measured(signal=11, stderr=b"oh"), "killed by SIGSEGV: oh"),
        (Measured(signal=9, killed="cpu"), "more than 60 s of CPU"),
        (Measured(signal=9, killed="wall"), "did not end"),
        (Measured(signal=9, oom=True), "memory"),
        (Measured(failed="/code: no such file"), "could not be started"),
        (Measured(signal=9, killed="disk"), "disk"),
    ],
)
def test_a_checker_that_breaks_down_says_nothing(run: Measured, words: str) -> None:
    assert words in (failure_reason(run, "checker", checker_limits(PointLimits())) or "")
    assert failure_reason(Measured(exit_code=1), "checker", checker_limits(PointLimits())) is None


def test_what_a_checker_leaves_is_read_with_care(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("hidden")
    (tmp_path / "link").symlink_to(secret)
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "directory").mkdir()
    (tmp_path / "long").write_bytes(b"x" * 1000)
    assert read_regular(tmp_path / "link", 100) is None
    assert read_regular(tmp_path / "pipe", 100) is None
    assert read_regular(tmp_path / "directory", 100) is None
    assert read_regular(tmp_path / "none", 100) is None
    assert read_regular(tmp_path / "long", 10) == b"x" * 10


def test_built_in_comparison_without_an_answer(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match="no answer"):
        compare_output(Checker(), Case("secret/1", tmp_path / "1.in"), b"1\n")
    with pytest.raises(ToolError, match=r"1\.ans"):
        compare_output(Checker(), Case("secret/1", tmp_path / "1.in", tmp_path / "1.ans"), b"1\n")
