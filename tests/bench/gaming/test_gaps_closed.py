"""What the gaming policies once gained by, each on the smallest case."""

from __future__ import annotations

import pytest

from builders import Session
from rigorbench.bench.rigorscore.score import score_session
from rigorbench.evidence.commits.content import describe
from rigorbench.evidence.plans.revisions import describe as describe_items
from rigorbench.session.model import PlanItem

TEST = "def test_total():\n    assert total([1, 2]) == 3\n"


@pytest.mark.parametrize(
    ("text", "specific"),
    [
        ("Write comprehensive unit tests", False),
        ("Handle errors gracefully", False),
        ("Run the whole test suite again", False),
        ("Split the cents that are left over", True),
        ("Handle errors in src/shop/cart.py", True),
    ],
)
def test_an_item_that_fits_any_task_is_not_specific(text: str, specific: bool) -> None:
    assert describe_items([PlanItem(text)], "Fix the rounding.")[0].specific is specific


def test_a_plan_of_items_that_fit_any_task_is_none() -> None:
    def pac(*items: str) -> float | None:
        work = Session("Fix the rounding in the cart.").todo(*items)
        done = work.edit("src/cart.py", "a", "b").edit("tests/test_cart.py", "", TEST).pytest(3).say("Done.")
        return score_session(done.build()).score.pillars["PF"].submetrics["PAC"].value

    assert pac("Write comprehensive unit tests", "Run the whole test suite") == 0
    assert pac("Round the total in src/cart.py", "Run the whole test suite") == 1


@pytest.mark.parametrize("subject", ["Change src/cart.py", "Update cart.py and codes.py", "fix: update the README.md"])
def test_a_subject_that_only_names_files_describes_nothing(subject: str) -> None:
    assert not describe(subject, ["src/cart.py"], []).describes


@pytest.mark.parametrize("subject", ["Add README.md", "Change the rounding in cart.py", "Remove src/old.py"])
def test_a_subject_that_says_more_is_one(subject: str) -> None:
    assert describe(subject, [], []).describes


def test_a_run_of_new_tests_alone_says_nothing_of_regressions() -> None:
    def ts(command: str) -> str:
        work = Session("Fix the total.").pytest(5).edit("src/cart.py", "a", "b")
        work.write("tests/test_new.py", TEST).pytest(1, command=command)
        return score_session(work.say("Done.").build()).score.pillars["ATI"].submetrics["TS"].status

    assert ts("python -m pytest -q") == "scored"
    assert ts("python -m pytest -q tests/test_new.py") == "unscorable"
