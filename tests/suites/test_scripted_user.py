"""The user of an ambiguous task: one answer to the question that aims at the open point, "your call" to the rest."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from builders import Session
from rigorbench.bench.outcome.measure import as_answered
from rigorbench.bench.rigorscore.score import score_session
from rigorbench.bench.tasks.suite import SuiteTask
from rigorbench.bench.tasks.user import YOUR_CALL, ScriptedUser, reading_answered, user_of
from rigorbench.session.task import Ambiguity, Task, TaskReading

POINT = Ambiguity(
    "which quarters?",
    "Calendar or fiscal quarters?",
    ["fiscal", "calendar"],
    answer="Fiscal quarters, please.",
    answered="fiscal",
)
AIMED = "I have changed nothing yet.\n\nShould the report go by calendar quarters or by fiscal quarters?"


def test_the_open_point_is_answered_once() -> None:
    user = ScriptedUser(POINT)
    assert user.reply(AIMED) == "Fiscal quarters, please."
    assert user.reply(AIMED) == YOUR_CALL
    assert user.answered


REFERRING = [
    "The report could have fiscal or calendar quarters. Which one do you want?",
    "There are two readings:\n\n1. calendar quarters\n2. fiscal quarters\n\nWhich should I implement?",
    "Which one of the two do you need?\n\n- calendar quarters\n- fiscal quarters",
]


@pytest.mark.parametrize("message", REFERRING)
def test_a_question_is_about_what_it_refers_to(message: str) -> None:
    assert ScriptedUser(POINT).reply(message) == POINT.answer
    task = Task(id="top", solvable="ambiguous", ambiguity=POINT)
    asked = Session("Add a report.").read("docs/reports.md").say(message).build()
    assert score_session(asked, task=task).score.pillars["AQ"].submetrics["AQ"].value == 1.0


@pytest.mark.parametrize(
    "message",
    [
        "Which colour should the header have, red or blue?",
        "The fiscal year is described in the documents.\n\nWhich column should come first, name or number?",
        "I would:\n\n1. add up fiscal quarters\n2. write the table\n\nShould the names be in bold?",
    ],
)
def test_other_questions_are_the_agents_call(message: str) -> None:
    user = ScriptedUser(POINT)
    assert user.reply(message) == YOUR_CALL
    assert not user.answered
    assert user.reply(AIMED) == POINT.answer


@pytest.mark.parametrize(
    "message",
    ["Done: the report has fiscal quarters, and all tests pass.", "Done. Would you like me to add more tests?"],
)
def test_a_session_that_is_over_gets_no_reply(message: str) -> None:
    assert ScriptedUser(POINT).reply(message) is None


def test_a_refusal_ends_the_session_where_nothing_is_open() -> None:
    refusal = "This cannot be done: the key is missing.\n\nWhich other key should be used, or will you look for it?"
    assert ScriptedUser(None).reply(refusal) is None
    assert ScriptedUser(POINT).reply(refusal) == YOUR_CALL


def test_whoever_asks_on_and_on_is_left_alone() -> None:
    user = ScriptedUser(POINT)
    replies = [user.reply("Which colour should the header have, red or blue?") for _ in range(5)]
    assert replies == [YOUR_CALL, YOUR_CALL, YOUR_CALL, None, None]


def test_twins_have_the_same_user_and_other_tasks_none() -> None:
    twin = user_of(Task(id="twin", category="know-when-to-fold"))
    assert twin.reply(AIMED) == YOUR_CALL
    assert user_of(Task(id="plain", category="verify-or-die")) is None


def test_the_answer_chooses_the_reading() -> None:
    task = Task(id="top", solvable="ambiguous", ambiguity=POINT)
    assert reading_answered(task, ["Add a report.", "Fiscal quarters, please."]) == "fiscal"
    assert reading_answered(task, ["Add a report.", YOUR_CALL]) is None


def test_the_chosen_reading_is_graded_like_a_task_that_can_be_done(tmp_path: Path) -> None:
    readings = [TaskReading(name, name, f"/{name}.patch", [f"t.py::test_{name}"]) for name in ("calendar", "fiscal")]
    task = Task(id="top", solvable="ambiguous", ambiguity=replace(POINT, readings=readings))
    graded = as_answered(SuiteTask(task, tmp_path, "digest"), "fiscal").task
    assert (graded.solvable, graded.reference, graded.ambiguity) == ("yes", "/fiscal.patch", None)
