"""Each session of a user once, whatever files it is in: the same for a home (`rigor sessions`) and a folder."""

from __future__ import annotations

import json
import sqlite3
import tempfile
from collections.abc import Iterable, Sequence
from itertools import chain, count
from pathlib import Path
from typing import Any

import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st
from log_checks import write

from rigorbench.session.logfile import LogError, LogFile
from rigorbench.session.model import Trajectory
from rigorbench.session.registry import discover, read_log, user_logs

# What a session is by: its id, and the texts of the model's answers in it, each of which spent 10 tokens.
Found = dict[str, list[str]]


def summed(sessions: Iterable[Trajectory]) -> Found:
    found: Found = {}
    for t in sessions:
        assert t.id not in found, f"{t.id} twice"
        steps = [step for step in t.steps if step.role == "agent"]
        spent = [step for step in steps if step.text]
        assert sum(step.usage.output or 0 for step in steps if step.usage is not None) == 10 * len(spent)
        found[t.id] = sorted(step.text for step in steps)
    return found


def of_home(home: Path) -> Found:
    return summed(t for _, path, _ in user_logs(home) for t in read_log(LogFile(path)))


def of_folder(folder: Path) -> Found:
    found = list(discover([str(folder)]))
    assert not any(isinstance(log, LogError) for log in found)
    return summed(t for log in found if isinstance(log, LogFile) for t in read_log(log))


def packed(path: Path) -> None:
    path.with_name(path.name + ".zst").write_bytes(zstandard.compress(path.read_bytes()))
    path.unlink()


# Claude Code: lines are (text, uuid), a request and an answer by turns; the time is that of the text


def claude(session: str, *texts: str, named: str | None = None, agent: str | None = None) -> list[dict[str, Any]]:
    """The lines of a session; the text "q..." is a request, any other an answer."""
    lines: list[dict[str, Any]] = []
    for text in texts:
        kind = "user" if text.startswith("q") else "assistant"
        minute = sum(map(ord, text)) % 50 + (100 if text[1:2].isupper() else 0)
        message: dict[str, Any] = {"role": kind, "content": [{"type": "text", "text": text}]}
        if kind == "assistant":
            message |= {"id": f"msg_{text}", "model": "opus", "stop_reason": "end_turn", "usage": {"output_tokens": 10}}
        lines.append(
            {
                "type": kind, "uuid": f"uuid-{text}", "sessionId": session, "version": "2.1.0", "cwd": "/work/api",
                "timestamp": f"2026-11-10T{9 + minute // 60:02}:{minute % 60:02}:00.000Z", "message": message,
                "isSidechain": agent is not None, **({"agentId": agent} if agent else {}),
            }
        )  # fmt: skip
    return [{**line, "sessionId": named} for line in lines] if named else lines


def forked(lines: Sequence[dict[str, Any]], session: str) -> list[dict[str, Any]]:
    """The lines as a fork has them."""
    return [
        {**line, "sessionId": session, "forkedFrom": {"sessionId": line["sessionId"], "messageUuid": line["uuid"]}}
        for line in lines
    ]


def at(home: Path, name: str, folder: str = ".claude/projects/-work-api") -> Path:
    return home / folder / f"{name}.jsonl"


UUID = "0199aaaa-0000-7000-8000-00000000000b"
A = claude("a", "q1", "a1", "q2", "a2")


def claude_homes(home: Path, case: str) -> Found:
    """Writes a home, and states what is in it."""
    b = [*forked(A, "b"), *claude("b", "qB", "bB")]
    found: Found = {"a": ["a1", "a2"], "b": ["bB"]}
    write(at(home, "a"), *A)
    if case == "fork":
        write(at(home, "b"), *b)
    elif case == "fork of a fork":
        write(at(home, "b"), *b)
        write(at(home, "0"), *forked(b, "0"), *claude("0", "qC", "cC"))
        found["0"] = ["cC"]
    elif case == "two forks, the origin goes on":
        write(at(home, "a"), *A, *claude("a", "qZ", "aZ"))
        write(at(home, "b"), *b)
        write(at(home, "0"), *forked(A[:2], "0"), *claude("0", "qC", "cC"))
        found |= {"a": ["a1", "a2", "aZ"], "0": ["cC"]}
    elif case == "a copy that does not say so":
        write(at(home, "0"), *({**line, "sessionId": "0"} for line in A), *claude("0", "qB", "bB"))
        found["0"] = found.pop("b")
    elif case == "a copy with the old id":
        write(at(home, UUID), *A, *claude(UUID, "qB", "bB"))
        found[UUID] = found.pop("b")
    elif case == "nothing but a copy":
        write(at(home, "b"), *forked(A, "b"))
        del found["b"]
    elif case == "the origin is gone":
        at(home, "a").unlink()
        write(at(home, "b"), *b)
        found = {"b": ["a1", "a2", "bB"]}
    elif case == "the origin has lost its end":
        write(at(home, "a"), *A[:2])
        write(at(home, "b"), *b)
        found = {"a": ["a1"], "b": ["a2", "bB"]}
    elif case == "the origin is compressed":
        packed(at(home, "a"))
        write(at(home, "b"), *b)
    elif case == "resumed in another folder":
        write(at(home, "a", ".claude/projects/-work-web"), *claude("a", "qB", "bB"))
        found = {"a": ["a1", "a2", "bB"]}
    elif case == "resumed in another folder, with a copy":
        write(at(home, "a", ".config/claude/projects/-work-web"), *A, *claude("a", "qB", "bB"))
        found = {"a": ["a1", "a2", "bB"]}
    elif case == "forked into another configuration":
        write(at(home, "b", ".config/claude/projects/-work-web"), *b)
    elif case == "sub-agents":
        agent = claude("a", "qS", "sS", agent="ag1")
        write(at(home, "agent-ag1", ".claude/projects/-work-api/a/subagents"), *agent)
        write(at(home, "b"), *b)
        write(at(home, "agent-ag1", ".claude/projects/-work-api/b/subagents"), *forked(agent, "b"))
        write(at(home, "agent-ag2"), *claude("a", "qT", "tT", agent="ag2"))
        found["a"] += ["sS", "tT"]
    elif case == "a session of the web that went on here":
        at(home, UUID).parent.joinpath(f"{UUID}.json").write_text(json.dumps({"loglines": forked(A, UUID)}))
        write(at(home, UUID), *forked(A, UUID), *claude(UUID, "qB", "bB"))
        at(home, "a").unlink()
        found = {UUID: ["a1", "a2", "bB"]}
    elif case == "a saved output that is a log":
        at(home, "a").with_suffix("").joinpath("tool-results").mkdir(parents=True)
        write(at(home, "a").with_suffix("") / "tool-results" / "t1.txt", *claude("b", "qB", "bB"))
        del found["b"]
    elif case == "a sub-agent alone":
        at(home, "a").unlink()
        write(at(home, "agent-ag1", ".claude/projects/-work-api/a/subagents"), *claude("a", "q1", "a1", agent="ag1"))
        found = {"a/agent-ag1": ["a1"]}
    return found


CLAUDE = (
    "fork", "fork of a fork", "two forks, the origin goes on", "a copy that does not say so", "a copy with the old id",
    "nothing but a copy", "the origin is gone", "the origin has lost its end", "the origin is compressed",
    "resumed in another folder", "resumed in another folder, with a copy", "forked into another configuration",
    "sub-agents", "a saved output that is a log", "a sub-agent alone",
    "a session of the web that went on here",
)  # fmt: skip


@pytest.mark.parametrize("case", CLAUDE)
def test_claude_code(tmp_path: Path, case: str) -> None:
    expected = claude_homes(tmp_path, case)
    assert of_home(tmp_path) == of_folder(tmp_path) == expected


Tree = list[tuple[int, int, int]]
TREES = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 6), st.integers(0, 3)), min_size=1, max_size=5)


@given(tree=TREES, says_so=st.booleans(), folders=st.lists(st.sampled_from(["-a", "-b"]), min_size=5, max_size=5))
@settings(max_examples=40, deadline=None)
def test_each_line_of_a_tree_of_forks_counts_once(tree: Tree, says_so: bool, folders: list[str]) -> None:
    """A session goes on from an earlier one after some of its lines, and adds turns of its own."""
    sessions: list[list[dict[str, Any]]] = []
    expected: Found = {}
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        for number, (origin, kept, turns) in enumerate(tree):
            name, texts = (
                f"s{number}",
                [text for turn in range(turns) for text in (f"q{number}{turn}", f"a{number}{turn}")],
            )
            before = sessions[origin % number][:kept] if number else []
            copied = forked(before, name) if says_so else [{**line, "sessionId": name} for line in before]
            sessions.append([*copied, *claude(name, *texts)])
            if sessions[-1]:
                write(at(home, name, f".claude/projects/{folders[number]}"), *sessions[-1])
            if texts:
                expected[name] = [text for text in texts if text.startswith("a")]
        found = of_home(home)
        assert found == (of_folder(home) if any(sessions) else {})
        assert sorted(chain(*found.values())) == sorted(chain(*expected.values()))
        if says_so:
            assert found == expected


# Codex: a thread in a file for each day on which it began


def codex(thread: str, *texts: str, parent: str | None = None, forked: str | None = None) -> list[dict[str, Any]]:
    """The records of a thread; the text "q..." is a request, any other an answer."""
    source: Any = {"subagent": {"thread_spawn": {"parent_thread_id": parent, "agent_path": f"/{thread}"}}}
    meta = {"id": thread, "cwd": "/work/api", "cli_version": "0.148.0", "source": source if parent else "cli"}
    payloads: list[tuple[str, dict[str, Any]]] = [("session_meta", {**meta, "forked_from_id": forked})]
    for number, text in enumerate(texts, 1):
        if text.startswith("q"):
            content = [{"type": "input_text", "text": text}]
            payloads.append(("response_item", {"type": "message", "role": "user", "content": content}))
        elif text.startswith("s"):
            call = {"type": "function_call", "name": "spawn_agent", "call_id": text, "arguments": '{"message": "go"}'}
            done = {
                "type": "function_call_output",
                "call_id": text,
                "output": json.dumps({"task_name": f"/{text[1:]}"}),
            }
            payloads += [("response_item", call), ("response_item", done)]
        else:
            content = [{"type": "output_text", "text": text}]
            payloads.append(("response_item", {"type": "message", "role": "assistant", "content": content}))
            usage = {"input_tokens": 0, "output_tokens": 10, "total_tokens": 10}
            total = {"input_tokens": 0, "output_tokens": 10 * number, "total_tokens": 10 * number}
            info = {"last_token_usage": usage, "total_token_usage": total}
            payloads.append(("event_msg", {"type": "token_count", "info": info}))
    times = (f"2026-11-10T09:{number:02}:00.000Z" for number in count())
    return [
        {"timestamp": t, "type": kind, "payload": payload} for t, (kind, payload) in zip(times, payloads, strict=False)
    ]


def rollout(home: Path, thread: str, folder: str = ".codex/sessions/2026/11/10") -> Path:
    return home / folder / f"rollout-2026-11-10T09-00-00-{thread}.jsonl"


NEXT_DAY = ".codex/sessions/2026/11/11"
P = codex("t-a", "q1", "a1", "st-b", "a2")
C = codex("t-b", "q3", "b1", parent="t-a")


def codex_homes(home: Path, case: str) -> Found:
    write(rollout(home, "t-a"), *P)
    found: Found = {"t-a": ["", "a1", "a2", "b1"]}
    if case == "beside":
        write(rollout(home, "t-b"), *C)
    elif case == "the next day":
        write(rollout(home, "t-b", NEXT_DAY), *C)
    elif case == "compressed":
        packed(write(rollout(home, "t-b", NEXT_DAY), *C))
        packed(rollout(home, "t-a"))
    elif case == "archived":
        write(rollout(home, "t-b", ".codex/archived_sessions"), *C)
    elif case == "a child of a child":
        write(rollout(home, "t-b", NEXT_DAY), *C)
        write(rollout(home, "t-c"), *codex("t-c", "q4", "c1", parent="t-b"))
        found["t-a"].append("c1")
    elif case == "with a copy of the history":
        write(rollout(home, "t-b"), *C[:1], *P[1:], *C[1:])
    elif case == "with a copy that names its thread":
        write(rollout(home, "t-b"), *C[:1], *P, *({**r, "timestamp": "2026-11-10T10:00:00.000Z"} for r in C[1:]))
    elif case == "the parent is gone":
        rollout(home, "t-a").unlink()
        write(rollout(home, "t-b"), *C)
        found = {"t-b": ["b1"]}
    elif case == "a fork":
        fork = codex("t-f", "qF", "f1", forked="t-a")
        write(rollout(home, "t-f", NEXT_DAY), *fork[:1], *P[1:], *fork[1:])
        found = {"t-a": ["", "a1", "a2"], "t-f": ["f1"]}
    elif case == "one thread plain and compressed":
        write(rollout(home, "t-b"), *C)
        packed(write(rollout(home, "t-a"), *P))
        write(rollout(home, "t-a"), *P, *codex("t-a", "q9", "a9")[1:2])
    return found


CODEX = (
    "beside", "the next day", "compressed", "archived", "a child of a child", "with a copy of the history",
    "with a copy that names its thread", "the parent is gone", "a fork", "one thread plain and compressed",
)  # fmt: skip


@pytest.mark.parametrize("case", CODEX)
def test_codex(tmp_path: Path, case: str) -> None:
    expected = {name: sorted(texts) for name, texts in codex_homes(tmp_path, case).items()}
    assert of_home(tmp_path) == of_folder(tmp_path) == expected


# opencode: a database for each channel, with the tables of two generations


def database(path: Path, *, old: Sequence[tuple[Any, ...]] = (), new: Sequence[tuple[Any, ...]] = ()) -> None:
    """Writes sessions: (id, parent, fork of, time of last change, texts)."""
    path.parent.mkdir(parents=True, exist_ok=True)
    db = sqlite3.connect(path)
    session = "id text, parent_id text, directory text, title text, version text, time_created int, time_updated int"
    db.execute(f"CREATE TABLE session_v2 ({session}, fork_session_id text)")
    db.execute(
        "CREATE TABLE session_message (id text, session_id text, type text, seq int, time_created int, data text)"
    )
    if old:
        db.execute(f"CREATE TABLE session ({session})")
        db.execute("CREATE TABLE message (id text, session_id text, time_created int, data text)")
        db.execute("CREATE TABLE part (id text, message_id text, session_id text, data text)")
    tokens = {"input": 0, "output": 10, "reasoning": 0, "cache": {"read": 0, "write": 0}}
    for is_new, rows in ((False, old), (True, new)):
        for name, parent, fork, changed, texts in rows:
            row = (name, parent, "/work/api", name, "2.0.12", 1, changed, *([fork] if is_new else []))
            db.execute(f"INSERT INTO session{'_v2' if is_new else ''} VALUES ({', '.join('?' * len(row))})", row)
            for seq, text in enumerate(texts):
                key, kind, time = f"{name}-{seq}", "user" if text.startswith("q") else "assistant", {"created": seq + 1}
                if is_new:
                    content = (
                        {"text": text}
                        if kind == "user"
                        else {"content": [{"type": "text", "text": text}], "tokens": tokens}
                    )
                    data = json.dumps({"time": time, **content})
                    db.execute("INSERT INTO session_message VALUES (?, ?, ?, ?, ?, ?)", (key, name, kind, seq, 1, data))
                else:
                    info = {"role": kind, "time": time, **({"tokens": tokens} if kind == "assistant" else {})}
                    db.execute("INSERT INTO message VALUES (?, ?, ?, ?)", (key, name, seq, json.dumps(info)))
                    part = json.dumps({"type": "text", "text": text})
                    db.execute("INSERT INTO part VALUES (?, ?, ?, ?)", (f"p{key}", key, name, part))
    db.commit()
    db.close()


ONE, OTHER = ("s1", None, None, 5, ["q1", "a1"]), ("s2", None, None, 6, ["q2", "a2"])
MORE = ["q1", "a1", "q3", "a3"]
FORK, LATER = ("s3", None, "s1", 7, MORE), ("s1", None, None, 9, MORE)
OPENCODE: dict[str, tuple[list[dict[str, Any]], Found]] = {
    "version 2": ([{"new": [ONE]}], {"s1": ["a1"]}),
    "migrated": ([{"old": [ONE, OTHER], "new": [ONE]}], {"s1": ["a1"], "s2": ["a2"]}),
    "gone on with": ([{"old": [ONE], "new": [LATER]}], {"s1": ["a1", "a3"]}),
    "no message moved": ([{"old": [ONE], "new": [("s1", None, None, 9, [])]}], {"s1": ["a1"]}),
    "a sub-agent": ([{"new": [ONE, ("s3", "s1", None, 7, ["q3", "a3"])]}], {"s1": ["a1", "a3"]}),
    "a fork": (
        [{"new": [ONE, FORK, ("s4", None, "s3", 8, [*MORE, "a4"])]}],
        {"s1": ["a1"], "s3": ["a3"], "s4": ["a4"]},
    ),
    "the origin is gone": ([{"new": [FORK]}], {"s3": ["a1", "a3"]}),
    "two databases": ([{"new": [ONE]}, {"new": [LATER, OTHER]}], {"s1": ["a1", "a3"], "s2": ["a2"]}),
    "a copy of a database": ([{"new": [ONE]}, {"new": [ONE]}], {"s1": ["a1"]}),
}


@pytest.mark.parametrize("case", OPENCODE)
def test_opencode(tmp_path: Path, case: str) -> None:
    databases, expected = OPENCODE[case]
    for name, tables in zip(("opencode.db", "opencode-next.db"), databases, strict=False):
        database(tmp_path / ".local/share/opencode" / name, **tables)
    assert of_home(tmp_path) == of_folder(tmp_path) == expected
