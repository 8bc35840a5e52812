"""What a box is made of. ``target`` and ``root`` are paths inside, all others are the host's."""

from __future__ import annotations

from msgspec import Struct

from ..kit.mount import Mount


class BoxLimits(Struct, frozen=True):
    """Limits of a whole box; None: no limit."""

    cpus: float | None = None
    """CPUs as a rate; 1.5 is one and a half."""
    memory: int | None = 4 << 30
    """Bytes of all processes together."""
    processes: int | None = 1024
    """Processes and threads at one time."""
    disk: int | None = 8 << 30
    """Bytes that the box may add in all its writable directories together."""
    recording: int | None = 2 << 30
    """Bytes that recording the box may take: the journal, and the states of the files after the first one."""


class BoxSpec(Struct, frozen=True):
    """One box."""

    directory: str
    """For the writable parts: ``work`` (``root`` inside), ``home``, ``tmp``, ``vartmp``, ``shm``. Made when missing."""
    root: str = "/work"
    """The repository's directory inside, where commands start."""
    binds: tuple[Mount, ...] = ()
    """More of the host, read-only."""
    env: tuple[tuple[str, str], ...] = ()
    """The environment of every command, beside PATH, HOME, LANG, USER and SHELL, which have defaults."""
    limits: BoxLimits = BoxLimits()
    network: bool = False
    """Whether programs have the host's network."""
    decoys: tuple[str, ...] = ()
    """Empty directories whose opening is recorded."""
    capture: str | None = None
    """The directory of the run for journal and store; None: nothing is recorded."""
    hidden: tuple[str, ...] = ()
    """Directories of the host that must not show, even below something that does. RigorBench's own, which has the
    tasks' answers, never shows."""
