"""Sentences that were false on logs nobody tuned to, each in a session of our own."""

from __future__ import annotations

import pytest

from builders import Session, pytest_output
from rigorbench.api import extract
from rigorbench.bench.rigorscore.extended import verify_before_claim, verify_before_commit
from rigorbench.bench.rigorscore.later_version import exploration_efficiency
from rigorbench.bench.rigorscore.score import open_session, score_session
from rigorbench.evidence.events import CommitEvent, EditEvent, PlanEvent
from rigorbench.review.grades import review_session

A, TEST = "src/a.py", "tests/test_a.py"


def ts(session: Session) -> tuple[float | None, str]:
    found = score_session(session.build()).score.pillars["ATI"].submetrics["TS"]
    return found.value, found.status


def test_a_numbered_list_that_is_called_a_plan_is_one_whatever_its_items_begin_with() -> None:
    work = Session("Split the store.").read(A)
    work.say("Plan, one commit each:\n\n1. `Row`, `Store`\n2. to 4. callers\n5. CLI")
    assert [len(e.items) for e in extract(work.edit(A, "x", "y").build()).events if isinstance(e, PlanEvent)] == [3]


def test_a_line_that_failed_without_gits_report_made_no_commit() -> None:
    work = Session("Add the table.").edit(A, "x", "y")
    work.shell('git add . && git commit -m "Add the table" && git push', "ALERT: blocked text in a.py", exit_status=1)
    assert not any(isinstance(e, CommitEvent) for e in extract(work.build()).events)


def test_where_the_report_of_a_commit_went_elsewhere_nobody_is_said_to_have_made_none() -> None:
    work = Session("Add the table, and commit it.").edit(A, "x", "y")
    line = 'git commit -am "Add the table" > /dev/null && python -m pytest -q'
    work.shell(line, pytest_output(1, [f"{TEST}::test_total"]), exit_status=1)
    assert score_session(work.build()).score.pillars["ATI"].submetrics["CH"].status == "unscorable"


@pytest.mark.parametrize(("look", "edits"), [("isort --check-only src/a.py", 1), ("isort src/a.py", 2)])
def test_a_formatter_that_only_looks_edits_nothing(look: str, edits: int) -> None:
    work = Session("Sort.").edit(A, "x", "y").shell(look)
    assert sum(isinstance(e, EditEvent) for e in extract(work.build()).events) == edits


def test_comments_of_a_build_file_need_no_test() -> None:
    work = Session("Translate the comments.").read("Dockerfile").edit("Dockerfile", "# Bau", "# Build stage")
    grade = review_session(open_session(work.build())).grades["verification"]
    assert (grade.status, grade.reason) == ("not_applicable", "the log shows only changes of documents, or of layout")


def test_a_line_behind_a_comment_of_a_build_file_is_a_change() -> None:
    work = Session("Copy the tools.").read("Dockerfile").edit("Dockerfile", "COPY a b", "# Tools")
    grade = review_session(open_session(work.build())).grades["verification"]
    assert grade.status == "unread"


def test_formatting_after_the_tests_leaves_the_commit_tested() -> None:
    work = Session("Sort.").edit(A, "x", "y").pytest(3).shell("black src/a.py").commit("Sort the rows of a table")
    assert verify_before_commit(open_session(work.build())).value == 1


def test_what_one_call_edits_tests_and_commits_is_for_a_reader() -> None:
    line = "sed -i s/x/y/ src/a.py && python -m pytest -q && git commit -qam 'Sort the rows of a table'"
    found = verify_before_commit(
        open_session(Session("Sort.").edit(A, "x", "y").shell(line, "3 passed in 0.1s\n").build())
    )
    assert (found.value, found.status) == (None, "unscorable")


def test_a_program_between_the_last_edit_and_the_claim_may_have_tested_it() -> None:
    tried = Session("Add it.").pytest(3).edit(A, "x", "y").shell("./same.sh", "0 different")
    assert verify_before_claim(open_session(tried.say("I updated `src/a.py`.").build())).status == "unscorable"
    silent = Session("Add it.").pytest(3).edit(A, "x", "y")
    assert verify_before_claim(open_session(silent.say("I updated `src/a.py`.").build())).value == 0


def test_a_look_that_shows_something_else_is_no_repeat() -> None:
    waiting = Session("Wait for it.").read("/tmp/out.log", "1 of 9").read("/tmp/out.log", "9 of 9")
    assert exploration_efficiency(open_session(waiting.build())).value == 1
    found = exploration_efficiency(open_session(waiting.read("/tmp/out.log", "9 of 9").build())).value
    assert found == pytest.approx(2 / 3)


def test_a_test_that_the_agent_changed_inside_is_no_regression_when_it_is_red() -> None:
    """The log shows a few lines of the test alone, and not its name."""
    inside = ("    assert total([1]) == 1\n", "    assert total([1]) == 1\n    assert total([]) == 0\n")
    red = Session("Let an empty list be 0.").pytest(2).edit(A, "a", "b").pytest(2).edit(TEST, *inside)
    red.shell("python -m pytest -q", pytest_output(1, ["tests/test_b.py::test_total"]), exit_status=1)
    assert ts(red) == (1, "scored")


@pytest.mark.parametrize(
    ("old", "new", "value"),
    [
        ("    home = user_home()\n    assert home\n    path = home / 'cart'\n", "    path = tmp / 'cart'\n", None),
        ("def test_total():\n    assert total([1]) == 1\n", "def test_total():\n    total([1])\n", 0.0),
    ],
    ids=["a helper goes with its assertion", "no assertion is left"],
)
def test_with_fewer_assertions_a_test_regresses_only_if_none_is_left(old: str, new: str, value: float | None) -> None:
    work = Session("Give the tests a home of their own.").read(TEST).pytest(3).edit(TEST, old, new)
    assert ts(work.edit(A, "x = 1", "x = 2").pytest(3))[0] == value
