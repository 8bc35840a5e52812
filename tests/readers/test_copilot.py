"""GitHub Copilot CLI: the event files of two generations, and the event stream."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from log_checks import calls_of, read, write

from rigorbench.session.model import MAIN_LANE, Edit, FileChange, Other, Plan, PlanItem, Shell, ShellOutput, Trajectory
from rigorbench.session.readers.copilot import READERS, Todos
from rigorbench.session.usage import TokenUsage

DATA = Path(__file__).parents[1] / "data" / "copilot"


def event(second: float, kind: str, agent: str | None = None, **data: Any) -> dict[str, Any]:
    stamp = f"2026-03-01T10:00:{second:06.3f}Z"
    made = {"type": kind, "data": data, "id": f"{kind}-{second}", "timestamp": stamp, "parentId": None}
    return made if agent is None else {**made, "agentId": agent}


def asked(second: float, call_id: str, name: str, agent: str | None = None, **arguments: Any) -> dict[str, Any]:
    request = {"toolCallId": call_id, "name": name, "arguments": arguments}
    return event(second, "assistant.message", agent, messageId=f"m{second}", content="", toolRequests=[request])


def ended(second: float, call_id: str, content: str, agent: str | None = None, **more: Any) -> dict[str, Any]:
    data = {"success": True, "result": {"content": content}, **more}
    return event(second, "tool.execution_complete", agent, toolCallId=call_id, **data)


def session(path: Path, *events: dict[str, Any]) -> Trajectory:
    (trajectory,) = read(READERS, write(path / "events.jsonl", *events))
    return trajectory


def test_the_generation_of_1_0() -> None:
    (trajectory,) = read(READERS, DATA / "events-1.0.102.jsonl")
    assert (trajectory.format, trajectory.agent, trajectory.agent_version) == ("copilot", "copilot", "1.0.102")
    assert (trajectory.cwd, trajectory.branch) == ("/home/dev/repo", "main")
    assert (trajectory.model, trajectory.end) == ("gpt-5", "completed")
    assert trajectory.start_commit == "2d596a52880ecf182ccf5feff122b7b7a2ef1a3e"
    assert trajectory.skipped == []
    commands = [call for call in calls_of(trajectory).values() if isinstance(call.action, Shell)]
    assert [call.result.exit_status for call in commands if call.result] == [1, 1, 1, 0, 0, 0]
    first = commands[0].result
    assert first.text == first.stdout + "\n<shellId: 0 completed with exit code 1>"
    assert first.stdout.endswith("2 failed, 2 passed in 0.25s")
    # "success" says that the tool ran, not that the command did well.
    assert first.is_error is False
    assert not any(step.lane != MAIN_LANE for step in trajectory.steps)


def test_the_generation_of_0_0_3() -> None:
    (trajectory,) = read(READERS, DATA / "events-0.0.3.jsonl")
    assert (trajectory.agent_version, trajectory.end) == ("0.0.354", "interrupted")
    assert [step.role for step in trajectory.steps] == ["user", "agent", "agent", "interrupt"]
    calls = calls_of(trajectory)
    assert calls["t1"].action == Other("Running tests", inert=True)
    tested = calls["t2"]
    assert (tested.action.command, tested.action.background) == ("pytest -q", False)
    assert (tested.result.exit_status, tested.result.stdout) == (1, "1 failed, 2 passed in 0.05s")
    assert tested.result.duration == pytest.approx(1.0)
    todo = calls["t3"].action
    assert todo.items == [PlanItem("Run the tests", "completed"), PlanItem("Fix add")]
    watching = calls["t4"]
    assert watching.action == Shell("npm run watch", background=True, shell_id="watch")
    assert (watching.result.shell_id, watching.result.exit_status) == ("watch", None)
    refused = calls["t5"].result
    assert (refused.denied, refused.is_error, refused.text) == (True, True, "The user rejected this tool call.")


def test_usage_joins_its_message_by_call_or_by_order(tmp_path: Path) -> None:
    def usage(second: float, prompt: int, **more: Any) -> dict[str, Any]:
        fields = {"inputTokens": prompt, "outputTokens": 2, "cacheReadTokens": 1, "cacheWriteTokens": 2, **more}
        return event(second, "session.usage_record", usage=fields)

    trajectory = session(
        tmp_path,
        usage(1, 10, apiCallId="a"),
        usage(2, 99, apiCallId="title"),
        event(3, "assistant.message", messageId="1", content="one", apiCallId="a"),
        event(4, "assistant.message", messageId="2", content="two", apiCallId="b"),
        usage(5, 20, apiCallId="b"),
        usage(6, 30),
        event(7, "assistant.message", messageId="3", content="three"),
        event(8, "assistant.message", messageId="4", content="four"),
        usage(9, 40),
    )
    assert [(step.text, step.usage) for step in trajectory.steps] == [
        ("", TokenUsage(96, 1, 2, 2)),
        ("one", TokenUsage(7, 1, 2, 2)),
        ("two", TokenUsage(17, 1, 2, 2)),
        ("three", TokenUsage(27, 1, 2, 2)),
        ("four", TokenUsage(37, 1, 2, 2)),
    ]


def test_totals_of_the_shutdown_where_steps_have_none(tmp_path: Path) -> None:
    metrics = {m: {"usage": {"inputTokens": 10, "cacheReadTokens": 4, "outputTokens": 1}} for m in ("a", "b")}
    trajectory = session(
        tmp_path,
        event(0, "session.model_change", newModel="a"),
        event(1, "assistant.message", messageId="1", content="one", outputTokens=2),
        event(2, "session.model_change", previousModel="a", newModel="b"),
        event(3, "assistant.message", messageId="2", content="two"),
        *(event(n, "session.shutdown", shutdownType="routine", modelMetrics=metrics) for n in (4, 5)),  # resumed
    )
    assert [step.model for step in trajectory.steps] == ["a", "b"]
    assert trajectory.total_usage() == TokenUsage(24, 16, None, 4)
    assert trajectory.steps[0].usage == TokenUsage(output=2)
    assert trajectory.end == "completed"


def test_sub_agents_are_lanes(tmp_path: Path) -> None:
    trajectory = session(
        tmp_path,
        event(1, "user.message", content="go"),
        asked(2, "t1", "task", prompt="Look around", description="Look", agent_type="explore"),
        event(3, "subagent.started", toolCallId="t1", agentName="explore", agentDisplayName="Explore"),
        event(4, "user.message", "agent-7", content="Look around"),
        asked(5, "k1", "bash", "agent-7", command="ls"),
        ended(6, "k1", "a\n<exited with exit code 0>", "agent-7"),
        event(7, "assistant.message", "agent-7", messageId="m7", content="Seen."),
        event(8, "subagent.completed", toolCallId="t1", agentName="explore"),
        ended(9, "t1", "Seen."),
        asked(10, "t2", "task", prompt="Nothing of it is here"),
        event(11, "subagent.started", toolCallId="t2", agentName="explore"),
    )
    assert [step.lane for step in trajectory.steps] == [*[MAIN_LANE] * 2, *["agent-7"] * 3, MAIN_LANE]
    assert [step.role for step in trajectory.steps] == ["user", "agent", "harness", "agent", "agent", "agent"]
    lane = trajectory.lanes["agent-7"]
    assert (lane.parent, lane.parent_call, lane.agent_type, lane.prompt) == (MAIN_LANE, "t1", "explore", "Look around")
    spawned, silent = calls_of(trajectory)["t1"].action, calls_of(trajectory)["t2"].action
    assert (spawned.lane, silent.lane) == ("agent-7", None)
    assert set(trajectory.lanes) == {MAIN_LANE, "agent-7"}


def test_lanes_of_versions_that_name_only_the_parent_call(tmp_path: Path) -> None:
    trajectory = session(
        tmp_path,
        asked(1, "t1", "task", prompt="Look"),
        event(2, "subagent.started", toolCallId="t1", agentName="explore"),
        event(3, "assistant.message", messageId="x", content="Seen.", parentToolCallId="t1"),
    )
    assert trajectory.steps[1].lane == "t1"
    assert (trajectory.lanes["t1"].parent_call, trajectory.lanes["t1"].agent_type) == ("t1", "explore")


def test_what_shells_say_at_their_end(tmp_path: Path) -> None:
    running = "some output\n<shellId: 3 is still running after 5 seconds. Use read_bash to see more.>"
    trajectory = session(
        tmp_path,
        asked(1, "a", "bash", command="make", mode="sync"),
        ended(2, "a", running),
        asked(3, "b", "read_bash", shellId="3", delay=5),
        ended(4, "b", "done\n<command with shellId: 3 completed with exit code 2>"),
        asked(5, "c", "bash", command="true"),
        ended(6, "c", "ok", result={"content": "ok", "contents": [{"type": "shell_exit", "exitCode": 4}]}),
        asked(7, "d", "bash", command="cat huge"),
        ended(8, "d", "Output too large to read at once (36.0 KB). Saved to: /tmp/out.txt\nConsider grep"),
        asked(9, "e", "bash", command="echo"),
        ended(10, "e", "prints <exited with exit code 9> and goes on"),
    )
    calls = calls_of(trajectory)
    assert calls["a"].action == Shell("make", background=True, shell_id="3")
    assert calls["b"].action == ShellOutput("3")
    results = [call.result for call in calls.values()]
    assert [r.exit_status for r in results if r] == [None, 2, 4, None, None]
    assert [r.shell_id for r in results if r] == ["3", None, None, None, None]
    assert (results[3].truncated, results[3].full_output) == (True, "/tmp/out.txt")


def test_a_file_written_over_is_not_created(tmp_path: Path) -> None:
    edits = [{"path": "/repo/a", "kind": "edit"}]
    trajectory = session(
        tmp_path, asked(1, "a", "create", path="/repo/a", file_text="x"), ended(2, "a", "done", fileEdits=edits)
    )
    assert calls_of(trajectory)["a"].action == Edit([FileChange("/repo/a", "modify", after="x")])


def test_the_project_is_the_repository_in_whose_part_the_session_began(tmp_path: Path) -> None:
    start = event(0, "session.start", context={"cwd": "/repo/web", "gitRoot": "/repo"})
    trajectory = session(tmp_path, start, asked(1, "a", "bash", command="make"), ended(2, "a", "done"))
    assert (trajectory.cwd, calls_of(trajectory)["a"].action) == ("/repo", Shell("make", cwd="/repo/web"))


def test_permissions_users_and_harness(tmp_path: Path) -> None:
    trajectory = session(
        tmp_path,
        event(1, "user.message", content="skill text", source="skill-pdf"),
        event(2, "user.message", content="go on", isAutopilotContinuation=True),
        event(3, "user.message", content="hello", source="user"),
        event(4, "tool.user_requested", toolCallId="u1", toolName="bash", arguments={"command": "ls"}),
        event(5, "tool.execution_start", toolCallId="u1", toolName="bash", arguments={"command": "ls"}),
        ended(6, "u1", "a"),
        asked(7, "t1", "bash", command="rm -r x"),
        event(8, "permission.requested", requestId="r1", permissionRequest={"kind": "shell", "toolCallId": "t1"}),
        event(9, "permission.completed", requestId="r1", result={"kind": "denied-interactively-by-user"}),
        ended(10, "t1", "", success=False, error={"message": "Permission denied"}),
        event(11, "session.compaction_complete", summaryContent="so far", compactionTokensUsed={"input": 9}),
        event(12, "session.snapshot_rewind", upToEventId="x"),
        event(13, "session.error", errorType="quota", message="no more"),
    )
    assert [(step.role, step.text) for step in trajectory.steps] == [
        ("harness", "skill text"),
        ("harness", "go on"),
        ("user", "hello"),
        ("harness", "the user ran: ls"),
        ("agent", ""),
        ("compaction", "so far"),
        ("harness", "the session was rewound to an earlier point"),
        ("harness", "error: no more"),
    ]
    denied = calls_of(trajectory)["t1"].result
    assert denied.denied
    assert trajectory.end == "limit"
    assert trajectory.steps[5].usage == TokenUsage(input=9)
    assert trajectory.skipped == []


def test_todos_of_one_session(tmp_path: Path) -> None:
    insert = "INSERT INTO todos (id, title) VALUES ('a', 'It''s (one), here'), ('b', 'Two');"
    trajectory = session(
        tmp_path,
        asked(1, "q1", "sql", query=insert + "INSERT INTO todo_deps VALUES ('b', 'a')", description="Plan"),
        ended(2, "q1", "2 rows"),
        asked(3, "q2", "sql", query="UPDATE todos SET status = 'done' WHERE id = 'a'", description="Done"),
        ended(4, "q2", "1 row"),
        asked(5, "q3", "sql", query="SELECT * FROM todos", description="Show"),
        ended(6, "q3", "rows"),
        asked(7, "q4", "sql", query="UPDATE todos SET status = 'done'", description="All"),
        ended(8, "q4", "", success=False, error={"message": "locked"}),
    )
    calls = calls_of(trajectory)
    first = [PlanItem("It's (one), here", "pending", "a"), PlanItem("Two", "pending", "b")]
    assert calls["q1"].action == Plan(first)
    assert calls["q2"].action == Plan([PlanItem("It's (one), here", "completed", "a")], update="update")
    assert calls["q3"].action == Other("Show", inert=True)
    assert calls["q4"].action == Other("All", inert=True)


def test_statements_on_todos() -> None:
    todos = Todos()
    assert todos.apply("SELECT 1") is None
    assert todos.apply("CREATE TABLE todos (id TEXT PRIMARY KEY, title TEXT)") is None
    assert todos.apply("insert or ignore into todos values ('a', 'A;', NULL, 'in_progress', '', '')") == Plan(
        [PlanItem("A;", "in_progress", "a")]
    )
    assert todos.apply("SELECT * FROM nothing; INSERT INTO \"todos\" (title, id) VALUES (upper('b'), 'b')") == Plan(
        [PlanItem("B", "pending", "b")], update="add"
    )
    moved = "UPDATE todos SET status='done', updated_at=datetime('now') WHERE id IN ('a', 'b')"
    both = [PlanItem("A;", "completed", "a"), PlanItem("B", "completed", "b")]
    assert todos.apply(moved) == Plan(both, update="update")
    assert todos.apply("DELETE FROM todos WHERE id = 'a'") == Plan([PlanItem("A;", "cancelled", "a")], update="update")
    mixed = todos.apply(
        "INSERT INTO todos (id, title) VALUES ('c', 'C'); UPDATE todos SET title='D' WHERE status='done'"
    )
    assert mixed == Plan([PlanItem("D", "completed", "b"), PlanItem("C", "pending", "c")])


def test_statements_open_no_file_and_end(tmp_path: Path) -> None:
    todos = Todos()
    assert todos.apply(f"ATTACH '{tmp_path}/todos.db' AS x") is None
    endless = (
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) INSERT INTO todos (id) SELECT max(i) FROM n"
    )
    assert todos.apply(endless) is None
    assert list(tmp_path.iterdir()) == []
