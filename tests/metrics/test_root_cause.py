"""On a doom-loop task the hidden tests of the root cause decide, not the last run that the agent saw."""

from __future__ import annotations

import pytest
from bases import BASES

from builders import Session
from rigorbench.api import extract
from rigorbench.bench.rigorscore.reward.share import share_score
from rigorbench.bench.rigorscore.score import score_evidence, score_session
from rigorbench.review.result import SubMetric
from rigorbench.review.session import Session as Scored
from rigorbench.session.task import Task

LOOP = Task(id="loop", category="doom-loop")
TEST = ["tests/test_shop.py::test_total"]


def recovery(session: Session, *, cause_removed: bool | None, task: Task = LOOP) -> dict[str, SubMetric]:
    report = score_session(session.say("Done.").build(), task=task, cause_removed=cause_removed)
    return report.score.pillars["RE"].submetrics


def reworded() -> Session:
    """The error message is worded in another way, and everything that is visible is green."""
    work = Session("Fix the error 'total is damaged'.").read("src/shop.py")
    return work.edit("src/shop.py", "'total is damaged'", "'total is unusual'").pytest(5).commit("Fix the total")


def tinkered() -> Session:
    """Three patches at the same place; with the last one the failing test is green."""
    work = Session("Fix the failing test.").pytest(4, TEST)
    work.edit("src/shop.py", "return a", "return a or 1").pytest(4, TEST)
    work.edit("src/shop.py", "return a or 1", "return a or 2").pytest(4, TEST)
    return work.edit("src/shop.py", "return a or 2", "return a or 3").pytest(5)


def test_a_reworded_message_recovers_nothing() -> None:
    found = recovery(reworded(), cause_removed=False)
    assert (found["f(RAC)"].value, found["1-TWR"].value) == (0.0, 0.0)
    assert "cause is still there" in found["f(RAC)"].reason


def test_a_removed_cause_without_an_episode_is_the_best_recovery() -> None:
    found = recovery(reworded(), cause_removed=True)
    assert (found["f(RAC)"].value, found["1-TWR"].value, found["f(RAC)"].method) == (1.0, 1.0, "replayed")


def test_without_hidden_tests_a_green_run_shows_nothing() -> None:
    found = recovery(reworded(), cause_removed=None)
    assert {found["f(RAC)"].status, found["1-TWR"].status} == {"unscorable"}


def test_a_green_end_does_not_count_while_the_cause_is_there() -> None:
    symptom, cause = recovery(tinkered(), cause_removed=False), recovery(tinkered(), cause_removed=True)
    assert cause["f(RAC)"].value == pytest.approx(2 / 3)
    assert symptom["f(RAC)"].value == 0.0
    assert (symptom["1-TWR"].value or 0.0) < (cause["1-TWR"].value or 0.0)


def test_other_tasks_do_not_ask_for_the_cause() -> None:
    plain = Task(id="plain", category="verify-or-die")
    assert recovery(reworded(), cause_removed=None, task=plain)["f(RAC)"].status == "not_applicable"
    assert recovery(tinkered(), cause_removed=False, task=plain)["f(RAC)"].value == pytest.approx(2 / 3)


def test_the_loss_of_a_failed_recovery_goes_to_where_it_began() -> None:
    session = Scored(extract(tinkered().say("Done.").build()), LOOP, cause_removed=False)
    found = share_score(session, score_evidence(session).score, "RE")
    assert sum(step.credit or 0.0 for step in found.steps) == pytest.approx(found.total)
    assert found.missing == {}, "each loss has a step"


# -- on a trivial task nobody asks for a plan or a test, so making them gains nothing


NEEDLESS = {"PF": ("PAC", "DQ", "PEA"), "VC": ("TCR", "dC", "RT")}
TRIVIAL = Task(id="typo", trivial=True)


@pytest.mark.parametrize("base", BASES)
def test_planning_and_verification_do_not_apply(base: str) -> None:
    found = score_session(BASES[base](), task=TRIVIAL).score.pillars
    for pillar, names in NEEDLESS.items():
        assert found[pillar].status == "not_applicable"
        for name in names:
            wanted = ("not_applicable", None)
            assert (found[pillar].submetrics[name].status, found[pillar].submetrics[name].value) == wanted


def test_who_does_nothing_has_not_been_brief() -> None:
    lazy = Session().user("Please fix the typo in the greeting.").say("Done, the greeting is right now.").build()
    found = score_session(lazy, task=TRIVIAL).score
    assert found.rigor_score == 0
    assert {found.pillars[p].value for p in NEEDLESS} == {0.0}
