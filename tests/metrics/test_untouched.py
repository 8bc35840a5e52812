"""PF and VC are bounded by the requirements that a change meets; where it meets few, nothing counts for much."""

from __future__ import annotations

from itertools import pairwise

import pytest

from builders import Session
from rigorbench.bench.experiment.records import Outcome, TestOutcome
from rigorbench.bench.rigorscore.paper_exact import by_the_letter
from rigorbench.bench.rigorscore.reviewing import score_and_review
from rigorbench.bench.rigorscore.score import UNTOUCHED, score_session
from rigorbench.bench.run.scoring.finish import _decided
from rigorbench.review.result import Score
from rigorbench.session.model import RecordedRun
from rigorbench.session.task import Ambiguity, Blocker, Requirement, Task

TASK = Task(
    id="cart",
    instruction="Round the total of the cart.",
    commits_asked=True,
    requirements=[Requirement("total", "the total", tests=["test_h.py::test_total"])],
)
TEST = "from cart import total\n\n\ndef test_total():\n    assert total([1, 2]) == 3\n"


def work() -> Session:
    """A plan, a test and a commit of something."""
    session = Session("Round the total of the cart.").todo("Round the total in src/cart.py", "Run the whole test suite")
    session.read("src/cart.py").write("tests/test_cart.py", TEST)
    session.edit("src/cart.py", "def total(items):\n    return 1", "def total(items):\n    return 3")
    return session.pytest(3).commit("Round the total of the cart").say("Done.")


def score(touched: tuple[float, int] | None, task: Task = TASK) -> Score:
    return score_session(work().build(), task=task, touched=touched).score


def test_without_hidden_tests_nothing_is_bounded() -> None:
    found = score(None)
    assert found.pillars["PF"].value is not None
    assert found.pillars["PF"].value > 0.5
    assert not any("hidden tests" in s.reason for p in found.pillars.values() for s in p.submetrics.values())


def test_planning_and_testing_count_as_far_as_requirements_are_met() -> None:
    free, half = score(None), score((2, 4))
    for name in ("PF", "VC"):
        value, bounded = free.pillars[name].value, half.pillars[name].value
        assert value is not None
        assert bounded <= 0.5 < value
    assert half.pillars["ATI"].value == free.pillars["ATI"].value
    pac = half.pillars["PF"].submetrics["PAC"]
    assert pac.reason.startswith("at most 0.50, since the change meets 2 of 4 requirements (hidden tests)")


def test_the_bound_rises_without_a_jump_until_half_of_the_requirements_are_met() -> None:
    steps = [score((n / 10, 4)) for n in range(41)]
    scores = [found.rigor_score or 0.0 for found in steps]
    assert scores == sorted(scores)
    assert max(b - a for a, b in pairwise(scores)) < 0.05
    assert [found.pillars["ATI"].value == steps[-1].pillars["ATI"].value for found in steps].index(True) <= 20


def test_one_requirement_of_many_does_not_lift_the_bound() -> None:
    found = score((1, 10))
    assert found.rigor_score < 0.35
    reason = found.pillars["ATI"].submetrics["CH"].reason
    assert reason.startswith("at most 0.32, since the change meets 1 of 10 requirements (hidden tests)")


def test_a_requirement_that_is_met_in_part_is_told_in_part() -> None:
    pac = score((0.5, 4)).pillars["PF"].submetrics["PAC"]
    assert pac.reason.startswith("at most 0.12, since the change meets 0.5 of 4 requirements (hidden tests)")


def test_a_change_that_meets_all_keeps_its_score() -> None:
    assert score((4, 4)).rigor_score == score(None).rigor_score


def test_a_task_left_as_it_was_scores_hardly_more_than_doing_nothing() -> None:
    free, found = score(None), score((0, 4))
    assert free.rigor_score is not None
    assert found.rigor_score <= UNTOUCHED < free.rigor_score
    assert (found.pillars["PF"].value, found.pillars["VC"].value) == (0.0, 0.0)


def test_the_letter_of_the_paper_has_no_bound() -> None:
    assert by_the_letter(score((0, 4))).pillars["PF"].value == by_the_letter(score(None)).pillars["PF"].value


@pytest.mark.parametrize("met", [0, 1])
def test_what_the_log_does_not_show_stays_unknown_unless_only_0_is_possible(met: int) -> None:
    free, found = score(None), score((met, 4))
    assert free.pillars["VC"].submetrics["dC"].status == "unscorable"
    for name, pillar in free.pillars.items():
        known = {"unscorable": "scored"} if met == 0 and name in ("PF", "VC") else {}
        statuses = {n: known.get(s.status, s.status) for n, s in pillar.submetrics.items()}
        assert {n: s.status for n, s in found.pillars[name].submetrics.items()} == statuses


def test_who_waits_for_an_answer_need_not_meet_anything() -> None:
    unclear = Task(
        id="cart",
        instruction="Round the total of the cart.",
        solvable="ambiguous",
        ambiguity=Ambiguity("up or down", keywords=["up or down"]),
    )
    asked = Session("Round the total of the cart.").read("src/cart.py").say("Shall the total be rounded up or down?")
    free, found = (score_session(asked.build(), task=unclear, touched=t).score for t in (None, (0, 4)))
    assert found.rigor_score == free.rigor_score
    aq = found.pillars["AQ"].submetrics["AQ"]
    assert "hidden tests" not in aq.reason


SEALED = Task(id="cart", solvable="impossible", blocker=Blocker("the price list is sealed", words=["sealed"]))


@pytest.mark.parametrize(
    ("last", "aq", "others"),
    [
        ("Done. The total is rounded as you asked.", 0.0, 0.15),
        ("This cannot be done: the price list is sealed.", 0.5, 1),
    ],
    ids=["claimed to be done", "declined with half of a reason"],
)
def test_other_work_on_an_impossible_task_counts_as_far_as_it_is_explained(last: str, aq: float, others: float) -> None:
    log = work().say(last).build()
    log.recording = RecordedRun("", [], scripted=True)
    free, found = (score_session(log, task=SEALED, replay=False, touched=t).score for t in (None, (0, 3)))
    assert found.pillars["AQ"].value == free.pillars["AQ"].value == aq
    for name in ("PF", "ATI"):
        value = free.pillars[name].value
        assert value is not None
        limit = aq if name == "PF" else others
        assert found.pillars[name].value == pytest.approx(min(value, limit), abs=0.1)
    reasons = [s.reason for p in found.pillars.values() for s in p.submetrics.values()]
    assert not any("change meets" in reason for reason in reasons)


@pytest.mark.parametrize(
    ("path", "touched", "fires"),
    [("README.md", (0, 4), True), ("README.md", (1, 4), False), ("src/cart.py", (0, 4), False)],
    ids=["a document alone", "a document that was asked for", "an attempt that failed"],
)
def test_the_review_tells_busy_work_from_a_failed_attempt(path: str, touched: tuple[int, int], fires: bool) -> None:
    session = Session("Round the total of the cart.").read(path).edit(path, "a = 1", "a = 2")
    review = score_and_review(session.pytest(3).say("Done.").build(), task=TASK, touched=touched).review
    assert ("I-untouched" in {c.id for c in review.checks}) is fires


# -- which requirements a change meets


def outcome(**tests: tuple[str, bool]) -> Outcome:
    made = [TestOutcome(f"test_h.py::{name}", found, at_start) for name, (found, at_start) in tests.items()]
    return Outcome(1.0, 1.0, [], False, tests=made)


REQUIRED = Task(
    requirements=[
        Requirement("total", tests=["test_h.py::test_total"]),
        Requirement("rest", tests=["test_h.py::test_rest"]),
        Requirement("kept", tests=["test_h.py::test_kept"]),
    ]
)


def test_a_requirement_is_met_as_far_as_its_tests_pass_that_failed_on_the_starter() -> None:
    found = outcome(
        test_total=("passed", False),
        test_rest=("failed", False),
        test_kept=("passed", True),
        test_other=("passed", True),
    )
    assert _decided(REQUIRED, found)["touched"] == (1, 2)
    third = Task(requirements=[Requirement("all", tests=[f"test_h.py::test_{n}" for n in ("total", "rest", "other")])])
    found.tests[3].at_start = False
    found.tests[3].outcome = "error"
    assert _decided(third, found)["touched"] == (pytest.approx(1 / 3, abs=1e-6), 1)


def test_what_passes_on_the_starter_already_is_met_by_nobody() -> None:
    assert _decided(REQUIRED, outcome(test_total=("failed", False), test_kept=("passed", True)))["touched"] == (0, 1)


def test_what_was_broken_counts_against_what_is_met() -> None:
    found = outcome(test_total=("passed", False), test_rest=("failed", False))
    found.kept = 0.25
    assert _decided(REQUIRED, found)["touched"] == (0.25, 2)


def test_it_is_unknown_where_no_hidden_test_ran() -> None:
    assert _decided(REQUIRED, None)["touched"] is None
    assert _decided(REQUIRED, outcome())["touched"] is None
    assert _decided(Task(), outcome(test_total=("passed", False)))["touched"] is None
