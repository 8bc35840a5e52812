"""kill -9 of the run, its warden or its zygote at random moments: what was acknowledged is in the journal."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from rigorbench.base import journal

from .conftest import Journal, git, wait_until_unlocked

pytestmark = pytest.mark.bwrap


def parent(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def gone(pids: list[int], seconds: float) -> list[int]:
    """Which of the processes are still there in the end."""
    deadline = time.monotonic() + seconds
    while (left := [pid for pid in pids if _runs(pid)]) and time.monotonic() < deadline:
        time.sleep(0.02)
    return left


def _runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def inside(init: int) -> list[int]:
    """All processes that share the process namespace of ``init``."""
    name = os.readlink(f"/proc/{init}/ns/pid")
    found = []
    for entry in os.listdir("/proc"):
        try:
            if entry.isdigit() and os.readlink(f"/proc/{entry}/ns/pid") == name:
                found.append(int(entry))
        except OSError:
            continue
    return found


@pytest.mark.parametrize("victim", ["run", "warden", "zygote"])
@pytest.mark.parametrize("seed", [1, 2])
def test_what_was_acknowledged_survives(victim: str, seed: int, tmp_path: Path, repository: Path) -> None:
    (tmp_path / "box").mkdir()
    repository.rename(tmp_path / "box" / "work")
    program = [sys.executable, str(Path(__file__).with_name("kill_worker.py")), str(tmp_path)]
    said: list[str] = []
    with subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as run:
        assert run.stdout is not None
        try:
            init = int(run.stdout.readline().split()[1])
            monitor = parent(init)
            warden = parent(monitor)
            zygote = parent(warden)
            assert parent(zygote) == run.pid
            first = run.stdout.readline()
            said.append(first)
            time.sleep(random.Random(f"{victim}{seed}").uniform(0, 0.6))
            processes = [*inside(init), monitor, warden]
            os.kill({"run": run.pid, "warden": warden, "zygote": zygote}[victim], signal.SIGKILL)
            if victim == "zygote":  # its wardens need it no more; the run is ended later
                time.sleep(0.2)
                os.kill(run.pid, signal.SIGKILL)
        finally:
            run.kill()
        said += run.stdout.read().splitlines()
    wait_until_unlocked(tmp_path / "run")
    assert gone(processes, 10) == []
    _check(tmp_path / "run", said, warden_lived=victim != "warden")


def _check(run: Path, said: list[str], *, warden_lived: bool) -> None:
    path = run / journal.JOURNAL
    content = path.read_bytes()
    if not content.endswith(b"\n"):
        assert not warden_lived
        path.write_bytes(content[: content.rindex(b"\n") + 1])
    seen = Journal(run)
    git(seen.store, "fsck", "--full", "--strict")
    trees = {record.tree for record in seen.of(journal.TreeRecord)}
    for tree in trees:
        git(seen.store, "ls-tree", "-r", tree)
    assert isinstance(seen.records[0], journal.RunRecord)
    assert not seen.of(journal.End)
    tagged = {command.tag: command for command in seen.of(journal.CommandRecord) if command.tag is not None}
    steps = {note["number"] for note in seen.notes("step")}
    commits = {note["message"].strip() for note in seen.notes("commit")}
    for line in said:
        kind, number, *rest = line.split()
        if kind == "exec" and rest == ["0"]:
            command = tagged[number]
            assert seen.exit(command).status == 0
            assert seen.output(command) == f"said-{number}\n"
            assert number in commits
            after = [tree for tree in seen.of(journal.TreeRecord) if tree.command == command.id]
            assert seen.file(after[-1].tree, "f") == number
        elif kind == "tree":
            assert rest[0] in trees
        elif kind == "note":
            assert int(number) in steps
    assert any(line.startswith("exec") for line in said)
    if warden_lived:  # it saw the end of everything
        ended = {record.id for record in seen.of(journal.Exit)}
        assert {command.id for command in seen.of(journal.CommandRecord)} == ended
