"""What the user takes back (a rewind, a rollback) is in a lane of its own, and is neither left nor done."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from log_checks import read, write

from rigorbench.api import extract
from rigorbench.review.session import Session
from rigorbench.session.model import Trajectory
from rigorbench.session.readers.claude_code.reader import READERS as CLAUDE
from rigorbench.session.readers.codex.reader import READERS as CODEX
from rigorbench.session.readers.copilot import READERS as COPILOT
from rigorbench.session.readers.gemini import READERS as GEMINI

RED = "F\nFAILED tests/test_a.py::test_a - assert 1 == 2\n1 failed in 0.1s\n"
STAMP = "2026-03-01T10:00:{:02}.000Z"


def claude(path: Path, parent: str) -> Trajectory:
    """A question, an answer, a red run, and a second question that goes on from the line ``parent``."""

    def line(kind: str, uuid: str, parent: str | None, content: Any, **more: Any) -> dict[str, Any]:
        message = {"role": kind, "content": content, **({"id": f"m-{uuid}"} if kind == "assistant" else {})}
        head = {"parentUuid": parent, "isSidechain": False, "cwd": "/repo", "sessionId": "s", "version": "2.1.0"}
        return {**head, "type": kind, "message": message, "uuid": uuid, "timestamp": STAMP.format(int(uuid)), **more}

    edit = {"type": "tool_use", "id": "t0", "name": "Bash", "input": {"command": "sed -i s/1/2/ a.py"}}
    run = {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "pytest -q"}}
    done = [{"type": "tool_result", "tool_use_id": t, "content": c} for t, c in (("t0", "ok"), ("t1", RED))]
    lines = [
        line("user", "1", None, "Say hello"),
        line("assistant", "2", "1", [{"type": "text", "text": "Hello."}]),
        line("user", "3", "2", "Make it two"),
        line("assistant", "4", "3", [edit]),
        line("user", "5", "4", [done[0]], toolUseResult={"stdout": "ok"}),
        line("assistant", "6", "5", [run]),
        line("user", "7", "6", [done[1]], toolUseResult={"stdout": RED}),
        line("user", "8", parent, "Make it three"),
        line("assistant", "9", "8", [{"type": "text", "text": "It is three."}]),
    ]
    return read(CLAUDE, write(path / "s.jsonl", *(json.dumps(x, separators=(",", ":")) for x in lines)))[0]


def codex(path: Path, turns: int) -> Trajectory:
    def record(second: int, kind: str, **payload: Any) -> str:
        outer, _, inner = kind.partition("/")
        body = {"type": inner, **payload} if inner else payload
        return json.dumps({"timestamp": STAMP.format(second), "type": outer, "payload": body}, separators=(",", ":"))

    def said(second: int, role: str, text: str) -> str:
        kind = "output_text" if role == "assistant" else "input_text"
        return record(second, "response_item/message", role=role, content=[{"type": kind, "text": text}])

    arguments = json.dumps({"cmd": "pytest -q"})
    lines = [
        record(0, "session_meta", id="t", timestamp=STAMP.format(0), cwd="/repo", cli_version="0.120.0"),
        said(1, "user", "Say hello"),
        said(2, "assistant", "Hello."),
        said(3, "user", "Make it two"),
        record(4, "response_item/function_call", name="exec_command", arguments=arguments, call_id="c1"),
        record(5, "response_item/function_call_output", call_id="c1", output=RED),
        *([record(6, "event_msg/thread_rolled_back", num_turns=turns)] if turns else []),
        said(7, "user", "Make it three"),
        said(8, "assistant", "It is three."),
    ]
    return read(CODEX, write(path / "rollout-a.jsonl", *lines))[0]


def copilot(path: Path, rewound: bool) -> Trajectory:
    def event(second: int, kind: str, **data: Any) -> dict[str, Any]:
        return {"type": kind, "data": data, "id": f"e{second}", "timestamp": STAMP.format(second), "parentId": None}

    call = {"toolCallId": "c1", "name": "bash", "arguments": {"command": "pytest -q"}}
    result = {"content": RED, "detailedContent": RED}
    events = [
        event(0, "session.start", sessionId="s", version=1, producer="copilot-agent", context={"cwd": "/repo"}),
        event(1, "user.message", content="Make it two"),
        event(2, "assistant.message", messageId="m2", content="", toolRequests=[call]),
        event(3, "tool.execution_complete", toolCallId="c1", success=True, result=result),
        *([event(4, "session.snapshot_rewind", upToEventId="e1")] if rewound else []),
        event(5, "user.message", content="Make it three"),
        event(6, "assistant.message", messageId="m6", content="It is three.", toolRequests=[]),
    ]
    return read(COPILOT, write(path / "events.jsonl", *events))[0]


def gemini(path: Path, rewound: bool) -> Trajectory:
    def message(second: int, kind: str, text: str, **more: Any) -> dict[str, Any]:
        return {"id": f"m{second}", "timestamp": STAMP.format(second), "type": kind, "content": text, **more}

    response = {"functionResponse": {"id": "c", "name": "run_shell_command", "response": {"output": f"Output: {RED}"}}}
    call = {"id": "c", "name": "run_shell_command", "args": {"command": "pytest -q"}, "result": [response]}
    lines = [
        {"sessionId": "s" * 12, "projectHash": "ab" * 32, "startTime": STAMP.format(0), "kind": "main"},
        message(1, "user", "Make it two"),
        message(2, "gemini", "", toolCalls=[{**call, "status": "success", "timestamp": STAMP.format(2)}]),
        *([{"$rewindTo": "m1"}] if rewound else []),
        message(3, "user", "Make it three"),
        message(4, "gemini", "It is three."),
    ]
    return read(GEMINI, write(path / "session-a.jsonl", *lines))[0]


def shown(trajectory: Trajectory) -> tuple[list[str], set[str], bool]:
    """What the user asks in the main lane; the kinds of events of calls; whether an edit may be there unseen."""
    found = extract(trajectory)
    asked = [s.text for s in trajectory.steps if s.role == "user" and s.lane == "main"]
    return asked, {type(e).__name__ for e in found.events if e.call is not None}, bool(found.unplaced)


@pytest.mark.parametrize(
    "trajectory",
    [
        lambda p: claude(p, "2"),
        lambda p: claude(p, "1"),
        lambda p: codex(p, 1),
        lambda p: copilot(p, True),
        lambda p: gemini(p, True),
    ],
)
def test_what_was_taken_back_is_neither_left_nor_done(trajectory: Any, tmp_path: Path) -> None:
    log = trajectory(tmp_path)
    asked, kinds, unknown = shown(log)
    assert asked[-1] == "Make it three"
    assert "Make it two" not in asked
    assert (kinds, unknown) == (set(), True)
    assert Session(extract(log)).episodes == []
    assert [lane.taken_back for lane in log.lanes.values() if lane.id != "main"] == [True]


@pytest.mark.parametrize(
    "trajectory",
    [lambda p: claude(p, "7"), lambda p: codex(p, 0), lambda p: copilot(p, False), lambda p: gemini(p, False)],
)
def test_without_that_all_is_done(trajectory: Any, tmp_path: Path) -> None:
    asked, kinds, _ = shown(trajectory(tmp_path))
    assert asked[-2:] == ["Make it two", "Make it three"]
    assert "TestRunEvent" in kinds


def test_several_turns_at_once(tmp_path: Path) -> None:
    assert shown(codex(tmp_path, 2))[0] == ["Make it three"]
    assert shown(codex(tmp_path, 9))[0] == ["Make it three"]
