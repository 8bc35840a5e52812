"""What a cell measures against a reference instrument, BenchExec's runexec, on known loads."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from cell_places import OpenCell

from rigorbench.sandbox.cell.spec import CellError, CellLimits, CellRun, CellSpec
from rigorbench.sandbox.kit.mount import Mount

LOADS = ["cpu 1", "memory 100", "memory 400", "processes 4 0.3 40", "threads 4 0.3 40"]


@pytest.fixture(scope="module")
def load(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if shutil.which("gcc") is None:
        pytest.skip("no gcc to compile the loads with")
    place = tmp_path_factory.mktemp("load")
    place.chmod(0o755)
    source = Path(__file__).with_name("load.c")
    subprocess.run(["gcc", "-O1", "-pthread", "-o", str(place / "load"), str(source)], check=True)
    return place / "load"


@pytest.mark.slow  # seconds of CPU for each load, and it needs control groups
@pytest.mark.parametrize("words", LOADS)
def test_it_agrees_with_runexec(load: Path, words: str, open_cell: OpenCell, tmp_path: Path) -> None:
    runexec = shutil.which("runexec", path=f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    if runexec is None:
        pytest.skip("runexec (BenchExec) is not installed")
    line = [runexec, "--quiet", "--no-container", "--output", str(tmp_path / "log"), str(load), *words.split()]
    said = subprocess.run(line, capture_output=True, text=True, check=True, timeout=300).stdout
    reference = dict(row.split("=", 1) for row in said.splitlines() if "=" in row)
    if "memory" not in reference:
        pytest.skip("runexec has no control group for memory here")
    try:
        cell = open_cell(CellSpec(mounts=(Mount(str(load.parent), "/code"),), pinned=False))
    except CellError as error:
        pytest.skip(str(error))
    with cell:
        if cell.controls is None:
            pytest.skip("no control groups for the judge here")
        measured = cell.run(CellRun(("/code/load", *words.split()), CellLimits(cpu=60, wall=120, memory=2 << 30)))
    assert measured.exit_code == 0
    cpu, memory = float(reference["cputime"].rstrip("s")), int(reference["memory"].rstrip("B"))
    if not words.startswith("memory"):  # what the kernel takes to find fresh pages differs from time to time
        assert measured.cpu == pytest.approx(cpu, rel=0.05, abs=0.02)
    assert measured.memory == pytest.approx(memory, rel=0.05, abs=1 << 20)
