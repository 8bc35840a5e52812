"""Which points are run, in any order of completion: the result must not depend on it."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rigorbench.judge.engine.schedule import CaseChain, Schedule
from rigorbench.judge.judgement import GroupResult, JudgeError, PointResult
from rigorbench.judge.problems.problem import Case, PointGroup, Problem, SanitizerCheck
from rigorbench.judge.problems.verdicts import Verdict


def cases(group: str, count: int) -> tuple[Case, ...]:
    return tuple(Case(f"{group}/{number}", Path("x")) for number in range(count))


def problem(*groups: PointGroup, **more: object) -> Problem:
    return Problem("p", "P", Path("/p"), "d", "", groups, **more)  # type: ignore[arg-type]


def play(
    task: Problem,
    outcome: dict[str, Verdict],
    *,
    seed: int = 0,
    workers: int = 1,
    found: dict[tuple[str, str], Verdict] | None = None,
) -> tuple[list[GroupResult], list[str]]:
    """Work the schedule off with as many units under way as there are workers, ended in a random order."""
    told: list[GroupResult] = []
    schedule = Schedule(task, told.append)
    chooser = random.Random(seed)
    running: list[CaseChain] = []
    ran: list[str] = []
    while True:
        while len(running) < workers:
            # Taking waits while something runs that may make more ready, so it is asked only when it need not wait.
            with schedule._changed:
                unit = schedule._next()
                if unit is not None:
                    schedule._states[unit.group.id].running += 1
            if unit is None:
                break
            running.append(unit)
        if not running:
            assert schedule.take() is None
            break
        unit = running.pop(chooser.randrange(len(running)))
        results = []
        for case in unit.cases:
            key = (case.id, unit.sanitizers[0] if unit.sanitizers else "")
            verdict = (found or {}).get(key, "accepted") if unit.sanitizers else outcome.get(case.id, "accepted")
            score = None if verdict == "judge_error" else float(verdict == "accepted")
            if results and results[-1].verdict != "accepted":
                verdict, score = "skipped", 0.0
            results.append(PointResult(case.id, verdict, score))
            ran.append("+".join(key) if key[1] else case.id)
        schedule.report(unit, results)
    assert [group.id for group in schedule.results("")] == [group.id for group in task.groups]
    assert {group.id for group in told} == {group.id for group in task.groups}
    return schedule.results(""), ran


def verdicts(groups: list[GroupResult]) -> dict[str, list[str]]:
    return {group.id: [point.verdict for point in group.points] for group in groups}


outcomes = st.dictionaries(
    st.sampled_from([f"{g}/{n}" for g in "abc" for n in range(4)]),
    st.sampled_from(["wrong_answer", "runtime_error", "judge_error", "time_limit_exceeded"]),
    max_size=5,
)


@given(outcomes, st.integers(0, 10**6), st.integers(2, 5))
def test_verdicts_do_not_depend_on_slots(outcome: dict[str, Verdict], seed: int, workers: int) -> None:
    task = problem(
        PointGroup("a", cases("a", 4), 30.0, "min"),
        PointGroup("b", cases("b", 4), 30.0, "sum"),
        PointGroup("c", cases("c", 4), 40.0, "min", requires=("a",)),
        chains=(("a/1", "a/2"),),
    )
    alone, _ = play(task, outcome)
    many, _ = play(task, outcome, seed=seed, workers=workers)
    assert [(g.id, g.verdict, g.score) for g in alone] == [(g.id, g.verdict, g.score) for g in many]
    assert verdicts(alone) == verdicts(many)


def test_requirements_skip_and_say_why() -> None:
    # In the package the dependent group comes first.
    task = problem(
        PointGroup("late", cases("late", 2), 50.0, requires=("early",)),
        PointGroup("early", cases("early", 2), 50.0),
    )
    groups, ran = play(task, {"early/1": "wrong_answer"})
    assert verdicts(groups) == {"late": ["skipped", "skipped"], "early": ["accepted", "wrong_answer"]}
    assert ran == ["early/0", "early/1"]
    assert {point.message for point in groups[0].points} == {"requires early"}
    groups, ran = play(task, {})
    assert ran == ["early/0", "early/1", "late/0", "late/1"]
    assert sum(group.score or 0 for group in groups) == 100.0


def test_a_failure_ends_a_min_group_only() -> None:
    task = problem(PointGroup("m", cases("m", 3), 1.0, "min"), PointGroup("s", cases("s", 3), 3.0, "sum"))
    groups, ran = play(task, {"m/0": "wrong_answer", "s/0": "wrong_answer"})
    assert ran == ["m/0", "s/0", "s/1", "s/2"]
    assert [group.score for group in groups] == [0.0, 2.0]


def test_twins_run_where_the_original_passed() -> None:
    task = problem(
        PointGroup("a", cases("a", 3), 10.0, "sum"),
        PointGroup("t", cases("t", 3), 5.0, "sum", twin_of="a", sanitizers=("leak",)),
    )
    groups, ran = play(task, {"a/1": "wrong_answer"}, found={("t/2", "leak"): "memory_leak"})
    assert ran == ["a/0", "a/1", "a/2", "t/0+leak", "t/2+leak"]
    assert verdicts(groups)["t"] == ["accepted", "skipped", "memory_leak"]
    assert [point.twin for point in groups[1].points if point.verdict == "skipped"] == ["a/1"]


def test_an_overlay_replaces_the_verdict_of_what_passed() -> None:
    task = problem(PointGroup("a", cases("a", 3), 9.0, "sum"), overlays=(SanitizerCheck("a", ("address",)),))
    found: dict[tuple[str, str], Verdict] = {("a/2", "address"): "invalid_access"}
    groups, ran = play(task, {"a/0": "wrong_answer"}, found=found)
    assert ran == ["a/0", "a/1", "a/2", "a/1+address", "a/2+address"]
    assert verdicts(groups)["a"] == ["wrong_answer", "accepted", "invalid_access"]
    assert groups[0].score == 3.0


def test_a_chain_is_one_unit_in_its_own_order() -> None:
    task = problem(PointGroup("a", cases("a", 4), 4.0, "sum"), chains=(("a/3", "a/1"),))
    groups, ran = play(task, {"a/3": "runtime_error"})
    assert ran == ["a/0", "a/3", "a/1", "a/2"]
    assert verdicts(groups)["a"] == ["accepted", "skipped", "accepted", "runtime_error"]


@pytest.mark.parametrize(
    ("groups", "words"),
    [
        ((PointGroup("a", requires=("b",)), PointGroup("b", requires=("a",))), "wait for each other"),
        ((PointGroup("a", requires=("x",)),), "requires x"),
    ],
)
def test_what_can_never_be_run_is_an_error(groups: tuple[PointGroup, ...], words: str) -> None:
    with pytest.raises(JudgeError, match=words):
        Schedule(problem(*groups)).take()


def test_what_was_not_run_is_skipped_for_the_reason_given() -> None:
    schedule = Schedule(problem(PointGroup("a", cases("a", 2), 1.0)))
    assert schedule.take() is not None
    schedule.end()
    assert schedule.take() is None
    (group,) = schedule.results("cancelled")
    assert group.verdict == "skipped"
    assert [point.message for point in group.points] == ["cancelled", "cancelled"]
