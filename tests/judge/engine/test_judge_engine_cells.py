"""Cells that go from one submission to the next, when nothing of the first is left in them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from rigorbench.judge.build.image import image
from rigorbench.judge.build.program import BuiltProgram
from rigorbench.judge.engine.cells import IdleCells, SubmissionCells, Workspace
from rigorbench.sandbox.cell.cell import JudgeCell
from rigorbench.sandbox.cell.spec import CellError, CellLimits, CellRun, CellSpec, Measured
from rigorbench.sandbox.kit.mount import Mount

pytestmark = pytest.mark.bwrap


@pytest.fixture
def workspace() -> Iterator[Workspace]:
    try:
        with JudgeCell.start(CellSpec()) as cell:
            if cell.process.uid is None:
                pytest.skip("only root's cells are kept")
    except CellError as error:
        pytest.skip(str(error))
    found = Workspace()
    yield found
    found.close()


@pytest.fixture
def idle(workspace: Workspace) -> Iterator[IdleCells]:
    found = IdleCells(workspace, False)
    yield found
    found.close()


TOOLS = ("sh", "ls", "stat", "touch", "sleep", "seq", "xargs")


def program(place: Path, script: str, *more: str) -> BuiltProgram:
    place.mkdir()
    (place / "main").write_text(f"#!/bin/sh\n{script}\n")
    (place / "main").chmod(0o755)
    files = image("", tuple(f"/usr/bin/{name}" for name in (*TOOLS, *more)))
    return BuiltProgram(("/code/main",), (Mount(str(place), "/code"),), files)


def submit(idle: IdleCells, *programs: BuiltProgram, fresh: bool = True) -> tuple[list[Measured], int]:
    """What the programs of a submission printed, and the process of its cell."""
    cells = SubmissionCells(idle)
    try:
        runs = [cells.of(0, one).run(CellRun(one.argv, CellLimits(files=5000), fresh=fresh)) for one in programs]
        inner = cells.of(0, programs[-1])._cell
        return runs, inner.process.monitor.pid
    finally:
        cells.close()


def test_the_next_submission_gets_the_cell_and_sees_nothing_of_the_last(idle: IdleCells, tmp_path: Path) -> None:
    look = "echo $$; ls -A /code /w /tmp; stat -c '%s %Y %a' /w /tmp"
    spy = program(tmp_path / "spy", f"{look}; touch /w/left /tmp/left; sleep 9 &")
    (tmp_path / "spy" / "secret").touch()
    (first,), one = submit(idle, spy, fresh=False)
    (second,), two = submit(idle, program(tmp_path / "honest", look))
    assert one == two
    assert b"secret" in first.stdout
    # The process's number, the empty directories, their sizes, times and modes: all as in a new cell.
    assert second.stdout == first.stdout.replace(b"secret\n", b"")


def test_a_cell_in_which_something_is_left_is_not_kept(idle: IdleCells, tmp_path: Path) -> None:
    """On ext4 a directory keeps the size that many files gave it, which the next program would see."""
    many = program(tmp_path / "many", "stat -c %s /tmp; cd /tmp; seq 4000 | xargs touch; stat -c %s /tmp")
    (run,), one = submit(idle, many)
    grown = len(set(run.stdout.split())) > 1
    _, two = submit(idle, program(tmp_path / "next", "true"))
    assert (one != two) is grown


def test_programs_of_a_submission_with_the_same_toolchain_share_a_cell(idle: IdleCells, tmp_path: Path) -> None:
    drivers = [program(tmp_path / f"driver{n}", f"echo {n}") for n in range(3)]
    runs, one = submit(idle, *drivers)
    assert [run.stdout for run in runs] == [b"0\n", b"1\n", b"2\n"]
    # Another toolchain needs another image, so another cell.
    (run,), two = submit(idle, program(tmp_path / "other", "ls /usr/bin/env", "env"))
    assert (run.stdout, one == two) == (b"/usr/bin/env\n", False)


def test_a_cell_whose_sandbox_failed_is_not_kept(idle: IdleCells, tmp_path: Path) -> None:
    cells = SubmissionCells(idle)
    cell = cells.of(0, program(tmp_path / "code", "true"))
    cell.run(CellRun(("/code/main",)))
    cell._cell.close()
    cells.close()
    assert idle.take(0, ()) is not cell
