"""What Cursor keeps of its sessions: transcripts, the store of the command line, the editor's database."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest
from log_checks import calls, calls_of, read, write

from rigorbench.session.logfile import LogFile
from rigorbench.session.model import Edit, Shell, Trajectory
from rigorbench.session.readers import cursor_editor, cursor_store, cursor_transcript
from rigorbench.session.registry import detect

DATA = Path(__file__).parents[1] / "data" / "cursor"
ID = "5d6d4aa8-0001-4000-8000-00000000000"
TRANSCRIPT = DATA / f"{ID}1" / f"{ID}1.jsonl"
READERS = (*cursor_transcript.READERS, *cursor_store.READERS, *cursor_editor.READERS)
RESULTS = {"cursor-store": [1, 0], "cursor-editor": [1, 0, None]}


@pytest.mark.parametrize(
    ("path", "kind", "identity", "model", "cwd", "end"),
    [
        (TRANSCRIPT, "cursor-transcript", f"{ID}1", None, None, "completed"),
        (DATA / "transcript.txt", "cursor-text", "transcript", None, None, None),
        (DATA / "store.db", "cursor-store", f"{ID}3", "composer-2", "/home/dev/repo", None),
        (DATA / "editor.db", "cursor-editor", f"{ID}4", "composer-2", None, "completed"),
    ],
    ids=lambda value: value if isinstance(value, str) and value.startswith("cursor-") else "",
)
def test_the_stores(path: Path, kind: str, identity: str, model: str | None, cwd: str | None, end: str | None) -> None:
    found = detect(LogFile(path))
    assert found.format == kind
    (session,) = read(READERS, path)
    assert (session.format, session.id, session.model, session.cwd, session.end) == (kind, identity, model, cwd, end)
    said = [step.text for step in session.steps if step.role == "user"]
    assert said == ["The test suite of this package fails. Find out why, fix the code, and commit your work."]
    commands = [call for call in calls(session) if isinstance(call.action, Shell)]
    assert {call.action.command for call in commands} <= {"python -m pytest -q", "git push"}
    assert [call.result and call.result.exit_status for call in commands] == RESULTS.get(kind, [None] * len(commands))
    edits = [call.action for call in calls(session) if isinstance(call.action, Edit)]
    assert next(change.path for edit in edits for change in edit.changes) == "/home/dev/repo/slotkit/duration.py"
    assert session.usage is None
    assert not session.skipped


def test_the_sub_agent_of_a_transcript_is_found_by_its_prompt() -> None:
    (session,) = read(READERS, TRANSCRIPT)
    (lane,) = [lane for lane in session.lanes.values() if lane.parent]
    call = calls_of(session)[lane.parent_call or ""]
    assert (lane.id, call.name, lane.prompt) == (f"{ID}2", "Subagent", "Read slotkit/duration.py and report risks.")
    part = TRANSCRIPT.parent / "subagents" / f"{ID}2.jsonl"
    assert READERS[0].owner(part) == TRANSCRIPT
    assert [step.role for step in session.steps if step.lane == lane.id] == ["harness", "agent", "agent"]


def test_records_that_are_not_known_are_named(tmp_path: Path) -> None:
    path = write(
        tmp_path / "t.jsonl",
        {"role": "user", "message": {"content": [{"type": "text", "text": "Do <user_query> it"}]}},
        {"role": "assistant", "message": {"content": [{"type": "hologram"}, {"type": "text", "text": "Done."}]}},
        {"type": "weather"},
        {"type": "turn_ended", "status": "aborted", "error": "User aborted request"},
    )
    log = LogFile(path)
    (session,) = read(READERS, log)
    assert [(skipped.line, "hologram" in skipped.reason) for skipped in log.skipped] == [(2, True), (3, False)]
    assert (session.end, [step.text for step in session.steps]) == ("interrupted", ["Do <user_query> it", "Done."])


def test_a_call_without_arguments_is_a_call(tmp_path: Path) -> None:
    path = tmp_path / "t.txt"
    path.write_text(
        "user:\n<user_query>\nGo on\n</user_query>\n\nassistant:\n[Tool call] mcp_look\n[Tool call] LS\n  path: a\n"
    )
    assert [call.name for call in calls_of(read(READERS, path)[0]).values()] == ["mcp_look", "LS"]


def _editor(path: Path, rows: dict[str, object]) -> Trajectory:
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE cursorDiskKV (key TEXT UNIQUE, value BLOB)")
        database.executemany("INSERT INTO cursorDiskKV VALUES (?, ?)", [(k, json.dumps(v)) for k, v in rows.items()])
    database.close()
    (session,) = read(READERS, path)
    return session


def test_a_refused_call_a_lost_message_and_a_sub_agent_of_the_editor(tmp_path: Path) -> None:
    refused = {"name": "run_terminal_cmd", "toolCallId": "c1", "status": "completed", "params": '{"command": "rm x"}'}
    session = _editor(
        tmp_path / "state.vscdb",
        {
            "composerData:a": {
                "composerId": "a",
                "fullConversationHeadersOnly": [{"bubbleId": "1"}, {"bubbleId": "2"}, {"bubbleId": "gone"}],
                "subagentComposerIds": ["b"],
            },
            "composerData:b": {"composerId": "b", "conversation": [{"bubbleId": "x", "type": 2, "text": "Looked."}]},
            "bubbleId:a:1": {"type": 1, "text": "Clean up"},
            "bubbleId:a:2": {"type": 2, "toolFormerData": {**refused, "result": '{"rejected": true}'}},
        },
    )
    result = calls_of(session)["c1"].result
    assert (result.denied, result.exit_status) == (True, None)
    assert [(step.lane, step.text) for step in session.steps if step.text] == [("main", "Clean up"), ("b", "Looked.")]


def test_messages_of_a_store_without_a_root_are_read_as_stored(tmp_path: Path) -> None:
    copy = tmp_path / "store.db"
    copy.write_bytes((DATA / "store.db").read_bytes())
    with sqlite3.connect(copy) as database:
        database.execute("UPDATE meta SET value = '7b7d'")
    database.close()
    log = LogFile(copy)
    (session,) = read(READERS, log)
    assert len(calls(session)) == 4
    assert ["missing" in skipped.reason for skipped in log.skipped] == [True]
