"""The two records that one program writes of one run: the log that it keeps, and its stream.

The sessions are invented, and scripted: each is a list of what happens, written in the shape of both records.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from log_checks import write

from rigorbench.evidence import events
from rigorbench.evidence.facts import Evidence
from rigorbench.evidence.walk.extract import extract
from rigorbench.session.registry import read_path

RED = "FAILED tests/test_a.py::test_sum - assert 3 == 6\n1 failed, 1 passed in 0.02s\n"
GREEN = "2 passed in 0.02s\n"
TESTS = "python -m pytest -q"
SAVED = "/tmp/tasks/b1.output"

# What happens: (kind, then what it needs). A run in the background ends before the next step, one "left" never does.
Happening = tuple[str, ...]
Lines = list[dict[str, Any]]


def claude(happenings: list[Happening]) -> tuple[Lines, Lines]:
    """Claude Code's log and stream."""
    kept: Lines = [{"type": "user", "uuid": "u", "message": {"role": "user", "content": "Make sum add three numbers."}}]
    stream: Lines = [{"type": "system", "subtype": "init", "cwd": "/home/dev/adder", "claude_code_version": "2.1.330"}]
    for number, (kind, *given) in enumerate(happenings):
        call = f"toolu_{number}"
        name, arguments, text, error, outcome = _claude_call(kind, given)
        asked = {"id": f"msg_{number}", "role": "assistant", "model": "scripted"}
        block = {"type": "tool_use", "id": call, "name": name, "input": arguments}
        answer = {"type": "tool_result", "tool_use_id": call, "content": text, "is_error": error}
        for lines, key in ((kept, "toolUseResult"), (stream, "tool_use_result")):
            lines.append({"type": "assistant", "uuid": f"a{number}", "message": {**asked, "content": [block]}})
            told = {"role": "user", "content": [answer]}
            lines.append({"type": "user", "uuid": f"r{number}", "message": told, key: outcome})
        if kind == "background":
            summary = f'Background command "tests" completed (exit code {given[2]})'
            note = f"<task-notification>\n<task-id>b1</task-id>\n<summary>{summary}</summary>\n</task-notification>"
            kept.append({"type": "user", "uuid": f"n{number}", "message": {"role": "user", "content": note}})
            stream.append({"type": "system", "subtype": "task_notification", "task_id": "b1", "summary": summary})
    said = {"id": "msg_end", "role": "assistant", "content": [{"type": "text", "text": "Done."}]}
    for lines in (kept, stream):
        lines.append({"type": "assistant", "uuid": "end", "message": said})
    stream.append({"type": "result", "subtype": "success", "is_error": False})
    for line in kept:
        line.update(sessionId="s1", cwd="/home/dev/adder", version="2.1.330", isSidechain=False)
    for line in stream:
        line.update(session_id="s1", parent_tool_use_id=None)
    return kept, stream


def _claude_call(kind: str, given: list[str]) -> tuple[str, dict[str, Any], str, bool, Any]:
    if kind == "edit":
        path, old, new = given
        return "Edit", {"file_path": path, "old_string": old, "new_string": new}, "updated", False, {"filePath": path}
    if kind == "refused":
        return "Bash", {"command": given[0]}, "This command requires approval", True, "Error: requires approval"
    command, output, status = given
    if kind in ("background", "left"):
        text = f"Command running in background with ID: b1. Output is being written to: {SAVED}. You will be notified."
        shown = {"stdout": "", "stderr": "", "interrupted": False, "backgroundTaskId": "b1"}
        return "Bash", {"command": command, "run_in_background": True}, text, False, shown
    if status == "0":
        return "Bash", {"command": command}, output, False, {"stdout": output, "stderr": "", "interrupted": False}
    return "Bash", {"command": command}, f"Exit code {status}\n{output}", True, f"Error: Exit code {status}\n{output}"


def codex(happenings: list[Happening]) -> tuple[Lines, Lines]:
    """Codex's rollout and the stream of ``codex exec``."""
    kept: list[tuple[str, dict[str, Any]]] = [("session_meta", {"id": "t1", "cwd": "/home/dev/adder"})]
    stream: Lines = [{"type": "thread.started", "thread_id": "t1"}, {"type": "turn.started"}]
    left: list[tuple[str, dict[str, Any]]] = []
    for number, (kind, *given) in enumerate(happenings):
        call, item = f"call_{number}", {"id": f"item_{number}"}
        if kind == "edit":
            path, old, new = given
            patch = f"*** Begin Patch\n*** Update File: {path}\n@@\n-{old}\n+{new}\n*** End Patch"
            asked = {"type": "custom_tool_call", "call_id": call, "name": "apply_patch", "input": patch}
            kept.append(("response_item", asked))
            done = {"type": "custom_tool_call_output", "call_id": call, "output": "Exit code: 0\nOutput:\nSuccess."}
            kept.append(("response_item", done))
            change = {"type": "file_change", "changes": [{"path": path, "kind": "update"}], "status": "completed"}
            stream.append({"type": "item.completed", "item": {**item, **change}})
            continue
        arguments = json.dumps({"cmd": given[0]})
        asked = {"type": "function_call", "call_id": call, "name": "exec_command", "arguments": arguments}
        kept.append(("response_item", asked))
        run = {"type": "command_execution", "command": f"/bin/bash -lc '{given[0]}'"}
        open_item = {**item, **run, "aggregated_output": "", "exit_code": None, "status": "in_progress"}
        if kind == "refused":
            text = 'exec_command failed: CreateProcess { message: "Rejected(\\"it is not permitted\\")" }'
        elif kind == "left":
            text = "Wall time: 3 seconds\nProcess running with session ID 7\nOutput:\n"
            stream.append({"type": "item.started", "item": open_item})
            ended = {"type": "CommandExecution", "id": call, "aggregated_output": "", "exit_code": -1}
            left.append(("event_msg", {"type": "item_completed", "item": {**ended, "status": "failed"}}))
        else:
            text = f"Wall time: 1 seconds\nProcess exited with code {given[2]}\nOutput:\n{given[1]}"
            closed = {"aggregated_output": given[1], "exit_code": int(given[2]), "status": "completed"}
            stream += [
                {"type": "item.started", "item": open_item},
                {"type": "item.completed", "item": {**open_item, **closed}},
            ]
        kept.append(("response_item", {"type": "function_call_output", "call_id": call, "output": text}))
    said = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Done."}]}
    kept += [("response_item", said), ("event_msg", {"type": "task_complete"}), *left]
    stream += [
        {"type": "item.completed", "item": {"id": "item_end", "type": "agent_message", "text": "Done."}},
        {"type": "turn.completed", "usage": {"input_tokens": 9, "output_tokens": 2}},
    ]
    times = (f"2026-03-01T10:00:{second:02}.000Z" for second in range(60))
    return [{"timestamp": time, "type": t, "payload": p} for time, (t, p) in zip(times, kept, strict=False)], stream


WRITERS = {"claude": claude, "codex": codex}


@pytest.fixture(params=WRITERS)
def agent(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def records(directory: Path, agent: str, *happenings: Happening) -> Iterator[Evidence]:
    """The evidence of the kept log, then that of the stream."""
    for name, lines in zip(("kept", "stream"), WRITERS[agent](list(happenings)), strict=True):
        (trajectory,) = read_path(write(directory / agent / f"{name}.jsonl", *lines))
        yield extract(trajectory)


def runs(evidence: Evidence) -> list[str]:
    return [e.outcome for e in evidence.events if isinstance(e, events.TestRunEvent)]


def of(evidence: Evidence, kind: type[Any]) -> list[Any]:
    return [e for e in evidence.events if isinstance(e, kind)]


EDIT = ("edit", "/home/dev/adder/src/adder.py", "    return a + b", "    return a + b + c")


def test_red_an_edit_and_green(tmp_path: Path, agent: str) -> None:
    for record in records(tmp_path, agent, ("shell", TESTS, RED, "1"), EDIT, ("shell", TESTS, GREEN, "0")):
        assert runs(record) == ["failed", "passed"]
        assert len(of(record, events.EditEvent)) == 1


def test_what_a_failed_command_guards_did_not_run(tmp_path: Path, agent: str) -> None:
    guarded = f"{TESTS} && ruff check . && git commit -qam Sum"
    for record in records(tmp_path, agent, EDIT, ("shell", guarded, RED, "1")):
        assert runs(record) == ["failed"]
        assert of(record, events.LintEvent) == of(record, events.CommitEvent) == []
    for record in records(tmp_path, agent, EDIT, ("shell", guarded, GREEN + "All checks passed!\n", "0")):
        assert runs(record) == ["passed"]
        assert [len(of(record, kind)) for kind in (events.LintEvent, events.CommitEvent)] == [1, 1]


def test_a_command_that_was_refused_did_nothing(tmp_path: Path, agent: str) -> None:
    for record in records(tmp_path, agent, ("refused", f"rm -rf src && {TESTS}"), EDIT):
        assert [Path(e.path).name for e in of(record, events.EditEvent)] == ["adder.py"]
        assert runs(record) == []


def test_a_run_that_was_left_running_has_no_outcome(tmp_path: Path, agent: str) -> None:
    for record in records(tmp_path, agent, ("left", TESTS, "", ""), EDIT):
        assert runs(record) == ["unknown"]


@pytest.mark.parametrize(("status", "outcome"), [("0", "passed"), ("1", "error")])
def test_the_end_of_a_background_command_is_its_notification(tmp_path: Path, status: str, outcome: str) -> None:
    for record in records(tmp_path, "claude", ("background", TESTS, "", status)):
        assert runs(record) == [outcome]


def test_the_file_with_the_output_of_a_background_command_is_its_output(tmp_path: Path) -> None:
    for record in records(tmp_path, "claude", ("background", TESTS, "", "1"), ("shell", f"tail -5 {SAVED}", RED, "0")):
        (run,) = of(record, events.TestRunEvent)
        assert (run.outcome, run.failing) == ("failed", ["tests/test_a.py::test_sum"])


def test_a_run_whose_long_output_was_saved_is_one_run(tmp_path: Path) -> None:
    kept, _ = claude([("shell", TESTS, RED, "0")])
    kept[2]["toolUseResult"]["persistedOutputPath"] = "/tmp/results/long.txt"
    (trajectory,) = read_path(write(tmp_path / "kept.jsonl", *kept))
    assert runs(extract(trajectory)) == ["failed"]


def test_a_script_that_was_announced_shows_that_those_before_it_passed(tmp_path: Path, agent: str) -> None:
    output = "> @ bundle /app\n> esbuild src\n\n> @ check /app\n> tsc -b\n\nsrc/a.ts(3,1): error TS2322: Type 'a'.\n"
    for record in records(tmp_path, agent, EDIT, ("shell", "pnpm bundle && pnpm check && pnpm lint", output, "2")):
        checks = [e for e in record.events if isinstance(e, events.BuildEvent | events.LintEvent)]
        assert [(e.command, e.outcome) for e in checks] == [("pnpm bundle", "passed"), ("pnpm check", "failed")]


def test_the_announcement_of_a_script_says_nothing_of_its_own_checks(tmp_path: Path, agent: str) -> None:
    output = (
        "> a@1.0.0 lint /app\n> tsc --noEmit && deno check a.ts\n\nsrc/a.ts(3,1): error TS2322: Type 'a'.\n"
        " ELIFECYCLE  Command failed with exit code 2.\n"
    )
    for record in records(tmp_path, agent, EDIT, ("shell", "pnpm lint && git commit -m Sum", output, "2")):
        assert [e.outcome for e in of(record, events.BuildEvent)] == ["failed"]
        assert of(record, events.CommitEvent) == []
