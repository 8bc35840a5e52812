"""Control groups of both versions, on a file system that behaves as the kernel's would."""

from __future__ import annotations

import os
import shutil
import threading
from pathlib import Path
from typing import Any

import pytest

from rigorbench.sandbox.cell import groups, owners
from rigorbench.sandbox.cell.groups import Controlless, Controls, RunGroup
from rigorbench.sandbox.kit import cgroups
from rigorbench.sandbox.kit.cgroups import Hierarchy

SECOND = {
    "cgroup.procs": "", "cgroup.subtree_control": "", "cgroup.controllers": "cpu memory pids", "memory.max": "max",
    "memory.swap.max": "max", "memory.oom.group": "0", "pids.max": "max", "memory.peak": "0", "memory.stat": "",
    "memory.events": "low 0\noom 0\noom_kill 0\n", "cpu.stat": "usage_usec 0\nuser_usec 0\n",
}  # fmt: skip
FIRST = {
    "cgroup.procs": "", "tasks": "", "memory.limit_in_bytes": "", "memory.memsw.limit_in_bytes": "", "pids.max": "",
    "cpuacct.usage": "0\n", "memory.max_usage_in_bytes": "0\n", "memory.stat": "",
    "memory.oom_control": "oom_kill_disable 0\nunder_oom 0\noom_kill 0\n",
}  # fmt: skip


@pytest.fixture
def kernel(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The files that every new group has."""
    files: dict[str, str] = {}

    mkdir = Path.mkdir

    def make(directory: Path, **how: Any) -> None:
        mkdir(directory, **how)
        for name, text in () if how else files.items():
            (directory / name).write_text(text)

    def remove(directory: Path, attempts: int = 1) -> bool:
        shutil.rmtree(directory, ignore_errors=True)
        return True

    monkeypatch.setattr(Path, "mkdir", make)
    monkeypatch.setattr(cgroups, "remove", remove)
    return files


def delegated(place: Path, **files: str) -> Path:
    place.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (place / f"cgroup.{name}").write_text(text)
    return place


def test_version_2_is_used_below_the_nearest_group_that_passes_controllers_on(
    tmp_path: Path, kernel: dict[str, str]
) -> None:
    kernel.update(SECOND)
    outer = delegated(tmp_path / "app.slice", subtree_control="cpu memory pids", controllers="cpu memory pids")
    own = delegated(outer / "shell.scope", subtree_control="", controllers="memory pids", procs="1\n")
    found = groups.find({"": Hierarchy(own, 2)})
    assert found == Controls(Hierarchy(outer, 2), Hierarchy(outer, 2), Hierarchy(outer, 2))
    assert found.label == "cgroup v2"
    assert sorted(p.name for p in outer.iterdir() if p.is_dir()) == ["shell.scope"]


def test_a_scope_of_our_own_is_turned_into_a_parent(tmp_path: Path, kernel: dict[str, str]) -> None:
    kernel.update(SECOND)
    top = delegated(tmp_path / "user.slice", subtree_control="cpu", controllers="cpu memory pids")
    own = delegated(top / "run-1.scope", subtree_control="", controllers="cpu memory pids", procs="4711\n")
    found = groups.find({"": Hierarchy(own, 2)})
    assert isinstance(found, Controls)
    assert found.memory.directory == own
    # A group that passes controllers on may hold no process.
    assert (own / "rigor-judges" / "cgroup.procs").read_text() == "4711"
    assert (own / "cgroup.subtree_control").read_text() == "+memory +pids"


def test_without_the_right_to_make_groups_the_reason_is_told(tmp_path: Path, kernel: dict[str, str]) -> None:
    own = delegated(tmp_path / "scope", subtree_control="", controllers="cpu", procs="1\n")
    found = groups.find({"": Hierarchy(own, 2)})
    assert isinstance(found, Controlless)
    assert str(own) in found.why
    assert isinstance(groups.find({}), Controlless)


def test_a_mixture_takes_each_controller_where_it_is(tmp_path: Path, kernel: dict[str, str]) -> None:
    kernel.update(FIRST | SECOND)
    memory, pids = tmp_path / "memory", tmp_path / "pids"
    second = delegated(tmp_path / "unified", subtree_control="", controllers="", procs="")
    memory.mkdir()
    pids.mkdir()
    found = groups.find({"": Hierarchy(second, 2), "memory": Hierarchy(memory, 1), "pids": Hierarchy(pids, 1)})
    assert isinstance(found, Controls)
    assert found.cpu == Hierarchy(second, 2)
    assert found.label == "cgroup v1+v2"


def _name(file: int) -> str:
    return Path(os.readlink(f"/proc/self/fd/{file}")).name


def test_a_run_in_version_2(tmp_path: Path, kernel: dict[str, str]) -> None:
    kernel.update(SECOND)
    mount = Hierarchy(tmp_path, 2)
    group = RunGroup(Controls(mount, mount, mount), 100 << 20, 7)
    (place,) = tmp_path.iterdir()
    assert place.name.startswith(groups.own_prefix())
    assert {n: (place / n).read_text() for n in ("memory.max", "memory.swap.max", "memory.oom.group", "pids.max")} == {
        "memory.max": str(100 << 20), "memory.swap.max": "0", "memory.oom.group": "1", "pids.max": "7",
    }  # fmt: skip
    assert [_name(file) for file in group.files] == ["cgroup.procs"]
    (place / "cpu.stat").write_text("usage_usec 1500000\nuser_usec 1\n")
    (place / "memory.events").write_text("low 0\nhigh 0\nmax 3\noom 1\noom_kill 2\n")
    (place / "memory.peak").write_text("52428800\n")
    (place / "memory.stat").write_text("anon 100\nfile 0\nactive_file 0\ninactive_file 0\n")
    assert (group.cpu(), group.ooms(), group.memory(None, 0)) == (1.5, 2, 52428800)
    (place / "memory.current").write_text("2000\n")
    assert [group.beyond(limit) for limit in (1999, 2000)] == [True, False]
    assert group.close()
    assert not place.exists()


def test_a_run_in_version_1(tmp_path: Path, kernel: dict[str, str]) -> None:
    kernel.update(FIRST)
    mounts = [Hierarchy(tmp_path / name, 1) for name in ("memory", "cpuacct", "pids")]
    for mount in mounts:
        mount.directory.mkdir(parents=True)
    group = RunGroup(Controls(*mounts), None, None)
    places = [next(mount.directory.iterdir()) for mount in mounts]
    assert [(places[0] / "memory.limit_in_bytes").read_text(), (places[2] / "pids.max").read_text()] == ["", ""]
    assert [_name(file) for file in group.files] == ["tasks"] * 3
    (places[1] / "cpuacct.usage").write_text("250000000\n")
    assert group.cpu() == 0.25
    (places[0] / "memory.oom_control").write_text("oom_kill_disable 0\nunder_oom 0\noom_kill 4\n")
    assert group.ooms() == 4
    assert group.close()


@pytest.mark.parametrize(
    ("peak", "files", "seen", "resident", "moved", "expected"),
    [
        (50, 0, 0, None, 0, 50),  # no files: the kernel's peak is exact
        (50, 40, 0, None, 0, 10),  # files at the end
        (50, 0, 0, None, 45, 5),  # files that are gone by the end
        (50, 40, 30, None, 0, 30),  # seen on the way
        (50, 40, 0, 35, 0, 35),  # one process held as much
        (50, 40, 0, 90, 0, 50),  # its resident size has shared libraries in it, too
        (50, 0, 0, 90, 0, 50),
    ],
)
def test_files_in_memory_are_not_the_programs_own(
    tmp_path: Path, kernel: dict[str, str], peak: int, files: int, seen: int, resident: int | None, moved: int,
    expected: int,
) -> None:  # fmt: skip
    kernel.update(SECOND)
    mount = Hierarchy(tmp_path, 2)
    group = RunGroup(Controls(mount, mount, mount), None, None)
    (place,) = tmp_path.iterdir()
    (place / "memory.stat").write_text(f"anon {seen << 20}\nshmem 0\nactive_file 0\ninactive_file 0\n")
    group.sample()
    (place / "memory.peak").write_text(str(peak << 20))
    (place / "memory.stat").write_text(f"anon 0\nshmem 0\nactive_file {files << 19}\ninactive_file {files << 19}\n")
    found = group.memory(None if resident is None else resident << 20, moved << 20)
    assert found == expected << 20
    group.close()


def test_a_peak_that_nobody_kept_is_unknown_or_what_was_seen(tmp_path: Path, kernel: dict[str, str]) -> None:
    kernel.update(SECOND)
    del kernel["memory.peak"]
    mount = Hierarchy(tmp_path, 2)
    group = RunGroup(Controls(mount, mount, mount), None, None)
    assert group.memory(None, 0) is None
    (place,) = tmp_path.iterdir()
    (place / "memory.stat").write_text("anon 4096\n")
    group.sample()
    assert group.memory(None, 0) == 4096
    group.close()


def test_groups_of_dead_judges_are_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mount = Hierarchy(tmp_path, 1)
    monkeypatch.setattr(groups, "controls", lambda: Controls(mount, mount, mount))
    monkeypatch.setattr(cgroups, "clear", Path.rmdir)  # what else it does takes a kernel
    monkeypatch.setattr(owners, "_directory", lambda: tmp_path / "owners")
    monkeypatch.setattr(owners, "_own", None)
    (tmp_path / "owners").mkdir()
    (tmp_path / "owners" / "killed").touch()  # its lock is nobody's any more
    alive, foreign = f"{groups.own_prefix()}-cd", "rigor-judge-ofacontainer-ef"
    for name in ("rigor-judge-killed-ab", alive, foreign):
        (tmp_path / name).mkdir()
    for _ in range(2):
        owners.sweep(groups.clear_left_over)
        assert sorted(p.name for p in tmp_path.iterdir()) == sorted([alive, foreign, "owners"])
    assert sorted(p.name for p in (tmp_path / "owners").iterdir()) == sorted([owners.word(), "guard"])


def test_who_removes_what_is_left_over_may_make_groups_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To find out where groups can be made, a process makes one: its first act may be this."""
    monkeypatch.setattr(owners, "_directory", lambda: tmp_path)
    monkeypatch.setattr(owners, "_own", None)
    (tmp_path / "killed").touch()
    found: list[str] = []
    thread = threading.Thread(
        target=owners.sweep, args=(lambda owner: found.extend([owner, owners.word()]),), daemon=True
    )
    thread.start()
    thread.join(60)
    assert found[:1] == ["killed"]
    assert not thread.is_alive()
