"""Cells in every way that a machine may offer, and the attack programs in them."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from cell_places import OpenCell, Place, Programs

from rigorbench.sandbox.cell import groups
from rigorbench.sandbox.cell.cell import JudgeCell
from rigorbench.sandbox.cell.groups import Controlless
from rigorbench.sandbox.cell.spec import CellError, CellSpec
from rigorbench.sandbox.kit import bwrap
from rigorbench.sandbox.kit.mount import Mount

ATTACKS = Path(__file__).parents[1] / "attacks"
# As the machine has it, and as somebody else without control groups. Between them, for a few tests: root without them,
# somebody else with them.
MODES = ("own", "user, rlimit")
BETWEEN = ("root, rlimit", "user")


@pytest.fixture(scope="session")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], str]:
    """Name of an attack -> the directory in which it is compiled."""
    if shutil.which("gcc") is None:
        pytest.skip("no gcc to compile the attack programs with")
    place = tmp_path_factory.mktemp("attacks")
    place.chmod(0o755)

    def compiled(name: str) -> str:
        if not (place / name).exists():
            command = ["gcc", "-O1", "-w", "-pthread", "-o", str(place / name), str(ATTACKS / f"{name}.c"), "-lrt"]
            subprocess.run(command, check=True, timeout=120)
        return str(place)

    return compiled


@pytest.fixture(scope="session")
def open_cell(programs: Programs) -> OpenCell:
    def start(spec: CellSpec | None = None, mode: str = "own") -> JudgeCell:
        """Raises CellError, and skips what this machine cannot do."""
        root = os.geteuid() == 0
        if mode != "own" and not root:
            pytest.skip("only root can play the others")
        with pytest.MonkeyPatch.context() as patch:
            if mode.startswith("user"):
                patch.setattr(bwrap, "as_root", lambda: False)
            if mode.endswith("rlimit"):
                patch.setattr(groups, "controls", lambda: Controlless("not for this test"))
            return JudgeCell.start(spec or CellSpec(mounts=(Mount(programs("witness"), "/code"),)))

    return start


@pytest.fixture(scope="session")
def places(open_cell: OpenCell, programs: Programs) -> Iterator[Callable[[str], Place]]:
    """A cell for each mode, which all tests attack: what one leaves would disturb the others."""
    opened: dict[str, Place] = {}

    def of(mode: str) -> Place:
        if mode not in opened:
            try:
                cell = open_cell(mode=mode)
            except CellError as error:
                pytest.skip(str(error))
            opened[mode] = Place(cell, programs, cell.controls is not None)
        return opened[mode]

    yield of
    for place in opened.values():
        place.cell.close()


@pytest.fixture(params=MODES)
def place(request: pytest.FixtureRequest, places: Callable[[str], Place]) -> Place:
    return places(request.param)


@pytest.fixture(params=(*MODES, *BETWEEN))
def any_place(request: pytest.FixtureRequest, places: Callable[[str], Place]) -> Place:
    return places(request.param)
