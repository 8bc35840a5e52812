"""What a cell promises to those who run programs in it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from cell_places import SMALL, OpenCell, Place, Programs

from rigorbench.sandbox.cell import groups, launch, users
from rigorbench.sandbox.cell.cell import JudgeCell
from rigorbench.sandbox.cell.groups import Controlless, Controls
from rigorbench.sandbox.cell.probe import probe
from rigorbench.sandbox.cell.spec import CellError, CellLimits, CellRun, CellSpec
from rigorbench.sandbox.kit import bwrap, cgroups
from rigorbench.sandbox.kit.mount import Mount
from rigorbench.sandbox.kit.proc import descendants

FORKING = CellLimits(cpu=10, wall=60)


def shell(text: str, **more: object) -> CellRun:
    return CellRun(("/bin/sh", "-c", text), FORKING, **more)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def cell(open_cell: OpenCell) -> JudgeCell:
    with open_cell(CellSpec(role="compiler", mounts=())) as started:
        yield started


def test_streams_and_status(place: Place) -> None:
    measured = place.cell.run(CellRun(("/bin/cat", "-", "/proc/self/fd/5"), stdin=b"one ", files={}))
    assert measured.stdout == b"one "
    assert measured.exit_code == 1
    assert b"/proc/self/fd/5" in measured.stderr
    assert measured.cpu > 0
    assert measured.wall > 0
    assert measured.limits_by == place.cell.limits_by
    assert measured.memory_by == ("cgroup" if place.controlled else "rlimit")
    if place.controlled:
        assert 0 < measured.memory < 8 << 20


def test_a_signal_is_told_apart_from_a_status(cell: JudgeCell) -> None:
    assert cell.run(shell("kill -SEGV $$")).signal == signal.SIGSEGV
    assert cell.run(shell("exit 139")).exit_code == 139


def test_a_program_that_cannot_start_is_no_failure_of_the_cell(place: Place) -> None:
    assert place.cell.run(CellRun(("/code/missing",))).failed == "/code/missing: No such file or directory"
    assert place.cell.run(CellRun(("/etc/passwd",))).failed == "/etc/passwd: Permission denied"
    assert place.cell.run(CellRun(("/bin/true",), cwd="/nowhere")).failed == "/nowhere: No such file or directory"
    assert place.cell.run(CellRun(("/bin/true",))).exit_code == 0


def test_descriptors_go_to_the_numbers_they_are_given_for(place: Place, tmp_path: Path) -> None:
    read, write = os.pipe()
    (tmp_path / "given").write_bytes(b"from a file")
    with open(tmp_path / "given", "rb") as file, open(tmp_path / "taken", "wb") as taken:
        run = CellRun(
            ("/bin/cat", "/proc/self/fd/9"), files={9: file.fileno(), 3: write, 4: taken.fileno()}, stdout=write
        )
        measured = place.cell.run(run)
    os.close(write)
    assert os.read(read, 100) == b"from a file"
    os.close(read)
    assert (measured.exit_code, measured.stdout) == (0, b"")


def test_a_directory_is_no_descriptor_to_be_given(open_cell: OpenCell, tmp_path: Path) -> None:
    here = os.open(tmp_path, os.O_RDONLY)
    with open_cell(CellSpec()) as cell, pytest.raises(CellError, match="leads out"):
        cell.run(CellRun(("/bin/ls", "/proc/self/fd/5/.."), files={5: here}))
    os.close(here)


def test_the_caller_may_close_his_ends_once_it_has_started(cell: JudgeCell) -> None:
    """So that the other side of a pipe hears when the program is gone."""
    read, write = os.pipe()
    told: list[bool] = []

    def started() -> None:
        os.close(write)
        told.append(True)

    assert cell.run(shell("echo hello", stdout=write), started=started).exit_code == 0
    assert os.read(read, 100) == b"hello\n"
    assert os.read(read, 100) == b""
    os.close(read)
    assert cell.run(CellRun(("/missing",)), started=lambda: told.append(False)).failed is not None
    assert told == [True, False]


def test_files_stay_between_the_runs_of_a_chain(cell: JudgeCell) -> None:
    first = cell.run(shell("head -c 3000 /dev/zero > a; mkdir d; echo x > d/b", fresh=False))
    assert (first.disk, first.files) == (3002, 3)
    second = cell.run(shell("cat d/b; head -c 100 /dev/zero >> a", fresh=False))
    assert (second.stdout, second.disk, second.files) == (b"x\n", 100, 0)
    # Limits of what a run adds, and of all that lies there.
    small = CellLimits(disk=2000, files=1)
    assert cell.run(CellRun(("/bin/sh", "-c", "echo y > c"), small, fresh=False)).killed is None
    assert cell.run(CellRun(("/bin/sh", "-c", ":"), small, fresh=False, whole_disk=True)).killed == "disk"
    assert (
        cell.run(CellRun(("/bin/sh", "-c", ":"), CellLimits(files=2), fresh=False, whole_disk=True)).killed == "files"
    )
    cell.clear()
    assert cell.run(shell("ls -A /w /tmp")).stdout == b"/tmp:\n\n/w:\n"


def test_the_whole_environment_is_what_was_given(cell: JudgeCell) -> None:
    assert cell.run(CellRun(("/usr/bin/env",), env={"A": "b", "HOME": "/w"})).stdout.split() == [
        b"PATH=/usr/local/bin:/usr/bin:/bin", b"HOME=/w", b"LANG=C.UTF-8", b"A=b",
    ]  # fmt: skip
    assert cell.run(shell("pwd", cwd="/tmp")).stdout == b"/tmp\n"


def test_long_command_lines_pass(cell: JudgeCell) -> None:
    words = ["x" * 1000] * 500
    assert cell.run(CellRun(("/bin/echo", *words), FORKING)).output == 500 * 1001


def test_the_stack_is_as_large_as_the_memory(cell: JudgeCell) -> None:
    # Without control groups stacks count as memory that a limit must hold, threads' stacks too.
    whole = b"102400\n" if cell.controls is not None else b"65536\n"
    assert cell.run(CellRun(("/bin/sh", "-c", "ulimit -s"), CellLimits(memory=100 << 20))).stdout == whole
    assert cell.run(CellRun(("/bin/sh", "-c", "ulimit -s"), CellLimits(stack=1 << 20))).stdout == b"1024\n"


def test_own_directories_and_mounts(open_cell: OpenCell, tmp_path: Path) -> None:
    work, shown, hidden, taken = (tmp_path / name for name in ("work", "shown", "shown/hidden", "taken"))
    for directory in (work, shown, hidden, taken):
        directory.mkdir()
        directory.chmod(0o777)
    (shown / "file").write_text("text")
    (hidden / "file").write_text("secret")
    spec = CellSpec(
        role="compiler", work=str(work), hidden=(str(hidden),),
        mounts=(Mount(str(shown), "/data/shown"), Mount(str(taken), "/taken", writable=True)),
    )  # fmt: skip
    with open_cell(spec) as cell:
        text = "cat /data/shown/file; ls -A /data/shown/hidden; echo 1 > /data/shown/x; echo 2 > /taken/y; echo 3 > z"
        measured = cell.run(shell(text, fresh=False))
        assert measured.stdout == b"text"
        assert b"/data/shown/x" in measured.stderr
    assert (work / "z").read_text() == "3\n"
    assert (taken / "y").read_text() == "2\n"
    assert sorted(os.listdir(shown)) == ["file", "hidden"]


def test_a_mount_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    for mount in (Mount(str(tmp_path / "no"), "/x"), Mount(str(tmp_path), "/usr/x"), Mount(str(tmp_path), "/a/../b")):
        with pytest.raises(CellError, match=r"^[^\n]+$"):
            JudgeCell.start(CellSpec(mounts=(mount,)))


def test_every_slot_role_and_judge_has_a_user_of_its_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(users, "_directory", lambda: tmp_path)
    monkeypatch.setattr(users, "_claimed", {})

    def all_users() -> list[int]:
        return [users.uid(CellSpec(slot=slot, role=role)) for slot in (0, 1, 9) for role in users.ROLES]  # type: ignore[arg-type]

    ours = all_users()
    assert all_users() == ours
    assert len(set(ours)) == len(ours)
    code = (
        "import sys; from pathlib import Path; from rigorbench.sandbox.cell import users; "
        "from rigorbench.sandbox.cell.spec import CellSpec; users._directory = lambda: Path(sys.argv[1]); "
        "print(users.uid(CellSpec(slot=0)), users.uid(CellSpec(slot=1, role='checker')))"
    )
    for _ in range(2):  # what one judge had is free when it has ended
        done = subprocess.run([sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=True)
        theirs = [int(word) for word in done.stdout.split()]
        assert theirs == [61512, 61518]
        assert not set(theirs) & set(ours)
    monkeypatch.setattr(users, "_SETS", 3)
    with pytest.raises(CellError, match="in use"):
        users.uid(CellSpec(slot=5))


def test_a_slot_is_pinned_and_its_programs_stay_there(open_cell: OpenCell) -> None:
    text = "grep Cpus_allowed_list /proc/self/status; taskset -p ff $$ >/dev/null 2>&1 && echo moved"
    with open_cell(CellSpec(slot=1, role="compiler")) as pinned:
        expected = launch.processors()[1 % len(launch.processors())]
        assert pinned.run(shell(text)).stdout.split() == [b"Cpus_allowed_list:", str(expected).encode()]
    with open_cell(CellSpec(slot=1, pinned=False)) as free:
        line = free.run(CellRun(("/bin/grep", "Cpus_allowed_list", "/proc/self/status"))).stdout
    with open("/proc/self/status", "rb") as own:
        assert line in own.read()


def test_what_runs_can_be_asked_for_its_time(place: Place) -> None:
    place.attack("witness")
    assert place.cell.cpu() is None
    seen: list[float | None] = []
    running = threading.Event()
    run = CellRun(("/code/burn",), CellLimits(cpu=30, wall=60))
    thread = threading.Thread(target=lambda: place.cell.run(run, started=running.set))
    place._programs("burn")
    thread.start()
    assert running.wait(60)
    while (now := place.cell.cpu()) is None or now < 0.02:
        assert thread.is_alive()
    seen.append(now)
    place.cell.cancel()
    thread.join(60)
    assert seen[0] is not None
    assert place.cell.cpu() is None


def test_a_cell_outlives_the_thread_that_started_it(open_cell: OpenCell) -> None:
    started: list[JudgeCell] = []
    thread = threading.Thread(target=lambda: started.append(open_cell(CellSpec())))
    thread.start()
    thread.join()
    with started[0] as cell:
        for _ in range(3):
            assert cell.run(CellRun(("/bin/echo", "alive"))).stdout == b"alive\n"


def test_a_closed_cell_leaves_nothing(open_cell: OpenCell) -> None:
    cell = open_cell(CellSpec())
    place, monitor = cell.process.directory, cell.process.monitor.pid
    inside = descendants(monitor)
    assert len(inside) == 1
    assert os.path.isdir(place)
    cell.close()
    cell.close()
    assert not os.path.exists(place)
    # Not even as something dead that somebody else has to bury.
    assert not any(os.path.exists(f"/proc/{pid}") for pid in (monitor, *inside))
    with pytest.raises(CellError):
        cell.run(CellRun(("/bin/true",)))


_JUDGE = """
import sys, threading
from rigorbench.sandbox.cell import groups
from rigorbench.sandbox.cell.cell import JudgeCell
from rigorbench.sandbox.cell.spec import CellLimits, CellRun, CellSpec
cell = JudgeCell.start(CellSpec())
print(cell.process.monitor.pid, cell.process.directory, groups.own_prefix(), flush=True)
cell.run(CellRun(("/bin/sh", "-c", "echo > /w/started; while :; do :; done"), CellLimits(cpu=300, wall=300)))
"""


def test_a_judge_that_is_killed_leaves_nothing_running_and_the_next_one_cleans_up() -> None:
    probing = probe()
    if not probing.ok:
        pytest.skip(probing.found)
    judge = subprocess.Popen([sys.executable, "-c", _JUDGE], stdout=subprocess.PIPE, text=True)
    monitor, place, prefix = judge.stdout.readline().split()
    while not Path(place, "w", "started").exists():
        assert judge.poll() is None
        time.sleep(0.005)
    judge.kill()
    judge.wait()
    judge.stdout.close()
    while os.path.exists(f"/proc/{monitor}") and "Z" not in Path(f"/proc/{monitor}/stat").read_text().split()[2]:
        time.sleep(0.005)
    code = f"import os; from rigorbench.sandbox.cell import launch; launch._sweep(); print(os.path.exists({place!r}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
    where = groups.controls()
    if isinstance(where, Controls):
        for mount in (where.memory, where.cpu, where.pids):
            assert not list(mount.directory.glob(prefix + "*"))


def test_without_bubblewrap_the_remedy_is_told_and_trust_runs_all_the_same(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(bwrap, "SYSTEM_PATH", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(CellError, match="apt install"):
        JudgeCell.start(CellSpec())
    assert not probe().ok
    assert "apt install bubblewrap" in (probe().remedy or "")
    (tmp_path / "script").write_text("#!/bin/sh\necho $1; pwd; cat; echo x > file; sleep 1000 & exit 4\n")
    (tmp_path / "script").chmod(0o755)
    with JudgeCell.start(CellSpec(mounts=(Mount(str(tmp_path), "/code"),)), trust=True) as cell:
        measured = cell.run(CellRun(("/code/script", "/code/x"), FORKING, stdin=b"in"))
        assert measured.limits_by == "none (trusted)"
        assert measured.exit_code == 4
        assert measured.stdout.decode().split() == [f"{tmp_path}/x", cell.work, "in"]
        assert measured.files == 1
        assert os.listdir(cell.work) == []
        assert (
            cell.run(CellRun(("/bin/sh", "-c", "while :; do :; done"), CellLimits(cpu=0.05, wall=60))).killed == "cpu"
        )
        assert cell.run(CellRun(("/bin/sleep", "100"), CellLimits(wall=0.05))).killed == "wall"


def test_root_without_its_rights_is_told_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bwrap, "privileged", lambda: False)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    with pytest.raises(CellError, match="cap-add SYS_ADMIN"):
        JudgeCell.start(CellSpec())


def test_a_supervisor_that_is_gone_is_an_error_of_the_judge(open_cell: OpenCell) -> None:
    cell = open_cell(CellSpec())
    cell.process.monitor.kill()
    cell.process.monitor.wait()
    with pytest.raises(CellError, match=r"gone|failed"):
        cell.run(CellRun(("/bin/true",)))
    assert not os.path.exists(cell.process.directory)
    with pytest.raises(CellError, match="closed"):
        cell.run(CellRun(("/bin/true",), SMALL))


def test_programs_may_look_into_every_directory_above_what_they_are_shown(place: Place) -> None:
    for path in ("/etc", "/etc/ssl", "/dev", "/usr/lib", "/code", "/proc/self"):
        measured = place.cell.run(CellRun(("/bin/ls", path)))
        assert b"denied" not in measured.stderr


def test_time_counted_by_a_version_2_group_beside_version_1(
    monkeypatch: pytest.MonkeyPatch, programs: Programs
) -> None:
    found = cgroups.here(("memory", "cpuacct", "pids"))
    if "" not in found or "memory" not in found:
        pytest.skip("this machine has no mixture of both versions")
    del found["cpuacct"]
    mixture = groups.find(found)
    if isinstance(mixture, Controlless):
        pytest.skip(mixture.why)
    assert mixture.label == "cgroup v1+v2"
    monkeypatch.setattr(groups, "controls", lambda: mixture)
    with JudgeCell.start(CellSpec(mounts=(Mount(programs("burn"), "/code"),))) as cell:
        measured = cell.run(CellRun(("/code/burn",), SMALL))
        assert measured.killed == "cpu"
        assert 0.15 < measured.cpu < 2
        assert measured.limits_by == "cgroup v1+v2"
        assert cell.run(CellRun(("/bin/true",))).cpu < 0.1


@pytest.mark.bwrap
@pytest.mark.parametrize(("role", "nice"), [("compiler", 5), ("submission", 0), ("checker", 0)])
def test_only_compilers_make_way(open_cell: OpenCell, role: str, nice: int) -> None:
    before = int(Path("/proc/self/stat").read_text().rpartition(")")[2].split()[16])
    with open_cell(CellSpec(role=role)) as cell:  # type: ignore[arg-type]
        said = cell.run(CellRun(("/bin/cat", "/proc/self/stat"))).stdout
        group = cell.run(CellRun(("/bin/cat", "/proc/self/autogroup"))).stdout
    assert int(said.rpartition(b")")[2].split()[16]) == before + nice
    # Two runs shortly after each other may be too many changes for the kernel, which then leaves it.
    assert not group or group.split()[-1] in {b"%d" % nice, b"0"}
