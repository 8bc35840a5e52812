"""Codex CLI: rollouts of five generations, sub-agents, forks, and both streams of ``codex exec --json``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from log_checks import agent_steps, calls_of, read, write

from rigorbench.session.logfile import LogFile
from rigorbench.session.model import (
    MAIN_LANE,
    Ask,
    Edit,
    FileChange,
    Lane,
    Plan,
    PlanItem,
    Shell,
    ShellOutput,
    Spawn,
    Trajectory,
    Wait,
)
from rigorbench.session.readers.codex.reader import READERS
from rigorbench.session.readers.codex.records import diff_hunks, recorded_changes
from rigorbench.session.usage import TokenUsage

DATA = Path(__file__).parents[1] / "data" / "codex"
NEW = DATA / "rollout-2026-11-21T21-12-55-01a1fff4-7e60-7981-99da-511709367f85.jsonl"
OLD = DATA / "rollout-2026-11-21T21-05-02-01a1ffed-4489-7083-a1d9-7ce1928c35f0.jsonl"
THREAD = "019a0000-0000-7000-8000-000000000001"


def record(second: float, kind: str, **payload: Any) -> dict[str, Any]:
    outer, _, inner = kind.partition("/")
    body = {"type": inner, **payload} if inner else payload
    minute, rest = divmod(second, 60)
    return {"timestamp": f"2026-03-01T10:{int(minute):02}:{rest:06.3f}Z", "type": outer, "payload": body}


def meta(thread: str = THREAD, **more: Any) -> dict[str, Any]:
    start = "2026-03-01T10:00:00.000Z"
    return record(0, "session_meta", id=thread, timestamp=start, cwd="/repo", cli_version="0.120.0", **more)


def said(second: float, role: str, text: str) -> dict[str, Any]:
    kind = "output_text" if role == "assistant" else "input_text"
    return record(second, "response_item/message", role=role, content=[{"type": kind, "text": text}])


def called(second: float, call_id: str, name: str, **arguments: Any) -> dict[str, Any]:
    return record(second, "response_item/function_call", name=name, arguments=json.dumps(arguments), call_id=call_id)


def returned(second: float, call_id: str, output: Any) -> dict[str, Any]:
    return record(second, "response_item/function_call_output", call_id=call_id, output=output)


def counted(second: float, total: int, last: int) -> dict[str, Any]:
    def tokens(count: int) -> dict[str, int]:
        return {"input_tokens": count, "cached_input_tokens": 0, "output_tokens": 1, "total_tokens": count + 1}

    info = {"total_token_usage": tokens(total), "last_token_usage": tokens(last)}
    return record(second, "event_msg/token_count", info=info, rate_limits=None)


def rollout(path: Path, *records: Any) -> Trajectory:
    """Written as Codex writes it, without spaces, so that the lines take the fast way."""
    lines = [r if isinstance(r, str) else json.dumps(r, separators=(",", ":")) for r in records]
    (trajectory,) = read(READERS, write(path, *lines))
    return trajectory


# Real logs


def test_the_generation_of_0_169() -> None:
    (trajectory,) = read(READERS, NEW)
    assert (trajectory.format, trajectory.agent, trajectory.agent_version) == ("codex", "codex", "0.169.0")
    assert (trajectory.id, trajectory.model) == ("01a1fff4-7e60-7981-99da-511709367f85", "gpt-5.5")
    assert (trajectory.cwd, trajectory.branch, trajectory.end) == ("/home/dev/repo", "main", "completed")
    assert len(trajectory.start_commit) == 40
    assert trajectory.started_at is not None
    assert trajectory.ended_at is not None
    assert 0 < trajectory.ended_at - trajectory.started_at < 60
    assert trajectory.skipped == []
    users = [step for step in trajectory.steps if step.role == "user"]
    assert [step.text[:24] for step in users] == ["The test suite of this p"]
    assert all(step.source.file == str(NEW) and step.source.line for step in trajectory.steps)
    commands = [call for call in calls_of(trajectory).values() if isinstance(call.action, Shell)]
    assert [call.result.exit_status for call in commands if call.result] == [0, 127, 127, 127, 0, 0, 127, 0]
    first = commands[1].result
    assert first.text.startswith("Chunk ID: ")
    assert first.stdout == "/bin/bash: line 1: python: command not found\n"
    assert first.source.line != commands[1].source.line
    edits = [call for call in calls_of(trajectory).values() if isinstance(call.action, Edit)]
    assert [call.result.is_error for call in edits if call.result] == [False] * 4
    change = edits[0].action
    # The recorded change has its surroundings, which the patch text has not.
    assert change.changes[0].path == "/home/dev/repo/slotkit/duration.py"
    assert change.changes[0].hunks[0][0].startswith('    """Return the number')


def test_the_generation_of_0_77() -> None:
    (trajectory,) = read(READERS, OLD)
    assert (trajectory.agent_version, trajectory.model, trajectory.end) == ("0.77.0", "gpt-5.1-codex", None)
    commands = [call for call in calls_of(trajectory).values() if isinstance(call.action, Shell)]
    assert [call.result.exit_status for call in commands if call.result] == [0, 127, 127, 127, 0, 0, 127, 0]
    edits = [call for call in calls_of(trajectory).values() if isinstance(call.action, Edit)]
    assert [call.result.exit_status for call in edits if call.result] == [0] * 4
    result = edits[0].result
    assert result.text.startswith('{"output":')
    assert result.stdout == "Success. Updated the following files:\nM slotkit/duration.py\n"


# Older generations, from the public descriptions of them


def test_bare_lines_without_envelope() -> None:
    (trajectory,) = read(READERS, DATA / "bare-2025-08.jsonl")
    assert (trajectory.id, trajectory.branch) == ("c3c4b301-27c8-4c70-b6e4-46b99fdf0236", "main")
    assert trajectory.cwd == "/home/dev/repo"
    assert trajectory.started_at == 1755479773.522
    assert trajectory.skipped == []
    assert [(s.role, s.source.line) for s in trajectory.steps] == [
        ("harness", 3), ("user", 4), ("agent", 5), ("agent", 10), ("agent", 12), ("agent", 14),
    ]  # fmt: skip
    calls = calls_of(trajectory)
    assert calls["call_1"].action == Shell("pytest -q", "/home/dev/repo")
    assert calls["call_2"].action == Edit([FileChange("calc.py", hunks=[("    return a - b", "    return a + b")])])
    assert calls["call_3"].action == Shell("pytest -q", "/home/dev/repo")
    assert [call.result.exit_status for call in calls.values() if call.result] == [1, 0, 0]
    first = calls["call_1"].result
    assert (first.stdout, first.duration) == ("1 failed, 2 passed in 0.10s\n", 1.4)


def test_one_document() -> None:
    (trajectory,) = read(READERS, DATA / "document-2025-05.json")
    assert trajectory.id == "5556f03d-348c-4463-987c-053ccd0b1df5"
    assert [step.role for step in trajectory.steps] == ["user", "agent", "agent"]
    assert calls_of(trajectory)["call_1"].action == Shell("ls -la")


def test_usage_before_the_items_and_facts_from_events() -> None:
    (trajectory,) = read(READERS, DATA / "rollout-2025-10-extended.jsonl")
    assert [(step.text, step.usage) for step in agent_steps(trajectory)] == [
        ("", TokenUsage(600, 400, None, 50, 20)),
        ("", TokenUsage(300, 1000, None, 60, 0)),
        ("Fixed.", TokenUsage(300, 1200, None, 30, 0)),
    ]
    roles = [(step.role, step.text) for step in trajectory.steps if step.role != "agent"]
    assert roles[0][0] == "harness"
    assert roles[0][1].endswith("- calc.py\n\n")
    assert roles[1:] == [
        ("user", "Fix add() in calc.py"),
        ("interrupt", "turn aborted: interrupted"),
        ("harness", "thread rolled back by 1 turn(s)"),
        ("user", "Go on."),
    ]
    assert trajectory.end is None
    calls = calls_of(trajectory)
    tested = calls["call_1"].result
    assert (tested.exit_status, tested.duration, tested.truncated) == (1, 1.5, True)
    assert tested.stdout == "1 failed\nwarning: slow\n"
    assert tested.text.startswith("Total output lines: 900")
    before, after = "def add(a, b):\n    return a - b", "def add(a, b):\n    return a + b"
    assert calls["call_2"].action == Edit([FileChange("/home/dev/repo/calc.py", hunks=[(before, after)])])
    assert calls["call_2"].result.is_error is False


# Usage


TOKENS = {"input_tokens": 10, "cached_input_tokens": 4, "output_tokens": 2, "total_tokens": 12}
SAME = {"total_token_usage": dict(reversed(TOKENS.items())), "last_token_usage": TOKENS}


def grown(second: float, count: int) -> dict[str, Any]:
    info = {"total_token_usage": {"input_tokens": count, "output_tokens": count // 10}}
    return record(second, "event_msg/token_count", info=info)


@pytest.mark.parametrize(
    ("records", "expected"),
    [
        (
            [called(2, "c1", "exec_command", cmd="true"), returned(3, "c1", "ok"), counted(3.1, 10, 10),
             said(4, "assistant", "done"), counted(4.1, 30, 20)],
            [("", 10), ("done", 20)],
        ),
        (
            [record(0.5, "event_msg/token_count", info=None, rate_limits={}), said(1, "assistant", "one"),
             counted(1.1, 10, 10), counted(1.2, 10, 10), record(2, "compacted", message="what happened"),
             counted(2.1, 17, 7), said(3, "assistant", "two"), counted(3.1, 20, 3)],
            [("one", 10), ("what happened", 7), ("two", 3)],
        ),
        (
            [said(1, "assistant", "one"), counted(1.1, 10, 10), counted(1.5, 15, 5), said(2, "assistant", "two"),
             counted(2.1, 18, 3)],
            [("one", 10), ("", 5), ("two", 3)],
        ),
        (
            [said(1, "assistant", "one"), grown(1.1, 100), said(2, "assistant", "two"), grown(2.1, 250)],
            [("one", 100), ("two", 150)],
        ),
        (
            [said(1, "assistant", "one"),
             record(1.1, "token_usage_record", response_id="r", usage=TOKENS, thread_token_usage=TOKENS),
             record(1.2, "event_msg/token_count", info=SAME)],
            [("one", 6)],
        ),
    ],
    ids=["after the results", "repeated, and of a compaction", "of a call that left no items", "only totals", "twice"],
)  # fmt: skip
def test_which_answer_a_count_belongs_to(tmp_path: Path, records: list[Any], expected: list[tuple[str, int]]) -> None:
    trajectory = rollout(tmp_path / "a.jsonl", meta(), *records)
    assert [(step.text, step.usage and step.usage.input) for step in trajectory.steps] == expected


# Calls and results


def test_a_command_that_goes_on_is_told_by_later_calls(tmp_path: Path) -> None:
    running = "Chunk ID: 1\nWall time: 1.0000 seconds\nProcess running with session ID 7\nOutput:\nstarting\n"
    ended = "Chunk ID: 2\nWall time: 3.0 seconds\nProcess exited with code 1\nOutput:\n1 failed\n"
    item = {"type": "CommandExecution", "id": "c1", "exit_code": 1, "aggregated_output": "starting\n1 failed\n"}
    trajectory = rollout(
        tmp_path / "a.jsonl",
        meta(),
        called(1, "c1", "exec_command", cmd="pytest", workdir="/repo/sub", yield_time_ms=1000),
        returned(2, "c1", running),
        called(3, "c2", "write_stdin", session_id=7, chars=""),
        record(4, "event_msg/item_completed", item=item),
        returned(4, "c2", ended),
    )
    calls = calls_of(trajectory)
    started, polled = calls["c1"].result, calls["c2"].result
    # The agent waits for it, and the record of the execution states how it ended.
    assert calls["c1"].action == Shell("pytest", "/repo/sub", shell_id="7")
    assert calls["c2"].action == ShellOutput("7")
    assert (started.exit_status, started.stdout, started.shell_id) == (1, "starting\n1 failed\n", "7")
    assert (polled.exit_status, polled.stdout, polled.shell_id, polled.duration) == (1, "1 failed\n", None, 3.0)


def test_results_that_say_how_they_failed(tmp_path: Path) -> None:
    outputs = {
        "patch": "apply_patch verification failed: Failed to find expected lines in calc.py",
        "refused": "exec command rejected by user",
        "stopped": "aborted by user after 12.3s",
        "late": "Exit code: 124\nWall time: 10 seconds\nOutput:\ncommand timed out after 10000 milliseconds\n",
        "parse": "failed to parse function arguments: missing field `cmd`",
        "cut": "Exit code: 0\nWall time: 0 seconds\nOutput:\nabc…1234 tokens truncated…xyz",
        "quoted": "see: Exit code: 3",
    }
    patch = "*** Begin Patch\n*** Update File: calc.py\n@@\n-a\n+b\n*** End Patch"
    records: list[Any] = [meta()]
    for second, (name, output) in enumerate(outputs.items()):
        if name == "patch":
            records.append(
                record(second, "response_item/custom_tool_call", name="apply_patch", call_id=name, input=patch)
            )
        else:
            records.append(called(second, name, "shell_command", command="make"))
        records.append(returned(second, name, output))
    results = {key: call.result for key, call in calls_of(rollout(tmp_path / "a.jsonl", *records)).items()}
    assert all(result is not None for result in results.values())
    found = {
        k: (r.exit_status, r.is_error, r.denied, r.interrupted, r.timed_out, r.truncated)
        for k, r in results.items()
        if r
    }
    assert found == {
        "patch": (None, True, False, False, False, False),
        "refused": (None, None, True, False, False, False),
        "stopped": (None, None, False, True, False, False),
        "late": (124, None, False, False, True, False),
        "parse": (None, True, False, False, False, False),
        "cut": (0, None, False, False, False, True),
        "quoted": (None, None, False, False, False, False),
    }


def test_a_refused_patch_keeps_what_it_asked_for(tmp_path: Path) -> None:
    patch = "*** Begin Patch\n*** Add File: a.txt\n+hi\n*** End Patch"
    trajectory = rollout(
        tmp_path / "a.jsonl",
        meta(),
        record(1, "response_item/custom_tool_call", name="apply_patch", call_id="c1", input=patch),
        record(2, "event_msg/patch_apply_end", call_id="c1", success=False, status="declined", changes={}),
        returned(2, "c1", "patch rejected by user"),
    )
    call = calls_of(trajectory)["c1"]
    assert call.action == Edit([FileChange("a.txt", "create", after="hi\n")])
    assert (call.result.is_error, call.result.denied) == (True, True)


def test_calls_made_from_inside_a_script_are_found(tmp_path: Path) -> None:
    ran = {"type": "CommandExecution", "id": "x1", "command": ["/bin/bash", "-lc", "pytest"], "exit_code": 1}
    own = {"type": "CommandExecution", "id": "u1", "command": ["ls"], "source": "userShell", "exit_code": 0}
    added = {"/repo/a.txt": {"type": "add", "content": "hi\n"}}
    trajectory = rollout(
        tmp_path / "a.jsonl",
        meta(),
        record(1, "response_item/custom_tool_call", name="exec", call_id="c1", input="await tools.exec_command({})"),
        record(2, "event_msg/item_completed", item={**ran, "aggregated_output": "1 failed\n"}),
        record(
            2,
            "event_msg/item_completed",
            item={"type": "FileChange", "id": "x2", "status": "completed", "changes": added},
        ),
        record(2, "event_msg/item_completed", item=own),
        returned(3, "c1", "Script completed"),
        said(4, "assistant", "done"),
    )
    assert [[call.id for call in step.calls] for step in agent_steps(trajectory)] == [["c1", "x1", "x2"], []]
    calls = calls_of(trajectory)
    assert calls["x1"].action == Shell("pytest")
    assert (calls["x1"].result.exit_status, calls["x1"].result.text) == (1, "1 failed\n")
    assert calls["x2"].action == Edit([FileChange("/repo/a.txt", "create", after="hi\n")])


def test_plans_questions_searches_and_tools_of_servers(tmp_path: Path) -> None:
    failed = {"Ok": {"content": [{"type": "text", "text": "no"}], "isError": True}}
    trajectory = rollout(
        tmp_path / "a.jsonl",
        meta(),
        called(1, "c1", "update_plan", plan=[{"step": "Fix", "status": "in_progress"}]),
        called(1, "c2", "request_user_input", questions=[{"id": "q", "header": "h", "question": "Which one?"}]),
        called(1, "c3", "mcp__tracker__get", id=3),
        record(1, "response_item/web_search_call", status="completed", action={"type": "search", "query": "q"}),
        record(
            2,
            "event_msg/mcp_tool_call_end",
            call_id="c3",
            invocation={},
            duration={"secs": 2, "nanos": 0},
            result=failed,
        ),
        returned(2, "c3", [{"type": "input_text", "text": "no"}, {"type": "input_image", "image_url": "data:"}]),
        record(3, "event_msg/item_completed", item={"type": "Plan", "id": "p1", "text": "# Plan\n1. Look\n2. Fix"}),
    )
    calls = calls_of(trajectory)
    assert calls["c1"].action == Plan([PlanItem("Fix", "in_progress")])
    assert calls["c2"].action == Ask("Which one?")
    assert calls["c2"].result is None
    served = calls["c3"].result
    assert (served.text, served.is_error, served.duration) == ("no", True, 2.0)
    assert [call.name for call in calls.values()].count("web_search") == 1
    planned = calls["p1"].action
    assert (planned.mode, [item.text for item in planned.items]) == ("mode", ["Look", "Fix"])


def test_edits_of_servers_are_edits_and_a_call_that_left_only_its_end_is_unread(tmp_path: Path) -> None:
    given = {"path": "a.py", "edits": [{"oldText": "x", "newText": "y"}]}
    spaced = {"name": "apply", "namespace": "mcp__fs__", "arguments": json.dumps(given), "call_id": "c2"}
    trajectory = rollout(
        tmp_path / "a.jsonl",
        meta(),
        called(1, "c1", "mcp__fs__apply", **given),
        returned(2, "c1", "ok"),
        record(3, "response_item/function_call", **spaced),
        returned(4, "c2", "ok"),
        record(5, "event_msg/mcp_tool_call_end", call_id="c3", invocation={"tool": "apply"}, result={"Ok": {}}),
        said(6, "assistant", "done"),
    )
    calls = calls_of(trajectory)
    assert calls["c1"].action == calls["c2"].action == Edit([FileChange("a.py", hunks=[("x", "y")])])
    assert calls["c2"].name == "mcp__fs__apply"
    assert trajectory.unread_calls == 1


def test_what_the_harness_says_is_not_the_user(tmp_path: Path) -> None:
    texts = [
        "# AGENTS.md instructions for /repo\n\n<INSTRUCTIONS>\nBe kind.\n</INSTRUCTIONS>",
        "<environment_context>\n  <cwd>/repo</cwd>\n</environment_context>",
        "<turn_aborted>\nThe user interrupted.\n</turn_aborted>",
        "<subagent_notification>\n{}\n</subagent_notification>",
        "<user_shell_command>\nls\n</user_shell_command>",
    ]
    parts = [{"type": "input_text", "text": text} for text in [*texts, "<task>Fix it</task>"]]
    trajectory = rollout(
        tmp_path / "a.jsonl",
        meta(),
        said(1, "developer", "Rules."),
        record(1, "response_item/message", role="user", content=parts),
        said(2, "user", "Another language model started to solve this problem: so far"),
    )
    assert [step.role for step in trajectory.steps] == ["harness"] * 6 + ["user", "compaction"]
    assert trajectory.steps[6].text == "<task>Fix it</task>"


@pytest.mark.parametrize(
    ("event", "end"),
    [
        (("event_msg/task_complete", {"turn_id": "t", "last_agent_message": "x"}), "completed"),
        (("event_msg/turn_aborted", {"reason": "interrupted"}), "interrupted"),
        (("event_msg/turn_aborted", {"reason": "budget_limited"}), "limit"),
        (("event_msg/error", {"message": "You've hit your usage limit."}), "limit"),
        (("event_msg/error", {"message": "stream disconnected"}), "error"),
        (("event_msg/task_started", {"turn_id": "t"}), None),
    ],
)
def test_how_it_ended(tmp_path: Path, event: tuple[str, dict[str, Any]], end: str | None) -> None:
    done = record(2, "event_msg/task_complete", turn_id="s")
    trajectory = rollout(tmp_path / "a.jsonl", meta(), said(1, "assistant", "x"), done, record(3, event[0], **event[1]))
    assert trajectory.end == end


# Threads


def test_a_sub_agent_beside_its_parent_is_a_lane(tmp_path: Path) -> None:
    child = "019a0000-0000-7000-8000-0000000000c1"
    spawn = {"subagent": {"thread_spawn": {"parent_thread_id": THREAD, "depth": 1, "agent_role": "explorer"}}}
    parent_path = tmp_path / f"rollout-2026-03-01T10-00-00-{THREAD}.jsonl"
    child_path = tmp_path / f"rollout-2026-03-01T10-00-05-{child}.jsonl"
    write(
        child_path,
        meta(child, source=spawn),
        said(6, "user", "Look around."),
        called(7, "k1", "exec_command", cmd="ls"),
        returned(8, "k1", "Exit code: 0\nWall time: 0 seconds\nOutput:\na\n"),
        said(9, "assistant", "Seen."),
    )
    trajectory = rollout(
        parent_path,
        meta(),
        said(1, "user", "go"),
        called(2, "c1", "spawn_agent", message="Look around.", agent_type="explorer"),
        returned(5, "c1", json.dumps({"agent_id": child, "nickname": "Ada"})),
        called(6.5, "c2", "wait", ids=[child]),
        returned(10, "c2", "{}"),
        said(11, "assistant", "done"),
    )
    (reader, _) = READERS
    assert reader.owner(child_path) == parent_path
    assert reader.owner(parent_path) == parent_path
    assert calls_of(trajectory)["c1"].action == Spawn("Look around.", lane=child, description="explorer")
    assert isinstance(calls_of(trajectory)["c2"].action, Wait)
    assert trajectory.lanes[child] == Lane(child, MAIN_LANE, "c1", "explorer", "Look around.")
    assert [(s.lane == MAIN_LANE, s.role) for s in trajectory.steps] == [
        (True, "user"), (True, "agent"), (False, "harness"), (True, "agent"), (False, "agent"), (False, "agent"),
        (True, "agent"),
    ]  # fmt: skip
    assert {s.source.file for s in trajectory.steps} == {str(parent_path), str(child_path)}
    (alone,) = read(READERS, child_path)
    assert [step.role for step in alone.steps] == ["user", "agent", "agent"]


def test_an_orphaned_sub_agent_is_its_own_log(tmp_path: Path) -> None:
    spawn = {"subagent": {"thread_spawn": {"parent_thread_id": THREAD}}}
    path = write(tmp_path / "rollout-x-019a0000-0000-7000-8000-0000000000c1.jsonl", meta("other", source=spawn))
    assert READERS[0].owner(path) == path


def test_the_history_that_a_fork_copies_is_not_read_again(tmp_path: Path) -> None:
    old_turn = record(0.01, "event_msg/task_started", turn_id="t0", started_at=1.0)
    new_turn = record(0.04, "event_msg/task_started", turn_id="t1", started_at=1772359200)
    trajectory = rollout(
        tmp_path / "a.jsonl",
        meta("fork", forked_from_id=THREAD),
        meta(THREAD),
        old_turn,
        said(0.02, "user", "before"),
        called(0.02, "c0", "exec_command", cmd="old"),
        counted(0.03, 100, 100),
        new_turn,
        said(0.05, "user", "after"),
        counted(0.06, 100, 100),
        said(0.07, "assistant", "new"),
        counted(0.08, 130, 30),
    )
    assert trajectory.id == "fork"
    assert [(step.role, step.text) for step in trajectory.steps] == [("user", "after"), ("agent", "new")]
    assert trajectory.steps[1].usage.input == 30


# The streams


def test_the_thread_stream() -> None:
    (trajectory,) = read(READERS, DATA / "exec-0.169.jsonl")
    assert (trajectory.format, trajectory.id) == ("codex-exec", "01a1ffdb-31bf-7f23-a9c2-aae6d553e7d8")
    assert (trajectory.model, trajectory.started_at) == (None, None)
    assert trajectory.usage == TokenUsage(13362, 169856, 0, 1009, 69)
    calls = list(calls_of(trajectory).values())
    plans = [call.action for call in calls if isinstance(call.action, Plan)]
    assert [[item.status for item in plan.items].count("completed") for plan in plans] == [0, 3, 4]
    commands = [call for call in calls if isinstance(call.action, Shell)]
    assert commands[0].action.command == "ls -R . | grep -v pyc && git log --oneline"
    assert [call.result.exit_status for call in commands if call.result] == [0, 0, 0, 127, 127, 127, 127, 0]
    assert next(call.action for call in calls if isinstance(call.action, Edit)) == Edit(
        [FileChange("/home/dev/repo/plan.md", "create")]
    )
    assert all(step.usage is None for step in trajectory.steps)


def test_a_stream_among_other_output(tmp_path: Path) -> None:
    def item(kind: str, **fields: Any) -> dict[str, Any]:
        return {"type": f"item.{kind}", "item": fields}

    command = {"id": "item_0", "type": "command_execution", "command": "bash -lc 'make test'"}
    path = write(
        tmp_path / "a.log",
        *["+ some set -x output"] * 300,
        {"type": "thread.started", "thread_id": "t1"},
        "true",
        '"a string"',
        {"type": "turn.started"},
        item("started", **command, aggregated_output="", exit_code=None, status="in_progress"),
        "2026-03-01T10:00:00Z ERROR codex_core: noise",
        item("completed", **command, aggregated_output="no rule\n", exit_code=2, status="failed"),
        item("started", id="item_1", type="command_execution", command="sleep 100", exit_code=None),
        item("completed", id="item_2", type="mcp_tool_call", tool="get", error={"message": "down"}, status="failed"),
        item("completed", id="item_3", type="error", message="careful"),
        {"type": "turn.failed", "error": {"message": "You've hit your usage limit"}},
    )
    log = LogFile(path)
    (trajectory,) = read(READERS, log)
    calls = list(calls_of(trajectory).values())
    assert [call.action for call in calls[:2]] == [Shell("make test"), Shell("sleep 100")]
    assert (calls[0].result.exit_status, calls[0].result.stdout) == (2, "no rule\n")
    started = calls[1].result
    assert (started.text, started.exit_status, started.interrupted) == ("", None, True)
    assert (calls[2].name, calls[2].result.text, calls[2].result.is_error) == ("get", "down", True)
    assert [step.text for step in trajectory.steps if step.role == "harness"] == [
        "error: careful",
        "error: You've hit your usage limit",
    ]
    assert trajectory.end == "limit"
    assert len(log.skipped) == 303
    assert trajectory.usage is None


def test_turns_of_one_thread_and_threads_of_one_file(tmp_path: Path) -> None:
    def turn(text: str, tokens: int) -> list[Any]:
        message = {"type": "item.completed", "item": {"id": "item_0", "type": "agent_message", "text": text}}
        usage = {"input_tokens": tokens, "cached_input_tokens": 0, "output_tokens": 1}
        return [{"type": "turn.started"}, message, {"type": "turn.completed", "usage": usage}]

    def thread(name: str) -> dict[str, Any]:
        return {"type": "thread.started", "thread_id": name}

    grown = write(
        tmp_path / "g.jsonl", thread("a"), *turn("one", 10), thread("a"), *turn("two", 25), thread("b"), *turn("x", 3)
    )
    one, other = read(READERS, grown)
    assert (one.usage, other.usage) == (TokenUsage(25, 0, None, 1), TokenUsage(3, 0, None, 1))
    assert [step.text for step in one.steps] == ["one", "two"]
    (apart,) = read(READERS, write(tmp_path / "s.jsonl", thread("a"), *turn("one", 10), *turn("two", 4)))
    assert apart.usage == TokenUsage(14, 0, None, 2)


def test_the_older_stream() -> None:
    log = LogFile(DATA / "exec-2025-08.jsonl")
    (trajectory,) = read(READERS, log)
    assert (trajectory.format, trajectory.model, trajectory.cwd) == ("codex-exec", "gpt-5", "/home/dev/repo")
    assert [(s.role, s.text, s.reasoning, s.usage and s.usage.input) for s in trajectory.steps] == [
        ("user", "Fix add() in calc.py", "", None),
        ("agent", "", "Read the file.", 500),
        ("agent", "", "", None),
        ("agent", "", "", 200),
        ("agent", "Fixed.", "", None),
    ]
    calls = list(calls_of(trajectory).values())
    assert calls[0].action == Shell("pytest -q", "/home/dev/repo")
    assert (calls[0].result.exit_status, calls[0].result.duration) == (1, 0.25)
    assert calls[1].action == Plan([PlanItem("Fix add", "in_progress"), PlanItem("Run the tests")])
    assert calls[2].action.changes[0].path == "/home/dev/repo/calc.py"
    assert trajectory.end == "completed"
    assert [skipped.line for skipped in log.skipped] == [8, 10]


def test_recorded_changes() -> None:
    changes = {
        "a": {"type": "add", "content": "x\n"},
        "b": {"type": "delete", "content": "y\n"},
        "c": {"type": "update", "unified_diff": "@@ -1 +1 @@\n-1\n+2\n", "move_path": "d"},
        "e": {"delete": {}},
        "f": "odd",
    }
    assert recorded_changes(changes) == [
        FileChange("a", "create", after="x\n"),
        FileChange("b", "delete", before="y\n"),
        FileChange("c", "rename", hunks=[("1", "2")], new_path="d"),
        FileChange("e", "delete"),
    ]
    assert recorded_changes([{"path": "g", "kind": "add"}, {"path": "h", "kind": {"type": "update"}}, 3]) == [
        FileChange("g", "create"),
        FileChange("h"),
    ]
    assert recorded_changes(None) == []


def test_hunks_keep_odd_lines() -> None:
    diff = "--- a\n+++ b\n@@ -1,3 +1,3 @@\n one\n--- two\n+++ two\n\n@@ -9 +9 @@\n-\x0cx\n+y\n\\ No newline at end\n"
    assert diff_hunks(diff) == [("one\n-- two\n", "one\n++ two\n"), ("\x0cx", "y")]


# Hostile input


def test_damaged_lines_are_reported_and_the_rest_is_read(tmp_path: Path) -> None:
    good = said(1, "assistant", "fine")
    lines = [
        meta(),
        '{"timestamp":"2026-03-01T10:00:00.000Z","type":"response_item","payload":{"type":"message","role":',
        '{"timestamp":"2026-03-01T10:00:00.000Z","type":"event_msg","payload":{"type":"agent_message","mess',
        record(1, "response_item/function_call", name=3, arguments="{}", call_id="c"),
        record(1, "response_item/shiny_new_thing", x=1),
        record(1, "response_item/shiny_new_thing", x=2),
        {"timestamp": "2026-03-01T10:00:00.000Z", "type": "response_item", "payload": "text"},
        returned(1, "nobody", "x"),
        good,
    ]
    path = write(
        tmp_path / "a.jsonl",
        *[line if isinstance(line, str) else json.dumps(line, separators=(",", ":")) for line in lines],
    )
    log = LogFile(path)
    (trajectory,) = read(READERS, log)
    assert [step.text for step in trajectory.steps if step.text] == ["fine"]
    assert [skipped.line for skipped in log.skipped] == [2, 3, 4, 5, 7, 8]
