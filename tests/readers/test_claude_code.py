"""Claude Code: persisted sessions (2.0 and 2.1), sub-agents wherever they are written, and the stream."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest
from log_checks import calls_of, totals, write

from rigorbench.session.logfile import LogFile
from rigorbench.session.model import Ask, Other, Shell, ShellOutput, Trajectory, Wait
from rigorbench.session.readers.claude_code import reader as claude_code
from rigorbench.session.registry import read_path
from rigorbench.session.usage import TokenUsage

DATA = Path(__file__).parents[1] / "data" / "claude-code"
PERSISTED, STREAM = claude_code.READERS
NEW = DATA / "cli-2.1.330" / "41db9b31-98d5-4ec0-b062-d3299dcd406d.jsonl"
NEW_AGENT = NEW.with_suffix("") / "subagents" / "agent-a9d2ca869e0afe37d.jsonl"
OLD = DATA / "cli-2.0.76" / "9f13a26d-41af-44de-9737-0e916953a25d.jsonl"
OLD_AGENT = OLD.with_name("agent-a43338b.jsonl")


def read(path: Path) -> Trajectory:
    (trajectory,) = PERSISTED.read(LogFile(path))
    return trajectory


def read_lines(*records: Any) -> Trajectory:
    content = b"\n".join(r if isinstance(r, bytes) else orjson.dumps(r) for r in records)
    log = LogFile(None, content=content)
    (trajectory,) = PERSISTED.read(log)
    trajectory.skipped = log.skipped
    return trajectory


def said(trajectory: Trajectory, role: str) -> list[str]:
    return [s.text for s in trajectory.steps if s.role == role]


# -- a few records, as the program writes them ---------------------------------------------------------------------


def user(content: Any, uuid: str, **more: Any) -> dict[str, Any]:
    record = {"parentUuid": None, "isSidechain": False, "cwd": "/repo", "sessionId": "s", "version": "2.1.0"}
    return {**record, "type": "user", "message": {"role": "user", "content": content}, "uuid": uuid, **more}


def agent(
    blocks: list[Any], message: str, uuid: str, *, output: int = 5, stop: str | None = None, **more: Any
) -> dict[str, Any]:
    usage = {"input_tokens": 1, "cache_read_input_tokens": 2, "cache_creation_input_tokens": 3, "output_tokens": output}
    body = {"id": message, "role": "assistant", "model": "claude-x", "content": blocks, "usage": usage}
    body["stop_reason"] = stop
    return {**user("", uuid), "type": "assistant", "message": body, **more}


def tool(identity: str, name: str, **given: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": identity, "name": name, "input": given}


def result(identity: str, content: Any, uuid: str, *, error: bool = False, **more: Any) -> dict[str, Any]:
    block = {"type": "tool_result", "tool_use_id": identity, "content": content, "is_error": error}
    return user([block], uuid, **more)


def tool_use_ids(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if value.get("type") == "tool_use" and isinstance(value.get("id"), str):
            yield value["id"]
        value = list(value.values())
    if isinstance(value, list):
        for inner in value:
            yield from tool_use_ids(inner)


def test_no_call_of_a_real_session_is_lost_or_counted_twice(shared_data: Path) -> None:
    paths = sorted((shared_data / "sessions" / "claude-code-jsonl").glob("*.jsonl"))
    assert len(paths) == 40
    only_in_progress = 0
    for path in paths:
        every = {i for _, value in LogFile(path).json_lines() for i in tool_use_ids(value)}
        trajectory = read(path)
        found = [c.id for s in trajectory.steps for c in s.calls]
        assert sorted(found) == sorted(every), path.name
        only_in_progress += sum(len(s.calls) for s in trajectory.steps if s.lane != "main")
    assert only_in_progress == 432


def test_a_session_is_known_however_it_begins() -> None:
    summaries = [{"type": "summary", "summary": f"Earlier {n}", "leafUuid": "x"} for n in range(60)]
    content = b"\n".join(map(orjson.dumps, [*summaries, user("go", "u1")]))
    assert PERSISTED.matches(LogFile(None, content=content))
    assert PERSISTED.matches(LogFile(None, content=orjson.dumps(user("x" * 300_000, "u1"))[:270_000]))
    assert not PERSISTED.matches(LogFile(None, content=b"\n".join(map(orjson.dumps, summaries))))


def test_a_message_over_several_lines_is_one_step_and_its_last_usage_counts() -> None:
    trajectory = read_lines(
        user("go", "u1"),
        agent([{"type": "thinking", "thinking": "hm"}], "m1", "a1", output=1),
        agent([tool("t1", "Bash", command="ls")], "m1", "a2", output=1),
        result("t1", "x", "r1"),
        agent([{"type": "text", "text": "then"}, tool("t2", "Bash", command="pwd")], "m1", "a3", output=40),
        result("t2", "y", "r2"),
    )
    (step,) = (s for s in trajectory.steps if s.role == "agent")
    assert (step.reasoning, step.text, [c.id for c in step.calls]) == ("hm", "then", ["t1", "t2"])
    assert step.usage == TokenUsage(1, 2, 3, 40, None)
    assert [c.source.line for c in step.calls] == [3, 5]


def test_results_of_a_real_run() -> None:
    trajectory = read(NEW)
    calls = {c.input.get("command", c.name): c for c in calls_of(trajectory).values()}
    failed = calls["echo to-stdout; echo to-stderr >&2; exit 3"].result
    assert (failed.exit_status, failed.is_error, failed.stdout) == (3, True, "to-stdout\nto-stderr")
    assert failed.text == "Exit code 3\nto-stdout\nto-stderr"
    quiet = calls["git status --short"].result
    assert (quiet.text, quiet.stdout, quiet.exit_status) == ("(Bash completed with no output)", "", None)
    assert quiet.time is not None
    refused = calls["Edit"].result
    assert refused.is_error
    assert refused.exit_status is None
    written = calls["Write"].action
    assert written.changes[0].operation == "create"
    assert trajectory.start_commit == "c8b9e9b"
    assert (trajectory.cwd, trajectory.branch, trajectory.agent_version) == ("/home/dev/repo", "main", "2.1.330")
    assert trajectory.started_at is not None
    assert trajectory.ended_at is not None
    assert trajectory.states_failure


def test_a_write_over_a_file_is_a_modification_and_keeps_what_it_replaced() -> None:
    outcome = {"type": "update", "filePath": "/repo/a", "originalFile": "old\n", "structuredPatch": []}
    trajectory = read_lines(
        agent([tool("t1", "Write", file_path="/repo/a", content="new")], "m1", "a1"),
        result("t1", "The file /repo/a has been updated.", "r1", toolUseResult=outcome),
    )
    action = calls_of(trajectory)["t1"].action
    (change,) = action.changes
    assert (change.operation, change.before, change.after) == ("modify", "old\n", "new")


def test_an_edit_the_user_changed_is_what_was_written() -> None:
    patch = [{"oldStart": 1, "lines": [" a", "-b", "+c by hand"]}]
    trajectory = read_lines(
        agent([tool("t1", "Edit", file_path="/repo/a", old_string="b", new_string="c")], "m1", "a1"),
        result("t1", "updated", "r1", toolUseResult={"userModified": True, "structuredPatch": patch}),
    )
    action = calls_of(trajectory)["t1"].action
    assert action.changes[0].hunks == [("a\nb", "a\nc by hand")]


def test_background_shells_are_followed() -> None:
    notice = (
        "<task-notification>\n<task-id>b1</task-id>\n<status>failed</status>\n"
        '<summary>Background command "t" failed with exit code 2</summary>\n</task-notification>'
    )
    begun = {"stdout": "", "backgroundTaskId": "b1"}
    done = {"task": {"task_id": "b2", "task_type": "local_bash", "output": "ok", "exitCode": 0}}
    helper = {"task": {"task_id": "a9", "task_type": "local_agent", "output": "report"}}
    trajectory = read_lines(
        agent([tool("t1", "Bash", command="pytest", run_in_background=True)], "m1", "a1"),
        result("t1", "Command running in background with ID: b1", "r1", toolUseResult=begun),
        user(notice, "n1"),
        agent([tool("t2", "Read", file_path="/tmp/x/tasks/b1.output")], "m2", "a2"),
        result("t2", "1 failed", "r2", toolUseResult={"type": "text", "file": {}}),
        agent([tool("t3", "TaskOutput", task_id="b2")], "m3", "a3"),
        result("t3", "<status>completed</status>", "r3", toolUseResult=done),
        agent([tool("t4", "BashOutput", bash_id="b3")], "m4", "a4"),
        result("t4", "<status>failed</status>\n\n<exit_code>7</exit_code>", "r4"),
        agent([tool("t5", "TaskOutput", task_id="a9")], "m5", "a5"),
        result("t5", "report", "r5", toolUseResult=helper),
    )
    calls = calls_of(trajectory)
    started = calls["t1"]
    assert started.action.background
    assert (started.result.shell_id, started.result.exit_status) == ("b1", 2)  # as the notification says
    for identity, shell, status in (("t2", "b1", 2), ("t3", "b2", 0), ("t4", "b3", 7)):
        assert (calls[identity].action, calls[identity].result.exit_status) == (ShellOutput(shell_id=shell), status)
    assert calls["t3"].result.stdout == "ok"
    assert calls["t5"].action == Wait("a9")
    assert said(trajectory, "harness") == [notice]


def test_timeouts_denials_and_interruptions() -> None:
    refusal = (
        "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, "
        "the new_string was NOT written to the file). To tell you how to proceed, the user said:\nuse a map"
    )
    made = [
        tool("t1", "Bash", command="sleep 9"),
        tool("t2", "Bash", command="rm x"),
        tool("t3", "Read", file_path="a"),
    ]
    trajectory = read_lines(
        agent(made, "m", "a"),
        result("t1", "Exit code 143\nCommand timed out after 2m 0.0s\npartly", "r1", error=True),
        result("t2", refusal, "r2", error=True, toolUseResult="Error: " + refusal),
        result("t3", "no", "r3", error=True, permissionDecision={"decision": "reject", "source": "user"}),
        user([{"type": "text", "text": "[Request interrupted by user for tool use]"}], "u1"),
    )
    calls = calls_of(trajectory)
    slow, denied, refused = (calls[i].result for i in ("t1", "t2", "t3"))
    assert (slow.timed_out, slow.interrupted, slow.exit_status) == (True, True, 143)
    assert (denied.denied, denied.exit_status, refused.denied) == (True, None, True)
    assert said(trajectory, "user") == ["use a map"]
    assert said(trajectory, "interrupt") == ["[Request interrupted by user for tool use]"]
    assert trajectory.end == "interrupted"


def test_todo_updates_carry_the_text_of_what_they_update() -> None:
    trajectory = read_lines(
        agent([tool("t1", "TaskCreate", subject="Write the test", description="d")], "m1", "a1"),
        result("t1", "Task #7 created: Write the test", "r1", toolUseResult={"task": {"id": "7", "subject": "x"}}),
        agent([tool("t2", "TaskCreate", subject="Fix", description="d")], "m2", "a2"),
        result("t2", "Task #8 created successfully: Fix", "r2"),
        agent([tool("t3", "TaskUpdate", taskId="7", status="in_progress")], "m3", "a3"),
        agent([tool("t4", "TaskUpdate", taskId="7", addBlockedBy=["8"])], "m4", "a4"),
        agent([tool("t5", "TaskUpdate", taskId="8", status="completed")], "m5", "a5"),
    )
    items = []
    for call in calls_of(trajectory).values():
        items += [(call.action.update, i.key, i.text, i.status) for i in call.action.items]
    assert items == [
        ("add", "7", "Write the test", "pending"),
        ("add", "8", "Fix", "pending"),
        ("update", "7", "Write the test", "in_progress"),
        ("update", "7", "Write the test", "in_progress"),
        ("update", "8", "Fix", "completed"),
    ]


def test_plan_mode_and_questions() -> None:
    outcome = {"plan": "# Plan\n- read\n- fix", "isAgent": False, "filePath": "/p.md"}
    asked = {"questions": [{"question": "Which?", "header": "H", "options": []}]}
    trajectory = read_lines(
        agent([tool("t1", "ExitPlanMode"), tool("t2", "AskUserQuestion", **asked)], "m1", "a1"),
        result("t1", "User has approved your plan.", "r1", toolUseResult=outcome),
        result("t2", 'User has answered: "Which?"="This"', "r2", toolUseResult={"answers": {"Which?": "This"}}),
    )
    calls = calls_of(trajectory)
    plan = calls["t1"].action
    assert (plan.mode, plan.text) == ("mode", outcome["plan"])
    assert [i.text for i in plan.items] == ["read", "fix"]
    assert calls["t2"].action == Ask("Which?")
    answer = calls["t2"].result
    assert '"This"' in answer.text


def test_a_call_run_elsewhere_says_where() -> None:
    trajectory = read_lines(
        user("go", "u1"),
        agent([tool("t1", "Bash", command="ls"), tool("t2", "Bash", command="ls", cwd="/given")], "m1", "a1"),
        agent([tool("t3", "Bash", command="ls")], "m2", "a2", cwd="/repo/sub"),
    )
    actions = [c.action for c in calls_of(trajectory).values()]
    assert [a.cwd for a in actions if isinstance(a, Shell)] == [None, "/given", "/repo/sub"]


def test_words_of_humans_and_of_the_harness() -> None:
    command = "<command-message>fix</command-message>\n<command-name>/fix</command-name>"
    command += "\n<command-args>the parser</command-args>"
    trajectory = read_lines(
        {"type": "summary", "summary": "Earlier", "leafUuid": "x"},
        user("<local-command-caveat>Caveat: no</local-command-caveat>", "u1", isMeta=True),
        user("<command-name>/model</command-name>", "u2"),
        user("<local-command-stdout>ok</local-command-stdout>", "u3"),
        user(command, "u4"),
        user([{"type": "text", "text": "Skill text"}], "u5", isMeta=True),
        user(
            [{"type": "text", "text": "<ide_opened_file>a</ide_opened_file>"}, {"type": "text", "text": "Do it."}], "u6"
        ),
        user("<task-notification>done</task-notification>", "u7", origin={"kind": "task-notification"}),
        user("carry on", "u8", origin={"kind": "human"}),
        user("peer text", "u9", origin={"kind": "peer"}),
        agent([{"type": "text", "text": "API Error: 500"}], "m1", "a1", isApiErrorMessage=True),
        agent([{"type": "text", "text": "done"}], "m2", "a2"),
    )
    assert said(trajectory, "user") == ["/fix the parser", "Do it.", "carry on"]
    assert len(said(trajectory, "harness")) == 8
    assert said(trajectory, "agent") == ["done"]
    assert trajectory.model == "claude-x"


def test_what_was_typed_while_the_agent_worked_is_kept() -> None:
    queued = {"type": "queued_command", "prompt": "and the docs", "commandMode": "prompt"}
    trajectory = read_lines(
        user("go", "u1"),
        {"type": "queue-operation", "operation": "enqueue", "content": "rebase first", "sessionId": "s"},
        {"type": "queue-operation", "operation": "enqueue", "content": "/model", "sessionId": "s"},
        {"type": "queue-operation", "operation": "enqueue", "content": "next task", "sessionId": "s"},
        {"type": "queue-operation", "operation": "remove", "sessionId": "s"},
        {"type": "queue-operation", "operation": "remove", "sessionId": "s"},
        {"type": "queue-operation", "operation": "dequeue", "sessionId": "s"},
        user("next task", "u2"),
        {**user("", "q1"), "type": "attachment", "attachment": queued},
        {**user("", "q2"), "type": "attachment", "attachment": {**queued, "commandMode": "task", "prompt": "n"}},
        {**user("", "q3"), "type": "attachment", "attachment": {**queued, "prompt": "rebase first"}},
    )
    assert said(trajectory, "user") == ["go", "rebase first", "next task", "and the docs"]
    assert said(trajectory, "harness") == ["/model", "n"]


def test_a_compaction_is_one_step_with_its_summary() -> None:
    boundary = {**user("", "b1"), "type": "system", "subtype": "compact_boundary", "content": "Conversation compacted"}
    summary = user("This session is being continued from a previous conversation. Sum.", "u1", isCompactSummary=True)
    trajectory = read_lines(user("go", "u0"), boundary, {**summary, "parentUuid": "b1"})
    assert said(trajectory, "compaction") == [summary["message"]["content"]]


def test_what_a_resumed_session_writes_again_is_read_once() -> None:
    call = [tool("t1", "Bash", command="ls")]
    first, again = user("go", "u1"), [user(["<ide_opened_file>x.py"], "u2"), user("go", "u3"), agent(call, "m1", "a2")]
    resumed = [{**line, "timestamp": "2026-01-01T10:05:00Z"} for line in again]
    trajectory = read_lines(first, agent(call, "m1", "a1"), *resumed, user("and now?", "u4"))
    assert said(trajectory, "user") == ["go", "and now?"]


def test_how_a_session_ends() -> None:
    text = [{"type": "text", "text": "All done."}]
    limit = agent([{"type": "text", "text": "You've hit your session limit"}], "m2", "a2")
    limit["message"]["model"] = "<synthetic>"
    assert read_lines(agent(text, "m1", "a1")).end == "completed"
    assert read_lines(agent(text, "m1", "a1"), limit).end == "limit"
    assert read_lines(agent([tool("t1", "Bash", command="ls")], "m1", "a1")).end is None
    assert read_lines(agent(text, "m1", "a1"), user("[Request interrupted by user]", "u")).end == "interrupted"


def test_a_sub_agent_that_never_ran_touched_nothing() -> None:
    failed = {"status": "completed", "totalTokens": 0, "totalToolUseCount": 0}
    answered = user(
        [{"type": "tool_result", "tool_use_id": "t1", "content": "API Error: 400"}], "u2", toolUseResult=failed
    )
    trajectory = read_lines(user("go", "u1"), agent([tool("t1", "Task", prompt="Look.")], "m1", "a1"), answered)
    assert next(iter(calls_of(trajectory).values())).action == Other("Look.", inert=True)


def test_a_log_that_begins_with_a_picture_is_one(tmp_path: Path) -> None:
    """Detection looks at the first 256 KiB, and the first message of a user is longer."""
    queue = {"type": "queue-operation", "operation": "enqueue", "sessionId": "s"}
    picture = {"type": "image", "source": {"type": "base64", "data": "A" * 300_000}}
    first = {"parentUuid": None, "isSidechain": False, **user([picture, {"type": "text", "text": "Look"}], "u1")}
    path = tmp_path / "s.jsonl"
    path.write_text("\n".join(json.dumps(line, separators=(",", ":")) for line in (queue, first)))
    assert claude_code.ClaudeCodeReader().matches(LogFile(path))


def test_sub_agents_with_files_of_their_own() -> None:
    trajectory = read(NEW)
    lane = trajectory.lanes["a9d2ca869e0afe37d"]
    assert (lane.parent, lane.agent_type) == ("main", "general-purpose")
    spawn = calls_of(trajectory)[lane.parent_call or ""].action
    assert spawn.lane == lane.id
    assert spawn.prompt == lane.prompt
    theirs = [s for s in trajectory.steps if s.lane == lane.id]
    assert [s.role for s in theirs] == ["harness", "agent", "agent"]
    assert {s.source.file for s in theirs} == {str(NEW_AGENT)}
    positions = [i for i, s in enumerate(trajectory.steps) if s.lane == lane.id]
    parent = next(i for i, s in enumerate(trajectory.steps) if any(c.id == lane.parent_call for c in s.calls))
    assert positions[0] > parent
    assert positions[-1] < len(trajectory.steps) - 1


@pytest.mark.parametrize("streamed", [False, True])
def test_a_session_on_the_web_is_one_document(tmp_path: Path, streamed: bool) -> None:
    calls = [agent([tool("t1", "Bash", command="make")], "m1", "b"), result("t1", "Exit code 2\nno", "c", error=True)]
    lines: list[dict[str, Any]] = [user("Build it", "a"), *calls]
    if streamed:
        lines = [{**line, "session_id": "web", "parent_tool_use_id": None} for line in lines]
        lines = [{k: v for k, v in line.items() if k != "sessionId"} for line in lines]
    path = tmp_path / "session.json"
    path.write_text(json.dumps({"data" if streamed else "loglines": lines, "has_more": False}))
    (trajectory,) = read_path(path)
    assert trajectory.format == ("claude-code-stream" if streamed else "claude-code")
    assert [step.role for step in trajectory.steps] == ["user", "agent"]
    assert calls_of(trajectory)["t1"].result.exit_status == 2


def test_lines_of_a_type_that_nobody_knows_are_told_once() -> None:
    named = {"type": "new-kind", "sessionId": "s", "message": {}}
    trajectory = read_lines(user("go", "a"), {"type": "mode"}, named, named, {"type": "other-kind"})
    assert [(s.reason.split("'")[1], s.lost) for s in trajectory.skipped] == [("new-kind", True), ("other-kind", False)]


def test_an_output_that_was_saved_beside_the_log_is_read(tmp_path: Path) -> None:
    def saved(name: str) -> Any:
        there = f"/home/dev/.claude/projects/-work/s/{name}"
        shown = f"<persisted-output>\nOutput too large (92KB). Full output saved to: {there}\n\nPreview:\n1 PASSED"
        lines = user("go", "a"), agent([tool("t1", "Bash", command="pytest -v")], "m1", "b"), result("t1", shown, "c")
        (trajectory,) = read_path(write(tmp_path / "s.jsonl", *lines))
        return calls_of(trajectory)["t1"].result

    (tmp_path / "s" / "tool-results").mkdir(parents=True)
    (tmp_path / "s" / "tool-results" / "t1.txt").write_text("1 PASSED\n2 FAILED\n")
    (tmp_path / "secret.txt").write_text("no")
    found = saved("tool-results/t1.txt")
    assert (found.stdout, found.truncated, found.text[:8]) == ("1 PASSED\n2 FAILED\n", False, "<persist")
    for other in ("tool-results/gone.txt", "tool-results/../../secret.txt", "elsewhere/t1.txt"):
        assert (saved(other).stdout, saved(other).truncated) == (None, True)


def test_the_owner_of_a_sub_agents_log(tmp_path: Path) -> None:
    assert PERSISTED.owner(NEW) == NEW
    assert PERSISTED.owner(NEW_AGENT) == NEW
    assert PERSISTED.owner(OLD_AGENT) == OLD
    beside = read(OLD)
    assert beside.lanes["a43338b"].prompt == "Warmup"
    assert [s.role for s in beside.steps if s.lane == "a43338b"] == ["harness", "agent"]
    alone = Path(shutil.copy(OLD_AGENT, tmp_path))
    assert PERSISTED.owner(alone) == alone
    trajectory = read(alone)
    assert list(trajectory.lanes) == ["main"]
    assert {s.lane for s in trajectory.steps} == {"main"}
    assert trajectory.id == "9f13a26d-41af-44de-9737-0e916953a25d/agent-a43338b"
    copied = tmp_path / "agent-acompact-1.jsonl"  # up to a compaction
    copied.write_text(OLD_AGENT.read_text("utf-8").replace("a43338b", "acompact-1"), "utf-8")
    assert (trajectory.complete, read(copied).complete) == (None, False)


def progress(message: dict[str, Any], agent_id: str, call: str) -> dict[str, Any]:
    inner = {**{k: message[k] for k in ("type", "message", "uuid")}, "timestamp": "2026-01-01T00:00:01Z"}
    data = {"type": "agent_progress", "message": inner, "prompt": "look", "agentId": agent_id}
    return {**user("", "p" + message["uuid"]), "type": "progress", "data": data, "parentToolUseID": call}


def test_a_sub_agent_seen_in_progress_lines_and_in_its_file_is_counted_once(tmp_path: Path) -> None:
    inside = agent([tool("t2", "Bash", command="ls")], "m2", "x1", stop="tool_use", isSidechain=True, agentId="ag1")
    answer = result("t2", "files", "x2", isSidechain=True, agentId="ag1")
    closing = agent([{"type": "text", "text": "found"}], "m3", "x3", stop="end_turn", isSidechain=True, agentId="ag1")
    main = [
        agent([tool("t1", "Task", prompt="look", subagent_type="Explore")], "m1", "a1", stop="tool_use"),
        progress(inside, "ag1", "t1"),
        progress(answer, "ag1", "t1"),
        result(
            "t1", [{"type": "text", "text": "found"}], "r1", toolUseResult={"agentId": "ag1", "totalDurationMs": 1500}
        ),
    ]
    alone = read_lines(*main)
    path = tmp_path / "s.jsonl"
    path.write_bytes(b"\n".join(map(orjson.dumps, main)))
    (tmp_path / "s" / "subagents").mkdir(parents=True)
    beside = [user("look", "x0", isSidechain=True, agentId="ag1"), inside, answer, closing]
    (tmp_path / "s" / "subagents" / "agent-ag1.jsonl").write_bytes(b"\n".join(map(orjson.dumps, beside)))
    both = read(path)
    for trajectory in (alone, both):
        assert list(calls_of(trajectory)) == ["t1", "t2"]
        lane = trajectory.lanes["ag1"]
        assert (lane.parent_call, lane.agent_type, lane.prompt) == ("t1", "Explore", "look")
        ls = calls_of(trajectory)["t2"].result
        assert ls.text == "files"
        spawn = calls_of(trajectory)["t1"]
        assert spawn.action.lane == "ag1"
        assert spawn.result.duration == 1.5
        assert trajectory.usage_complete
    assert (totals(alone)["output"], totals(both)["output"]) == (10, 15)
    (without,) = read_path(write(tmp_path / "alone" / "t.jsonl", main[0], main[-1]))
    assert (without.usage_complete, list(without.lanes)) == (False, ["main"])


def test_a_count_made_before_an_answer_ended_is_no_total() -> None:
    began = agent([{"type": "text", "text": "I look first."}], "m1", "a1")
    ended = agent([tool("t1", "Bash", command="ls")], "m1", "a2", stop="tool_use")
    assert not read_lines(began).usage_complete
    assert read_lines(began, ended).usage_complete  # the line of the last block says it of the message


def test_side_chains_within_a_session_are_told_apart_by_their_roots() -> None:
    def side(record: dict[str, Any], parent: str | None) -> dict[str, Any]:
        return {**record, "isSidechain": True, "parentUuid": parent}

    trajectory = read_lines(
        agent([tool("t1", "Task", prompt="one"), tool("t2", "Task", prompt="two")], "m1", "a1"),
        side(user("one", "one-root"), None),
        side(user("two", "two-root"), None),
        side(agent([tool("t3", "Bash", command="ls")], "m2", "b1"), "one-root"),
        side(agent([tool("t4", "Bash", command="pwd")], "m3", "c1"), "two-root"),
        side(result("t3", "x", "b2"), "b1"),
        side(agent([{"type": "text", "text": "end"}], "m4", "b3"), "b2"),
    )
    lanes = {lane.parent_call: lane.id for lane in trajectory.lanes.values() if lane.parent_call}
    assert set(lanes) == {"t1", "t2"}
    roles = [(s.lane == lanes["t1"], s.role) for s in trajectory.steps if s.lane != "main"]
    assert roles == [(True, "harness"), (False, "harness"), (True, "agent"), (False, "agent"), (True, "agent")]


def test_the_stream_of_a_run_with_a_sub_agent() -> None:
    (trajectory,) = STREAM.read(LogFile(NEW.with_name("stdout.jsonl")))
    assert trajectory.extra["total_cost_usd"] == pytest.approx(0.22497165)  # of the last result: they count up
    persisted = read(NEW)
    assert set(calls_of(trajectory)) == set(calls_of(persisted))
    lane = trajectory.lanes["a9d2ca869e0afe37d"]
    assert lane.parent_call == persisted.lanes[lane.id].parent_call
    # What a step put out is only known in sum here: the lines have the count at the beginning of the message.
    assert {s.usage.output for s in trajectory.steps if s.usage is not None} == {None}
    total = persisted.total_usage()
    assert trajectory.usage == TokenUsage(total.input, total.cache_read, total.cache_write, total.output)
    for identity, call in calls_of(trajectory).items():
        theirs = calls_of(persisted)[identity].result
        assert (call.result.text, call.result.exit_status) == (theirs.text, theirs.exit_status)


def test_the_stream_as_one_array_and_its_end_states(tmp_path: Path) -> None:
    init = {"type": "system", "subtype": "init", "session_id": "s", "cwd": "/r", "claude_code_version": "2.0.1"}
    step = {**agent([tool("t1", "Bash", command="ls")], "m1", "a1"), "session_id": "s", "parent_tool_use_id": None}
    back = {"type": "user", "session_id": "s", "uuid": "r1", "parent_tool_use_id": None}
    back["message"] = result("t1", "no", "r", error=True)["message"]
    last = {"type": "result", "subtype": "error_max_turns", "permission_denials": [{"tool_use_id": "t1"}]}
    path = tmp_path / "execution.json"
    path.write_text(json.dumps([init, step, back, last], indent=2))
    log = LogFile(path)
    assert STREAM.matches(log)
    assert not PERSISTED.matches(log)
    (trajectory,) = STREAM.read(log)
    assert (trajectory.end, trajectory.agent_version, trajectory.cwd) == ("limit", "2.0.1", "/r")
    denied = calls_of(trajectory)["t1"].result
    assert denied.denied


def summary(trajectory: Trajectory) -> tuple[Any, ...]:
    calls = {c.id: c.result.text if c.result is not None else None for c in calls_of(trajectory).values()}
    return calls, trajectory.total_usage(), sorted(s.text for s in trajectory.steps if s.role == "user")


@pytest.mark.parametrize("path", [DATA / "e18b5815c7-full.jsonl", OLD])
def test_order_and_repetition_of_lines_change_nothing_that_counts(path: Path, tmp_path: Path) -> None:
    lines = path.read_bytes().splitlines()
    expected = summary(read_lines(*lines))
    for seed in range(5):
        shuffled = lines * 2
        random.Random(seed).shuffle(shuffled)
        assert summary(read_lines(*shuffled)) == expected


def test_a_field_of_the_wrong_type_does_not_lose_the_line() -> None:
    odd = agent(
        [tool("t1", "Bash", command="ls"), "a string", {"type": 7, "text": "x"}], "m1", "a1", timestamp=17, cwd=["x"]
    )
    odd["message"]["usage"]["input_tokens"] = "many"
    back = result("t1", [{"type": "text", "text": "a"}, 5], "r1", toolUseResult={"stdout": 4, "stderr": "e"})
    trajectory = read_lines(odd, back)
    call = calls_of(trajectory)["t1"]
    assert (call.result.text, call.result.stdout) == ("a", "e")
    (step,) = (s for s in trajectory.steps if s.role == "agent")
    assert step.usage == TokenUsage(None, 2, 3, 5, None)


def test_a_result_without_its_call_is_reported() -> None:
    trajectory = read_lines(user("go", "u1"), result("nobody", "x", "r1"))
    assert [(s.line, "nobody" in s.reason) for s in trajectory.skipped] == [(2, True)]
