"""Resource limits of a run's processes: the only limits without control groups, a second line with them."""

from __future__ import annotations

import math
import os
import resource

from ..kit.rlimits import Limit, capped
from . import layout
from .spec import CellRun

_FILES = 1024  # open ones
_BEYOND = (
    4096  # bytes over the limit that a file may have, so that a program that reaches them is seen to exceed the limit
)
_STACK = 64 << 20  # at most, where threads' stacks count as memory
_DATA = 1 << 30
_FLOOR = 20 << 20  # a new process inherits the supervisor's own peak: a figure below this says nothing


def of(run: CellRun, used: int, *, group: bool) -> list[Limit]:
    """The limits of one run. ``used``: bytes that are in /w and /tmp already. ``group``: it has a control group."""
    limits = run.limits
    size = run.limits.stack if run.limits.stack is not None else run.limits.memory
    if not group:
        size = min(_STACK if size is None else size, _STACK)
    found = [
        # Zero would still start a program that the host has set up to take cores; one is too little for any.
        capped(resource.RLIMIT_CORE, 1),
        capped(resource.RLIMIT_NOFILE, _FILES),
        capped(resource.RLIMIT_MSGQUEUE, 0),
        capped(resource.RLIMIT_STACK, resource.RLIM_INFINITY if size is None else size),
    ]
    if limits.cpu is not None:
        seconds = math.ceil(limits.cpu) + 1
        found.append(capped(resource.RLIMIT_CPU, seconds, seconds + 1))
    if limits.disk is not None:
        found.append(capped(resource.RLIMIT_FSIZE, (0 if run.whole_disk else used) + limits.disk + _BEYOND))
    if not group:
        if limits.memory is not None and not run.address_space:
            # Generous: the memory is watched while it runs. This limits what is added between two looks.
            found.append(capped(resource.RLIMIT_DATA, 4 * limits.memory + _DATA))
        # Whether a limit of processes counts only the cell's: as root it has a user of its own, and since Linux 5.14
        # users are counted in each user namespace.
        if limits.processes is not None and (os.geteuid() == 0 or layout.kernel() >= (5, 14)):
            found.append(capped(resource.RLIMIT_NPROC, limits.processes + 1))
    return found


def peak(resident: int, seen: int | None) -> int | None:
    """The peak of the largest process in bytes, by the kernel's final figure and what was seen before; None when the
    supervisor's own size hides it."""
    return max(resident, seen or 0) if resident > _FLOOR else seen
