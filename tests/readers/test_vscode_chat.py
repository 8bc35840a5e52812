"""Chats of VS Code with Copilot: the log of changes, the export, and what only the editor shows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from log_checks import agent_steps, calls, read, write

from rigorbench.session.logfile import LogFile
from rigorbench.session.model import Edit, Read, Shell, Trajectory
from rigorbench.session.readers.copilot import READERS as TRANSCRIPTS
from rigorbench.session.readers.vscode_chat import READERS

DATA = Path(__file__).parents[1] / "data" / "vscode-chat"
HEAD = {"version": 3, "sessionId": "s", "creationDate": 1796084323500, "requests": []}


@pytest.mark.parametrize(("name", "steps"), [("7b1c0001-0000-4000-8000-000000000001.jsonl", 4), ("chat.json", 3)])
def test_a_chat(name: str, steps: int) -> None:
    (session,) = read(READERS, DATA / name)
    assert (session.agent, session.agent_version, session.model) == ("copilot-chat", "0.41.0", "claude-sonnet-4.5")
    assert len(agent_steps(session)) == steps
    assert not session.usage_complete
    kinds = [type(call.action) for call in calls(session)]
    assert [kinds.count(kind) for kind in (Read, Shell, Edit)] == [1, 2, 1]
    commands = [call.result for call in calls(session) if isinstance(call.action, Shell)]
    assert [(r.exit_status, r.duration, "2 failed, 2 passed" in r.text) for r in commands if r] == [
        (1, 0.812, True),
        (0, 0.64, False),
    ]


def test_tokens_of_the_last_of_several_answers_are_not_those_of_the_session() -> None:
    (session,) = read(READERS, DATA / "7b1c0001-0000-4000-8000-000000000001.jsonl")
    assert [step.usage for step in agent_steps(session)] == [None] * 4
    assert session.end == "completed"


def chat(path: Path, *changes: dict[str, Any]) -> tuple[Trajectory, LogFile]:
    log = LogFile(write(path, {"kind": 0, "v": HEAD}, *changes))
    (session,) = read(READERS, log)
    return session, log


def asked(*parts: dict[str, Any], **more: Any) -> dict[str, Any]:
    request = {"requestId": "r", "timestamp": 1796084324000, "message": {"text": "Go"}, "response": list(parts), **more}
    return {"kind": 2, "k": ["requests"], "v": [request]}


def test_changes_are_carried_out_in_order(tmp_path: Path) -> None:
    session, log = chat(
        tmp_path / "s.jsonl",
        asked({"value": "One"}, {"value": " two"}),
        {"kind": 2, "k": ["requests", 0, "response"], "v": [{"value": " three"}], "i": 1},
        {"kind": 1, "k": ["requests", 0, "modelState"], "v": {"value": 2}},
        {"kind": 3, "k": ["hasPendingEdits"]},
        {"kind": 1, "k": ["requests", 7, "result"], "v": {}},
        {"kind": 9, "v": 0},
    )
    assert [(step.role, step.text) for step in session.steps] == [
        ("user", "Go"),
        ("agent", "One three"),
        ("interrupt", "canceled"),
    ]
    assert session.end == "interrupted"
    assert [skipped.line for skipped in log.skipped] == [6, 7]


def test_refused_calls_and_unknown_parts(tmp_path: Path) -> None:
    data = {"kind": "terminal", "commandLine": {"original": "rm x", "userEdited": "rm -i x"}}
    part = {"kind": "toolInvocationSerialized", "toolId": "run_in_terminal", "toolSpecificData": data}
    session, log = chat(
        tmp_path / "s.jsonl", asked({**part, "isConfirmed": {"type": 0}, "isComplete": True}, {"kind": "new"})
    )
    (call,) = calls(session)
    assert call.action == Shell("rm -i x")
    assert (call.result.denied, call.result.is_error, call.result.exit_status) == (True, True, None)
    assert ["'new'" in skipped.reason for skipped in log.skipped] == [True]


def test_the_folder_is_named_beside_the_chat(tmp_path: Path) -> None:
    (tmp_path / "workspace.json").write_text(json.dumps({"folder": "file:///c%3A/work/api"}))
    session, _ = chat(tmp_path / "chatSessions" / "s.jsonl", asked({"value": "Yes"}))
    assert session.cwd == "c:/work/api"


def test_a_transcript_is_part_of_the_chat_with_its_id(tmp_path: Path) -> None:
    transcript = write(
        tmp_path / "GitHub.copilot-chat" / "transcripts" / "s.jsonl", {"type": "session.start", "data": {}}
    )
    assert TRANSCRIPTS[0].owner(transcript) == transcript
    whole = write(tmp_path / "chatSessions" / "s.jsonl", {"kind": 0, "v": HEAD})
    assert TRANSCRIPTS[0].owner(transcript) == whole
