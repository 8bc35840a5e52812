"""Crush: the database of a project, with its sub-agents' sessions."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from log_checks import calls_of

from rigorbench.session.cost import stated_cost
from rigorbench.session.formats import FOLDERS
from rigorbench.session.model import Edit
from rigorbench.session.registry import read_path

DATA = Path(__file__).parents[1] / "data" / "crush" / ".crush" / "crush.db"


def test_a_session_with_a_sub_agent() -> None:
    (trajectory,) = read_path(DATA)
    assert (trajectory.id, trajectory.model, trajectory.end) == ("s1", "claude-sonnet-4-5", "completed")
    assert trajectory.cwd == str(DATA.parents[1].resolve())
    assert (stated_cost(trajectory), trajectory.total_usage(), trajectory.usage_complete) == (0.0421, None, False)
    assert [(step.role, step.lane, step.text) for step in trajectory.steps if step.role != "agent"] == [
        ("user", "main", "Fix compound durations such as 1h30m and run the tests."),
        ("harness", "a3$$c3", "List the callers of parse_duration."),
        ("harness", "main", "the user ran: git status --short\n M slotkit/duration.py"),
        ("compaction", "main", "Durations: fixed and tested."),
    ]
    lane = trajectory.lanes["a3$$c3"]
    assert (lane.parent, lane.parent_call, lane.prompt) == ("main", "c3", "List the callers of parse_duration.")
    calls = calls_of(trajectory)
    results = {key: call.result for key, call in sorted(calls.items()) if call.result}
    assert [(key, r.exit_status, r.is_error, r.denied) for key, r in results.items()] == [
        ("c1", 1, False, False),
        ("c2", None, False, False),
        ("c3", None, False, False),
        ("c4", None, True, False),
        ("c5", None, False, False),
        ("c6", None, True, True),
        ("c7", None, False, False),
        ("d1", None, False, False),
    ]
    assert (results["c1"].duration, results["c7"].stdout) == (1.25, "4 passed in 0.01s")
    action = calls["c5"].action
    assert isinstance(action, Edit)
    change = action.changes[0]
    lines = ("match = _TOKEN.match(text)", "found = _TOKEN.findall(text)")
    assert [change.before, change.after] == [f"def parse_duration(text):\n    {line}\n" for line in lines]
    assert change.operation == "modify"


def test_a_database_of_an_older_version_with_a_message_that_cannot_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = tmp_path / ".crush" / "crush.db"
    copy.parent.mkdir()
    copy.write_bytes(DATA.read_bytes())
    with sqlite3.connect(copy) as database:
        database.execute("ALTER TABLE messages DROP COLUMN is_summary_message")
        database.execute("UPDATE messages SET parts = '[{\"type\"' WHERE id = 'm2'")
        database.execute("UPDATE sessions SET parent_session_id = 'gone' WHERE id = 's1'")
    database.close()
    (trajectory,) = read_path(copy)
    assert len(trajectory.steps) == len(read_path(DATA)[0].steps)
    assert [part.reason for part in trajectory.skipped] == [
        "the parts of message m2 cannot be read; skipped",
        *(f"a tool result without its call ({call}); skipped" for call in ("c1", "c2")),
    ]
    (folder,) = (folder for folder in FOLDERS if folder.agent == "crush")
    monkeypatch.chdir(tmp_path)
    assert [path for path, _ in folder.logs(tmp_path / "home")] == [copy]
