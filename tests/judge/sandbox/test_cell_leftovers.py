"""What one run could tell the next, and what it could make the judge itself do, by what it leaves."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from cell_places import SMALL, Place

from rigorbench.sandbox.cell import disk
from rigorbench.sandbox.cell.spec import CellLimits, CellRun


def test_nothing_can_be_noted_on_the_directories(place: Place) -> None:
    for _ in range(2):
        measured = place.attack("keep_note")
        assert (measured.exit_code, measured.stdout) == (0, b"40700 0.0 -1\n" * 2)
    place.check()


def test_files_in_memory_do_not_hide_the_rest(places: Callable[[str], Place]) -> None:
    place = places("own")
    if not place.controlled:
        pytest.skip("without control groups files in memory are not counted")
    limits = CellLimits(cpu=5.0, wall=30.0, memory=64 << 20, disk=64 << 20)
    measured = place.attack("hide_heap", limits=limits)
    assert measured.oom or measured.memory > 64 << 20
    place.check()


@pytest.mark.parametrize("forks", [True, False])
def test_a_run_may_be_kept_from_starting_processes(places: Callable[[str], Place], forks: bool) -> None:
    place = places("own")
    run = CellRun(("/bin/sh", "-c", "/bin/true & echo forked"), limits=SMALL, forks=forks)
    measured = place.cell.run(run)
    assert measured.stdout == (b"forked\n" if forks and place.controlled else b"")
    place.check()


@pytest.mark.parametrize("way", ["nothing", "link", "file", "fifo", "directory", "locked"])
@pytest.mark.parametrize("name", ["given", "given/inner"])
def test_files_are_put_in_place_of_what_programs_made(tmp_path: Path, way: str, name: str) -> None:
    files, work, outside = tmp_path / "files", tmp_path / "work", tmp_path / "outside"
    (files / "given").mkdir(parents=True)
    (files / "given" / "inner").write_text("new", encoding="ascii")
    (files / "given" / "inner").chmod(0o755)
    work.mkdir()
    outside.mkdir(mode=0o755)
    (outside / "inner").write_text("old", encoding="ascii")
    before = outside.stat()
    target = work / name
    target.parent.mkdir(exist_ok=True)
    if way == "link":
        target.symlink_to(outside if name == "given" else outside / "inner")
    elif way == "file":
        target.write_text("theirs", encoding="ascii")
    elif way == "fifo":
        os.mkfifo(target)
    elif way in ("directory", "locked"):
        (target / "deep" / "deeper").mkdir(parents=True)
        target.chmod(0o700 if way == "directory" else 0)
    disk.put(str(files), str(work))
    assert (outside / "inner").read_text(encoding="ascii") == "old"
    assert (outside.stat().st_mode, outside.stat().st_mtime_ns) == (before.st_mode, before.st_mtime_ns)
    put = work / "given" / "inner"
    assert put.read_text(encoding="ascii") == "new"
    assert not put.is_symlink()
    assert not put.parent.is_symlink()
    assert put.stat().st_mode & 0o777 == 0o777
    assert put.parent.stat().st_mode & 0o777 == 0o777
