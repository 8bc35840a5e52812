"""Whatever files an agent leaves, by name, content and size: they are recorded, read, placed again and scored."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from rigorbench.base import journal
from rigorbench.base.files import encode_json
from rigorbench.bench.outcome.trees import read_tree, write_files
from rigorbench.bench.replay.store import ObjectStore
from rigorbench.bench.replay.store import ReplayTree as Checkout
from rigorbench.bench.rigorscore.reviewing import score_and_review
from rigorbench.evidence.events import EditEvent
from rigorbench.sandbox.record.worktree import RecordedTree
from rigorbench.sandbox.record.writer import JournalWriter
from rigorbench.session.products import is_product
from rigorbench.session.registry import read_path

ENDINGS = [b"", b".py", b".js", b".ts", b".rs", b".go", b".java", b".c", b".md", b".toml", b".json", b".sh", b".sql"]
# What a parser meets at each depth, and what a reader of bytes takes for text.
PIECES = [
    b"-", b"(", b"[", b"{", b"x = a.b\n", b"if 1:\n ", b"> ", b"\xed\xa0\x80", b"\xff\xfe", b"\0", b"\r", b"'''", b"/*",
    b"def f(): return 1\n", b"class A {", b"fn f() {", b"<a>", b"#!/bin/sh\n", b"\xf0\x9f\x98\x80", b"100644 blob\t",
]  # fmt: skip
segment = (
    st.binary(min_size=1, max_size=40)
    .map(lambda raw: raw.translate(None, b"/\0"))
    .filter(lambda name: name.strip(b".") != b"" and name.lower() != b".git")
)
name = st.builds(
    lambda parts, end: b"/".join(parts) + end, st.lists(segment, min_size=1, max_size=4), st.sampled_from(ENDINGS)
)
content = st.one_of(
    st.binary(max_size=300),
    st.text(max_size=300).map(lambda text: text.encode("utf-8", "surrogatepass")),
    st.builds(lambda piece, n: piece * n, st.sampled_from(PIECES), st.integers(0, 30_000)),
    st.lists(st.sampled_from(PIECES), max_size=60).map(b"".join),
)
FILES = st.dictionaries(name, content, max_size=6)


def write(root: bytes, files: dict[bytes, bytes]) -> None:
    for path, data in files.items():
        target = os.path.join(root, path)
        try:
            os.makedirs(os.path.dirname(target), exist_ok=True)
            with open(target, "wb") as file:
                file.write(data)
        except OSError:
            continue  # one name is a file and a directory; a name that is too long


def on_disk(root: Path) -> dict[bytes, bytes]:
    found = {}
    for directory, below, files in os.walk(os.fsencode(root)):
        below[:] = [b for b in below if b != b".git"]
        for file in files:
            path = os.path.join(directory, file)
            found[os.path.relpath(path, os.fsencode(root))] = Path(os.fsdecode(path)).read_bytes()
    return found


@pytest.fixture(scope="module")
def starter(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("starter")
    write(os.fsencode(root), {b"src/pages.py": b"def pages(n):\n    return n // 10\n", b"tests/test_pages.py": b""})
    for words in (["init", "-q"], ["add", "-A"], ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "a"]):
        subprocess.run(["git", *words], cwd=root, check=True)
    return root


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
)
@example(first={b"caf\xe9.py": b"x = " + b"-" * 300_000 + b"1\n"}, then={})
@example(first={b"src/pages.py/a.py": b"", b"a\nb.py": b"x"}, then={b'"q".py': b"(" * 200_000, b"src/pages.py": b"\0"})
@example(first={b" ": b"blank", b"src/  ": b"blanks"}, then={b"\t": b"x", b" ": b"other"})
@given(first=FILES, then=FILES)
def test_any_files_are_recorded_placed_and_scored(
    starter: Path, first: dict[bytes, bytes], then: dict[bytes, bytes]
) -> None:
    with tempfile.TemporaryDirectory() as name:
        base, root, run = Path(name), Path(name) / "work", Path(name) / "run"
        shutil.copytree(starter, root)
        records: list[journal.JournalRecord] = []
        tree = RecordedTree(root, run / journal.STORE, records.append)
        start = tree.look("start", None)
        shell = ["bash", "-c", "python3 write.py"]
        for call, files in (("c1", first), ("c2", then)):
            asked = [{"id": call, "name": "bash", "arguments": {"command": shell[-1]}}]
            message = {"role": "assistant", "content": "", "tool_calls": asked}
            records.append(journal.Model(time.time(), call, "main", "m", output=message, stop="tool_calls"))
            command = journal.CommandRecord(time.time(), call, 1, shell, "/work", "/bin/bash", origin="tool", tag=call)
            records.append(command)
            write(os.fsencode(root), files)
            tree.look("after", call)
            records.append(journal.Exit(time.time(), call, status=0))
        records.append(journal.Model(time.time(), "m3", "main", "m", output={"role": "assistant", "content": "Done."}))
        final = tree.look("end", None, everything=True)
        tree.close()
        assert start is not None
        assert final is not None, records
        about = journal.RunRecord(
            records[0].time, journal.SCHEMA, "fuzz", "/work", start_tree=start, prompt="?",
            features=["models", "commands", "trees"],
        )  # fmt: skip
        writer = JournalWriter(run / journal.JOURNAL)
        for record in (about, *records, journal.End(time.time(), "completed", final_tree=final)):
            writer.write(record)
        writer.close()
        # What is placed for the hidden tests and for the replay is what was on the disk, to the byte.
        left_out = {
            p for r in records if isinstance(r, journal.Note) for p in map(os.fsencode, r.data.get("paths", ()))
        }
        wanted = {
            p: data for p, data in on_disk(root).items() if not any(p == o or p.startswith(o + b"/") for o in left_out)
        }
        placed = base / "placed"
        placed.mkdir()
        write_files(run / journal.STORE, read_tree(run / journal.STORE, final), placed)
        assert on_disk(placed) == wanted
        (base / "replay").mkdir()
        with ObjectStore(run / journal.STORE, Path("/work"), base / "replay") as store:
            replayed = Checkout(store, base / "checkout")
            for state in (start, final, start, final):
                replayed.switch(state)
        assert on_disk(base / "checkout") == wanted
        (trajectory,) = read_path(run)
        report = score_and_review(trajectory, replay=False)
        assert encode_json([report.document(paper=True), report.events])
        begun = on_disk(starter)
        edited = {os.fsencode(event.path) for event in report.events if isinstance(event, EditEvent)}
        changed = {p for p, data in wanted.items() if begun.get(p) != data and not is_product(os.fsdecode(p), set())}
        # Evidence reads paths as people write them: spaces at the ends and backslashes are not taken by the letter.
        assert {p for p in changed if re.fullmatch(rb"([\w.-]+/)*([\w.-]+|[ \t]+)", p)} <= edited
