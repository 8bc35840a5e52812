"""What the parts of a cell share while it runs: its process, its control groups, the watch over a run."""

from __future__ import annotations

import os
import threading

from . import launch
from .groups import Controls
from .spec import CellSpec
from .watch import RunWatch


class StartedCell:
    """The state of a running cell, which :class:`.cell.Cell` controls and :class:`.running.Running` uses."""

    def __init__(self, spec: CellSpec, process: launch.Launched, controls: Controls | None) -> None:
        self.spec = spec
        self.process = process
        self.controls = controls
        self.cancelling = os.eventfd(0, os.EFD_CLOEXEC | os.EFD_NONBLOCK)
        self.lock = threading.Lock()
        self.watch: RunWatch | None = None
        self.numbers: set[int] = set()  # that the main processes of the runs had inside
        self.sizes = directory_sizes(process)
        self._closed = False

    @property
    def limits_by(self) -> str:
        """What enforces the limits: "cgroup v1" and the like, "rlimit", or "none (trusted)"."""
        if self.process.plain:
            return "none (trusted)"
        return self.controls.label if self.controls is not None else "rlimit"

    @property
    def work(self) -> str:
        """The host's directory that is /w."""
        return self.process.work


def directory_sizes(process: launch.Launched) -> list[int]:
    """What programs see as the sizes of ``/w`` and ``/tmp`` themselves."""
    return [os.stat(directory).st_size for directory in (process.work, process.tmp)]
