"""The cache of compiles: content decides, damage is found, writers do not meet, old things go."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rigorbench.judge.build import cache
from rigorbench.judge.build.cache import CacheEntry
from rigorbench.judge.build.unit import clean
from rigorbench.judge.judgement import ProgramUsage

NAME = "ab" + "0" * 62


@pytest.fixture(autouse=True)
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def put(name: str = NAME, content: bytes = b"program") -> CacheEntry:
    made = cache.draft()
    (made / "code" / "main").write_bytes(content)
    return cache.put(name, made, CacheEntry(True, "warned", ProgramUsage(cpu=1.0), facts={"main": "m"}))


def test_what_was_put_is_got() -> None:
    assert cache.get(NAME) is None
    put()
    entry = cache.get(NAME)
    assert (entry.ok, entry.log, entry.usage.cpu, entry.facts) == (True, "warned", 1.0, {"main": "m"})
    assert Path(entry.code, "main").read_bytes() == b"program"


@pytest.mark.parametrize("damage", ["content", "more", "less", "record", "gone"])
def test_a_damaged_entry_is_not_used_and_made_again(damage: str) -> None:
    directory = Path(put().code).parent
    if damage == "content":
        (directory / "code" / "main").write_bytes(b"pr0gram")
    elif damage == "more":
        (directory / "code" / "other").write_bytes(b"")
    elif damage == "less":
        (directory / "code" / "main").unlink()
    elif damage == "record":
        (directory / "entry.json").write_bytes(b"{")
    else:
        (directory / "entry.json").unlink()
    assert cache.get(NAME) is None
    if damage != "gone":
        assert Path(put().code, "main").read_bytes() == b"program"
        assert cache.get(NAME) is not None


def test_a_failure_is_kept_without_code() -> None:
    made = cache.draft()
    cache.put(NAME, made, CacheEntry(False, "error: no", ProgramUsage()))
    entry = cache.get(NAME)
    assert (entry.ok, entry.digest) == (False, None)
    assert not Path(entry.code).exists()


def test_writers_of_the_same_entry_do_not_meet() -> None:
    start = threading.Barrier(8)
    found: list[CacheEntry] = []

    def write() -> None:
        start.wait()
        found.append(put())

    threads = [threading.Thread(target=write) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    assert len({entry.code for entry in found}) == 1
    assert Path(found[0].code, "main").read_bytes() == b"program"
    assert not list(cache.place().glob("draft-*"))


def test_what_many_want_is_made_once() -> None:
    start = threading.Barrier(4)
    made: list[int] = []

    def want(number: int) -> None:
        start.wait()
        with cache.lock(NAME):
            if cache.get(NAME) is None:
                made.append(number)
                put()

    threads = [threading.Thread(target=want, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 1


def test_what_was_not_used_for_long_goes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    names = [f"{n:02x}" + "0" * 62 for n in range(4)]
    for age, name in enumerate(names):
        directory = Path(put(name, bytes(1000)).code).parent
        old = os.stat(directory).st_mtime - 86400 * (10 - age)
        os.utime(directory, (old, old))
    left_over = cache.draft()
    os.utime(left_over, (0, 0))
    young = cache.draft()
    monkeypatch.setattr(cache, "LIMIT", 4600)
    (cache.place() / "looked").unlink()
    put("ff" + "0" * 62, bytes(1000))
    assert cache.get(names[0]) is None, "the oldest makes room"
    assert cache.get(names[3]) is not None
    assert cache.get("ff" + "0" * 62) is not None
    assert not left_over.exists()
    assert young.exists(), "somebody is at work in it"


@given(st.lists(st.text(max_size=5), max_size=4), st.lists(st.text(max_size=5), max_size=4))
def test_keys_differ_when_parts_do(one: list[str], other: list[str]) -> None:
    assert (cache.key(one) == cache.key(other)) == (one == other)


def test_a_tree_s_digest_knows_names_modes_and_contents(tmp_path: Path) -> None:
    def digest(files: dict[str, bytes], mode: int = 0o644) -> str:
        root = tmp_path / os.urandom(4).hex()
        for name, data in files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_bytes(data)
            (root / name).chmod(mode)
        return cache.tree_digest(root)

    base = digest({"a": b"x", "d/b": b"y"})
    assert base == digest({"d/b": b"y", "a": b"x"})
    others = [{"a": b"x", "d/c": b"y"}, {"a": b"x", "b": b"y"}, {"a": b"xy", "d/b": b""}, {"a": b"x"}]
    assert len({base, digest({"a": b"x", "d/b": b"y"}, 0o755), *map(digest, others)}) == 6


def test_messages_are_cleaned_and_cut() -> None:
    said = clean(b"/src/main.cpp:3: error: \x1b[31mno\x1b[0m \x07\n/w/src/a.c:1: note\nsee /usr/src/x and /w/build/y\n")
    assert said == "main.cpp:3: error: no \\x07\na.c:1: note\nsee /usr/src/x and build/y"
    flood = clean(b"the same line\n" * 3_000_000)
    assert flood.startswith("the same line\n[… ")
    assert len(flood) < 200
    many = clean(b"".join(b"line %d\n" % n for n in range(1_000_000)))
    assert len(many) < 17_000
    assert many.startswith("line 0\n")
    assert many.endswith("line 999999")
    assert len(clean(b"x" * 5_000_000)) < 17_000
