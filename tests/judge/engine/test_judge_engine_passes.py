"""Multi-pass problems: the checker or interactor decides whether the program runs again, and on what."""

from __future__ import annotations

import pytest
from judge_engine_builders import Bench

from rigorbench.judge.problems.problem import Problem
from sources import text_file

pytestmark = pytest.mark.bwrap

# Wants its number halved until it is 1; it counts the passes in a file of its own.
HALVES = text_file("judge_engine_passes.halves.txt")
HALF = "print(int(input()) // 2)"


@pytest.fixture(scope="session")
def halves(judge_bench: Bench) -> Problem:
    return judge_bench.problem([("8", ""), ("4", "")], checker=("kattis", HALVES), passes=3)


def test_a_program_runs_on_what_the_checker_writes(judge_bench: Bench, halves: Problem) -> None:
    found = judge_bench.run(halves, HALF)
    assert found.verdict == "accepted"
    # The second test point starts without what the checker noted for the first one.
    assert [point.details for point in found.groups[0].points] == ["3 passes", "2 passes"]


def test_a_failure_in_a_later_pass_counts_and_leaves_nothing_for_the_next_point(
    judge_bench: Bench, halves: Problem
) -> None:
    later = "n = int(input())\nprint(n // 2 if n > 4 else 1 // (n - 4) + n)"
    assert judge_bench.point(halves, later).verdict == "runtime_error"
    assert judge_bench.run(halves, HALF).verdict == "accepted"
    assert judge_bench.point(halves, "n = int(input())\nprint(n // 2 if n > 4 else 0)").verdict == "wrong_answer"


def test_the_largest_use_of_any_pass_is_shown(judge_bench: Bench, halves: Problem) -> None:
    heavy = "n = int(input())\nif n == 4: x = bytearray(32 << 20)\nprint(n // 2)"
    point = judge_bench.point(halves, heavy)
    assert point.verdict == "accepted"
    assert point.usage.memory > 32 << 20


def test_more_passes_than_allowed_are_the_package_s_fault(judge_bench: Bench) -> None:
    problem = judge_bench.problem([("16", "")], checker=("kattis", HALVES), passes=3)
    point = judge_bench.point(problem, HALF)
    assert point.verdict == "judge_error"
    assert "asks for more than 3 passes" in point.details


def test_another_pass_after_a_wrong_answer_is_the_package_s_fault(judge_bench: Bench, halves: Problem) -> None:
    point = judge_bench.point(halves, "print('both')")
    assert point.verdict == "judge_error"
    assert "nextpass.in was written although" in point.details


def test_an_interactor_may_ask_for_another_pass(judge_bench: Bench) -> None:
    talk = """
import os, sys
place = sys.argv[3]
again = os.path.exists(place + 'seen')
open(place + 'seen', 'w').close()
print('second' if again else 'first', flush=True)
said = input()
if not again:
    open(place + 'nextpass.in', 'w').close()
sys.exit(42 if said == ('b' if again else 'a') else 43)
"""
    problem = judge_bench.problem([("", None)], interactor=("kattis", talk), passes=2)
    right = "print({'first': 'a', 'second': 'b'}[input()], flush=True)"
    assert judge_bench.point(problem, right).verdict == "accepted"
    assert judge_bench.point(problem, "input(); print('a', flush=True)").verdict == "wrong_answer"
    assert judge_bench.point(problem, right).verdict == "accepted"
