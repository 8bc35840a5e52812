"""Gemini CLI chat files of both generations, and the JSON stream."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from log_checks import agent_steps, read, survives, totals, write

from rigorbench.evidence.walk.extract import extract
from rigorbench.session.logfile import LogFile
from rigorbench.session.model import Edit, Other, Plan, Shell, ShellOutput
from rigorbench.session.readers.gemini import READERS

DATA = Path(__file__).parents[1] / "data" / "gemini"
SESSION = "0d6cb7f5-0000-4000-8000-000000000001"
HEADER = {"sessionId": SESSION, "projectHash": "ab" * 32, "startTime": "2026-05-01T10:00:00.000Z", "kind": "main"}


def chat(shared: Path, run: str) -> Path:
    return next((shared / "cli" / run / "session").rglob("session-*.json*"))


def message(key: str, second: int, **fields: Any) -> dict[str, Any]:
    return {"id": key, "timestamp": f"2026-05-01T10:00:{second:02}.000Z", "type": "gemini", "content": "", **fields}


def shell(key: str, output: str, **fields: Any) -> dict[str, Any]:
    response = [{"functionResponse": {"id": key, "name": "run_shell_command", "response": {"output": output}}}]
    call = {"id": key, "name": "run_shell_command", "args": {"command": "make test"}, "result": response}
    return {**call, "status": "success", "timestamp": "2026-05-01T10:00:30.000Z", **fields}


def test_exit_statuses_are_those_the_text_states(shared_data: Path) -> None:
    (new,) = read(READERS, chat(shared_data, "gemini/disciplined"))
    states = [c.result.exit_status for s in new.steps for c in s.calls if isinstance(c.action, Shell) and c.result]
    assert states == [None, 1, 1, None, None, None]
    (old,) = read(READERS, chat(shared_data, "gemini-old/disciplined"))
    states = [c.result.exit_status for s in old.steps for c in s.calls if isinstance(c.action, Shell) and c.result]
    assert states == [0, 1, 1, 0, 0, 0]


def test_words_edits_and_todos_of_a_real_session(shared_data: Path) -> None:
    (found,) = read(READERS, chat(shared_data, "gemini/disciplined"))
    assert [s.role for s in found.steps[:2]] == ["harness", "user"]
    assert sum(s.role == "user" for s in found.steps) == 1
    assert found.steps[0].text.startswith("<session_context>")
    actions = [c.action for s in found.steps for c in s.calls]
    made, changed = [a.changes[0] for a in actions if isinstance(a, Edit)][:2]
    assert (made.operation, made.before, changed.operation) == ("create", None, "modify")
    assert changed.after == changed.before.replace(*changed.hunks[0])
    plans = [a for a in actions if isinstance(a, Plan)]
    assert [i.status for i in plans[0].items] == ["in_progress", "pending", "pending", "pending"]
    assert [i.status for i in plans[-1].items] == ["completed"] * 4


def test_real_session() -> None:
    (found,) = read(READERS, DATA / "7b90ef441a-full.jsonl")
    assert found.model == "gemini-2.5-flash"
    assert len(agent_steps(found)) == 11
    assert sum(len(s.calls) for s in found.steps) == 9
    usage = agent_steps(found)[0].usage
    assert (usage.input, usage.cache_read, usage.output, usage.reasoning) == (9649, 2558, 258, 153)
    # The message whose count the program lost says so, and not 0.
    assert [s.usage is None for s in agent_steps(found)].count(True) == 1


def test_bundled_sessions_of_both_generations() -> None:
    (new,) = read(READERS, DATA / "cli-0.61-reckless.jsonl")
    assert totals(new) == {"input": 181766, "cached": 166208, "output": 555, "calls": 12, "steps": 13}
    (old,) = read(READERS, DATA / "cli-0.22-reckless.json")
    assert (totals(old)["calls"], totals(old)["steps"], old.usage_complete) == (12, 6, False)


def test_last_version_of_a_message_counts_wherever_it_stands(tmp_path: Path) -> None:
    tokens = {"input": 100, "output": 5, "cached": 40, "thoughts": 7, "total": 112}
    early = message("m1", 1, content="Looking.", tokens=tokens, model="gemini-2.5-pro")
    late = {**early, "toolCalls": [shell("c1", "Output: ok\nProcess Group PGID: 1")]}
    user = {"id": "u1", "timestamp": "2026-05-01T10:00:00.500Z", "type": "user", "content": [{"text": "Do it"}]}
    log = write(tmp_path / "a.jsonl", HEADER, user, early, {"$set": {"lastUpdated": "x"}}, late)
    (found,) = read(READERS, log)
    assert [s.role for s in found.steps] == ["user", "agent"]
    step = found.steps[1]
    assert (step.source.line, len(step.calls)) == (5, 1)
    assert (step.usage.input, step.usage.output) == (60, 12)
    # Shuffled: the version with its calls is kept all the same.
    (shuffled,) = read(READERS, write(tmp_path / "b.jsonl", HEADER, user, late, early))
    assert len(shuffled.steps[1].calls) == 1
    # Cut inside the last line: the version before it is still there.
    cut = log.read_bytes()[:-200]
    damaged_log = LogFile(None, content=cut)
    (shorter,) = read(READERS, damaged_log)
    assert shorter.steps[1].text == "Looking."
    assert [s.line for s in damaged_log.skipped] == [5]


def test_compression_and_patched_history(tmp_path: Path) -> None:
    call = shell("c1", "Output: ok")
    first = message("m1", 1, tokens={"input": 10, "output": 1}, toolCalls=[call])
    masked = {**first, "toolCalls": [{**call, "result": [{"text": "<tool_output_masked>"}]}]}
    summary = {"id": "s", "type": "user", "content": [{"text": "<state_snapshot>done so far</state_snapshot>"}]}
    thanks = {"id": "t", "type": "gemini", "content": [{"text": "Got it. Thanks for the additional context!"}]}
    repeat = {**first, "id": "other"}
    log = write(tmp_path / "a.jsonl", HEADER, first, {"$set": {"messages": [summary, thanks, masked, repeat]}})
    (found,) = read(READERS, log)
    assert [s.role for s in found.steps] == ["agent", "compaction", "agent"]
    result = found.steps[0].calls[0].result
    assert result.text == "Output: ok"
    assert found.steps[2].calls == []


@pytest.mark.parametrize(
    ("output", "status", "stdout"),
    [
        ("<untrusted_context>\nOutput: a\nExit Code: 3\nProcess Group PGID: 7\n</untrusted_context>", 3, "a"),
        (
            "Command: x\nDirectory: (root)\nOutput: a\nError: (none)\nExit Code: 0\nSignal: 0\nBackground PIDs: (none)",
            0,
            "a",
        ),
        ("Output: Exit Code: 9\nExit Code: 9\nmore\nProcess Group PGID: 7", None, "Exit Code: 9\nExit Code: 9\nmore"),
        ("Output: (empty)\nExit Code: 127", 127, ""),
        ("Output: x\nError: (none)\nExit Code: (none)\nSignal: 15", None, "x"),
        ("Output: Error: boom\nExit Code: 1\nProcess Group PGID: 3", 1, "Error: boom"),
    ],
)
def test_exit_status_and_output_of_the_shell_tool(tmp_path: Path, output: str, status: int | None, stdout: str) -> None:
    log = write(tmp_path / "a.jsonl", HEADER, message("m1", 1, toolCalls=[shell("c1", output)]))
    (found,) = read(READERS, log)
    result = found.steps[0].calls[0].result
    assert (result.exit_status, result.stdout, result.text) == (status, stdout, output)


def test_refused_cancelled_timed_out_and_background(tmp_path: Path) -> None:
    refused = "[Operation Cancelled] Reason: User did not allow tool call"
    calls = [
        shell("c1", refused, status="cancelled"),
        shell("c2", "Command was cancelled by user before it could complete. There was no output"),
        shell("c3", "Command was automatically cancelled because it exceeded the timeout of 5.0 minutes."),
        shell("c4", "Command moved to background (PID: 4711).", args={"command": "x", "is_background": True}),
        {"id": "c5", "name": "read_background_output", "args": {"pid": 4711}, "status": "success", "result": "hi"},
        {"id": "c6", "name": "replace", "args": {}, "status": "error", "result": None, "resultDisplay": "no match"},
        {"id": "c7", "name": "glob", "args": {"pattern": "*"}, "status": "executing"},
        shell("c8", 'Tool "run_shell_command" not found. Did you mean "replace"?', status="error"),
    ]
    note = {"id": "n", "type": "info", "content": "Request cancelled."}
    (found,) = read(READERS, write(tmp_path / "a.jsonl", HEADER, message("m1", 1, toolCalls=calls), note))
    results = [c.result for c in found.steps[0].calls]
    assert [r is not None and r.denied for r in results] == [True, *[False] * 7]
    assert (results[1].interrupted, results[2].timed_out) == (True, True)
    started = found.steps[0].calls[3].action
    assert (started.background, started.shell_id) == (True, "4711")
    polled, unknown = found.steps[0].calls[4].action, found.steps[0].calls[7].action
    assert (polled, unknown) == (ShellOutput(shell_id="4711"), Other(inert=True))
    assert (results[5].is_error, results[5].text) == (True, "no match")
    assert results[6] is None
    assert found.steps[-1].role == "interrupt"
    assert found.end == "interrupted"


@pytest.mark.parametrize(
    ("error", "end"),
    [("[API Error: 429 Too Many Requests]", "error"), ("external editor error: EPIPE", None)],
)
def test_only_an_error_of_the_model_ends_the_work(tmp_path: Path, error: str, end: str | None) -> None:
    messages = [message("m1", 1, type="user", content="Fix it"), message("m2", 2, content="Done.")]
    messages.append(message("m3", 3, type="error", content=error))
    (found,) = read(READERS, write(tmp_path / "session-a.json", json.dumps({**HEADER, "messages": messages}, indent=1)))
    assert found.end == end


def test_sub_agent_files_are_lanes_of_the_main_session(tmp_path: Path) -> None:
    given = {"agent_name": "investigator", "prompt": "Find the bug"}
    call = {"id": "c1", "name": "invoke_agent", "args": given, "agentId": "inv-1", "status": "success", "result": "x"}
    said = message("m1", 1, toolCalls=[call]), message("m2", 9, content="Thanks")
    main = write(tmp_path / "chats" / "session-2026-05-01-0d6cb7f5.jsonl", HEADER, *said)
    sub = write(
        tmp_path / "chats" / SESSION / "inv-1.jsonl",
        {**HEADER, "sessionId": "inv-1", "kind": "subagent"},
        {"id": "u", "type": "user", "content": [{"text": "Find the bug"}]},
        message("s1", 3, content="Reading", toolCalls=[shell("c1", "Output: x")]),
    )
    (found,) = read(READERS, main)
    assert [(s.role, s.lane) for s in found.steps] == [
        ("agent", "main"),
        ("harness", "inv-1"),
        ("agent", "inv-1"),
        ("agent", "main"),
    ]
    assert found.steps[2].source.file == str(sub)
    assert found.lanes["inv-1"].parent_call == "c1"
    action = found.steps[0].calls[0].action
    assert (action.prompt, action.lane) == ("Find the bug", "inv-1")
    reader = READERS[0]
    assert reader.owner(sub) == main
    assert reader.owner(main) == main


def test_a_session_of_notices_alone_has_no_steps(shared_data: Path) -> None:
    (found,) = read(READERS, shared_data / "sessions" / "gemini-chat" / "8947ba053f-full.jsonl")
    assert found.steps == []
    assert found.total_usage() is None


def test_results_without_call_and_foreign_lines_are_reported(tmp_path: Path) -> None:
    orphan = '{"id":"u","timestamp":"x","type":"user","content":[{"functionResponse":{"id":"gone","response":{}}}]}'
    lines = (HEADER, orphan, "[1]", "not json", {"odd": 1}, message("m", 1, content="hi"))
    log = LogFile(write(tmp_path / "a.jsonl", *lines))
    (found,) = read(READERS, log)
    assert [s.line for s in log.skipped] == [3, 4, 5, 2]
    assert [s.text for s in found.steps] == ["hi"]


def test_half_of_a_session_is_half_read() -> None:
    whole = (DATA / "cli-0.61-reckless.jsonl").read_bytes()
    assert survives(READERS, LogFile(None, content=whole[: len(whole) // 2])) > 5


def test_converted_sessions_without_hash_or_ids() -> None:
    user, info = {"type": "user", "content": "hi"}, {"type": "info", "content": "update"}
    call = {"id": "t", "name": "read_file", "args": {"path": "/a"}, "result": {"stdout": "text"}, "status": "success"}
    answer = {"type": "gemini", "content": "hello", "thoughts": ["hm"], "toolCalls": [call]}
    whole = json.dumps({"sessionId": "s", "messages": [user, answer, info]}, indent=2)
    lines = "\n".join(json.dumps(value) for value in ({"sessionId": "s"}, user, answer, info))
    for text in (whole, lines):
        (found,) = read(READERS, LogFile(None, content=text.encode()))
        assert [(s.role, s.text) for s in found.steps] == [("user", "hi"), ("agent", "hello")]
        assert found.steps[1].reasoning == "hm"
        assert found.steps[1].calls[0].result.text == "text"


def test_the_stream_of_a_command_in_the_background(tmp_path: Path) -> None:
    """What a later call reads is the output of the command that was started, as in the log that the program keeps."""

    def used(name: str, key: str, output: str, **parameters: Any) -> list[dict[str, Any]]:
        use = {"type": "tool_use", "tool_name": name, "tool_id": key, "parameters": parameters}
        return [use, {"type": "tool_result", "tool_id": key, "status": "success", "output": output}]

    moved = "Command moved to background (PID: 81). Output hidden. Press Ctrl+B to view."
    log = write(
        tmp_path / "stream.jsonl",
        {"type": "init", "timestamp": "2026-05-01T10:00:00.000Z", "session_id": SESSION, "model": "scripted"},
        *used("run_shell_command", "a", moved, command="python -m pytest -q", is_background=True),
        *used("read_background_output", "b", "Full Log Output:\n1 failed, 3 passed in 0.1s", pid=81),
        {"type": "result", "status": "success", "stats": {}},
    )
    (trajectory,) = read(READERS, log)
    (started,) = (c for s in trajectory.steps for c in s.calls if isinstance(c.action, Shell))
    assert (started.action.background, started.result.shell_id) == (True, "81")
    (run,) = (e for e in extract(trajectory).events if e.id == "e0")
    assert (run.outcome, run.passed, run.failed) == ("failed", 3, 1)


@pytest.mark.parametrize("ended", [True, False])
def test_the_totals_of_a_stream_are_those_of_all_its_runs(tmp_path: Path, ended: bool) -> None:
    init = {"type": "init", "timestamp": "2026-05-01T10:00:00.000Z", "session_id": SESSION, "model": "scripted"}
    said = {"type": "message", "role": "assistant", "content": "Done."}
    result = {"type": "result", "status": "success", "stats": {"input_tokens": 100, "output_tokens": 7}}
    log = write(tmp_path / "stream.jsonl", init, said, result, init, said, *[result] * ended)
    (trajectory,) = read(READERS, log)
    assert (trajectory.usage and trajectory.usage.input) == (200 if ended else None)


def test_what_a_script_writes_before_the_stream_is_no_request(tmp_path: Path) -> None:
    before = {"type": "message", "role": "user", "content": "Design: charts", "ts": "2026-05-01T09:59:00"}
    init = {"type": "init", "timestamp": "2026-05-01T10:00:00.000Z", "session_id": SESSION, "model": "scripted"}
    asked = {"type": "message", "timestamp": init["timestamp"], "role": "user", "content": "Build it."}
    (trajectory,) = read(READERS, write(tmp_path / "stream.jsonl", before, init, asked))
    assert [(s.role, s.text) for s in trajectory.steps] == [("harness", "Design: charts"), ("user", "Build it.")]
