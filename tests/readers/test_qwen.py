"""Qwen Code: chats, sub-agents' logs and the stream."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import orjson
import pytest
from log_checks import calls_of

from rigorbench.evidence.walk.extract import extract
from rigorbench.session.logfile import LogFile
from rigorbench.session.model import Edit, Shell, Step, Trajectory
from rigorbench.session.readers import qwen
from rigorbench.session.usage import TokenUsage

DATA = Path(__file__).parents[1] / "data" / "qwen"
CHAT = DATA / "chats" / "2a6d8f63-28d6-462f-9738-858cb3722287.jsonl"
READER, STREAM = qwen.READERS


def read_lines(*records: Any) -> Trajectory:
    (trajectory,) = READER.read(LogFile(None, content=b"\n".join(map(orjson.dumps, records))))
    return trajectory


def record(kind: str, parts: list[Any], uuid: str, **more: Any) -> dict[str, Any]:
    base = {"uuid": uuid, "sessionId": "s", "timestamp": "2026-01-01T00:00:00Z", "type": kind, "cwd": "/repo"}
    return {**base, "message": {"role": "model" if kind == "assistant" else "user", "parts": parts}, **more}


def call(identity: str, name: str, /, **args: Any) -> dict[str, Any]:
    return {"functionCall": {"id": identity, "name": name, "args": args}}


def answer(identity: str, text: str, uuid: str, **told: Any) -> dict[str, Any]:
    response = {"functionResponse": {"id": identity, "name": "x", "response": {"output": text}}}
    return record("tool_result", [response], uuid, toolCallResult={"callId": identity, "status": "success", **told})


def test_exit_statuses_output_and_files_of_a_real_run() -> None:
    (trajectory,) = READER.read(LogFile(CHAT))
    shells = [c for c in calls_of(trajectory).values() if isinstance(c.action, Shell)]
    assert [c.result.exit_status for c in shells if c.result] == [1, 1, 1, 0, 0, 0]
    assert [c.result.is_error for c in shells if c.result] == [True, True, True, False, False, False]
    first = shells[0].result
    assert first.text.startswith("Command: python -m pytest -q\nDirectory: (root)\nOutput: .FF.")
    assert first.stdout.startswith(".FF.")
    assert first.time is not None
    edits = [c.action.changes[0] for c in calls_of(trajectory).values() if isinstance(c.action, Edit)]
    assert {e.operation for e in edits} == {"modify"}
    for edit in edits:
        ((old, new),) = edit.hunks
        assert edit.before.replace(old, new, 1) == edit.after
    assert [s.text[:8] for s in trajectory.steps if s.role == "user"] == ["The test"]


def test_the_stream_has_what_its_lines_tell() -> None:
    (chat,), (stream,) = READER.read(LogFile(CHAT)), STREAM.read(LogFile(DATA / "stdout.jsonl"))
    theirs = [s for s in chat.steps if s.role == "agent"]
    ours = [s for s in stream.steps if s.role == "agent"]
    assert [(s.text, s.reasoning, [c.id for c in s.calls]) for s in ours] == [
        (s.text, s.reasoning, [c.id for c in s.calls]) for s in theirs
    ]
    assert [msgspec.structs.replace(s.usage, reasoning=None) for s in theirs if s.usage] == [
        msgspec.structs.replace(s.usage, cache_write=None) for s in ours if s.usage
    ]
    failed = [c.result.exit_status for c in calls_of(stream).values() if c.result and c.result.is_error]
    assert failed == [1, 1, 1]


def test_deferred_tools_counts_and_whose_words() -> None:
    counts = {"promptTokenCount": 100, "cachedContentTokenCount": 40, "candidatesTokenCount": 9}
    counts["thoughtsTokenCount"] = 4
    apart = {**counts, "totalTokenCount": 113}
    mid_turn = [{"text": "\n[User message received during tool execution]: also lint"}]
    deferred = call("c1", "tool_call", name="run_shell_command", arguments='{"command": "make"}')
    trajectory = read_lines(
        record("user", [{"text": "go"}], "u1", provenance="real_user"),
        record("assistant", [deferred], "a1", usageMetadata=counts),
        record("user", mid_turn, "u2", subtype="mid_turn_user_message", provenance="real_user"),
        answer("c1", "Command: make\nOutput: x\nError: (none)\nExit Code: 0\nSignal: (none)", "r1"),
        record("user", [{"text": "agent done"}], "u3", subtype="notification", provenance="system"),
        record("assistant", [{"text": "thought", "thought": True}, {"text": "ok"}], "a2", usageMetadata=apart),
    )
    action = calls_of(trajectory)["c1"].action
    assert action.command == "make"
    done = calls_of(trajectory)["c1"].result
    assert (done.exit_status, done.stdout) == (0, "x")
    assert [s.text for s in trajectory.steps if s.role == "user"] == ["go", "also lint"]
    assert [s.text for s in trajectory.steps if s.role == "harness"] == ["agent done"]
    assert [s.usage for s in trajectory.steps if s.role == "agent"] == [
        TokenUsage(60, 40, None, 9, 4),
        TokenUsage(60, 40, None, 13, 4),
    ]


def test_sub_agents_with_logs_of_their_own(tmp_path: Path) -> None:
    chats, agents = tmp_path / "chats", tmp_path / "subagents" / "s"
    chats.mkdir()
    agents.mkdir(parents=True)
    chat, log = chats / "s.jsonl", agents / "agent-Explore-1.jsonl"
    started = record("assistant", [call("c1", "agent", prompt="look", description="d")], "a1")
    main = [started, answer("c1", "found", "r1")]
    side = {"isSidechain": True, "agentId": "Explore-1"}
    counts = {"usageMetadata": {"promptTokenCount": 5, "candidatesTokenCount": 2}}
    inner = [
        record("user", [{"text": "look"}], "x1", **side),
        record("assistant", [{"text": "looking"}], "x2", **side, **counts),
        record("assistant", [call("c2", "run_shell_command", command="ls")], "x3", **side),
        answer("c2", "files", "x4") | side,
        record("assistant", [{"text": "found"}], "x5", **side, **counts),
    ]
    for path, records in ((chat, main), (log, inner)):
        path.write_bytes(b"\n".join(map(orjson.dumps, records)))
    (agents / "agent-Explore-1.meta.json").write_text('{"toolUseId": "c1", "agentType": "Explore"}')
    assert READER.matches(LogFile(log))
    assert READER.owner(log) == chat
    assert READER.owner(chat) == chat
    (trajectory,) = READER.read(LogFile(chat))
    lane = trajectory.lanes["Explore-1"]
    assert (lane.parent, lane.parent_call, lane.agent_type, lane.prompt) == ("main", "c1", "Explore", "look")
    spawn = calls_of(trajectory)["c1"].action
    assert spawn.lane == lane.id
    steps: list[Step] = [s for s in trajectory.steps if s.lane == lane.id]
    assert [(s.role, s.text, len(s.calls)) for s in steps] == [
        ("harness", "look", 0),
        ("agent", "looking", 1),
        ("agent", "found", 0),
    ]
    listed = calls_of(trajectory)["c2"].result
    assert listed.text == "files"
    (alone,) = READER.read(LogFile(log))
    assert {s.lane for s in alone.steps} == {"main"}
    assert alone.id == "s/agent-Explore-1"


@pytest.mark.parametrize(("version", "outcome"), [("0.15.10", "unknown"), ("0.24.4", "passed")])
def test_success_is_the_tool_s_and_not_the_command_s(version: str, outcome: str) -> None:
    """Older versions call a tool call a success whatever its command did; what printed nothing states its status."""

    def told(kind: str, block: dict[str, Any]) -> dict[str, Any]:
        key = block.get("id", "r" + str(block.get("tool_use_id")))
        ids = {"uuid": key, "session_id": "s", "parent_tool_use_id": None}
        return {"type": kind, **ids, "message": {"id": key, "role": kind, "content": [block]}}

    def ran(key: str, command: str, output: str) -> list[dict[str, Any]]:
        use = {"type": "tool_use", "id": key, "name": "run_shell_command", "input": {"command": command}}
        result = {"type": "tool_result", "tool_use_id": key, "is_error": False, "content": output}
        return [told("assistant", use), told("user", result)]

    start = {"type": "system", "subtype": "init", "session_id": "s", "tools": [], "qwen_code_version": version}
    silent = ran("a", "timeout 3 python -m pytest -q", "Command exited with code: 124")
    lines = [start, *silent, *ran("b", "ruff check .", "warning: the cache is old")]
    log = LogFile(None, content=b"\n".join(map(orjson.dumps, lines)))
    assert STREAM.matches(log)
    tests, lint = extract(next(iter(STREAM.read(log)))).events[:2]
    assert (tests.outcome, tests.exit_status) == ("unknown", 124)
    assert lint.outcome == outcome
