"""Grok Build: the messages of a session, what its updates add, and the folders of its sub-agents."""

from __future__ import annotations

from pathlib import Path

from log_checks import calls_of, write

from rigorbench.session.formats import FOLDERS, find_sessions
from rigorbench.session.model import Edit
from rigorbench.session.registry import discover, read_path
from rigorbench.session.usage import TokenUsage

DATA = Path(__file__).parents[1] / "data" / "grok"
MAIN, AGENT = sorted(DATA.rglob("chat_history.jsonl"))


def test_a_session_with_a_sub_agent() -> None:
    (trajectory,) = read_path(MAIN)
    assert (trajectory.agent, trajectory.model, trajectory.cwd) == ("grok", "grok-4.5", "/home/dev/repo")
    assert (trajectory.branch, trajectory.id, trajectory.skipped) == ("main", MAIN.parent.name, [])
    assert trajectory.usage == TokenUsage(8000, 40000, 0, 900, 300)
    assert [(step.role, step.text.split("\n")[0]) for step in trajectory.steps if step.role != "agent"] == [
        ("harness", "<user_info>"),
        ("harness", "project policy"),
        ("user", "Fix compound durations such as 1h30m and run the tests."),
        ("user", "Keep it short, please."),
        ("harness", "List the callers of parse_duration."),
    ]
    calls = calls_of(trajectory)
    results = {key: call.result for key, call in sorted(calls.items()) if call.result}
    assert [(key, r.exit_status, r.is_error) for key, r in results.items()] == [
        ("c1", 1, None),
        ("c2", None, False),
        ("c3", None, False),
        ("c4", None, True),
        ("c5", None, False),
        ("c6", 0, None),
        ("d1", None, None),
    ]
    assert (results["c1"].time, calls["c1"].time) == (1784368805.0, 1784368803.0)
    assert results["c6"].stdout == "4 passed in 0.01s\n"
    edit = calls["c5"].action
    assert isinstance(edit, Edit)
    assert edit.changes[0].operation == "modify"
    lane = trajectory.lanes[AGENT.parent.name]
    assert (lane.parent, lane.parent_call, lane.agent_type) == ("main", "c3", "explore")
    assert [log.path for log in discover([str(DATA)])] == [MAIN]


def test_killed_commands_interrupts_and_a_history_that_was_replaced(tmp_path: Path) -> None:
    def call(name: str) -> dict[str, object]:
        return {"id": name, "name": "run_terminal_cmd", "arguments": '{"command": "x"}'}

    def result(name: str, text: str) -> dict[str, object]:
        return {"type": "tool_result", "tool_call_id": name, "content": text}

    log = write(
        tmp_path / ".grok" / "sessions" / "%2Frepo" / "s" / "chat_history.jsonl",
        {"type": "user", "content": [{"type": "text", "text": "so far"}], "synthetic_reason": "compaction_meta"},
        {"type": "assistant", "content": "", "tool_calls": [call("a"), call("b")]},
        result("a", "exit: killed (timeout)\npart"),
        result("b", "[Command moved to background]\n\n"),
        {"type": "user", "content": [{"type": "text", "text": "No"}], "prior_turn_interrupt": "mid_turn_abort"},
        {"type": "hologram"},
    )
    (trajectory,) = read_path(log)
    results = [call.result for call in calls_of(trajectory).values()]
    assert [r and (r.exit_status, r.timed_out, r.running) for r in results] == [
        (None, True, False),
        (None, False, True),
    ]
    assert [step.role for step in trajectory.steps] == ["compaction", "agent", "interrupt", "user"]
    assert [part.reason for part in trajectory.skipped] == [
        "what was said before the compaction is not kept",
        "an item of the unknown kind 'hologram'; skipped",
    ]
    assert trajectory.complete is None
    assert [path for _, path, _ in find_sessions(FOLDERS, tmp_path)] == [log]
