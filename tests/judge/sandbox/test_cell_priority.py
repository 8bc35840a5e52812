"""Compilers make way for test points; everything else has the usual priority."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from rigorbench.sandbox.cell.cell import Cell
from rigorbench.sandbox.cell.spec import CellSpec, Run


@pytest.mark.bwrap
@pytest.mark.parametrize(("role", "nice"), [("compiler", 5), ("submission", 0), ("checker", 0)])
def test_only_compilers_make_way(open_cell: Callable[..., Cell], role: str, nice: int) -> None:
    before = int(Path("/proc/self/stat").read_text().rpartition(")")[2].split()[16])
    with open_cell(CellSpec(role=role)) as cell:  # type: ignore[arg-type]
        said = cell.run(Run(("/bin/cat", "/proc/self/stat"))).stdout
        group = cell.run(Run(("/bin/cat", "/proc/self/autogroup"))).stdout
    assert int(said.rpartition(b")")[2].split()[16]) == before + nice
    # Two runs shortly after each other may be too many changes for the kernel, which then leaves it.
    assert not group or group.split()[-1] in {b"%d" % nice, b"0"}
