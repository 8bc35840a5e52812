"""Cursor's agent on the command line. The fixture follows the vendor's documentation; no real log is in the corpus."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
from log_checks import calls_of

from rigorbench.session.logfile import LogFile
from rigorbench.session.model import Edit, FileChange, Plan, PlanItem, Read, Search, Shell, Trajectory
from rigorbench.session.readers import cursor
from rigorbench.session.usage import TokenUsage

LOG = Path(__file__).parents[1] / "data" / "cursor" / "documented.jsonl"
(READER,) = cursor.READERS


def read_lines(*records: Any) -> Trajectory:
    (trajectory,) = READER.read(LogFile(None, content=b"\n".join(map(orjson.dumps, records))))
    return trajectory


def tool(subtype: str, call_id: str | None, body: dict[str, Any], **more: Any) -> dict[str, Any]:
    event = {"type": "tool_call", "subtype": subtype, "tool_call": body, "session_id": "s", **more}
    return event if call_id is None else {**event, "call_id": call_id}


def text(words: str, **more: Any) -> dict[str, Any]:
    message = {"role": "assistant", "content": [{"type": "text", "text": words}]}
    return {"type": "assistant", "message": message, "session_id": "s", **more}


def test_the_documented_stream() -> None:
    log = LogFile(LOG)
    assert READER.matches(log)
    (trajectory,) = READER.read(log)
    agents = [s for s in trajectory.steps if s.role == "agent"]
    assert [s.text for s in trajectory.steps if s.role == "user"] == ["Make the duration tests pass and commit."]
    assert [(s.text, [c.id for c in s.calls]) for s in agents] == [
        ("I'll read the parser and run the tests.", ["call_1", "call_2"]),
        ("One failure. Fixing the pattern.", ["call_3"]),
        ("", ["call_4"]),
        ("", ["call_5"]),
        ("", ["call_6"]),
        ("", ["call_7"]),
        ("The tests pass and the fix is committed.", []),
    ]
    assert agents[0].reasoning == "First look at the code."
    calls = calls_of(trajectory)
    assert calls["call_1"].action == Read("slotkit/duration.py")
    ran = calls["call_2"].result
    assert calls["call_2"].action == Shell("python -m pytest -q")
    assert (ran.exit_status, ran.is_error, ran.duration) == (1, True, 0.85)
    assert ran.text == ran.stdout == "1 failed, 3 passed\nwarning: slow"
    changed = FileChange("/home/dev/repo/slotkit/duration.py", before="x = match\n", after="x = findall\n")
    assert calls["call_3"].action == Edit([changed])
    assert calls["call_4"].action == Edit([FileChange("notes.md", "create", after="# Notes\n")])
    refused = calls["call_5"].result
    assert (refused.denied, refused.is_error, refused.exit_status) == (True, True, None)
    items = [PlanItem("Fix the pattern", "completed", "1"), PlanItem("Commit", "in_progress", "2")]
    assert calls["call_6"].action == Plan(items)
    assert calls["call_7"].action == Shell("git commit -am fix")
    assert calls["call_7"].result is None
    assert trajectory.usage == TokenUsage(11662, 23408, 0, 149)
    assert (trajectory.model, trajectory.cwd, trajectory.end) == ("Composer 1", "/home/dev/repo", "completed")
    assert (trajectory.started_at, trajectory.ended_at) == (1770823434.041, 1770823441.0)


def test_partial_output_is_put_together_once() -> None:
    trajectory = read_lines(
        text("I will ", timestamp_ms=1000),
        text("look.", timestamp_ms=1001),
        text("I will look.", model_call_id="m", timestamp_ms=1002),
        tool("started", "c", {"lsToolCall": {"args": {"path": "/r"}}}, model_call_id="m", timestamp_ms=1003),
        tool("completed", "c", {"lsToolCall": {"args": {"path": "/r"}, "result": {"success": {}}}}, timestamp_ms=1004),
        text("Do", timestamp_ms=1005),
        text("ne.", timestamp_ms=1006),
        text("Done."),
    )
    assert [s.text for s in trajectory.steps] == ["I will look.", "Done."]
    assert calls_of(trajectory)["c"].action == Search("/r")


def test_calls_without_ids_meet_their_results() -> None:
    trajectory = read_lines(
        tool("started", None, {"shellToolCall": {"args": {"command": "a", "isBackground": True}}}),
        tool("completed", None, {"shellToolCall": {"result": {"success": {"exitCode": 0, "shellId": 3}}}}),
        tool("completed", None, {"shellToolCall": {"args": {"command": "b"}, "result": {"timeout": {"timeoutMs": 5}}}}),
    )
    first, second = calls_of(trajectory).values()
    assert first.action == Shell("a", background=True)
    assert (first.result.exit_status, first.result.shell_id, first.result.is_error) == (0, "3", False)
    assert second.action == Shell("b")
    assert second.result.timed_out
