"""CPU, memory, processes, disk: each limit holds, by control groups where they can be had, else by other means."""

from __future__ import annotations

import asyncio
import os
import shutil
import time
from pathlib import Path

import pytest

from rigorbench.sandbox.box import groups
from rigorbench.sandbox.box.box import Box
from rigorbench.sandbox.box.spec import BoxLimits
from rigorbench.sandbox.kit import cgroups
from rigorbench.sandbox.kit.errors import SandboxGoneError

from .conftest import InBox, sh

pytestmark = pytest.mark.bwrap
MIB = 1 << 20


def test_what_holds_is_said(in_box: InBox) -> None:
    async def work(box: Box) -> dict[str, str]:
        return box.limits_in_force

    held = in_box(work, limits=BoxLimits(cpus=1.0))
    assert set(held) == {"cpus", "memory", "processes", "disk"}
    assert all(held.values())
    assert in_box(work, limits=BoxLimits(None, None, None, None)) == {}


def test_a_memory_hog_dies_and_others_live(in_box: InBox) -> None:
    hog = "b = []\nfor i in range(100): b.append(b'x' * (16 << 20))"

    async def work(box: Box) -> None:
        other = asyncio.create_task(box.exec(sh("sleep 1.5; echo lives")))
        done = await box.exec(["python3", "-c", hog], timeout=60)
        assert not done.timed_out
        assert done.status == 137 or b"MemoryError" in done.stderr
        assert (await other).stdout == b"lives\n"
        fits = "b = b'x' * (16 << 20); print(len(b))"
        assert (await box.exec(["python3", "-c", fits])).status == 0

    in_box(work, limits=BoxLimits(memory=160 * MIB))


def test_memory_of_many_processes_is_counted_together(in_box: InBox) -> None:
    hog = "import time; b = b'x' * (60 << 20); time.sleep(3); print('done')"

    async def work(box: Box) -> list[int]:
        tasks = [box.exec(["python3", "-c", hog], timeout=60) for _ in range(6)]
        return [done.status for done in await asyncio.gather(*tasks)]

    statuses = in_box(work, limits=BoxLimits(memory=220 * MIB))
    assert 137 in statuses


def test_what_forks_share_counts_once(in_box: InBox) -> None:
    program = (
        "import os, time\nb = b'x' * (60 << 20)\nchildren = [os.fork() for _ in range(1)]\n"
        "for _ in range(5):\n    if children[-1]: children.append(os.fork())\n"
        "time.sleep(1.2)\nif all(children): print([os.waitpid(c, 0)[1] for c in children])"
    )

    async def work(box: Box) -> bytes:
        return (await box.exec(["python3", "-c", program], timeout=60)).stdout

    assert in_box(work, limits=BoxLimits(memory=200 * MIB)) == b"[0, 0, 0, 0, 0, 0]\n"


def test_a_fork_bomb_is_bounded_and_ended(in_box: InBox) -> None:
    bomb = "import os, time\nwhile True:\n    try: os.fork()\n    except OSError: time.sleep(.01)"

    async def work(box: Box) -> None:
        most = 0

        async def watch() -> None:
            nonlocal most
            while True:
                most = max(most, sum(1 for p in Path(f"/proc/{box.pid}/root/proc").iterdir() if p.name.isdigit()))
                await asyncio.sleep(0.05)

        # Without rights one cannot look into the sandbox from here: then its own word must do.
        watcher = asyncio.create_task(watch()) if os.geteuid() == 0 else None
        begun = time.monotonic()
        done = await box.exec(["python3", "-c", bomb], timeout=1)
        assert done.timed_out
        assert time.monotonic() - begun < 1 + 2 + 2
        if watcher is not None:
            watcher.cancel()
            assert 10 < most <= 64 + 4
        count = "import os\nn = 0\ntry:\n    while n < 500: n += bool(os.fork()) or os._exit(os.read(0, 1) == b'')"
        assert (await box.exec(["python3", "-c", count + "\nexcept OSError: pass\nprint(n)"])).status in (0, 1)
        assert (await box.exec(["echo", "usable"])).stdout == b"usable\n"

    in_box(work, limits=BoxLimits(processes=64))


def test_the_cpu_rate_is_bounded(in_box: InBox) -> None:
    spin = "import time\nend = time.monotonic() + 1.5\nwhile time.monotonic() < end: pass\nprint(time.process_time())"

    async def work(box: Box) -> float:
        done = await asyncio.gather(*(box.exec(["python3", "-c", spin]) for _ in range(3)))
        return sum(float(d.stdout) for d in done)

    assert in_box(work, limits=BoxLimits(cpus=1.0)) < 1.5 * 1.0 * 1.4  # three would take 4.5 s, two processors give 3 s


def test_a_part_of_a_cpu_is_bounded_by_control_groups(in_box: InBox) -> None:
    spin = "import time\nend = time.monotonic() + 1.5\nwhile time.monotonic() < end: pass\nprint(time.process_time())"

    async def work(box: Box) -> float | None:
        if not box.limits_in_force["cpus"].startswith("cgroup"):
            return None
        return float((await box.exec(["python3", "-c", spin])).stdout)

    used = in_box(work, limits=BoxLimits(cpus=0.25))
    if used is None:
        pytest.skip("no control group for the CPU may be made here")
    assert used < 1.5 * 0.25 * 1.6


def test_processors_cannot_be_chosen_where_they_are_the_limit(in_box: InBox) -> None:
    async def work(box: Box) -> tuple[str, int]:
        done = await box.exec(["python3", "-c", "import os; os.sched_setaffinity(0, range(os.cpu_count()))"])
        return box.limits_in_force["cpus"], done.status

    how, status = in_box(work, limits=BoxLimits(cpus=1.0))
    assert (status == 0) is how.startswith("cgroup") or (os.cpu_count() or 1) == 1


FILL = {
    "one file": "head -c 200M /dev/zero > f",
    "many files": "for i in $(seq 100); do head -c 2M /dev/zero > f$i; done; sleep 20",
    "everywhere": "for d in /tmp /var/tmp /dev/shm ~ /work; do head -c 15M /dev/zero > $d/f; done; sleep 20",
    "no name": "for i in 1 2 3 4 5; do exec {f}>x; rm x; head -c 15M /dev/zero >&$f; done; sleep 20",
    "closed": "mkdir d; for i in 1 2 3 4 5; do head -c 15M /dev/zero > d/$i; done; chmod 000 d; sleep 20",
}


@pytest.mark.parametrize("how", FILL)
def test_who_writes_too_much_is_stopped(in_box: InBox, how: str) -> None:
    async def work(box: Box) -> None:
        await box.exec(["true"])
        begun = time.monotonic()
        done = await box.exec(sh(FILL[how]), timeout=60)
        if how == "one file":  # the kernel refuses that by itself; what it did write fits
            assert b"File size limit exceeded" in done.stderr or b"File too large" in done.stderr or done.status == 137
            return
        assert done.status == 137
        assert not done.timed_out
        assert time.monotonic() - begun < 15
        with pytest.raises(SandboxGoneError, match=r"wrote .* MiB, its limit is 50\.0 MiB"):
            await box.exec(["true"])

    in_box(work, limits=BoxLimits(disk=50 * MIB))


def test_what_was_there_at_first_is_not_counted(in_box: InBox, tmp_path: Path) -> None:
    (tmp_path / "box" / "work").mkdir(parents=True)
    (tmp_path / "box" / "work" / "large").write_bytes(b"x" * (60 * MIB))

    async def work(box: Box) -> int:
        return (await box.exec(sh("head -c 10M /dev/zero > f; sleep 1.2"))).status

    assert in_box(work, limits=BoxLimits(disk=50 * MIB)) == 0


def test_control_groups_are_found_and_removed(tmp_path: Path) -> None:
    first = "36 25 0:31 / /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids\n"
    first += "37 25 0:32 / /sys/fs/cgroup/c rw - cgroup x rw,cpu,cpuacct\n"
    both = cgroups.hierarchies(first, "5:cpu,cpuacct:/a/b\n3:pids:/\n0::/\n", groups.CONTROLLERS)
    assert both["cpu"] == cgroups.Hierarchy(Path("/sys/fs/cgroup/c/a/b"), 1)
    assert both["pids"] == cgroups.Hierarchy(Path("/sys/fs/cgroup/pids/"), 1)
    second = "29 23 0:26 /docker/x /sys/fs/cgroup ro - cgroup2 cgroup2 rw\n"
    assert cgroups.hierarchies(second, "0::/docker/x/y\n", groups.CONTROLLERS)[""] == cgroups.Hierarchy(
        Path("/sys/fs/cgroup/y"), 2
    )
    assert cgroups.hierarchies("", "", groups.CONTROLLERS) == {}
    group = groups.BoxGroups("x", BoxLimits(cpus=1.0), {"pids": cgroups.Hierarchy(tmp_path / "missing", 1)})
    assert group.directories == {}
    assert "No such file" in group.why["pids"]
    assert group.why["memory"]


def test_version_2_limits_are_written_where_controllers_are_passed_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The files only: a kernel with both versions lets us try the first."""
    monkeypatch.setattr(cgroups, "remove", lambda group, attempts=1: shutil.rmtree(group) is None)
    own = tmp_path / "user.slice"
    own.mkdir()
    (own / "cgroup.subtree_control").write_text("cpu memory pids\n")
    group = groups.BoxGroups("box", BoxLimits(cpus=1.5), {"": cgroups.Hierarchy(own, 2)})
    try:
        held = group.limit(BoxLimits(cpus=1.5, memory=MIB, processes=10))
        assert held == {"cpus": "cgroup v2", "memory": "cgroup v2", "processes": "cgroup v2"}
        assert (own / "box" / "cpu.max").read_text() == "150000 100000"
        assert (own / "box" / "memory.max").read_text() == str(MIB)
        assert (own / "box" / "memory.swap.max").read_text() == "0"
        assert (own / "box" / "pids.max").read_text() == "10"
        (own / "box" / "memory.events").write_text("low 0\noom 3\noom_kill 2\n")
        assert group.killed_for_memory() == 2
    finally:
        for file in (own / "box").glob("*.*"):
            file.unlink()


def test_no_control_group_stays_behind(in_box: InBox) -> None:
    before = {d for m in cgroups.here(groups.CONTROLLERS).values() for d in m.directory.glob(groups.PREFIX + "*")}

    async def work(box: Box) -> None:
        await box.exec(sh("sleep 8888 & sleep 0.1"))

    in_box(work)
    after = {d for m in cgroups.here(groups.CONTROLLERS).values() for d in m.directory.glob(groups.PREFIX + "*")}
    assert not [d for d in after - before if not Path("/proc", d.name.removeprefix(groups.PREFIX)).exists()]
