import pytest

from pressroom import PressError
from pressroom.buildfile import Target
from pressroom.graph import needs, order


def target(name):
    return Target(name, "concat", "*", f"work/{name}")


def test_a_target_comes_after_what_it_needs():
    targets = [target("late"), target("early")]
    files = {"late": ["work/early"], "early": ["a.txt"]}
    assert [found.name for found in order(targets, files)] == ["early", "late"]


def test_targets_that_do_not_wait_keep_their_order():
    targets = [target("b"), target("a"), target("c")]
    assert [found.name for found in order(targets, {"a": [], "b": [], "c": []})] == ["b", "a", "c"]


def test_a_cycle_is_named():
    targets = [target("a"), target("b"), target("c")]
    with pytest.raises(PressError, match="cycle: b -> c -> b"):
        order(targets, {"a": ["work/b"], "b": ["work/c"], "c": ["work/b"]})


def test_a_target_is_needed_once():
    targets = [target("a"), target("b")]
    assert needs(targets, {"a": ["work/b", "x", "work/b"], "b": []}) == {"a": ["b"], "b": []}
