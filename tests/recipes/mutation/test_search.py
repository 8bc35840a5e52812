"""The search for mutants, stacks and near misses, with a runner that runs small functions instead of a sandbox."""

from __future__ import annotations

from random import Random

import pytest

from rigorbench.recipes.mutation import (
    Limits,
    MutationError,
    apply,
    broken_tree,
    mutations,
    near_misses,
    search,
    stack,
    stays_red,
)

LIST = "def upto(n):\n    return list(range(n))\n\n\ndef rest(items):\n    return items[1:]\n"
COUNT = (
    "def within(n, low, high):\n    return low <= n and n < high\n\n\n"
    "def first(n, default=0):\n    return n - 1 if n else default\n"
)
TREE = {"a.py": LIST, "b.py": COUNT, "notes.md": "text"}
CASES = {
    "upto": "upto(3) == [0, 1, 2]",
    "rest": "rest([1, 2, 3]) == [2, 3]",
    "low": "within(1, 1, 3)",
    "below": "not within(0, 1, 3)",
    "high": "not within(3, 1, 3)",
    "first": "first(2) == 1",
    "none": "first(0) == 0",
    "both": "upto(3)[2] == 2 and not within(3, 1, 3)",
}
BASELINE = dict.fromkeys(CASES, "passed")


def run(tree):
    space = {}
    for path in ("a.py", "b.py"):
        exec(tree[path], space)
    result = {}
    for name, case in CASES.items():
        try:
            result[name] = "passed" if eval(case, space) else "failed"
        except Exception:
            result[name] = "failed"
    return result


LIMITS = Limits(("a.py", "b.py"), kills=50, runs=200, most=3)


def test_search_finds_what_tests_kill_and_repeats_itself():
    found = search(TREE, BASELINE, run, Random(1), LIMITS)
    assert found == search(TREE, BASELINE, run, Random(1), LIMITS)
    every = [(file, m) for file in ("a.py", "b.py") for m in mutations(TREE[file])]
    assert len(found.kills) + found.survived + found.too_many == len(every)
    assert found.incomplete == found.unsteady == 0
    for kill in found.kills:
        outcome = run({**TREE, kill.file: apply(TREE[kill.file], kill.mutation)})
        assert kill.tests == tuple(sorted(name for name in CASES if outcome[name] == "failed"))
        assert 1 <= len(kill.tests) <= 3


def test_search_keeps_its_limits():
    assert search(TREE, BASELINE, run, Random(1), Limits(("a.py",), runs=5)).runs <= 5
    assert len(search(TREE, BASELINE, run, Random(1), Limits(("a.py", "b.py"), kills=2)).kills) == 2


def test_search_goes_on_until_a_kill_is_accepted():
    every = search(TREE, BASELINE, run, Random(1), LIMITS).kills
    wanted = every[2]
    found = search(
        TREE, BASELINE, run, Random(1), Limits(("a.py", "b.py"), kills=1, most=3), lambda kill: kill == wanted
    )
    assert (found.kills, found.refused) == ((wanted,), 2)


@pytest.mark.parametrize(
    "runner",
    [
        lambda tree: None,
        lambda tree: dict.fromkeys(list(CASES)[:2], "failed"),
        lambda tree: {**run(tree), "another": "passed"},
    ],
)
def test_a_run_that_loses_tests_is_no_kill(runner):
    found = search(TREE, BASELINE, runner, Random(1), LIMITS)
    assert (found.kills, found.survived) == ((), 0)
    assert found.incomplete == found.runs > 0


def test_a_test_that_fails_by_chance_is_no_kill():
    runs = iter(range(1000))
    found = search(
        TREE, BASELINE, lambda tree: {**BASELINE, "low": "failed" if next(runs) % 2 else "passed"}, Random(1), LIMITS
    )
    assert found.kills == ()
    baseline = {**BASELINE, "low": "failed"}
    assert search(TREE, baseline, lambda tree: BASELINE, Random(1), LIMITS).incomplete > 0


def test_search_tells_what_is_wrong():
    with pytest.raises(MutationError, match="no test passes"):
        search(TREE, {"low": "failed"}, run, Random(1), LIMITS)
    with pytest.raises(MutationError, match=r"c\.py: not in the tree"):
        search(TREE, BASELINE, run, Random(1), Limits(("c.py",)))
    with pytest.raises(MutationError, match=r"notes\.md: no operators for \.md"):
        search(TREE, BASELINE, run, Random(1), Limits(("notes.md",)))


def test_a_stack_stays_red_until_the_last_fix():
    kills = search(TREE, BASELINE, run, Random(1), LIMITS).kills
    stacks = stack(kills, 2, Random(2))
    assert stacks
    assert stacks == stack(kills, 2, Random(2))
    assert stack(kills, 3, Random(2)) == []
    for chosen in stacks:
        assert {kill.file for kill in chosen} == {"a.py", "b.py"}
        assert stays_red(TREE, chosen, BASELINE, run) == ("both",)
        assert broken_tree(TREE, chosen)["notes.md"] == "text"
    assert stays_red(TREE, stacks[0], BASELINE, lambda tree: None) is None
    with pytest.raises(MutationError, match="two or three"):
        stack(kills, 4, Random(2))


def test_near_misses_are_green_where_it_shows_and_red_where_it_does_not():
    kills = search(TREE, BASELINE, run, Random(1), LIMITS).kills
    kill = next(kill for kill in kills if kill.tests == ("rest",))
    found = near_misses(TREE, [kill], BASELINE, ["rest", "upto", "both"], run, Random(3))
    assert found.found
    assert found.share == len(found.found) / found.tried
    texts = [near.patch.text for near in found.found]
    assert len(set(texts)) == len(texts)
    for near in found.found:
        assert near.patch.text not in (LIST, broken_tree(TREE, [kill])["a.py"])
        outcome = run({**TREE, "a.py": near.patch.text})
        assert {name for name in CASES if outcome[name] != "passed"} == set(near.red) <= {"rest", "upto", "both"}
    assert any("if not items" in text for text in texts)
    nothing = near_misses(TREE, [kill], BASELINE, ["rest"], lambda tree: None, Random(3))
    assert (nothing.found, nothing.tried, nothing.share) == ((), 0, None)
