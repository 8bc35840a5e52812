"""The host's side of a cell."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from typing import Self

from ..kit import trees
from . import groups, launch, layout
from .groups import Controls
from .running import RunningCell, StartedCell, directory_sizes
from .spec import CellError, CellRun, CellSpec, Measured


class JudgeCell(StartedCell):
    """A running sandbox. One thread at a time uses it. Start with `start`, end with `close` (or as a context)."""

    @classmethod
    def start(cls, spec: CellSpec, *, trust: bool = False) -> Self:
        """Start a cell.

        Args:
            spec: What it is made of.
            trust: Where no sandbox is possible, run without one: only for programs that you trust. They run as you,
                with resource limits; the paths of mounts, /w and /tmp are translated in command line and environment.

        Raises:
            CellError: no sandbox is possible here; the message has the remedy.
        """
        layout.check(spec)
        try:
            process = launch.start(spec)
        except CellError:
            if not trust:
                raise
            return cls(spec, launch.start_plain(spec), None)
        where = groups.controls()
        return cls(spec, process, where if isinstance(where, Controls) else None)

    def run(self, run: CellRun, *, started: Callable[[], None] | None = None) -> Measured:
        """Run a program to its end, and end every process that it started.

        Args:
            run: The program.
            started: Called once, as soon as only the program and the caller have ``run.stdin``, ``stdout`` and
                ``files`` open, so that the caller may close its own; also when the program could not be started.

        Raises:
            CellError: the sandbox failed and cannot be used any more.
        """
        if self._closed:
            raise CellError("the cell is closed")
        with contextlib.suppress(BlockingIOError):
            os.eventfd_read(self.cancelling)
        try:
            with contextlib.ExitStack() as stack:
                try:
                    measured = RunningCell(self, run, started, stack).measured()
                except BaseException:
                    self.close()  # before anything else: what still runs must end
                    raise
            if run.fresh:
                self.clear()
        except OSError as error:
            self.close()
            raise CellError(f"the sandbox failed: {error}") from None
        return measured

    def clear(self) -> None:
        """Empty /w and /tmp. For an idle cell."""
        for directory in (self.process.work, self.process.tmp):
            trees.clear(directory)

    def is_as_new(self) -> bool:
        """Whether programs could not tell it from a new cell. For an idle cell that has been cleared.

        Not so where process numbers count on, or a directory keeps the size that many files once gave it.
        """
        if self._closed or self.process.uid is None or len(self.numbers) > 1:
            return False
        return directory_sizes(self.process) == self.sizes

    def cpu(self) -> float | None:
        """CPU seconds of the current run so far; None when nothing runs. From any thread."""
        with self.lock:
            return self.watch.cpu() if self.watch is not None else None

    def starved(self) -> float | None:
        """Seconds that the current run waited for a processor, as last seen; None when nothing runs. Any thread."""
        with self.lock:
            return self.watch.starved.seconds if self.watch is not None else None

    def cancel(self) -> None:
        """From another thread: end the current run (``killed="cancelled"``)."""
        with self.lock:
            if not self._closed:
                os.eventfd_write(self.cancelling, 1)

    def close(self) -> None:
        with self.lock:
            if self._closed:
                return
            self._closed = True
            os.close(self.cancelling)
        launch.stop(self.process)
        trees.remove(self.process.directory)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
