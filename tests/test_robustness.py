"""Damaged and hostile logs: a result or a clear one-line error, never a traceback, and nothing dropped in silence."""

from __future__ import annotations

import gzip
import random
import sqlite3
from pathlib import Path

import msgspec
import pytest
import zstandard
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rigorbench.bench.rigorscore.score import score_session
from rigorbench.session.logfile import LogError, LogFile
from rigorbench.session.registry import read_log

DATA = Path(__file__).parent / "data"
LOGS = sorted(
    p
    for p in DATA.rglob("*")
    if p.is_file()
    and p.suffix in (".jsonl", ".json", ".traj", ".md")
    and p.stat().st_size < 120_000
    and "runner-output" not in p.parts
    and p.name not in ("README.md",)
)


def read_and_score(content: bytes, name: str = "log") -> int:
    """Number of sessions scored; a LogError must be one line that names the log."""
    try:
        trajectories = read_log(LogFile(None, name=name, content=content))
    except LogError as error:
        assert str(error).startswith(name)
        assert "\n" not in str(error)
        return 0
    for trajectory in trajectories:
        document = msgspec.json.encode(score_session(trajectory).score)
        assert document.startswith(b'{"schema":"rigor-score/1"')
    return len(trajectories)


@st.composite
def damaged(draw: st.DrawFn) -> tuple[str, bytes]:
    path = draw(st.sampled_from(LOGS))
    content = path.read_bytes()
    kind = draw(st.sampled_from(["cut", "shuffle", "double", "nul", "utf8", "drop", "flip"]))
    seed = draw(st.integers(0, 2**32))
    rng = random.Random(seed)
    at = rng.randrange(len(content) + 1)
    lines = content.split(b"\n")
    if kind == "cut":
        content = content[:at]
    elif kind == "shuffle":
        rng.shuffle(lines)
        content = b"\n".join(lines)
    elif kind == "double":
        content = b"\n".join(line for line in lines for _ in range(rng.choice((1, 1, 2))))
    elif kind == "drop":
        content = b"\n".join(line for line in lines if rng.random() > 0.3)
    elif kind == "nul":
        content = content[:at] + b"\x00" * rng.randrange(1, 5) + content[at:]
    elif kind == "utf8":
        content = content[:at] + rng.choice((b"\xff\xfe", b"\xc3", b"\xed\xa0\x80", b"\xf0\x9f")) + content[at:]
    else:
        damage = bytearray(content)
        for _ in range(rng.randrange(1, 8)):
            if damage:
                damage[rng.randrange(len(damage))] = rng.randrange(256)
        content = bytes(damage)
    return f"{kind}:{path.relative_to(DATA)}", content


@settings(max_examples=250, suppress_health_check=[HealthCheck.too_slow])
@given(damaged())
def test_damage_gives_a_result_or_one_clear_line(log: tuple[str, bytes]) -> None:
    read_and_score(log[1], log[0])


@settings(max_examples=150)
@given(st.binary(max_size=400))
def test_noise_is_no_log(noise: bytes) -> None:
    read_and_score(noise)


# JSON of any shape under the keys that readers look for.
_json = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**40), 2**40) | st.floats(allow_nan=False) | st.text(max_size=12),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                "type message content role payload id uuid tool_calls steps trajectory history messages info action "
                "observation session_id schema_version timestamp data name input usage kind event parts".split()
            ),
            inner,
            max_size=6,
        )
    ),
    max_leaves=20,
)


@settings(max_examples=200, suppress_health_check=[HealthCheck.too_slow])
@given(path=st.sampled_from(LOGS), strange=st.lists(_json, min_size=1, max_size=4), where=st.floats(0, 1))
def test_values_of_the_wrong_type_are_skipped(path: Path, strange: list[object], where: float) -> None:
    lines = path.read_bytes().split(b"\n")
    at = int(where * len(lines))
    lines[at:at] = [msgspec.json.encode(value) for value in strange]
    read_and_score(b"\n".join(lines))


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.ZstdCompressor().compress], ids=["gz", "zst"])
def test_compressed_logs_are_read_and_cut_ones_as_far_as_they_go(pack, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    plain = DATA / "claude-code" / "e18b5815c7-full.jsonl"
    content = plain.read_bytes()
    packed = tmp_path / "session.jsonl.packed"
    packed.write_bytes(pack(content))
    whole = read_log(LogFile(packed))[0]
    assert len(whole.steps) == len(read_log(LogFile(plain))[0].steps)
    packed.write_bytes(pack(content)[: int(len(pack(content)) * 0.9)])
    log = LogFile(packed)
    try:
        cut = read_log(log)[0]
    except LogError as error:
        assert str(packed) in str(error)
    else:
        assert len(cut.steps) <= len(whole.steps)
        assert any("cut off" in s.reason for s in cut.skipped)


def test_two_objects_on_a_line_and_damage_are_counted_with_their_lines() -> None:
    log = LogFile(None, name="x.jsonl", content=b'{"a":1}{"b":2}\nnot json\n\n{"c":"\x00d"}\n[1, 2\n')
    assert list(log.json_lines()) == [(1, {"a": 1}), (1, {"b": 2}), (4, {"c": "d"})]
    assert [(s.file, s.line) for s in log.skipped] == [("x.jsonl", 2), ("x.jsonl", 4), ("x.jsonl", 5)]


def test_half_an_emoji_survives_as_text() -> None:
    log = LogFile(None, name="x.jsonl", content=b'{"text": "cut \\ud83d"}\n')
    ((_, value),) = log.json_lines()
    value["text"].encode("utf-8")


def test_reading_changes_no_file(tmp_path: Path) -> None:
    """Logs are opened read-only: contents, names and times of all files stay, a live database's included."""
    database = tmp_path / "opencode.db"
    connection = sqlite3.connect(database)
    connection.execute("pragma journal_mode=wal")
    for table in ("session", "message", "part"):
        connection.execute(f"create table {table} (id text primary key, session_id text, data text)")
    connection.commit()
    for path in LOGS:
        (tmp_path / f"{len(list(tmp_path.iterdir()))}-{path.name}").write_bytes(path.read_bytes())
    before = {p.name: (p.read_bytes(), p.stat().st_mtime_ns) for p in tmp_path.iterdir()}
    for path in sorted(tmp_path.iterdir()):
        try:
            read_log(LogFile(path))
        except LogError:
            continue
    assert {p.name: (p.read_bytes(), p.stat().st_mtime_ns) for p in tmp_path.iterdir()} == before
    connection.close()


def test_everything_in_the_corpus_is_read(shared_data: Path) -> None:
    from rigorbench.session.registry import discover

    failures = []
    for log in discover([str(shared_data)]):
        if isinstance(log, LogError):
            failures.append(str(log))
            continue
        try:
            for trajectory in read_log(log):
                score_session(trajectory)
        except LogError as error:
            failures.append(str(error))
    assert failures == []
