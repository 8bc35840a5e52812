"""Cells in every way that a machine may offer, and the attack programs in them."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from rigorbench.judge.sandbox import groups, launch
from rigorbench.judge.sandbox.cell import Cell
from rigorbench.judge.sandbox.groups import Controlless
from rigorbench.judge.sandbox.spec import CellError, CellSpec, Limits, Measured, Mount, Run
from rigorbench.judge.sandbox.watch import descendants

ATTACKS = Path(__file__).parents[1] / "attacks"
SMALL = Limits(cpu=0.15, wall=20, memory=24 << 20, processes=16, output=1 << 20, errors=1000, disk=1 << 20, files=100)
# As the machine has it; as root without control groups; as somebody else, with and without them.
MODES = ("own", "root, rlimit", "user", "user, rlimit")


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


class Place:
    """A cell and how it is attacked. ``controlled``: control groups hold the limits."""

    def __init__(self, cell: Cell, programs: Callable[[str], str], controlled: bool) -> None:
        self.cell = cell
        self.controlled = controlled
        self._programs = programs

    def attack(self, name: str, *words: str, limits: Limits = SMALL, **more: object) -> Measured:
        self._programs(name)
        more.setdefault("stdin", b"in")
        return self.cell.run(Run((f"/code/{name}", *words), limits=limits, **more))  # type: ignore[arg-type]

    def check(self) -> None:
        """Nothing of the last run is there any more, and the next one is as the first."""
        assert len(descendants(self.cell.process.monitor.pid)) == 1  # process 1 alone
        if self.controlled:
            where = self.cell.controls
            assert where is not None
            for mount in (where.memory, where.cpu, where.pids):
                assert not list(mount.directory.glob(f"{groups.own_prefix()}-*"))
        for place in (self.cell.process.work, self.cell.process.tmp):
            assert os.listdir(place) == []
        # As root, every program has the same process number, too.
        env = {"NUMBERS": "1"} if self.cell.process.uid is not None else {}
        seen = self.attack("witness", env=env)
        assert (seen.stdout, seen.exit_code, seen.killed, seen.oom) == (b"clean\n", 0, None, False)


@pytest.fixture(scope="session")
def open_cell(programs: Callable[[str], str]) -> Callable[..., Cell]:
    def start(spec: CellSpec | None = None, mode: str = "own") -> Cell:
        """Raises CellError, and skips what this machine cannot do."""
        root = os.geteuid() == 0
        if mode != "own" and not root:
            pytest.skip("only root can play the others")
        with pytest.MonkeyPatch.context() as patch:
            if mode.startswith("user"):
                patch.setattr(launch, "as_root", lambda: False)
            if mode.endswith("rlimit"):
                patch.setattr(groups, "controls", lambda: Controlless("not for this test"))
            return Cell.start(spec or CellSpec(mounts=(Mount(programs("witness"), "/code"),)))

    return start


@pytest.fixture(scope="module", params=MODES)
def place(
    request: pytest.FixtureRequest, open_cell: Callable[..., Cell], programs: Callable[[str], str]
) -> Iterator[Place]:
    try:
        cell = open_cell(mode=request.param)
    except CellError as error:
        pytest.skip(str(error))
    with cell:
        yield Place(cell, programs, cell.controls is not None)
