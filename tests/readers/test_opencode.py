"""opencode: the database (live, with its write-ahead log), exports, older files, the JSON stream."""

from __future__ import annotations

import gzip
import json
import random
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from log_checks import agent_steps, calls_of, damaged, read, survives, totals

from rigorbench.session.logfile import LogError, LogFile
from rigorbench.session.model import Plan, Shell, Spawn
from rigorbench.session.readers.opencode import READERS
from rigorbench.session.registry import read_path

DATABASE, EXPORT, STREAM = READERS
DATA = Path(__file__).parents[1] / "data" / "opencode"


def tokens(prompt: int, output: int, reasoning: int = 0, read: int = 0) -> dict[str, Any]:
    return {"input": prompt, "output": output, "reasoning": reasoning, "cache": {"read": read, "write": 0}}


def tool(name: str, call: str, arguments: Any, output: str = "", **state: Any) -> dict[str, Any]:
    full = {"status": "completed", "input": arguments, "output": output, "time": {"start": 1000, "end": 3500}, **state}
    return {"type": "tool", "tool": name, "callID": call, "state": full}


def finish(count: dict[str, Any]) -> dict[str, Any]:
    return {"type": "step-finish", "reason": "stop", "tokens": count}


def session(key: str, *messages: tuple[str, list[Any]], parent: str | None = None, **info: Any) -> dict[str, Any]:
    """An export; each message is (role, parts)."""
    head = {"id": key, "directory": "/repo", "version": "1.2", "time": {"created": 500}, **info}
    if parent is not None:
        head["parentID"] = parent
    rows = []
    for number, (role, parts) in enumerate(messages):
        meta = {"id": f"msg_{number}", "role": role, "time": {"created": 1000 * number}, "modelID": "m"}
        rows.append({"info": meta, "parts": parts})
    return {"info": head, "messages": rows}


def save(path: Path, document: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document), "utf-8")
    return path


def database(path: Path, *sessions: dict[str, Any]) -> sqlite3.Connection:
    """An open database in WAL mode that holds the sessions of these exports."""
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA wal_autocheckpoint=0")
    connection.execute("CREATE TABLE session (id, parent_id, directory, version, time_created)")
    connection.execute("CREATE TABLE message (id, session_id, time_created, data)")
    connection.execute("CREATE TABLE part (id, message_id, session_id, data)")
    for document in sessions:
        info = document["info"]
        row = (info["id"], info.get("parentID"), info["directory"], info["version"], info["time"]["created"])
        connection.execute("INSERT INTO session VALUES (?, ?, ?, ?, ?)", row)
        for message in document["messages"]:
            meta = {k: v for k, v in message["info"].items() if k != "id"}
            key = f"{info['id']}-{message['info']['id']}"
            created = meta["time"]["created"]
            connection.execute("INSERT INTO message VALUES (?, ?, ?, ?)", (key, info["id"], created, json.dumps(meta)))
            for number, part in enumerate(message["parts"]):
                values = (f"{key}-{number:03}", key, info["id"], json.dumps(part))
                connection.execute("INSERT INTO part VALUES (?, ?, ?, ?)", values)
    connection.commit()
    return connection


ASKED = [{"type": "text", "text": '"fix the \\"parser\\" now"'}, {"type": "text", "text": "file", "synthetic": True}]
ANSWERED = [
    {"type": "step-start"},
    {"type": "reasoning", "text": "hm"},
    {"type": "text", "text": "Delegating."},
    tool("task", "c1", {"prompt": "look", "subagent_type": "explore"}, metadata={"sessionId": "ses_b"}),
    finish(tokens(10, 2, 3, 100)),
    {"type": "patch", "files": []},
    {"type": "step-start"},
    {"type": "text", "text": "Done."},
    finish(tokens(11, 4)),
]
PARENT = session("ses_a", ("user", ASKED), ("assistant", ANSWERED))
CHILD = session(
    "ses_b", ("user", [{"type": "text", "text": "look"}]), ("assistant", [finish(tokens(5, 1))]), parent="ses_a"
)


def test_exit_statuses_plan_and_prompt(shared_data: Path) -> None:
    run = shared_data / "cli" / "opencode" / "disciplined"
    (found,) = read(READERS, run / "session/.local/share/opencode/opencode.db")
    calls = [call for step in found.steps for call in step.calls]
    assert [c.result.exit_status for c in calls if isinstance(c.action, Shell) and c.result] == [0, 1, 1, 0, 0, 0]
    plans = [c.action for c in calls if isinstance(c.action, Plan)]
    assert [i.status for i in plans[-1].items] == ["completed"] * 4
    assert found.steps[0].role == "user"
    assert found.steps[0].text.startswith("The test suite")
    created = next(c.action for c in calls if c.name == "write")
    assert created.changes[0].operation == "create"


def test_bundled_export() -> None:
    (found,) = read(READERS, DATA / "export-1.18-reckless.json")
    assert totals(found) == {"input": 114033, "cached": 103872, "output": 401, "calls": 12, "steps": 13}
    assert found.steps[0].text.startswith("The test suite")


def test_a_live_database_is_read_with_its_log_and_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "opencode.db"
    with closing(database(path, PARENT, CHILD)):
        assert b"ses_a" not in path.read_bytes()  # all of it lies in the write-ahead log
        before = {p.name: (p.read_bytes(), p.stat().st_mtime_ns) for p in tmp_path.iterdir()}
        assert sorted(before) == ["opencode.db", "opencode.db-shm", "opencode.db-wal"]
        (found,) = read(READERS, path)
        assert {p.name: (p.read_bytes(), p.stat().st_mtime_ns) for p in tmp_path.iterdir()} == before
    assert totals(found) == {"input": 126, "cached": 100, "output": 10, "calls": 1, "steps": 3}


def test_a_database_left_behind_by_a_crash_is_not_recovered_in_place(tmp_path: Path) -> None:
    source = tmp_path / "made"
    source.mkdir()
    with closing(database(source / "opencode.db", PARENT)):
        left = tmp_path / "left"
        shutil.copytree(source, left)
    (left / "opencode.db-shm").unlink()
    left.chmod(0o555)
    try:
        (found,) = read(READERS, left / "opencode.db")
        assert sorted(p.name for p in left.iterdir()) == ["opencode.db", "opencode.db-wal"]
    finally:
        left.chmod(0o755)
    assert len(agent_steps(found)) == 2


def test_a_database_at_rest_gets_no_files_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "opencode.db"
    database(path, PARENT).close()
    assert [p.name for p in tmp_path.iterdir()] == ["opencode.db"]
    content = path.read_bytes()
    read(READERS, path)
    assert [p.name for p in tmp_path.iterdir()] == ["opencode.db"]
    assert path.read_bytes() == content
    (packed,) = read(READERS, LogFile(None, content=content))
    assert len(packed.steps) == 4
    (tmp_path / "opencode.db.gz").write_bytes(gzip.compress(content))
    (unpacked,) = read(READERS, tmp_path / "opencode.db.gz")
    assert [s.text for s in unpacked.steps] == [s.text for s in packed.steps]


def test_sub_sessions_are_lanes_and_steps_are_model_calls(tmp_path: Path) -> None:
    path = tmp_path / "opencode.db"
    other = session("ses_c", ("user", [{"type": "text", "text": "hello"}]), time={"created": 9000})
    database(path, PARENT, CHILD, other).close()
    found, second = read(READERS, path)
    assert second.id == "ses_c"
    assert [s.lane for s in found.steps] == [*["main"] * 3, *["ses_b"] * 2, "main"]
    assert [s.role for s in found.steps] == ["user", "harness", "agent", "harness", "agent", "agent"]
    assert found.steps[0].text == 'fix the "parser" now'
    assert found.lanes["ses_b"].parent_call == "c1"
    assert found.lanes["ses_b"].agent_type == "explore"
    action = found.steps[2].calls[0].action
    assert action.lane == "ses_b"
    assert found.steps[2].reasoning == "hm"
    usage = found.steps[2].usage
    assert (usage.input, usage.cache_read, usage.output, usage.reasoning) == (10, 100, 5, 3)


def test_the_messages_of_version_2(tmp_path: Path) -> None:
    def used(name: str, call: str, given: Any, status: str = "completed", **state: Any) -> dict[str, Any]:
        full = {"status": status, "input": given, "content": [{"type": "text", "text": "shown"}], **state}
        return {"type": "tool", "id": call, "name": name, "state": full, "time": {"created": 1000, "completed": 3500}}

    calls = [
        used("bash", "c1", {"command": "make"}, structured={"exit": 2}, outputPaths=["/tmp/whole"]),
        used("edit", "c2", {"filePath": "a.py", "oldString": "a", "newString": "b"}, "error", error={"message": "no"}),
        used("subagent", "c3", {"prompt": "look"}, metadata={"sessionID": "ses_b"}),
        used("bash", "c4", {"command": "sleep 9"}, "running"),
    ]
    answer = {
        "model": {"id": "m", "providerID": "p"},
        "content": [*calls],
        "tokens": tokens(10, 2, 3, 100),
        "cost": 0.5,
    }
    rows: list[tuple[str, str, dict[str, Any]]] = [
        ("ses_a", "user", {"text": "go"}),
        ("ses_a", "model-switched", {}),
        ("ses_a", "synthetic", {"text": "note"}),
        ("ses_a", "shell", {"command": "ls", "output": "a.py"}),
        ("ses_a", "assistant", {**answer, "finish": "tool-calls"}),
        ("ses_a", "compaction", {"summary": "so far"}),
        ("ses_a", "telepathy", {}),
        ("ses_a", "assistant", {**answer, "content": [{"type": "text", "text": "Done."}], "finish": "stop"}),
        ("ses_b", "user", {"text": "look"}),
    ]
    path = tmp_path / "opencode.db"
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE session_v2 (id, parent_id, fork_session_id, directory, time_created)")
        db.execute("CREATE TABLE session_message (id, session_id, type, seq, time_created, data)")
        db.execute("CREATE TABLE event (id, session_id, data)")
        db.execute("CREATE TABLE session_thought (id, session_id, data)")
        db.executemany("INSERT INTO session_v2 VALUES (?, ?, NULL, '/repo', 1)", [("ses_a", None), ("ses_b", "ses_a")])
        for seq, (key, kind, data) in enumerate(rows):
            row = (f"m{seq}", key, kind, seq, json.dumps(data))
            db.execute("INSERT INTO session_message VALUES (?, ?, ?, ?, 1, ?)", row)
        db.commit()
    log = LogFile(path)
    (trajectory,) = read(READERS, log)
    roles = [step.role for step in trajectory.steps if step.lane == "main"]
    assert roles == ["user", "harness", "harness", "agent", "compaction", "agent"]
    assert [step.role for step in trajectory.steps if step.lane == "ses_b"] == ["harness"]
    done = calls_of(trajectory)
    made = done["c1"].result
    assert (made.exit_status, made.truncated, made.full_output) == (2, True, "/tmp/whole")
    assert (done["c2"].result.is_error, done["c2"].result.text) == (True, "shown\nno")
    assert done["c3"].action.lane == "ses_b"
    assert done["c4"].result is None
    assert (trajectory.model, trajectory.end, trajectory.extra["cost_usd"]) == ("m", "completed", 1.0)
    assert totals(trajectory)["input"] == 220
    told = [s.reason for s in log.skipped]
    assert ["session_thought" in told[0], "'telepathy'" in told[1], len(told)] == [True, True, 2]


def test_exports_of_sub_sessions_in_one_folder_belong_to_the_main_one(tmp_path: Path) -> None:
    main = save(tmp_path / "export-ses_a.json", PARENT)
    child = save(tmp_path / "export-ses_b.json", CHILD)
    save(tmp_path / "broken.json", "no export")
    (found,) = read(READERS, main)
    assert [s.lane for s in found.steps].count("ses_b") == 2
    child.rename(tmp_path / "moved")
    (lonely,) = read_path(main)
    (call,) = (c for c in calls_of(lonely).values() if isinstance(c.action, Spawn))
    assert (call.action.lane, lonely.usage_complete) == (None, False)
    (tmp_path / "moved").rename(child)
    assert EXPORT.owner(child) == main
    assert EXPORT.owner(main) == main
    alone = save(tmp_path / "elsewhere" / "export-ses_b.json", CHILD)
    assert EXPORT.owner(alone) == alone
    (single,) = read(READERS, alone)
    assert single.id == "ses_b"


def test_sessions_that_name_each_other_as_parent_end(tmp_path: Path) -> None:
    first = save(tmp_path / "a.json", session("ses_a", ("assistant", [tool("task", "c", {})]), parent="ses_b"))
    save(tmp_path / "b.json", session("ses_b", ("assistant", [tool("task", "c", {})]), parent="ses_a"))
    assert EXPORT.owner(first) in (first, tmp_path / "b.json")
    (found,) = read(READERS, first)
    assert len(found.lanes) == 1


def test_older_files(tmp_path: Path) -> None:
    storage = tmp_path / "storage"
    for document in (PARENT, CHILD):
        info = document["info"]
        save(storage / "session" / "project" / f"{info['id']}.json", info)
        for message in document["messages"]:
            key = f"{info['id']}-{message['info']['id']}"
            save(storage / "message" / info["id"] / f"{key}.json", {**message["info"], "id": key})
            for number, part in enumerate(message["parts"]):
                save(storage / "part" / key / f"prt_{number:03}.json", part)
    (storage / "part" / "ses_a-msg_1" / "prt_999.json").write_text("{", "utf-8")
    log = LogFile(storage)
    assert DATABASE.matches(log)
    (found,) = read(READERS, log)
    assert totals(found) == {"input": 126, "cached": 100, "output": 10, "calls": 1, "steps": 3}
    assert len(log.skipped) == 1
    # The database has taken over: the files are leftovers.
    (tmp_path / "opencode.db").touch()
    assert not DATABASE.matches(LogFile(storage))


def test_results_say_what_the_log_says(tmp_path: Path) -> None:
    cut = {"exit": 2, "output": "head", "truncated": True, "outputPath": "/out/1"}
    late = "\n\n<shell_metadata>\nshell tool terminated command after exceeding timeout 5 ms.\n</shell_metadata>"
    added = {"filePath": "/repo/a", "type": "add", "before": "", "after": "x\n"}
    files = [added, {"filePath": "/repo/b", "type": "delete"}]
    parts = [
        tool("bash", "c1", {"command": "make"}, "...tail", metadata=cut),
        tool("bash", "c2", {"command": "sleep 9"}, "partly" + late, metadata={"exit": None, "output": "partly"}),
        tool("bash", "c3", {"command": "rm"}, status="error", error="The user rejected permission to use this tool"),
        tool("bash", "c4", {"command": "x"}, status="running"),
        tool("apply_patch", "c5", {"patchText": "..."}, "Success", metadata={"files": files}),
        tool("write", "c6", {"filePath": "/repo/c", "content": "new"}, "Wrote", metadata={"exists": True}),
    ]
    (found,) = read(READERS, save(tmp_path / "e.json", session("ses_a", ("assistant", parts))))
    one, two, three, four, patch, wrote = found.steps[0].calls
    assert (one.result.exit_status, one.result.truncated, one.result.full_output) == (2, True, "/out/1")
    assert (one.time, one.result.time, one.result.duration) == (1.0, 3.5, 2.5)
    assert one.result.stdout is None
    assert (two.result.exit_status, two.result.timed_out, two.result.stdout) == (None, True, "partly")
    assert (three.result.denied, three.result.is_error) == (True, True)
    assert four.result is None
    assert [(c.path, c.operation, c.after) for c in patch.action.changes] == [
        ("/repo/a", "create", "x\n"),
        ("/repo/b", "delete", None),
    ]
    assert wrote.action.changes[0].operation == "modify"


@pytest.mark.parametrize(
    ("info", "role", "end"),
    [
        ({"error": {"name": "MessageAbortedError", "data": {"message": "aborted"}}}, "interrupt", "interrupted"),
        ({"error": {"name": "APIError", "data": {"message": "overloaded"}}}, "harness", "error"),
        ({"error": {"name": "MessageOutputLengthError", "data": {}}}, "harness", "limit"),
    ],
)
def test_how_a_session_ended(tmp_path: Path, info: dict[str, Any], role: str, end: str) -> None:
    document = session("ses_a", ("assistant", [{"type": "text", "text": "half"}]))
    document["messages"][0]["info"] |= info
    (found,) = read(READERS, save(tmp_path / "e.json", document))
    assert (found.steps[-1].role, found.end) == (role, end)


def test_summaries_are_compactions_and_unfinished_answers_use_the_message_count(tmp_path: Path) -> None:
    document = session("ses_a", *(("assistant", [{"type": "text", "text": text}]) for text in ("sum", "on")))
    document["messages"][0]["info"] |= {"summary": True, "tokens": tokens(7, 1)}
    document["messages"][1]["info"] |= {"tokens": tokens(0, 0)}
    (found,) = read(READERS, save(tmp_path / "e.json", document))
    assert [s.role for s in found.steps] == ["compaction", "agent"]
    assert found.steps[0].usage.input == 7
    assert found.steps[1].usage is None


def test_captured_export_with_a_line_before_it(tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    path.write_text("Exporting session: ses_a\n" + json.dumps(PARENT), "utf-8")
    (found,) = read(READERS, path)
    assert found.id == "ses_a"


def test_other_databases_are_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE message (id)")
        connection.commit()
    assert not any(reader.matches(LogFile(path)) for reader in READERS)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 2**32), rate=st.sampled_from([0.02, 0.2]))
def test_survives_a_database_with_values_of_other_types(
    tmp_path_factory: pytest.TempPathFactory, seed: int, rate: float
) -> None:
    dice = random.Random(seed)
    path = tmp_path_factory.mktemp("damaged") / "opencode.db"
    with closing(database(path, PARENT, CHILD)) as connection:
        for table in ("message", "part"):
            for key, data in connection.execute(f"SELECT id, data FROM {table}").fetchall():
                value = json.dumps(damaged(json.loads(data), dice, rate))
                if dice.random() < rate:
                    value = dice.choice([value, "{", b"\xff", None, 7])
                connection.execute(f"UPDATE {table} SET data = ? WHERE id = ?", (value, key))
        connection.commit()
        survives(READERS, LogFile(path))


def test_a_torn_database_is_one_error(tmp_path: Path) -> None:
    path = tmp_path / "opencode.db"
    database(path, PARENT).close()
    path.write_bytes(path.read_bytes()[:5000])
    with pytest.raises(LogError, match=r"opencode\.db: .*"):
        list(DATABASE.read(LogFile(path)))


def test_a_stream_that_does_not_name_its_messages(tmp_path: Path) -> None:
    answer = [
        {"type": "step_start", "part": {"type": "step-start"}},
        {"type": "text", "part": {"type": "text", "text": "all "}},
        {"type": "step_finish", "part": finish(tokens(10, 1))},
    ]
    failed = {"type": "error", "error": {"name": "UnknownError", "data": {"message": "bad"}}}
    events = [{**event, "sessionID": "ses_1"} for event in (*answer, *answer, failed)]
    path = tmp_path / "out.jsonl"
    path.write_text("\n".join(map(json.dumps, events)), "utf-8")
    (found,) = read(READERS, path)
    assert [s.role for s in found.steps] == ["agent", "agent", "harness"]
    assert totals(found)["input"] == 20
    assert found.end == "error"
