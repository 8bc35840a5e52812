"""Points: metrics, groups, totals."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rigorbench.judge.engine.verdicts import group_result, metric_score, share, stop_at_first_failure, total
from rigorbench.judge.judgement import PointResult
from rigorbench.judge.problems.problem import Metric, PointGroup
from rigorbench.judge.problems.verdicts import VERDICTS

finite = st.floats(allow_nan=False, allow_infinity=False)
scores = st.one_of(st.none(), st.floats(-0.5, 1.5))


def point(score: float | None, number: int = 0) -> PointResult:
    verdict = "judge_error" if score is None else "accepted" if score > 0 else "wrong_answer"
    return PointResult(f"g/{number}", verdict, score)


def points(values: list[float | None]) -> list[PointResult]:
    return [point(value, number) for number, value in enumerate(values)]


def test_metric_between_and_beyond_baselines() -> None:
    lower = Metric(((100.0, 0.0), (50.0, 0.5), (10.0, 1.0)), "lower")
    assert [metric_score(lower, value) for value in (200, 100, 75, 50, 30, 10, -5)] == [0, 0, 0.25, 0.5, 0.75, 1, 1]


@given(st.lists(st.tuples(finite, st.floats(0, 1)), min_size=1, max_size=5, unique_by=lambda pair: pair[0]), finite)
def test_metric_stays_between_the_scores_of_its_baselines(baselines: list[tuple[float, float]], value: float) -> None:
    score = metric_score(Metric(tuple(baselines), "higher"), value)
    given_scores = [score for _, score in baselines]
    assert min(given_scores) - 1e-9 <= score <= max(given_scores) + 1e-9


@given(st.lists(finite, min_size=2, max_size=5, unique=True), finite, finite)
def test_a_better_value_never_scores_less(values: list[float], one: float, other: float) -> None:
    ordered = sorted(values)
    metric = Metric(tuple((value, place / (len(values) - 1)) for place, value in enumerate(ordered)), "higher")
    low, high = sorted((one, other))
    assert metric_score(metric, low) <= metric_score(metric, high) + 1e-9


@given(st.lists(scores, max_size=8), st.floats(0, 1e6), st.sampled_from(["min", "sum"]))
def test_group_is_clamped_and_none_iff_the_judge_failed(values: list[float | None], full: float, how: str) -> None:
    group = PointGroup("g", full=full, aggregation=how)  # type: ignore[arg-type]
    result = group_result(group, points(values))
    if None in values:
        assert result.score is None
        assert result.verdict == "judge_error"
    else:
        assert 0.0 <= result.score <= full


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_min_is_never_more_than_the_mean(values: list[float]) -> None:
    least = group_result(PointGroup("g", full=10.0, aggregation="min"), points(list(values))).score
    mean = group_result(PointGroup("g", full=10.0, aggregation="sum"), points(list(values))).score
    assert least == pytest.approx(10 * min(values))
    assert least <= mean + 1e-9


def test_verdict_of_a_group_is_its_worst() -> None:
    found = [PointResult("a", "accepted", 1.0), PointResult("b", "skipped", 0.0), PointResult("c", "wrong_answer", 0.0)]
    assert group_result(PointGroup("g", full=1.0), found).verdict == "wrong_answer"
    assert group_result(PointGroup("g", full=1.0), found[:2]).verdict == "skipped"
    assert group_result(PointGroup("g", full=1.0), found[:1]).verdict == "accepted"
    assert group_result(PointGroup("g", full=1.0), []).score == 0.0


def test_static_point_gives_its_own_share_or_bars_the_group() -> None:
    good, bad = PointResult("g/static", "accepted", 1.0), PointResult("g/static", "wrong_answer", 0.0)
    own = PointGroup("g", full=10.0, static_args=(), static_full=4.0)
    assert group_result(own, points([1.0]), static=good).score == 10.0
    assert group_result(own, points([1.0]), static=bad).score == 6.0
    assert group_result(own, points([0.0]), static=good).score == 4.0
    bar = PointGroup("g", full=10.0, static_args=())
    assert group_result(bar, points([1.0]), static=good).score == 10.0
    assert group_result(bar, points([1.0]), static=bad).score == 0.0
    assert group_result(bar, [], static=good).score == 10.0


def test_cut_short_does_not_depend_on_what_ran_after_the_failure() -> None:
    many = stop_at_first_failure(points([1.0, 0.0, 1.0, None, 0.5]))
    few = stop_at_first_failure([*points([1.0, 0.0]), *[PointResult(f"g/{n}", "skipped", 0.0) for n in (2, 3, 4)]])
    assert [(p.id, p.verdict, p.score) for p in many] == [(p.id, p.verdict, p.score) for p in few]
    assert [p.verdict for p in many] == ["accepted", "wrong_answer", "skipped", "skipped", "skipped"]
    # Accepted with nothing gained (a metric at its worst) is no failure: what follows is still shown.
    zero = [PointResult("g/0", "accepted", 0.0), PointResult("g/1", "wrong_answer", 0.0)]
    assert [p.verdict for p in stop_at_first_failure(zero)] == ["accepted", "wrong_answer"]


def test_absolute_points_count_as_those_of_the_group() -> None:
    from pathlib import Path

    from rigorbench.judge.problems.problem import Case

    cases = tuple(Case(str(n), Path("x")) for n in range(4))
    assert share(5.0, PointGroup("g", cases, 20.0, "sum")) == 1.0
    assert share(2.5, PointGroup("g", cases, 20.0, "sum")) == 0.5
    assert share(5.0, PointGroup("g", cases, 20.0, "min")) == 0.25
    assert share(-3.0, PointGroup("g", cases, 20.0, "min")) == 0.0
    assert share(99.0, PointGroup("g", cases, 20.0, "min")) == 1.0


@given(st.lists(st.tuples(st.sampled_from(VERDICTS), st.one_of(st.none(), st.floats(0, 10))), max_size=6))
def test_total(groups: list[tuple[str, float | None]]) -> None:
    from rigorbench.judge.judgement import GroupResult

    verdict, score, full = total([GroupResult(str(n), v, s, 10.0) for n, (v, s) in enumerate(groups)])  # type: ignore[arg-type]
    assert full == 10.0 * len(groups)
    assert (score is None) == any(s is None for _, s in groups)
    assert score is None or 0.0 <= score <= full
    if groups:
        assert VERDICTS.index(verdict) == min(VERDICTS.index(v) for v, _ in groups)  # type: ignore[arg-type]
