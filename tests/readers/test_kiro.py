"""Kiro's command line in both layouts and its editor; Amazon Q's database, which Kiro's first version has too."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest
from log_checks import calls_of, write

from rigorbench.session.formats import FOLDERS, find_sessions
from rigorbench.session.model import Edit, FileChange, Trajectory
from rigorbench.session.registry import read_path

DATA = Path(__file__).parents[1] / "data"
CLI, MESSAGES = next(DATA.glob("kiro/sessions/cli/*.jsonl")), next(DATA.glob("kiro/sessions/*/*/messages.jsonl"))
EDITOR, DATABASE = next(DATA.glob("kiro/ide/*/*/*.json")), DATA / "amazon-q" / "data.sqlite3"


def one(path: Path) -> Trajectory:
    (trajectory,) = read_path(path)
    return trajectory


def outcomes(trajectory: Trajectory) -> list[Any]:
    results = [call.result for call in calls_of(trajectory).values()]
    return [r and (r.exit_status, r.is_error, r.denied) for r in results]


SAME = [(1, False, False), (None, False, False), (None, False, False), (None, True, True), (0, False, False)]


@pytest.mark.parametrize(
    ("path", "about", "results"),
    [
        (CLI, ("kiro", "3f0c1d2e-0001-4a5b-8c6d-000000000001", "claude-sonnet-4.5"), SAME),
        (MESSAGES, ("kiro", "sess_3f0c1d2e-0002", "claude-opus-5"), [(None, True, False), (None, False, False)]),
        (DATABASE, ("amazon-q", "q1", "claude-sonnet-4"), SAME),
        (
            EDITOR,
            ("kiro", "x7", "claude-haiku-4.5"),
            [(1, False, False), *[(None, False, False)] * 2, (None, True, True), (0, False, False)],
        ),
    ],
    ids=["cli", "messages", "database", "editor"],
)
def test_a_session(path: Path, about: tuple[str, ...], results: list[Any]) -> None:
    trajectory = one(path)
    assert (trajectory.agent, trajectory.id, trajectory.model) == about
    assert (trajectory.cwd, trajectory.end, trajectory.complete) == ("/home/dev/repo", "completed", True)
    assert (trajectory.total_usage(), trajectory.usage_complete, trajectory.skipped) == (None, False, [])
    assert outcomes(trajectory) == results
    first = trajectory.steps[0]
    assert (first.role, first.text.split(" such")[0].rstrip(".")) == ("user", "Fix compound durations")
    assert trajectory.started_at == 1784368800.0
    assert "I run the tests." in [step.text for step in trajectory.steps]


def test_what_the_editor_states_of_files() -> None:
    edits = [call.action for call in calls_of(one(EDITOR)).values() if isinstance(call.action, Edit)]
    old = "def parse_duration(text):\n    match = _TOKEN.match(text)\n"
    new = old.replace("match = _TOKEN.match", "found = _TOKEN.findall")
    assert [edit.changes for edit in edits] == [
        [FileChange("slotkit/duration.py", "modify", before=old, after=new)],
        [FileChange("NOTES.md", "create", after="Durations are sums.\n")],
    ]


def test_unknown_records_are_named(tmp_path: Path) -> None:
    def payload(number: int, **fields: Any) -> dict[str, Any]:
        return {"id": str(number), "timestamp": "2026-07-18T10:00:00Z", "payload": fields}

    lines = [
        payload(1, type="user", content="x"),
        payload(2, type="assistant", operationType="Summary", content="so far"),
        payload(3, type="riddle"),
    ]
    trajectory = one(write(tmp_path / "messages.jsonl", *lines, {"kind": "Clear", "data": {}}))
    assert [step.role for step in trajectory.steps] == ["user", "compaction"]
    assert [part.reason for part in trajectory.skipped] == [
        "an event of the unknown kind 'riddle'; skipped",
        "a record of the unknown kind 'Clear'; skipped",
    ]


def test_the_database_of_kiro_and_a_conversation_that_was_summed_up(tmp_path: Path) -> None:
    copy = tmp_path / ".local" / "share" / "kiro-cli" / "data.sqlite3"
    copy.parent.mkdir(parents=True)
    copy.write_bytes(DATABASE.read_bytes())
    with sqlite3.connect(copy) as database:
        database.execute(
            "UPDATE conversations SET value = json_set(value, '$.latest_summary', json('[\"so far\", {}]'))"
        )
        database.execute("INSERT INTO conversations VALUES ('/broken', '[')")
        database.execute("CREATE TABLE conversations_v2 (key, conversation_id, value, created_at, updated_at)")
        database.execute(
            "INSERT INTO conversations_v2 SELECT key, 'q1', value, 1, 2 FROM conversations WHERE key LIKE '%repo'"
        )
    database.close()
    found = read_path(copy)
    assert [(t.agent, t.id, t.steps[0].role) for t in found] == [
        ("kiro", "q1", "compaction"),
        ("kiro", "q2", "compaction"),
    ]
    assert "the conversation of /broken is no JSON object; skipped" in [part.reason for part in found[0].skipped]
    assert found[0].complete is None
    assert [(agent, path) for agent, path, _ in find_sessions(FOLDERS, tmp_path)] == [("kiro", copy)]


@pytest.mark.parametrize("place", [".config", "Library/Application Support", "AppData/Roaming"])
def test_sessions_are_found_on_each_system(tmp_path: Path, place: str) -> None:
    name = "Kiro/User/globalStorage/kiro.kiroagent/0a1b2c3d4e5f60718293a4b5c6d7e8f9/1b2c3d4e/2c3d4e5f"
    paths = [
        tmp_path / place / name,
        tmp_path / ".kiro/sessions/cli/a.jsonl",
        tmp_path / ".kiro/sessions/a/b/messages.jsonl",
    ]
    for path in paths:
        write(path, "{}")
    assert sorted(path for _, path, _ in find_sessions(FOLDERS, tmp_path, "kiro")) == sorted(paths)
