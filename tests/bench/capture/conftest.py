"""A small repository with a history, runs recorded in it, and what the journal of a run says."""

from __future__ import annotations

import asyncio
import fcntl
import os
import shutil
import subprocess
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import pytest

from rigorbench.base import journal
from rigorbench.sandbox.box.box import Box
from rigorbench.sandbox.box.spec import BoxSpec
from rigorbench.sandbox.record import seccomp

R = TypeVar("R", bound=journal.JournalRecord)

ENVIRONMENT = {
    "PATH": os.environ.get("PATH", os.defpath),
    "HOME": "/nonexistent",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "A",
    "GIT_AUTHOR_EMAIL": "a@example.org",
    "GIT_COMMITTER_NAME": "A",
    "GIT_COMMITTER_EMAIL": "a@example.org",
}


def git(directory: Path, *arguments: str) -> str:
    command = ["git", "-c", "safe.directory=*", *arguments]
    return subprocess.run(
        command, cwd=directory, env=ENVIRONMENT, check=True, capture_output=True, text=True
    ).stdout.strip()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = tmp_path / "work"
    (root / "pkg").mkdir(parents=True)
    (root / "pkg" / "core.py").write_text("def f(x):\n    return x\n")
    (root / "pkg" / "run.sh").write_text("#!/bin/sh\n")
    (root / "pkg" / "run.sh").chmod(0o755)
    (root / "README").write_text("read\n")
    (root / ".gitignore").write_text("*.log\nbuild/\n!keep.log\nlogs\n")
    git(root, "init", "-q", "-b", "main")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "start")
    return root


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    marked = [item for item in items if here in item.path.parents and item.get_closest_marker("bwrap")]
    if marked and (reason := seccomp.available()):
        for item in marked:
            item.add_marker(pytest.mark.skip(reason=reason))


class Journal:
    """A finished (or killed) run as it lies on the disk."""

    def __init__(self, run: Path) -> None:
        self.run = run
        self.store = run / journal.STORE
        decoder = msgspec.json.Decoder(journal.AnyRecord)
        lines = (run / journal.JOURNAL).read_bytes().split(b"\n")
        assert lines[-1] == b"", "the last line is half a record"
        self.records = [decoder.decode(line) for line in lines[:-1]]

    def of(self, kind: type[R]) -> list[R]:
        return [record for record in self.records if isinstance(record, kind)]

    def commands(self, line: str) -> list[journal.CommandRecord]:
        """Those whose words, joined, begin with ``line``."""
        return [command for command in self.of(journal.CommandRecord) if " ".join(command.argv).startswith(line)]

    def command(self, line: str) -> journal.CommandRecord:
        found = self.commands(line)
        assert len(found) == 1, (line, [c.argv for c in found], [c.argv for c in self.of(journal.CommandRecord)])
        return found[0]

    def exit(self, command: journal.CommandRecord) -> journal.Exit:
        (found,) = [record for record in self.of(journal.Exit) if record.id == command.id]
        return found

    def output(self, command: journal.CommandRecord, stream: str = "out") -> str:
        return "".join(r.text for r in self.of(journal.OutputRecord) if r.id == command.id and r.stream == stream)

    def notes(self, name: str) -> list[dict[str, Any]]:
        return [record.data for record in self.of(journal.Note) if record.name == name]

    def file(self, tree: str, path: str) -> str:
        return git(self.store, "show", f"{tree}:{path}")

    def check(self, *, sound: bool = True) -> None:
        """Whatever else happened: the store is sound, all trees of the journal are in it, every exit has its start."""
        if sound:
            git(self.store, "fsck", "--full", "--strict")
        for tree in self.of(journal.TreeRecord):
            git(self.store, "ls-tree", "-r", tree.tree)
        started: set[str] = set()
        ended: set[str] = set()
        for record in self.records:
            if isinstance(record, journal.CommandRecord):
                assert record.id not in started
                assert record.parent is None or record.parent in started
                started.add(record.id)
            elif isinstance(record, journal.Exit):
                assert record.id in started - ended
                ended.add(record.id)
            elif isinstance(record, journal.OutputRecord):
                assert record.id in started


Work = Callable[[Box], Awaitable[None]]


@pytest.fixture
def record(tmp_path: Path, repository: Path) -> Callable[..., Journal]:
    """Runs a coroutine function with a recorded box around the repository; the journal of it."""

    def run(work: Work, *, sound: bool = True, **fields: Any) -> Journal:
        async def main() -> None:
            (tmp_path / "box").mkdir()
            shutil.move(repository, tmp_path / "box" / "work")
            spec = BoxSpec(directory=str(tmp_path / "box"), capture=str(tmp_path / "run"), **fields)
            box = await Box.start(spec)
            try:
                start = journal.RunRecord(
                    time.time(), schema=journal.SCHEMA, id="run", root=spec.root, features=box.features
                )
                await box.record(start)
                await box.snapshot("start")
                await work(box)
            finally:
                await box.stop(journal.End(time.time(), "completed"))

        asyncio.run(asyncio.wait_for(main(), 120))
        found = Journal(tmp_path / "run")
        found.check(sound=sound)
        assert isinstance(found.records[-1], journal.End)
        return found

    return run


def wait_until_unlocked(run: Path, seconds: float = 30) -> None:
    """Until nobody writes to the journal any more."""
    deadline = time.monotonic() + seconds
    with (run / journal.JOURNAL).open("rb") as file:
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                assert time.monotonic() < deadline, "the supervisor is still there"
                time.sleep(0.02)
            else:
                return
