"""The cells of a judge: those of submissions' programs, and those of a package's checkers and interactors.

A cell belongs to one slot and is used by the thread that holds that slot. A submission's cell shows only what its
programs need: input comes over a descriptor, and answers are in the cells of checkers only. The next submission gets
it if nothing of the last one is left in it.
"""

from __future__ import annotations

import os
import shutil
import stat
import threading
from collections import OrderedDict
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Literal

from msgspec import structs

from ...sandbox.cell import disk, launch
from ...sandbox.cell.cell import JudgeCell
from ...sandbox.cell.spec import CellError, CellRun, CellSpec, Measured
from ...sandbox.kit.mount import Mount
from ...sandbox.kit.trees import clear, remove
from ..build.image import make
from ..build.program import BuiltProgram

ToolRole = Literal["checker", "interactor"]
# Cells of checkers and interactors that a slot keeps for the next submission to the same problem.
_KEPT = 4
# Idle cells of submissions that a slot keeps.
_IDLE = 2
_CODE = "/code"


class Workspace:
    """A private directory of this judge."""

    def __init__(self) -> None:
        self.root = Path(launch.new_directory())
        self._numbers = count()
        self._images: dict[tuple[int, tuple[Mount, ...]], str] = {}
        self._making = threading.Lock()

    def directory(self, name: str) -> Path:
        """A new empty directory that programs in a sandbox can read."""
        path = self.root / f"{next(self._numbers)}-{name}"
        path.mkdir()
        path.chmod(0o755)
        return path

    def image(self, slot: int, files: tuple[Mount, ...]) -> str:
        """The directory with an image of the files; each slot has one of its own, so no two runs share a file."""
        with self._making:
            if (slot, files) not in self._images:
                place = self.directory("image")
                make(files, place)
                self._images[slot, files] = str(place)
            return self._images[slot, files]

    def close(self) -> None:
        remove(self.root)


class ReusableCell:
    """A cell and the host's directory that its programs work in. After a failure the next run gets a new cell.

    `temporary`: directories that are removed with it.
    """

    def __init__(self, spec: CellSpec, workspace: Workspace, trust: bool, temporary: tuple[Path, ...] = ()) -> None:
        self.work = workspace.directory(spec.role)
        self._temporary = temporary
        self._spec = structs.replace(spec, work=str(self.work))
        self._trust = trust
        self._cell: JudgeCell | None = None
        self.limits_by: str | None = None

    def run(self, run: CellRun, started: Callable[[], None] | None = None) -> Measured:
        """Raises: CellError; the next run gets a new cell."""
        if self._cell is None:
            self._cell = JudgeCell.start(self._spec, trust=self._trust)
            self.limits_by = self._cell.limits_by
        try:
            return self._cell.run(run, started=started)
        except CellError:
            self.close_cell()
            raise

    def cancel(self) -> None:
        """End what runs now. Called from another thread; has no effect before the start and after the end."""
        cell = self._cell
        if cell is not None:
            cell.cancel()

    def worked(self) -> float:
        """Seconds of CPU that the running program used, and that it waited for a processor."""
        cell = self._cell
        return (cell.cpu() or 0.0) + (cell.starved() or 0.0) if cell is not None else 0.0

    def clear(self) -> None:
        """Empty the working directory, and all else that programs may write to."""
        if self._cell is not None:
            self._cell.clear()

    def put(self, files: Path) -> None:
        """Copy the files of a directory into the working directory; programs may change them."""
        disk.put(os.fspath(files), os.fspath(self.work))

    def close_cell(self) -> None:
        cell, self._cell = self._cell, None
        if cell is not None:
            cell.close()

    def close(self) -> None:
        self.close_cell()
        for directory in (self.work, *self._temporary):
            remove(directory)


class ToolCell(ReusableCell):
    """The cell of a checker or interactor: it sees the package's data and further files, read-only."""

    def __init__(
        self, slot: int, role: ToolRole, program: BuiltProgram, data: Path, workspace: Workspace, trust: bool
    ) -> None:
        self._given = workspace.directory("given")
        self._data = data
        mounts = (Mount(str(data), "/data"), Mount(str(self._given), "/given"))
        spec = CellSpec(slot=slot, role=role, mounts=(*program.mounts, *mounts))
        super().__init__(spec, workspace, trust, (self._given,))

    def path_of(self, path: Path | None, name: str) -> str:
        """The path in the cell of a file of the package, which is copied if the cell's user could not read it."""
        if path is None:
            return "/dev/null"
        if _readable(path, self._data):
            return f"/data/{path.relative_to(self._data)}"
        return self.write(name, path.read_bytes())

    def write(self, name: str, content: bytes) -> str:
        """Write a file for the program to read; returns its path in the cell."""
        target = self._given / name
        target.write_bytes(content)
        target.chmod(0o644)
        return f"/given/{name}"


class SlotTools:
    """The cells of checkers and interactors that a slot keeps from submission to submission: the last used ones."""

    def __init__(self, slot: int, workspace: Workspace, trust: bool) -> None:
        self.slot, self._workspace, self._trust = slot, workspace, trust
        self._tools: OrderedDict[tuple[object, ...], ToolCell] = OrderedDict()

    def cell(self, role: ToolRole, program: BuiltProgram, data: Path, digest: str) -> ToolCell:
        """The cell of a program of the package with this `digest`; a changed package gets a new cell."""
        key = (role, program.argv, program.mounts, digest)
        cell = self._tools.pop(key, None)
        if cell is None:
            cell = ToolCell(self.slot, role, program, data, self._workspace, self._trust)
        self._tools[key] = cell
        while len(self._tools) > _KEPT:
            self._tools.popitem(last=False)[1].close()
        return cell

    def clear(self) -> None:
        """Empty what the programs of a package may write to."""
        for cell in self._tools.values():
            cell.clear()

    def close(self) -> None:
        while self._tools:
            self._tools.popitem()[1].close()


class SubmissionCell(ReusableCell):
    """A cell in which the programs of one submission run after those of another: ``/code`` is filled anew."""

    def __init__(self, slot: int, files: tuple[Mount, ...], workspace: Workspace, trust: bool) -> None:
        self.slot, self.files = slot, files
        self._code = workspace.directory("code")
        self._shown: Mount | None = None
        shown = (Mount(str(self._code), _CODE),)
        spec = CellSpec(slot=slot, mounts=shown, image=None if trust else workspace.image(slot, files))
        super().__init__(spec, workspace, trust, (self._code,))

    def show(self, code: Mount | None) -> None:
        """Make the files of a mount the content of ``/code``; None: empty it.

        They are copied: no other program can open the same files.
        """
        if code == self._shown:
            return
        clear(os.fspath(self._code))
        self._code.chmod(0o755)
        self._shown = None
        if code is not None:
            shutil.copytree(code.source, self._code, symlinks=True, dirs_exist_ok=True)
        self._shown = code

    def is_as_new(self) -> bool:
        """Whether programs could not tell it from a new one. For an idle cell that has been cleared."""
        return self._cell is not None and self._cell.is_as_new()


class IdleCells:
    """Cells of submissions that have ended, kept for the next ones: to start one costs more than a few test points."""

    def __init__(self, workspace: Workspace, trust: bool) -> None:
        self._workspace, self._trust = workspace, trust
        self._lock = threading.Lock()
        self._idle: dict[int, list[SubmissionCell]] = {}

    def take(self, slot: int, files: tuple[Mount, ...]) -> SubmissionCell:
        """A cell of a slot with the image of these files."""
        with self._lock:
            idle = self._idle.get(slot, [])
            found = next((cell for cell in idle if cell.files == files), None)
            if found is not None:
                idle.remove(found)
        return found or SubmissionCell(slot, files, self._workspace, self._trust)

    def give(self, cell: SubmissionCell) -> None:
        """Keep a cell, or close it if something of its submission is left in it."""
        try:
            cell.clear()
            cell.show(None)
            keep = cell.is_as_new()
        except OSError:
            keep = False
        if not keep:
            cell.close()
            return
        with self._lock:
            idle = self._idle.setdefault(cell.slot, [])
            idle.append(cell)
            superfluous = idle.pop(0) if len(idle) > _IDLE else None
        if superfluous is not None:
            superfluous.close()

    def close(self) -> None:
        for idle in self._idle.values():
            while idle:
                idle.pop().close()


class SubmissionCells:
    """The cells in which the programs of one submission run: at most one in each slot, used by the slot's holder."""

    def __init__(self, idle: IdleCells) -> None:
        self._idle = idle
        self._cells: dict[int, SubmissionCell] = {}

    def of(self, slot: int, program: BuiltProgram) -> SubmissionCell:
        """The cell for the holder of a slot, with the program in it."""
        code = next((mount for mount in program.mounts if mount.inside == _CODE), None)
        cell = self._cells.get(slot)
        if cell is None or cell.files != program.image:
            if cell is not None:
                self._idle.give(self._cells.pop(slot))
            cell = self._cells[slot] = self._idle.take(slot, program.image)
        cell.show(code)
        return cell

    @property
    def limits_by(self) -> str | None:
        """What enforces the limits; None: nothing was run."""
        return next((cell.limits_by for cell in list(self._cells.values()) if cell.limits_by), None)

    def clear(self, slot: int) -> None:
        if slot in self._cells:
            self._cells[slot].clear()

    def cancel(self) -> None:
        for cell in list(self._cells.values()):
            cell.cancel()

    def close(self) -> None:
        while self._cells:
            self._idle.give(self._cells.popitem()[1])


def _readable(path: Path, root: Path) -> bool:
    """Whether every user can read a file below `root`, once `root` is mounted."""
    above = [place for place in path.parents if place.is_relative_to(root)]
    open_to_all = all(place.stat().st_mode & stat.S_IXOTH for place in above)
    return bool(above) and open_to_all and bool(path.stat().st_mode & stat.S_IROTH)
