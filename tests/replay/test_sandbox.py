"""The sandbox and the cache of results."""

from __future__ import annotations

import contextlib
import os
import shlex
import sys
import time
from pathlib import Path

import pytest

from rigorbench.bench.replay import sandbox
from rigorbench.bench.replay.sandbox import CommandEnd, CommandLimits, Mounts
from rigorbench.bench.replay.session import Cache, default_directory
from rigorbench.evidence.replayed import ReplayedBuild, TestRun
from rigorbench.sandbox.kit import bwrap as bubblewrap
from rigorbench.sandbox.kit.errors import SandboxError
from rigorbench.sandbox.kit.mount import Mount

pytestmark = pytest.mark.filterwarnings("error")


def run(command: str, mounts: Mounts, limits: CommandLimits | None = None, **env: str) -> CommandEnd:
    return sandbox.run(command, mounts, env, limits or CommandLimits())


@pytest.fixture
def mounts(tmp_path: Path, bwrap: None) -> Mounts:
    work = tmp_path / "work"
    work.mkdir()
    return Mounts(work, Path("/tmp/project"), [Mount(sys.prefix), Mount(sys.base_prefix)])


@pytest.mark.bwrap
def test_a_command_runs_in_the_work_directory_and_its_outcome_is_told(mounts: Mounts) -> None:
    done = run("pwd; echo out; echo err >&2; echo made > file; exit 3", mounts)
    assert (done.exit_status, done.timed_out) == (3, False)
    assert done.output.split() == ["/tmp/project", "out", "err"]
    assert (mounts.work / "file").read_text() == "made\n"


@pytest.mark.bwrap
def test_nothing_outside_can_be_written_and_the_home_is_empty(mounts: Mounts, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("s")
    script = (
        f"cat {secret}; touch /usr/x; touch /etc/x; ls -A $HOME; cat /etc/shadow; echo end > /tmp/free && cat /tmp/free"
    )
    done = run(script, mounts)
    lines = done.output.splitlines()
    assert lines[-1] == "end"
    assert len([line for line in lines if "No such file" in line or "Read-only" in line or "denied" in line]) >= 3
    assert not any(line.startswith("root:") for line in lines)
    assert not Path("/tmp/free").exists()


@pytest.mark.bwrap
def test_there_is_no_network(mounts: Mounts) -> None:
    done = run("cat /proc/net/dev | tail -n +3 | cut -d: -f1 | tr -d ' '", mounts)
    assert done.output.split() == ["lo"]


@pytest.mark.bwrap
def test_the_environment_of_the_caller_is_not_passed_on(mounts: Mounts, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RIGOR_TEST_SECRET", "hidden")
    done = run("env", mounts, GIVEN="1")
    assert "GIVEN=1" in done.output
    assert "hidden" not in done.output


def running(marker: bytes) -> list[bytes]:
    """The command lines of other processes that have the marker in them."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            with contextlib.suppress(OSError):
                if marker in (line := (entry / "cmdline").read_bytes()):
                    found.append(line)
    return found


@pytest.mark.bwrap
def test_at_the_time_limit_the_whole_process_tree_ends(mounts: Mounts) -> None:
    started = time.monotonic()
    script = "(setsid sleep 30; echo late > late) & for i in 1 2 3; do sleep 30 & done; echo started; wait"
    done = run(script, mounts, limits=CommandLimits(timeout=1.0))
    assert (done.exit_status, done.timed_out) == (None, True)
    assert "started" in done.output
    assert time.monotonic() - started < 20
    # The kernel ends the rest of the namespace after its first process; on a busy machine that takes a moment.
    deadline = time.monotonic() + 10
    while (left := running(str(mounts.work).encode())) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not left


@pytest.mark.bwrap
def test_output_is_cut_in_the_middle(mounts: Mounts) -> None:
    done = run("echo first; seq 1 200000; echo last", mounts, limits=CommandLimits(output=10_000))
    assert done.output.startswith("first\n")
    assert done.output.endswith("last\n")
    assert "output cut" in done.output
    assert len(done.output) < 30_000


@pytest.mark.bwrap
def test_memory_and_file_size_are_limited(mounts: Mounts) -> None:
    code = "x = bytearray(600 << 20); print('had it')"
    done = run(shlex.join([sys.executable, "-c", code]), mounts, limits=CommandLimits(memory=400 << 20))
    assert "MemoryError" in done.output
    done = run("head -c 5000000 /dev/zero > big", mounts, limits=CommandLimits(file=1 << 20))
    assert done.exit_status != 0
    assert (mounts.work / "big").stat().st_size <= 1 << 20


def test_a_missing_bubblewrap_is_named_with_its_remedy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(bubblewrap, "SYSTEM_PATH", str(tmp_path))
    sandbox.unavailable.cache_clear()
    try:
        assert "apt install bubblewrap" in (sandbox.unavailable() or "")
        with pytest.raises(SandboxError, match="apt install bubblewrap"):
            run("true", Mounts(tmp_path, tmp_path))
    finally:
        sandbox.unavailable.cache_clear()


def test_the_cache_gives_back_what_was_put_under_the_same_key(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "cache")
    run = TestRun(outcomes={"a::b": "passed"}, broken={"c": "why"}, exit_status=1, seconds=0.5)
    assert cache.get(("test", "tree", "cmd"), TestRun) is None
    cache.put(("test", "tree", "cmd"), run)
    assert cache.get(("test", "tree", "cmd"), TestRun) == run
    assert cache.get(("test", "tre", "ecmd"), TestRun) is None
    assert cache.misses == 2


def test_a_damaged_entry_is_a_miss_and_leaves_no_litter(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    cache.put(("k",), ReplayedBuild(True))
    (entry,) = [p for p in tmp_path.rglob("*") if p.is_file()]
    entry.write_bytes(entry.read_bytes()[:-4])
    assert cache.get(("k",), ReplayedBuild) is None
    cache.put(("k",), ReplayedBuild(False, "x"))
    assert cache.get(("k",), ReplayedBuild) == ReplayedBuild(False, "x")
    assert [p for p in tmp_path.rglob("*") if p.is_file()] == [entry]


def test_an_unwritable_cache_does_no_harm(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    cache = Cache(tmp_path / "file" / "below")
    cache.put(("k",), ReplayedBuild(True))
    assert cache.get(("k",), ReplayedBuild) is None


def test_the_cache_stands_in_the_users_cache_directory(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert default_directory() == tmp_path / "rigorbench" / "replay"
