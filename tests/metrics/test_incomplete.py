"""Logs that are cut off, crashed or without a request: no score and why, never 0."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from builders import Session
from rigorbench import extract, read, score
from rigorbench.review.pages import words
from rigorbench.review.result import Score
from rigorbench.session.model import EndState, Other, Result, Spawn, Trajectory

ASKED = "Fix the rounding error in shop/total.py"


def trae(path: Path, *, rounds: list[dict[str, object]], calls: list[dict[str, object]], ended: str) -> Path:
    document = {
        "task": ASKED, "start_time": "2026-03-01T10:00:00", "end_time": ended, "provider": "anthropic",
        "llm_interactions": calls, "agent_steps": rounds, "success": False, "final_result": None,
    }  # fmt: skip
    path.write_text(json.dumps(document))
    return path


def claude(path: Path, *, end: str = "\n") -> Path:
    lines = [
        {"type": "user", "message": {"role": "user", "content": ASKED}},
        {
            "type": "assistant",
            "message": {"role": "assistant", "id": "m1", "content": [{"type": "text", "text": "I look at it."}]},
        },
    ]
    about = {"sessionId": "s", "cwd": "/home/dev/shop", "version": "2.1.0", "timestamp": "2026-03-01T10:00:00Z"}
    path.write_text("\n".join(json.dumps({"uuid": str(n), **about, **row}) for n, row in enumerate(lines)) + end)
    return path


def scored(path: Path) -> Score:
    (trajectory,) = read(path)
    return score(trajectory).score


def values(found: Score) -> set[float]:
    metrics = [m for p in found.pillars.values() for m in p.submetrics.values()]
    return {m.value for m in (*metrics, *found.extended.values()) if m.value is not None}


def test_a_crash_before_the_first_model_call_has_no_score(tmp_path: Path) -> None:
    crashed: list[dict[str, object]] = [{"step_number": 1, "state": "completed", "error": "Token has expired"}]
    (trajectory,) = read(trae(tmp_path / "t.json", rounds=crashed, calls=[], ended="2026-03-01T10:02:00"))
    report = score(trajectory)
    assert (report.score.rigor_score, values(report.score)) == (None, set())
    assert report.score.trajectory.complete is False
    assert report.review.reason == "an error ended the run before the first answer of the model"
    assert words.no_score(report.score) == f"No score: {report.review.reason}"


def test_what_an_unseen_subagent_changed_is_unknown() -> None:
    session = Session(ASKED)
    session.call("Task", Spawn("Fix it"), Result("I fixed shop/total.py."))
    found = score(session.build())
    assert found.review.overall is None
    assert found.review.reason.endswith("what was done to files by a sub-agent whose steps are not read is not known")
    assert not values(found.score)


def test_a_log_that_was_never_finished_has_no_score(tmp_path: Path) -> None:
    answered: list[dict[str, object]] = [{"step_number": 1, "llm_response": {"content": "I read the file."}}]
    path = trae(tmp_path / "t.json", rounds=answered, calls=[{"response": {"content": "I read the file."}}], ended="")
    found = scored(path)
    assert found.trajectory.complete is False
    assert found.rigor_score is None
    assert words.no_score(found).startswith("No score: the log is cut off")


def test_an_error_that_ended_the_run_is_not_the_agents_choice() -> None:
    trajectory = Session(ASKED).say("I look at it.").build()
    assert score(trajectory).score.rigor_score == 0  # it was asked and stopped by itself
    trajectory.end = "error"
    found = score(trajectory).score
    assert found.rigor_score is None
    assert not values(found)


def test_without_a_request_nothing_was_left_undone() -> None:
    found = score(Session().say("Hello.").build()).score
    assert found.rigor_score is None
    wanted = "No score: the log has no message of a user, and the log shows no edit in the project"
    assert words.no_score(found) == wanted


@pytest.mark.parametrize("end", ['\n{"type": "assistant", "message": {"role": "assi', '\n{"type": "user", "uu'])
def test_a_last_line_that_is_the_beginning_of_a_value_is_a_cut(tmp_path: Path, end: str) -> None:
    assert claude_state(tmp_path, "\n") == (True, 0)
    assert claude_state(tmp_path, end) == (False, 1)


def test_what_another_program_printed_at_the_end_is_no_cut(tmp_path: Path) -> None:
    assert claude_state(tmp_path, "\ntokens used: 4,321\n") == (None, 1)


def claude_state(directory: Path, end: str) -> tuple[bool | None, int]:
    header = scored(claude(directory / "s.jsonl", end=end)).trajectory
    return header.complete, header.unread


def test_a_document_that_is_cut_says_so(tmp_path: Path) -> None:
    calls = [{"response": {"content": f"Step {n}."}} for n in range(9)]
    path = trae(tmp_path / "t.json", rounds=[], calls=list(calls), ended="2026-03-01T10:02:00")
    assert read(path)[0].complete is None
    path.write_text(path.read_text()[:-120])
    assert read(path)[0].complete is False


def test_repaired_bytes_are_no_loss(tmp_path: Path) -> None:
    path = claude(tmp_path / "s.jsonl")
    path.write_bytes(path.read_bytes().replace(b"I look", b"I\x00 look"))
    (trajectory,) = read(path)
    assert [s.lost for s in trajectory.skipped] == [False]
    assert trajectory.unread == 0


def test_code_beside_the_tests_is_a_change() -> None:
    session = Session("Fix the division in tests/division.py")
    session.read("tests/division.py", "def divide(a, b)\n    return a / b\n")
    session.edit("tests/division.py", "def divide(a, b)", "def divide(a, b):")
    session.shell("python -c 'from tests.division import divide; print(divide(4, 2))'", "2.0\n", exit_status=0)
    found = score(session.build()).review
    assert found.size == "trivial"
    assert "no check ran" not in found.grades["verification"].reason


def refused() -> Session:
    session = Session(ASKED).read("shop/total.py").edit("shop/total.py", "x", "y")
    session.steps[-1].calls[0].result = Result("The user doesn't want to proceed", is_error=True, denied=True)
    return session.say("I wait.")


def unknown_tool() -> Session:
    return Session(ASKED).call("mcp__x__do", Other(), Result("OK")).say("Done.")


@pytest.mark.parametrize(
    ("session", "reason"),
    [
        (refused(), "a call of the agent was not allowed, and the log shows no edit in the project"),
        (unknown_tool(),
         "the log shows no edit in the project, and what was done to files by the tool mcp__x__do is not known"),
    ],
)  # fmt: skip
def test_where_a_change_may_have_been_made_or_hindered_there_is_no_grade(session: Session, reason: str) -> None:
    found = score(session.build()).review
    assert (found.overall, found.reason) == (None, reason)


def idle(trajectory: Trajectory) -> bool:
    return "A-nothing-done" in {c.id for c in score(trajectory).review.checks}


@pytest.mark.parametrize("end", ["limit", "interrupted"])
def test_an_agent_that_never_finished_is_not_blamed_for_what_it_did_not_do(end: EndState) -> None:
    trajectory = Session(ASKED).read("shop/total.py").say("I look at it.").build()
    assert idle(trajectory)
    trajectory.end = end
    assert not idle(trajectory)


def _recovered(trajectory: Trajectory) -> float | None:
    return score(trajectory).score.pillars["RE"].submetrics["f(RAC)"].value


@pytest.mark.parametrize(("attempts", "value"), [(1, None), (3, 0.0)])
def test_a_failure_that_a_limit_left_no_time_to_repair_is_no_bad_recovery(attempts: int, value: float | None) -> None:
    session = Session(ASKED).read("shop/total.py").edit("shop/total.py", "return a", "return round(a)").pytest(3)
    before = "round(a)"
    for number in range(attempts):
        session.edit("shop/total.py", before, before := f"round(a, {number})")
        session.pytest(3, failed=["tests/test_total.py::test_cents"])
    trajectory = session.build()
    assert _recovered(trajectory) == 0.0
    trajectory.end = "limit"
    assert _recovered(trajectory) == value


def test_words_beside_calls_are_no_closing_message_where_a_limit_ended_the_run() -> None:
    session = Session(ASKED).edit("shop/total.py", "a", "b").thinking("All is done; I only look once more.")
    trajectory = session.read("shop/total.py").build()
    trajectory.end = "limit"
    assert extract(trajectory).closing == ""


def test_a_torn_line_may_have_held_the_change(tmp_path: Path) -> None:
    path = claude(tmp_path / "s.jsonl")
    whole = path.read_text()
    assert idle(read(path)[0])
    path.write_text(whole.replace("\n", '\n{"type":"assistant","mess\n', 1))
    assert not idle(read(path)[0])


@pytest.mark.parametrize(
    "prompt",
    [
        "Review the changes on this branch. Add a comment for each problem that you find.",
        "How would you fix the rounding error in shop/total.py?",
        "Write a plan for the migration to Python 3.14.",
        "Fix nothing yet.\nLook at shop/total.py and tell me what is wrong.",
        "Corrige el redondeo en shop/total.py",
    ],
)
def test_who_was_not_surely_asked_for_a_change_is_not_blamed_for_making_none(prompt: str) -> None:
    assert not idle(Session(prompt).read("shop/total.py").say("It rounds too early.").build())
