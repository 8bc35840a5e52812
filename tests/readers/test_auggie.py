"""Auggie: the session document, as far as it goes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from log_checks import calls_of, read

from rigorbench.session.logfile import LogFile
from rigorbench.session.model import Edit, FileChange, Shell, ShellOutput, Trajectory
from rigorbench.session.readers.auggie import READERS
from rigorbench.session.usage import TokenUsage

DATA = Path(__file__).parents[1] / "data" / "auggie" / "session.json"


def exchange(*, requests: list[Any] | None = None, responses: list[Any] | None = None, **more: Any) -> dict[str, Any]:
    body = {"request_nodes": requests or [], "response_nodes": responses or [], **more}
    return {"exchange": body, "completed": True, "finishedAt": "2026-03-01T10:00:09.000Z"}


def use(call_id: str, name: str, **given: Any) -> dict[str, Any]:
    return {"type": 5, "tool_use": {"tool_use_id": call_id, "tool_name": name, "input_json": json.dumps(given)}}


def came_back(call_id: str, content: str, **more: Any) -> dict[str, Any]:
    return {"type": 1, "tool_result_node": {"tool_use_id": call_id, "content": content, "is_error": False, **more}}


def session(*exchanges: Any, **more: Any) -> Trajectory:
    document = {"sessionId": "s1", "created": "2026-03-01T10:00:00.000Z", "chatHistory": list(exchanges), **more}
    (trajectory,) = read(READERS, LogFile(None, name="s.json", content=json.dumps(document, indent=1).encode()))
    return trajectory


def test_a_real_session() -> None:
    (trajectory,) = read(READERS, DATA)
    assert (trajectory.format, trajectory.id) == ("auggie", "363e9592-7730-43c8-bc82-0872475ae265")
    assert (trajectory.cwd, trajectory.model, trajectory.end) == ("/home/dev/repo", None, "completed")
    # The prompt is not in the file: nobody speaks but the agent.
    assert {step.role for step in trajectory.steps} == {"agent"}
    commands = [call for call in calls_of(trajectory).values() if isinstance(call.action, Shell)]
    assert [call.result.exit_status for call in commands if call.result] == [127, 127, 127, 0, 127, 0]
    first = commands[0].result
    assert (first.is_error, first.duration) == (True, 0.05)
    assert first.stdout == "bash: line 1: python: command not found\n"
    edits = [call.action for call in calls_of(trajectory).values() if isinstance(call.action, Edit)]
    assert edits[0].changes[0].hunks == [("    match = _TOKEN.match(text)\n", "    match = _TOKEN.search(text)\n")]
    assert trajectory.steps[0].usage == TokenUsage(7097, 0, 0, 36)


def test_words_states_and_summaries() -> None:
    state = {"type": 4, "ide_state_node": {"workspace_folders": [{"folder_root": "/repo"}]}}
    asked, said = {"type": 0, "text_node": {"content": "And test it"}}, {"type": 0, "content": "Done."}
    trajectory = session(
        exchange(requests=[state], request_message="Fix it", response_text="Yes."),
        exchange(requests=[asked], responses=[said]),
        exchange(requests=[{"type": 10, "history_summary_node": {"summary_text": "so far"}}]),
        agentState={"modelId": "some-model"},
    )
    assert [(step.role, step.text) for step in trajectory.steps] == [
        ("user", "Fix it"),
        ("agent", "Yes."),
        ("user", "And test it"),
        ("agent", "Done."),
        ("compaction", "so far"),
    ]
    assert (trajectory.cwd, trajectory.model, trajectory.end) == ("/repo", "some-model", None)


def test_edits_of_both_layouts() -> None:
    entries = {
        "str_replace_entries": [{"old_str": "a", "new_str": "b"}, {"old_str": "c", "new_str": "d"}],
        "insert_line_entries": [{"insert_line": 3, "new_str": "e"}],
    }
    flat = {"old_str_1": "a", "new_str_1": "b", "old_str_2": "c", "new_str_2": "d"}
    made = [
        use("1", "str-replace-editor", path="p", command="str_replace", **entries),
        use("2", "str-replace-editor", path="p", command="str_replace", **flat),
        use("3", "str-replace-editor", path="p", command="insert", insert_line_1=4, new_str_1="x"),
        use("4", "save-file", path="p", file_content="new"),
        use("5", "remove-files", path="p", file_paths=["p"]),
    ]
    results = [came_back(str(number), "ok") for number in (1, 2, 3, 4)]
    calls = calls_of(session(exchange(responses=made), exchange(requests=results)))
    assert calls["1"].action == Edit([FileChange("p", hunks=[("a", "b"), ("c", "d"), ("", "e")])])
    assert calls["2"].action == Edit([FileChange("p", hunks=[("a", "b"), ("c", "d")])])
    assert calls["3"].action == Edit([FileChange("p", hunks=[("", "x")], at_line=4)])
    # It was edited before, so it was there.
    assert calls["4"].action == Edit([FileChange("p", "modify", after="new")])
    assert calls["5"].result is None


def test_commands_in_the_background_and_task_ids() -> None:
    listed = "# Task Changes\n\n[ ] UUID:abc NAME:Look DESCRIPTION:Look\n[ ] UUID:def NAME:Fix it DESCRIPTION:y"
    polled = "Output from terminal 3 (status: completed)\n<return-code>\n1\n</return-code>\n<output>\nbad\n</output>"
    made = [
        use("1", "launch-process", command="make", wait=False, cwd="/repo"),
        use("2", "read-process", terminal_id=3, wait=True),
        use("3", "add_tasks", tasks=[{"name": "Look"}, {"name": "Fix it"}]),
    ]
    texts = {"1": "Process launched with terminal ID 3", "2": polled, "3": listed}
    results = [came_back(identity, text) for identity, text in texts.items()]
    calls = calls_of(session(exchange(responses=made), exchange(requests=results)))
    assert calls["1"].action == Shell("make", "/repo", background=True, shell_id="3")
    assert calls["2"].action == ShellOutput("3")
    assert (calls["2"].result.exit_status, calls["2"].result.stdout) == (1, "bad")
    plan = calls["3"].action
    assert [(item.key, item.text) for item in plan.items] == [("abc", "Look"), ("def", "Fix it")]


def test_what_cannot_be_used_is_reported() -> None:
    bad = exchange(requests=[came_back("9", "x")], responses=[{"type": 5, "tool_use": {}}])
    log = LogFile(None, name="s.json", content=json.dumps({"chatHistory": ["text", bad]}).encode())
    (trajectory,) = read(READERS, log)
    assert trajectory.steps == []
    assert [skipped.reason for skipped in log.skipped] == [
        "chatHistory[0] has no exchange",
        "a tool result without its call (9); skipped",
        "a tool use without id or name",
    ]
