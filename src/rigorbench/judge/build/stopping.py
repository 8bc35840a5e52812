"""Stopping what compiles: all compilers that run for a submission end at once, from any thread."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from ...sandbox.cell.cell import Cell
from ..model import JudgeError


class BuildStopped(JudgeError):
    """The build was stopped before its end. It says nothing about the submission, and is not cached."""

    def __init__(self) -> None:
        super().__init__("compiling was cancelled")


class Stop:
    """The running compiles of one submission."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._cells: set[Cell] = set()
        self._stopped = False

    def stop(self) -> None:
        """End what runs, and what would start later. May be called again."""
        with self._lock:
            self._stopped = True
            cells = list(self._cells)
        for cell in cells:
            cell.cancel()

    @contextmanager
    def watching(self, cell: Cell) -> Iterator[None]:
        """Raises: BuildStopped, at the beginning."""
        with self._lock:
            if self._stopped:
                raise BuildStopped
            self._cells.add(cell)
        try:
            yield
        finally:
            with self._lock:
                self._cells.discard(cell)

    def check(self) -> None:
        """Raises: BuildStopped."""
        if self._stopped:
            raise BuildStopped
