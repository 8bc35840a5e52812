"""The ranking under other weights: cases whose answer is known."""

from __future__ import annotations

import pytest
from simulation import bounds

from rigorbench.base.stats.sensitivity import sensitivity

WEIGHTS = {"PF": 0.20, "VC": 0.25, "RE": 0.25, "AQ": 0.15, "ATI": 0.15}


def test_who_is_ahead_in_everything_is_ahead_under_any_weights() -> None:
    found = sensitivity({"low": dict.fromkeys(WEIGHTS, 0.3), "high": dict.fromkeys(WEIGHTS, 0.4)}, WEIGHTS)
    (pair,) = found.pairs
    assert (pair.above, pair.below, pair.always, pair.around, pair.uniform) == ("high", "low", True, 1.0, 1.0)
    assert (found.tau_around, found.tau_around_low, found.tau_uniform_low) == (1.0, 1.0, 1.0)
    assert found.ranking == ["high", "low"]
    assert not any(w.reversed for w in found.without)


def test_the_share_of_all_weights_is_that_of_the_triangle() -> None:
    """Two pillars: a leads b by .3 in the one and trails by .1 in the other, so it is ahead while the first weighs more
    than a quarter: under three quarters of all weights."""
    found = sensitivity({"a": {"PF": 0.8, "VC": 0.4}, "b": {"PF": 0.5, "VC": 0.5}}, {"PF": 0.2, "VC": 0.25})
    (pair,) = found.pairs
    low, high = bounds(found.draws, 0.75)
    assert low <= pair.uniform * found.draws <= high
    assert (pair.above, pair.always) == ("a", False)
    assert pair.difference == pytest.approx(0.3 * 0.2 / 0.45 - 0.1 * 0.25 / 0.45)
    assert 0.97 < pair.around < 1
    assert found.weights == {"PF": pytest.approx(0.2 / 0.45), "VC": pytest.approx(0.25 / 0.45)}


def test_without_the_pillar_that_carries_it_the_order_turns() -> None:
    lead = {"carried": {**dict.fromkeys(WEIGHTS, 0.4), "RE": 0.9}, "steady": dict.fromkeys(WEIGHTS, 0.5)}
    found = sensitivity(lead, WEIGHTS)
    assert found.ranking == ["carried", "steady"]
    turned = {w.pillar: (w.reversed, w.tau) for w in found.without}
    assert turned["RE"] == ([("carried", "steady")], -1.0)
    assert [p for p, (pairs, _) in turned.items() if pairs] == ["RE"]


def test_without_a_pillar_the_others_keep_their_weights() -> None:
    """Of what is left VC weighs nine times as much as RE: a stays ahead by it, though RE speaks for b more loudly."""
    table = {"a": {"PF": 0.5, "VC": 0.6, "RE": 0.1}, "b": {"PF": 0.5, "VC": 0.5, "RE": 0.5}}
    found = sensitivity(table, {"PF": 0.5, "VC": 0.45, "RE": 0.05})
    assert found.ranking == ["a", "b"]
    assert {w.pillar: w.ranking for w in found.without} == {"PF": ["a", "b"], "VC": ["b", "a"], "RE": ["a", "b"]}


def test_pillars_that_someone_lacks_are_left_out_and_told() -> None:
    table = {"a": {"PF": 0.5, "VC": 0.5, "RE": 0.1}, "b": {"PF": 0.4, "VC": 0.4}}
    found = sensitivity(table, WEIGHTS, left_out={"AQ": "no unsolvable tasks"})
    assert list(found.weights) == ["PF", "VC"]
    reason = "not every condition has a value"
    assert found.left_out == {"AQ": "no unsolvable tasks", "RE": reason, "ATI": reason}


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        ({}, "fewer than two conditions"),
        ({"a": {"PF": 0.5, "VC": 0.5}}, "fewer than two conditions"),
        ({"a": {"PF": 0.5}, "b": {"PF": 0.4}}, "fewer than two pillars that all conditions have"),
        ({"a": {"PF": 0.5}, "b": {"VC": 0.4}}, "fewer than two pillars that all conditions have"),
    ],
)
def test_what_cannot_be_said_says_why(table: dict[str, dict[str, float]], reason: str) -> None:
    found = sensitivity(table, WEIGHTS)
    assert (found.ranking, found.tau_around, found.draws, found.reason) == ([], None, 0, reason)


def test_conditions_that_score_the_same_have_no_order() -> None:
    found = sensitivity({c: {"PF": 0.5, "VC": 0.5} for c in "ab"}, WEIGHTS)
    assert (found.tau_around, found.pairs[0].uniform, found.pairs[0].always) == (None, 0.5, False)
    assert "there is no order" in found.reason
