"""Antigravity: transcripts, whose results are the steps after the calls."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from log_checks import calls, write

from rigorbench.session.formats import FOLDERS, find_sessions
from rigorbench.session.model import Edit, Trajectory
from rigorbench.session.registry import discover, read_path

DATA = Path(__file__).parents[1] / "data" / "antigravity"
FULL, SHORT = sorted(DATA.rglob("*.jsonl"), key=lambda path: -len(path.name))
OLD, NEW = "    match = _TOKEN.match(text)\n", "    found = _TOKEN.findall(text)\n"


def one(path: Path) -> Trajectory:
    (trajectory,) = read_path(path)
    return trajectory


def test_the_full_transcript_is_read_for_the_short_one() -> None:
    trajectory = one(SHORT)
    assert (trajectory.id, trajectory.agent) == (SHORT.parents[2].name, "antigravity")
    assert (trajectory.model, trajectory.end) == ("Gemini 3.1 Pro (High)", "completed")
    assert (trajectory.complete, trajectory.skipped, trajectory.total_usage()) == (True, [], None)
    assert [(step.role, step.text.split("\n")[0]) for step in trajectory.steps] == [
        ("user", "Fix compound durations such as 1h30m and run the tests."),
        ("harness", "<ADDITIONAL_METADATA>"),
        ("harness", "The following is an <EPHEMERAL_MESSAGE>. Prefer the most specific tool."),
        ("agent", "I run the tests first."),
        ("agent", ""),
        ("agent", ""),
        ("agent", "Compound durations are parsed; all tests pass."),
        ("compaction", "{{ CHECKPOINT 0 }}"),
    ]
    results = {call.name + call.id: (call, call.result) for call in calls(trajectory) if call.result}
    assert [(call.name, result.exit_status, result.time) for call, result in results.values()] == [
        ("view_file", None, 1784368803.0),
        ("run_command", 1, 1784368805.0),
        ("replace_file_content", None, 1784368808.0),
        ("write_to_file", None, 1784368809.0),
        ("run_command", None, 1784368814.0),
    ]
    outputs = [result.stdout for call, result in results.values() if call.name == "run_command"]
    assert [output and output.split("\n")[-2 if output.endswith("s\n") else -3] for output in outputs] == [
        "1 failed, 3 passed in 0.02s",
        "4 passed in 0.01s",
    ]
    assert [log.path for log in discover([str(DATA)])] == [SHORT]


def test_a_shortened_edit_is_taken_from_its_result(tmp_path: Path) -> None:
    copy = tmp_path / ".gemini" / "antigravity" / "brain" / "b" / ".system_generated" / "logs" / SHORT.name
    copy.parent.mkdir(parents=True)
    copy.write_bytes(SHORT.read_bytes())
    for path, hunks in ((SHORT, [(OLD, NEW)]), (copy, [("import re\n" + OLD[:-1], "import re\n" + NEW[:-1])])):
        action = next(call.action for call in calls(one(path)) if call.name == "replace_file_content")
        assert isinstance(action, Edit)
        assert action.changes[0].hunks == hunks
    assert [path for _, path, _ in find_sessions(FOLDERS, tmp_path)] == [copy]


def test_results_of_other_kinds_failures_and_steps_that_went_on(tmp_path: Path) -> None:
    def step(index: int, kind: str, status: str = "DONE", **more: Any) -> str:
        return json.dumps({"step_index": index, "source": "MODEL", "type": kind, "status": status, **more})

    asked = [
        {"name": "command_status", "args": {"CommandId": "x"}},
        {"name": "run_command", "args": {"CommandLine": "ls"}},
    ]
    trajectory = one(
        write(
            tmp_path / "t.jsonl",
            step(1, "PLANNER_RESPONSE", tool_calls=[*asked, {"name": "mcp_docs", "args": {"topic": '"a"'}}]),
            step(2, "RUN_COMMAND", "RUNNING", content=""),
            step(2, "RUN_COMMAND", "CANCELED", content="stopped"),
            step(3, "GENERIC", "ERROR", content="no such command"),
            step(4, "GREP_SEARCH", content="of no call"),
            step(5, "ERROR_MESSAGE", content="model quota exceeded"),
        )
    )
    assert [
        call.result and (call.result.text, call.result.is_error, call.result.interrupted) for call in calls(trajectory)
    ] == [
        ("no such command", True, False),
        ("stopped", True, True),
        None,
    ]
    assert calls(trajectory)[2].input == {"topic": "a"}
    assert [step.text for step in trajectory.steps if step.role == "harness"] == ["model quota exceeded"]
    assert [part.reason for part in trajectory.skipped] == ["a result without its call (GREP_SEARCH); skipped"]


def test_the_result_of_a_command_in_the_background_is_what_a_later_message_has(tmp_path: Path) -> None:
    made = {"source": "MODEL", "tool_calls": [{"name": "run_command", "args": {"CommandLine": '"make"'}}]}
    begun = {"source": "MODEL", "status": "RUNNING", "content": "a background task with task id: b/t1"}
    ended = {
        "source": "SYSTEM",
        "content": 'Task id "b/t1" finished with result:\n\tThe command failed.\n\tOutput:\n\tno',
    }
    kinds = {"PLANNER_RESPONSE": made, "RUN_COMMAND": begun, "SYSTEM_MESSAGE": ended}
    lines = [{"step_index": n, "type": kind, **kinds[kind]} for n, kind in enumerate(kinds)]
    (call,) = calls(one(write(tmp_path / "transcript.jsonl", *lines)))
    assert getattr(call.result, "text", None) == "The command failed.\nOutput:\nno"
