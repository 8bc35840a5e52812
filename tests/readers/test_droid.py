"""Droid: the session file with its settings, sub-agents in files of their own, and what its shell tool says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from log_checks import calls_of, totals, write

from rigorbench.session.formats import FOLDERS, find_sessions
from rigorbench.session.model import Shell, Spawn
from rigorbench.session.registry import discover, read_path

(DATA,) = (Path(__file__).parents[1] / "data" / "droid").rglob("*-*.jsonl")


def start(identity: str, **more: Any) -> dict[str, Any]:
    return {"type": "session_start", "id": identity, "version": 2, "cwd": "/repo", **more}


def message(number: int, role: str, *blocks: dict[str, Any]) -> dict[str, Any]:
    stamp = f"2026-03-01T10:00:{number:02}.000Z"
    return {"type": "message", "id": f"m{number}", "timestamp": stamp, "message": {"role": role, "content": blocks}}


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def use(identity: str, name: str, **given: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": identity, "name": name, "input": given}


def result(identity: str, content: str, *, failed: bool = False) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": identity, "content": content, "is_error": failed}


def test_a_real_session() -> None:
    trajectory = read_path(DATA)[0]
    assert (trajectory.agent, trajectory.cwd, trajectory.model) == ("droid", "/home/dev/repo", "custom:Fake-0")
    assert (trajectory.end, trajectory.complete, trajectory.skipped) == ("completed", True, [])
    assert totals(trajectory) == {"input": 151682, "cached": 137984, "output": 474, "calls": 12, "steps": 13}
    assert [s.role for s in trajectory.steps if s.role != "agent"] == ["harness"] * 7 + ["user"]
    shells = [c.result for c in calls_of(trajectory).values() if isinstance(c.action, Shell) and c.result]
    assert [(r.exit_status, r.is_error, r.denied) for r in shells] == [
        *[(1, True, False)] * 3,
        *[(0, False, False)] * 2,
        (None, True, True),
    ]
    assert shells[0].text == f"Error: Command failed (exit code: 1)\n{shells[0].stdout}"


def test_sub_agents_are_lanes_of_the_session_that_started_them(tmp_path: Path) -> None:
    main = write(
        tmp_path / ".factory" / "sessions" / "-repo" / "z.jsonl",
        start("z"),
        message(1, "user", text("Do it")),
        message(2, "assistant", use("t1", "Task", subagent_type="worker", description="d", prompt="Part one")),
        message(9, "user", result("t1", "Done.")),
    )
    called = {"callingSessionId": "z", "callingToolUseId": "t1"}
    write(
        main.with_name("a.jsonl"),
        start("a", **called),
        message(3, "user", text("Part one")),
        message(4, "assistant", text("Deeper"), use("t2", "Task", prompt="Part two")),
        message(8, "user", result("t2", "Done.")),
    )
    called = {"callingSessionId": "a", "callingToolUseId": "t2"}
    write(main.with_name("b.jsonl"), start("b", **called), message(6, "assistant", text("Here")), {"type": "riddle"})
    (trajectory,) = read_path(main)
    assert [(step.lane, step.text) for step in trajectory.steps if step.role == "agent"] == [
        ("main", ""),
        ("a", "Deeper"),
        ("b", "Here"),
    ]
    assert {lane.id: (lane.parent, lane.parent_call) for lane in trajectory.lanes.values()} == {
        "main": (None, None),
        "a": ("main", "t1"),
        "b": ("a", "t2"),
    }
    action = calls_of(trajectory)["t2"].action
    assert isinstance(action, Spawn)
    assert action.lane == "b"
    assert [part.reason for part in trajectory.skipped] == ["a record of the unknown kind 'riddle'; skipped"]
    assert [log.path for log in discover([str(tmp_path)])] == [main]
    assert main in [path for _, path, _ in find_sessions(FOLDERS, tmp_path, "droid")]


def test_a_status_that_the_output_only_quotes(tmp_path: Path) -> None:
    quoted = "cat log\n[Process exited with code 3]\n\n\n[Process exited with code 0]"
    log = write(
        tmp_path / "s.jsonl",
        start("s"),
        message(1, "assistant", use("a", "Execute", command="x"), use("b", "Execute", command="y")),
        message(2, "user", result("a", quoted), result("b", "[Process exited with code 3]")),
    )
    results = [call.result for call in calls_of(read_path(log)[0]).values()]
    assert [r and (r.exit_status, r.stdout) for r in results] == [
        (0, "cat log\n[Process exited with code 3]\n"),
        (None, None),
    ]
