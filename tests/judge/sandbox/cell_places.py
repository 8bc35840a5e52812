"""A cell that is attacked, and what must hold afterwards."""

from __future__ import annotations

import os
from collections.abc import Callable

from rigorbench.sandbox.cell import groups
from rigorbench.sandbox.cell.cell import JudgeCell
from rigorbench.sandbox.cell.spec import CellLimits, CellRun, Measured
from rigorbench.sandbox.kit.proc import descendants

OpenCell = Callable[..., JudgeCell]
Programs = Callable[[str], str]
SMALL = CellLimits(
    cpu=0.15, wall=20, memory=24 << 20, processes=16, output=1 << 20, errors=1000, disk=1 << 20, files=100
)


class Place:
    """A cell and how it is attacked. ``controlled``: control groups hold the limits."""

    def __init__(self, cell: JudgeCell, programs: Programs, controlled: bool) -> None:
        self.cell = cell
        self.controlled = controlled
        self._programs = programs

    def attack(self, name: str, *words: str, limits: CellLimits = SMALL, **more: object) -> Measured:
        self.build(name)
        more.setdefault("stdin", b"in")
        return self.cell.run(CellRun((f"/code/{name}", *words), limits=limits, **more))  # type: ignore[arg-type]

    def build(self, name: str) -> None:
        self._programs(name)

    def check(self) -> None:
        """Nothing of the last run is there any more, and the next one is as the first."""
        assert len(descendants(self.cell.process.monitor.pid)) == 1  # process 1 alone
        if self.controlled:
            where = self.cell.controls
            for mount in (where.memory, where.cpu, where.pids):
                assert not list(mount.directory.glob(f"{groups.own_prefix()}-*"))
        for place in (self.cell.process.work, self.cell.process.tmp):
            assert os.listdir(place) == []
        # As root, every program has the same process number, too.
        env = {"NUMBERS": "1"} if self.cell.process.uid is not None else {}
        seen = self.attack("witness", env=env)
        assert (seen.stdout, seen.exit_code, seen.killed, seen.oom) == (b"clean\n", 0, None, False)
