"""What a box is made of. ``target`` and ``root`` are paths inside, all others are the host's."""

from __future__ import annotations

from msgspec import Struct

from ..kit.mount import Mount


class BoxLimits(Struct, frozen=True):
    """Limits of a whole box; None: no limit.

    Attributes:
        cpus: CPUs as a rate; 1.5 is one and a half.
        memory: Bytes of all processes together.
        processes: Processes and threads at one time.
        disk: Bytes that the box may add in all its writable directories together.
        recording: Bytes that recording the box may take: the journal, and the states of the files after the first one.
    """

    cpus: float | None = None
    memory: int | None = 4 << 30
    processes: int | None = 1024
    disk: int | None = 8 << 30
    recording: int | None = 2 << 30


class BoxSpec(Struct, frozen=True):
    """One box.

    Attributes:
        directory: For the writable parts: ``work`` (``root`` inside), ``home``, ``tmp``, ``vartmp``, ``shm``. Made when
            missing.
        root: The repository's directory inside, where commands start.
        binds: More of the host, read-only.
        env: The environment of every command, beside PATH, HOME, LANG, USER and SHELL, which have defaults.
        limits: See `BoxLimits`.
        network: Whether programs have the host's network.
        decoys: Empty directories whose opening is recorded.
        capture: The directory of the run for journal and store; None: nothing is recorded.
        hidden: Directories of the host that must not show, even below something that does. RigorBench's own, which has
            the tasks' answers, never shows.
    """

    directory: str
    root: str = "/work"
    binds: tuple[Mount, ...] = ()
    env: tuple[tuple[str, str], ...] = ()
    limits: BoxLimits = BoxLimits()
    network: bool = False
    decoys: tuple[str, ...] = ()
    capture: str | None = None
    hidden: tuple[str, ...] = ()
