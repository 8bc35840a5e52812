"""The processes of a sandbox, seen through its own ``/proc`` and signalled through the files found there.

An open directory of ``/proc`` belongs to the process itself, not to its number, so nothing here can hit another process
that was given the number of a dead one.
"""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Iterable

from msgspec import Struct

_PAGE = os.sysconf("SC_PAGE_SIZE")


class Process(Struct, frozen=True):
    """One process."""

    pid: int
    """As the sandbox counts."""
    parent: int
    """Likewise; 0: a process outside."""
    state: str
    """The letter of proc(5)."""
    started: int
    """Clock ticks since boot."""
    memory: int
    """Resident bytes."""


def listing(proc: int) -> dict[int, Process]:
    """All processes that the ``/proc`` of file ``proc`` shows."""
    found: dict[int, Process] = {}
    for name in os.listdir(proc):
        if name.isdigit():
            process = _read(proc, name)
            if process is not None:
                found[process.pid] = process
    return found


def _read(proc: int, name: str) -> Process | None:
    try:
        file = os.open(f"{name}/stat", os.O_RDONLY | os.O_CLOEXEC, dir_fd=proc)
    except OSError:
        return None
    try:
        text = os.read(file, 4096)
    except OSError:
        return None
    finally:
        os.close(file)
    fields = text[text.rfind(b")") + 2 :].split()
    if len(fields) < 22:
        return None
    return Process(int(name), int(fields[1]), fields[0].decode(), int(fields[19]), int(fields[21]) * _PAGE)


def descendants(processes: dict[int, Process], roots: Iterable[int]) -> list[Process]:
    """The living processes below ``roots``, without these."""
    children: dict[int, list[Process]] = {}
    for process in processes.values():
        children.setdefault(process.parent, []).append(process)
    found: list[Process] = []
    waiting = list(roots)
    while waiting:
        for child in children.get(waiting.pop(), ()):
            found.append(child)
            waiting.append(child.pid)
    return [p for p in found if p.state != "Z"]


def send(proc: int, process: Process, number: signal.Signals) -> None:
    """Signal a process of a `listing`, if it still is the one that was listed."""
    try:
        file = os.open(str(process.pid), os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=proc)
    except OSError:
        return
    try:
        again = _read(proc, str(process.pid))
        if again is not None and again.started == process.started:
            with contextlib.suppress(OSError):
                signal.pidfd_send_signal(file, number)
    finally:
        os.close(file)


def share_of_memory(proc: int, process: Process) -> int:
    """Bytes of resident memory, where each page counts by how many share it, where the kernel says how many."""
    try:
        file = os.open(f"{process.pid}/smaps_rollup", os.O_RDONLY | os.O_CLOEXEC, dir_fd=proc)
    except OSError:
        return process.memory
    with os.fdopen(file, "rb") as lines, contextlib.suppress(OSError):
        for line in lines:
            if line.startswith(b"Pss:"):
                return int(line.split()[1]) * 1024
    return process.memory
