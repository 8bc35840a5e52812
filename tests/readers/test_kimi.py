"""Kimi Code and Kimi CLI: the events of a session's agents, and the messages of a session that has no events."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from log_checks import agent_steps, calls_of, totals, write

from rigorbench.session.formats import FOLDERS, find_sessions
from rigorbench.session.model import Edit, Lane, Trajectory
from rigorbench.session.readers.kimi import READERS
from rigorbench.session.registry import discover, read_path

DATA = Path(__file__).parents[1] / "data" / "kimi"
CLI, CLI_AGENT = sorted(DATA.glob("cli/sessions/**/wire.jsonl"), key=lambda path: len(path.parts))
CODE_AGENT, CODE = sorted(DATA.glob("code/sessions/**/wire.jsonl"))


def one(path: Path) -> Trajectory:
    (trajectory,) = read_path(path)
    return trajectory


@pytest.mark.parametrize(
    ("path", "lane", "counts"),
    [
        (CLI, "a99fba2b0", {"input": 150012, "cached": 122624, "output": 361, "calls": 9, "steps": 11}),
        (CODE, "agent-0", {"input": 229660, "cached": 184704, "output": 351, "calls": 9, "steps": 10}),
    ],
    ids=["cli", "code"],
)
def test_a_real_session_with_a_sub_agent(path: Path, lane: str, counts: dict[str, int]) -> None:
    trajectory = one(path)
    assert (trajectory.agent, trajectory.cwd, trajectory.end) == ("kimi", "/home/dev/repo", "completed")
    assert trajectory.usage_complete
    assert not trajectory.skipped
    assert totals(trajectory) == counts
    (parent,) = (call.id for call in calls_of(trajectory).values() if call.name == "Agent")
    prompt = "SUBREVIEW: read slotkit/duration.py and report risks."
    assert trajectory.lanes[lane].prompt == prompt or path == CLI
    assert trajectory.lanes[lane].parent_call == parent
    results = [call.result for call in calls_of(trajectory).values()]
    assert all(result and result.time and result.is_error is not None for result in results)
    assert [result.exit_status for result in results if result][:4] == [None, None, None, 3]
    assert [log.path for log in discover([str(path.parents[2])])] == [path]


def test_arguments_that_come_bit_by_bit_are_whole(tmp_path: Path) -> None:
    call = {"type": "function", "id": "t1", "function": {"name": "StrReplaceFile", "arguments": '{"path": "a.'}}
    bits = ['py", "edit": [{"old": "x", ', '"new": "y"}]}']
    events = [("TurnBegin", {"user_input": "Do it."}), ("StepBegin", {"n": 1}), ("ToolCall", call)]
    events += [("ToolCallPart", {"arguments_part": bit}) for bit in bits]
    # A second call of the same step comes after the first one's result.
    other = {"type": "function", "id": "t2", "function": {"name": "ReadFile", "arguments": '{"path": "b.py"}'}}
    events += [
        ("ToolResult", {"tool_call_id": "t1", "return_value": {"is_error": False, "output": "Edited."}}),
        ("ToolCall", other),
    ]
    lines = [{"timestamp": 1.7e9 + n, "message": {"type": k, "payload": v}} for n, (k, v) in enumerate(events)]
    trajectory = one(write(tmp_path / "sessions/0f/1a/wire.jsonl", *lines))
    made, _ = calls_of(trajectory).values()
    assert len(agent_steps(trajectory)) == 1
    assert isinstance(made.action, Edit)
    assert [(change.path, change.hunks) for change in made.action.changes] == [("a.py", [("x", "y")])]
    assert not trajectory.skipped


def test_messages_are_read_where_there_are_no_events(tmp_path: Path) -> None:
    messages = CLI.with_name("context.jsonl")
    copy = tmp_path / "context.jsonl"
    copy.write_bytes(messages.read_bytes())
    alone, whole = one(copy), one(CLI)
    assert READERS[0].owner(messages) == READERS[0].owner(CLI_AGENT) == CLI
    main = [step for step in agent_steps(whole) if step.lane == "main"]
    assert [step.text for step in agent_steps(alone)] == [step.text for step in main]
    for step, same in zip(agent_steps(alone), main, strict=True):
        for call, other in zip(step.calls, same.calls, strict=True):
            assert call.name == "Agent" or call.action == other.action
            assert call.result
            assert other.result
            assert (call.result.text, call.result.exit_status) == (other.result.text, other.result.exit_status)


def event(kind: str, time: int, **fields: Any) -> dict[str, Any]:
    return {"type": "context.append_loop_event", "event": {"type": kind, **fields}, "time": time}


def said(text: str, time: int, kind: str = "user") -> dict[str, Any]:
    message = {"role": "user", "content": [{"type": "text", "text": text}], "origin": {"kind": kind}}
    return {"type": "context.append_message", "message": message, "time": time}


def test_events_that_name_no_step_and_turns_that_were_taken_back(tmp_path: Path) -> None:
    call = {"toolCallId": "c", "name": "Edit", "args": {"path": "a.py", "old_string": "x", "new_string": "y"}}
    trajectory = one(
        write(
            tmp_path / "wire.jsonl",
            {"type": "metadata", "protocol_version": "1.4", "created_at": 1},
            said("Fix it", 2),
            said("<system-reminder>", 3, "injection"),
            event("tool.call", 4, **call),
            event("tool.result", 5, toolCallId="c", result={"output": "no", "isError": True}),
            event("content.part", 6, part={"type": "think", "think": "Hm."}),
            event("content.part", 6, part={"type": "text", "text": "Done."}),
            said("And this", 7),
            event("content.part", 8, part={"type": "text", "text": "No."}),
            {"type": "context.undo", "count": 1, "time": 9},
            {"type": "holograms", "time": 9},
        )
    )
    assert [(s.role, s.lane, s.text, s.reasoning) for s in trajectory.steps] == [
        ("user", "main", "Fix it", ""),
        ("harness", "main", "<system-reminder>", ""),
        ("agent", "main", "", ""),
        ("agent", "main", "Done.", "Hm."),
        ("user", "taken back 1", "And this", ""),
        ("agent", "taken back 1", "No.", ""),
    ]
    edit = calls_of(trajectory)["c"]
    assert isinstance(edit.action, Edit)
    assert edit.result
    assert edit.result.is_error
    assert edit.result.time == 0.005
    assert trajectory.lanes["main"] == Lane("main")
    assert not trajectory.usage_complete
    assert [part.reason for part in trajectory.skipped] == ["an event of the unknown kind 'holograms'; skipped"]


def test_sessions_are_found_in_both_places(tmp_path: Path) -> None:
    for root, path in ((".kimi", CLI), (".kimi-code", CODE)):
        relative = path.relative_to(DATA)
        write(tmp_path / root / Path(*relative.parts[1:]), "{}")
    assert [agent for agent, _, _ in find_sessions(FOLDERS, tmp_path)] == ["kimi", "kimi"]
