"""SWE-agent trajectories in their layouts, and the command line of its own tools."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from log_checks import agent_steps, calls, read

from rigorbench.session.logfile import LogFile
from rigorbench.session.model import Edit, FileChange, Finish, Read, Search, Shell, Trajectory
from rigorbench.session.readers.swe_agent import READERS, Viewer, interpret_action
from rigorbench.session.usage import TokenUsage

DATA = Path(__file__).parents[1] / "data" / "swe-agent"
OLD = DATA / "379ed5ae84-warmup.traj"
NEW = DATA / "3ea00c48a6-6e44b9__sweagenttestrepo-1c2844.traj"
HISTORY = DATA / "0e02659cca-function_calling_simple.traj"


def run(*steps: dict[str, Any], **rest: Any) -> Trajectory:
    value = {"trajectory": list(steps), "history": [], **rest}
    (trajectory,) = read(READERS, LogFile(None, content=json.dumps(value).encode()))
    return trajectory


def step(action: str, observation: str = "", **rest: Any) -> dict[str, Any]:
    state = {"open_file": "/repo/a.py", "working_dir": "/repo"}
    return {"action": action, "observation": observation, "response": "r", "thought": "t", "state": state, **rest}


def test_layout_with_function_calls() -> None:
    (trajectory,) = read(READERS, NEW)
    assert (trajectory.agent, trajectory.model, trajectory.end) == ("swe-agent", "gpt-4o", "completed")
    assert trajectory.cwd == "/SWE-agent__test-repo"
    assert trajectory.usage == TokenUsage(input=7141, output=243)
    assert trajectory.start_commit is None
    assert [s.role for s in trajectory.steps] == ["harness", "user", *["agent"] * 5]
    found, opened, edited, ran, submitted = calls(trajectory)
    assert found.id == "call_fJuazlMUN5fQDQ73G6XSpYpx"
    assert (found.name, found.input) == ("find_file", {"file_name": "missing_colon.py"})
    assert found.action == Search("missing_colon.py")
    assert opened.action == Read("/SWE-agent__test-repo/tests/missing_colon.py")
    line = "def division(a: float, b: float) -> float"
    assert edited.action == Edit(
        [FileChange("/SWE-agent__test-repo/tests/missing_colon.py", hunks=[(line, line + ":")])]
    )
    assert ran.action == Shell("python3 /SWE-agent__test-repo/tests/missing_colon.py", cwd="/SWE-agent__test-repo")
    assert (ran.result.text, ran.result.exit_status) == ("8.2", None)
    assert ran.result.duration == pytest.approx(0.2926, abs=1e-3)
    assert isinstance(submitted.action, Finish)
    assert all(s.time is None for s in trajectory.steps)


def test_layout_of_2024() -> None:
    (trajectory,) = read(READERS, OLD)
    assert [c.name for c in calls(trajectory)][-1] == "submit"
    assert trajectory.usage is None
    first = calls(trajectory)[0]
    assert (first.name, first.input) == ("bash", "disassemble warmup\n")
    assert first.action.cwd == trajectory.cwd
    assert calls(trajectory)[-1].action == Finish("FLAG{LET_US_BEGIN_CSAW_2016}")


def test_demonstration_with_the_history_alone() -> None:
    (trajectory,) = read(READERS, HISTORY)
    assert [c.name for c in calls(trajectory)] == ["find_file", "open", "edit", "bash", "submit"]
    assert all(c.result is not None for c in calls(trajectory))
    assert len({c.id for c in calls(trajectory)}) == 5


def test_all_layouts_of_the_corpus(shared_data: Path) -> None:
    paths = sorted((shared_data / "sessions" / "swe-agent-traj").iterdir())
    assert paths
    for path in paths:
        (trajectory,) = read(READERS, path)
        known = calls(trajectory)
        assert known, path
        assert len({c.id for c in known}) == len(known)
        try:
            value = json.loads(path.read_bytes())
        except json.JSONDecodeError:
            assert len(agent_steps(trajectory)) == 16
            continue
        assert len(agent_steps(trajectory)) == len(value.get("trajectory") or range(5))


def test_line_edits_know_what_they_replaced() -> None:
    shown = "[File: /repo/a.py (3 lines total)]\n1:def f():\n2:    return 1\n3:\n"
    trajectory = run(
        step("open a.py", shown),
        step("edit 2:2\n    return 2\nend_of_edit", shown.replace("return 1", "return 2")),
        step("edit 2:2\nreturn\nend_of_edit", "Your proposed edit has introduced new syntax error(s). Please"),
        step("edit 3:3\nx = 1\nend_of_edit", shown),
    )
    _, second, third, fourth = calls(trajectory)
    assert second.action == Edit([FileChange("/repo/a.py", hunks=[("    return 1", "    return 2")])])
    assert third.result.is_error is True
    # What a refused edit showed was never in the file; and an empty line is named by the line above it.
    assert fourth.action == Edit([FileChange("/repo/a.py", hunks=[("    return 2\n", "    return 2\nx = 1")])])


def test_editor_with_cursors_replaces_what_lies_between_them() -> None:
    marked = "[File: /repo/a.py (3 lines total)]\n1:a\n<<<<< START CURSOR >>>>>\n2:b\n<<<<< END CURSOR >>>>>\n3:c\n"
    trajectory = run(step("set_cursors 2 2", marked), step("edit\nB\nend_of_edit", ""))
    assert calls(trajectory)[1].action == Edit([FileChange("/repo/a.py", hunks=[("b", "B")])])


@pytest.mark.parametrize(
    ("action", "expected"),
    [
        ("create new.py", Edit([FileChange("new.py", "create", after="")])),
        ('search_dir "def f" src', Search("def f")),
        ("goto 12", Read("")),
        ("submit", Finish()),
        ("exit_forfeit", Finish("exit_forfeit")),
        ("cd src && grep -n 'x' *.py", Shell("cd src && grep -n 'x' *.py")),
        ('edit \'a\' "b \\"c\\"" True', Edit([FileChange("", hunks=[("a", 'b "c"')], replace_all=True)])),
        ("str_replace_editor view /repo/a.py --view_range 1 9", Read("/repo/a.py")),
        (
            "str_replace_editor str_replace /repo/a.py --old_str 'it'\"'\"'s' --new_str 'x\ny'",
            Edit([FileChange("/repo/a.py", hunks=[("it's", "x\ny")])]),
        ),
        (
            "str_replace_editor create /repo/b.py --file_text 'x = 1\n'",
            Edit([FileChange("/repo/b.py", "create", after="x = 1\n")]),
        ),
        (
            "str_replace_editor insert /a --insert_line 7 --new_str 'x'",
            Edit([FileChange("/a", hunks=[("", "x")], at_line=7)]),
        ),
        ("find_file 'never closed " + "\\\\" * 5000, Search("never")),
    ],
)
def test_command_language(action: str, expected: object) -> None:
    assert interpret_action(action, None, Viewer(), None) == expected


@pytest.mark.parametrize(
    ("status", "end"),
    [
        ("submitted", "completed"),
        ("submitted (exit_cost)", "limit"),
        ("exit_context", "limit"),
        ("exit_format", "error"),
        ("submitted (exit_error)", "error"),
        ("exit_forfeit", "completed"),
        (None, None),
    ],
)
def test_how_a_run_ended(status: str | None, end: str | None) -> None:
    assert run(step("ls", "x"), info={"exit_status": status}).end == end


def test_steps_of_the_harness_are_not_the_model_s() -> None:
    exiting = {"action": "", "observation": "Exited (autosubmitted)", "response": "Exit due to cost limit"}
    trajectory = run(step("ls", "x"), {**exiting, "thought": "Exit due to cost limit", "state": {}})
    assert trajectory.steps[-1].role == "harness"
    assert len(agent_steps(trajectory)) == 1


def test_a_blocked_command_has_no_result() -> None:
    assert calls(run(step("vim a.py", state={}, execution_time=0.0)))[0].result is None


def test_timeouts() -> None:
    told = "The command 'sleep 99' was cancelled because it took more than 30 seconds. Please try"
    result = calls(run(step("sleep 99", told)))[0].result
    assert (result.timed_out, result.exit_status) == (True, None)


def test_each_attempt_of_a_retrying_agent_is_a_session() -> None:
    attempt = {"trajectory": [step("ls", "x")], "history": [], "info": {"exit_status": "submitted"}}
    value = {"attempts": [attempt, attempt], "info": {}}
    found = read(READERS, LogFile(None, name="a.traj", content=json.dumps(value).encode()))
    assert [t.id for t in found] == ["a#1", "a#2"]


def test_a_value_that_is_no_json_costs_only_itself() -> None:
    steps = [step("ls", "a.py"), step("open a.py", "[File: /a.py (1 lines total)]\n1:x"), step("submit", "done")]
    text = json.dumps({"trajectory": steps, "history": [], "info": {"exit_status": "submitted"}}, indent=2)
    spoiled = text.replace('"observation": "[File', '"observation": [File').encode()
    log = LogFile(None, content=spoiled)
    (found,) = read(READERS, log)
    made = calls(found)
    assert [c.name for c in made] == ["bash", "open", "submit"]
    assert [c.result is not None for c in made] == [True, False, True]
    assert found.end == "completed"
    line = spoiled[: spoiled.index(b"[File")].count(b"\n") + 1
    assert [s.line for s in log.skipped] == [line]


def test_the_damaged_session_of_the_corpus_is_read_to_its_end(shared_data: Path) -> None:
    log = LogFile(shared_data / "sessions" / "swe-agent-traj" / "d598299113-BabyEncryption.traj")
    (found,) = read(READERS, log)
    assert sum(s.role == "agent" for s in found.steps) == 16
    assert calls(found)[-1].name == "submit"
    assert len(log.skipped) == 4
