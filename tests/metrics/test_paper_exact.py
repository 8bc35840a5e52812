"""Values by the letter of the paper stand beside ours where the formulas differ, and give scores of their own."""

from __future__ import annotations

import pytest

from builders import Session
from rigorbench.bench.rigorscore.matching import agreement
from rigorbench.bench.rigorscore.paper_exact import DEPARTURES, by_the_letter, letter_scores, letter_value
from rigorbench.bench.rigorscore.replayed import coverage_delta
from rigorbench.bench.rigorscore.score import score_session
from rigorbench.evidence.replayed import CoverageDelta, ReplayResult, Snapshots, WorkSnapshot
from rigorbench.review.pillars import SUBMETRICS
from rigorbench.review.result import WEIGHTS, SubMetric


def sub(value: float | None, paper: float | None = None, status: str = "scored") -> SubMetric:
    return SubMetric(value, status, "parsed", 1, [], "invented", paper=paper)  # type: ignore[arg-type]


def test_every_departure_is_about_known_sub_metrics_or_the_quorum() -> None:
    names = {spec.name for spec in SUBMETRICS}
    assert all(set(about) <= names for about, _ in DEPARTURES.values())
    assert [name for name, (about, _) in DEPARTURES.items() if not about] == ["quorum"]


def test_a_departure_is_undone_alone() -> None:
    assert letter_value("f(RAC)", sub(0.5, 0.25), ["cycles"]) == 0.25
    assert letter_value("f(RAC)", sub(0.5, 0.25), ["tau"]) == 0.5
    assert letter_value("f(RAC)", sub(0.5)) == 0.5
    assert letter_value("f(RAC)", sub(None, None, "unscorable")) is None


def test_the_bound_is_undone_only_where_a_value_is_bounded() -> None:
    free, bounded = sub(1.0, 0.5), sub(0.25, 0.75)
    bounded.reason = f"at most 0.25, since the change meets 1 of 4 requirements (hidden tests); {bounded.reason}"
    assert [letter_value("RT", found, ["requirements"]) for found in (free, bounded)] == [1.0, 0.75]


def test_without_a_quorum_whatever_has_a_value_counts() -> None:
    found = {"PAC": sub(1.0), "DQ": sub(None, None, "unscorable"), "PEA": sub(None, None, "unscorable")}
    assert letter_scores(found, ()) == (None, dict.fromkeys(WEIGHTS))
    score, pillars = letter_scores(found, ["quorum"])
    assert (score, pillars["PF"], pillars["VC"]) == (1.0, 1.0, None)


def test_tied_pairs_are_counted_apart() -> None:
    """Gamma leaves tied pairs out; tau-b is lowered by them."""
    assert agreement([1, 2, 2, 3]) == (5, 0, 1)
    assert agreement([3, None, None, 1]) == (2, 3, 1)


def test_the_coverage_delta_of_the_paper_is_not_divided_by_the_headroom() -> None:
    result = ReplayResult(snapshots=Snapshots("t", [WorkSnapshot("u", ["e1"])]))
    result.coverage = CoverageDelta(points=10, start_tests=6, all_tests=8, edits=["e1"])
    found = coverage_delta(result)
    assert (found.value, found.paper) == (0.5, 0.2)


def test_the_paper_counts_attempts_of_the_session_and_has_no_share_of_items() -> None:
    """Two episodes of one attempt each: 1 per episode, but two recovery attempts in the session."""
    session = Session("Make double and half work.", usage=True)
    session.todo("Write double in src/double.py", "Write half in src/half.py", "Describe the rounding in docs/notes.md")
    for name in ("double", "half"):
        path = f"src/{name}.py"
        session.write(path, f"def {name}(x):\n    return x\n")
        session.pytest(failed=[f"tests/test_{name}.py::test_{name}"])
        session.edit(path, "return x", "return x * 2" if name == "double" else "return x / 2")
        session.pytest(passed=3)
    score = score_session(session.build()).score
    found = {n: s for p in score.pillars.values() for n, s in p.submetrics.items()}
    assert (found["f(RAC)"].value, found["f(RAC)"].paper) == (1.0, pytest.approx(2 / 3, abs=1e-6))
    assert (found["PEA"].value, found["PEA"].paper) == (pytest.approx(2 / 3, abs=1e-6), 1.0)
    exact = by_the_letter(score)
    assert exact.pillars["RE"].submetrics["f(RAC)"].value == pytest.approx(2 / 3, abs=1e-6)
    assert exact.pillars["PF"].value > score.pillars["PF"].value
