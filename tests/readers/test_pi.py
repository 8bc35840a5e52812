"""Pi: the session file with its tree of entries, and the event stream."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from log_checks import calls_of, read, write

from rigorbench.evidence.calls import not_understood
from rigorbench.session.model import Edit, FileChange, Shell, Spawn, Trajectory
from rigorbench.session.readers.pi import READERS
from rigorbench.session.usage import TokenUsage

DATA = Path(__file__).parents[1] / "data" / "pi" / "session.jsonl"
HEADER = {"type": "session", "version": 3, "id": "s1", "timestamp": "2026-03-01T10:00:00.000Z", "cwd": "/repo"}


def entry(number: int, message: dict[str, Any], parent: int | None = None) -> dict[str, Any]:
    stamp = f"2026-03-01T10:00:{number:02}.000Z"
    own = {"id": f"e{number}", "parentId": f"e{number - 1 if parent is None else parent}", "timestamp": stamp}
    return {"type": "message", **own, "message": {"timestamp": 1772359200000 + number * 1000, **message}}


def answer(number: int, *blocks: dict[str, Any], stop: str = "toolUse", **more: Any) -> dict[str, Any]:
    return entry(number, {"role": "assistant", "content": list(blocks), "model": "m", "stopReason": stop, **more})


def tool(call_id: str, name: str, **arguments: Any) -> dict[str, Any]:
    return {"type": "toolCall", "id": call_id, "name": name, "arguments": arguments}


def result(number: int, call_id: str, text: str, *, failed: bool = False, **more: Any) -> dict[str, Any]:
    content = [{"type": "text", "text": text}]
    return entry(number, {"role": "toolResult", "toolCallId": call_id, "content": content, "isError": failed, **more})


def session(path: Path, *entries: Any) -> Trajectory:
    (trajectory,) = read(READERS, write(path / "s.jsonl", HEADER, *entries))
    return trajectory


def test_a_real_session() -> None:
    (trajectory,) = read(READERS, DATA)
    assert (trajectory.format, trajectory.agent, trajectory.agent_version) == ("pi", "pi", None)
    assert (trajectory.model, trajectory.cwd, trajectory.end) == ("fake-coder", "/home/dev/repo", "completed")
    assert trajectory.states_failure
    assert trajectory.steps[0].role == "user"
    commands = [call for call in calls_of(trajectory).values() if isinstance(call.action, Shell)]
    assert [call.result.exit_status for call in commands if call.result] == [1, 1, 1, None, None, None]
    assert [call.result.is_error for call in commands if call.result] == [True, True, True, False, False, False]
    first = commands[0].result
    assert first.stdout is not None
    assert first.text == first.stdout + "\n\nCommand exited with code 1"
    edits = [call.action for call in calls_of(trajectory).values() if isinstance(call.action, Edit)]
    assert edits[0].changes[0].hunks == [("    match = _TOKEN.match(text)\n", "    match = _TOKEN.search(text)\n")]


def test_a_session_that_was_gone_on_with_began_with_its_first_entry(tmp_path: Path) -> None:
    later = {**HEADER, "timestamp": "2026-03-01T11:00:00.000Z"}
    (trajectory,) = read(READERS, write(tmp_path / "s.jsonl", later, answer(1, {"type": "text", "text": "x"})))
    assert trajectory.ended_at == trajectory.started_at == 1772359201.0


def test_usage_is_kept_as_it_is(tmp_path: Path) -> None:
    usage = {"input": 5, "output": 3, "cacheRead": 100, "cacheWrite": 7, "totalTokens": 115}
    trajectory = session(tmp_path, answer(1, {"type": "text", "text": "x"}, usage=usage, stop="stop"))
    assert trajectory.steps[0].usage == TokenUsage(input=5, cache_read=100, cache_write=7, output=3)
    assert trajectory.end == "completed"


def test_exit_statuses_only_where_stated(tmp_path: Path) -> None:
    trajectory = session(
        tmp_path,
        answer(1, tool("a", "bash", command="x"), tool("b", "bash", command="y"), tool("c", "bash", command="z")),
        result(2, "a", "Command exited with code 3\nis a quotation"),
        result(3, "b", "out\n\nCommand exited with code 127", failed=True, details={"fullOutputPath": "/tmp/log"}),
        result(
            4, "c", "x\n\nCommand timed out after 3 seconds", failed=True, details={"truncation": {"truncated": True}}
        ),
    )
    results = [call.result for call in calls_of(trajectory).values()]
    assert [(r.exit_status, r.timed_out, r.truncated, r.full_output) for r in results if r] == [
        (None, False, False, None),
        (127, False, False, "/tmp/log"),
        (None, True, True, None),
    ]


def test_a_known_file_is_not_created(tmp_path: Path) -> None:
    written = tool("b", "write", path="a.py", content="x"), tool("c", "write", path="b.py", content="y")
    trajectory = session(
        tmp_path,
        answer(1, tool("a", "read", path="a.py"), *written),
        result(2, "a", "old"),
        result(3, "b", "Successfully wrote 1 bytes to a.py"),
        result(4, "c", "Successfully wrote 1 bytes to b.py"),
    )
    calls = calls_of(trajectory)
    assert calls["b"].action == Edit([FileChange("a.py", "modify", after="x")])
    assert calls["c"].action == Edit([FileChange("b.py", "create", after="y")])


def test_branches_summaries_and_the_words_of_others(tmp_path: Path) -> None:
    def line(kind: str, number: int, **fields: Any) -> dict[str, Any]:
        ids = {"id": f"e{number}", "parentId": f"e{number - 1}", "timestamp": HEADER["timestamp"]}
        return {"type": kind, **ids, **fields}

    first = entry(1, {"role": "user", "content": "Do it"})
    trajectory = session(
        tmp_path,
        first,
        first,
        answer(2, {"type": "thinking", "thinking": "Hm."}, {"type": "text", "text": "No."}, stop="stop"),
        entry(3, {"role": "user", "content": [{"type": "text", "text": "Do it well"}]}, parent=1),
        line("branch_summary", 4, summary="tried before", fromId="e2"),
        line("compaction", 5, summary="so far", firstKeptEntryId="e3"),
        line("custom_message", 6, customType="x", content="from an extension"),
        entry(7, {"role": "bashExecution", "command": "ls", "output": "a", "exitCode": 0}),
        line("label", 8, targetId="e1", label="x"),
        answer(9, {"type": "text", "text": "Half"}, stop="aborted", errorMessage="Request was aborted."),
    )
    assert [(step.role, step.text) for step in trajectory.steps] == [
        ("user", "Do it"),
        ("agent", "No."),
        ("harness", "the user went back to an earlier entry; a new branch begins here"),
        ("user", "Do it well"),
        ("harness", "tried before"),
        ("compaction", "so far"),
        ("harness", "from an extension"),
        ("harness", "the user ran: ls\na"),
        ("agent", "Half"),
        ("interrupt", "Request was aborted."),
    ]
    assert trajectory.end == "interrupted"


def test_the_first_generation_without_entry_ids(tmp_path: Path) -> None:
    def bare(**message: Any) -> dict[str, Any]:
        return {"type": "message", "timestamp": HEADER["timestamp"], "message": {"timestamp": 1772359200000, **message}}

    trajectory = session(
        tmp_path,
        bare(role="user", content="hi"),
        bare(role="assistant", content=[], stopReason="error", errorMessage="down"),
    )
    assert [(s.role, s.text) for s in trajectory.steps] == [("user", "hi"), ("agent", ""), ("harness", "error: down")]
    assert trajectory.end == "error"


def test_the_model_is_the_one_that_answered_not_the_one_chosen_at_first(tmp_path: Path) -> None:
    change = {"type": "model_change", "id": "c0", "parentId": None, "timestamp": "2026-03-01T10:00:00.500Z"}
    asked = entry(1, {"role": "user", "content": "Hello"})
    spoken = answer(2, {"type": "text", "text": "Hello"}, stop="stop")
    assert session(tmp_path, {**change, "modelId": "first"}, asked, spoken).model == "m"
    assert session(tmp_path, {**change, "modelId": "first"}, asked).model == "first"


def test_sub_agents_in_the_result_of_a_call_are_lanes(tmp_path: Path) -> None:
    inner = [
        {"role": "user", "content": "Task: look at a.py", "timestamp": 1772359200000},
        answer(3, tool("r", "read", path="a.py"))["message"],
        result(4, "r", "x = 1")["message"],
    ]
    run = {"agent": "scout", "task": "look at a.py", "messages": inner}
    given = result(5, "t", "x is 1")
    given["message"]["details"] = {"results": [run, {"agent": "scout", "messages": []}]}
    asked = entry(1, {"role": "user", "content": "Look"})
    trajectory = session(tmp_path, asked, answer(2, tool("t", "mcp__tools__Agents", tasks=[])), given)
    assert calls_of(trajectory)["t"].action == Spawn("look at a.py", "t/1", "scout")
    lane = trajectory.lanes["t/1"]
    assert (lane.parent, lane.parent_call, lane.agent_type) == ("main", "t", "scout")
    inside = [s for s in trajectory.steps if s.lane == "t/1"]
    assert [(s.role, [c.id for c in s.calls]) for s in inside] == [("harness", []), ("agent", ["r"])]
    assert not_understood(trajectory) == (2, [])
