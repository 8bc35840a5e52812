"""Goose: the database, the session files before it, and an export."""

from __future__ import annotations

import json
from pathlib import Path

from log_checks import calls, calls_of, read, totals

from rigorbench.session.model import Edit, FileChange, Shell
from rigorbench.session.readers.goose import READERS

DATA = Path(__file__).parents[1] / "data" / "goose"


def test_a_real_database() -> None:
    (session,) = read(READERS, DATA / "sessions.db")
    assert (session.id, session.model, session.cwd) == ("20261201_1", "fake-coder", "/home/dev/repo")
    assert totals(session) == {"input": 83869, "cached": 0, "output": 737, "calls": 16, "steps": 17}
    commands = [call.result for call in calls(session) if isinstance(call.action, Shell)]
    assert [r.exit_status for r in commands if r] == [0, 0, 0, 0, 127, 127, 127, 127, 0, 0, 0]
    failed = commands[4]
    assert (failed.is_error, failed.stdout) == (True, "bash: line 1: python: command not found")
    edits = [call.action for call in calls(session) if isinstance(call.action, Edit)]
    assert [edit.changes[0].operation for edit in edits].count("create") == 1
    assert edits[1].changes[0].hunks == [("Edit slotkit/duration.py", "Edit slotkit/duration.py")]


def test_a_session_file_and_its_export_are_the_same(tmp_path: Path) -> None:
    path = DATA / "20261201_002820.jsonl"
    about, *messages = map(json.loads, path.read_text().splitlines())
    (tmp_path / "export.json").write_text(json.dumps({**about, "id": path.stem, "conversation": messages}))
    for log in (path, tmp_path / "export.json"):
        (session,) = read(READERS, log)
        assert (session.id, session.cwd, totals(session)["input"]) == (path.stem, "/home/dev/repo", 9000)
        found = calls_of(session)
        assert found["t1"].action == Shell("python -m pytest -q")
        edit, refused = found["t2"].action, found["t2"].result
        assert isinstance(edit, Edit)
        assert isinstance(edit.changes[0], FileChange)
        assert (refused.is_error, refused.text) == (True, "-32602: no match was found")
