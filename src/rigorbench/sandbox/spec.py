"""What a sandbox is made of. Paths called ``target`` and ``root`` are as seen inside, all others are the host's."""

from __future__ import annotations

from msgspec import Struct


class Bind(Struct, frozen=True):
    """A file or directory of the host that shows inside at ``target`` (default: at its own path), read-only."""

    source: str
    target: str | None = None


class Limits(Struct, frozen=True):
    """Of the whole sandbox, ``None``: no limit. CPUs as a rate (1.5: one and a half), sizes in bytes.

    ``disk`` bounds everything that the sandbox writes, together.
    """

    cpus: float | None = None
    memory: int | None = 4 << 30
    processes: int | None = 1024
    disk: int | None = 8 << 30


class BoxSpec(Struct, frozen=True):
    """One sandbox.

    ``directory`` (the host's, made when missing) holds the writable parts: ``work`` (shown at ``root``), ``home``,
    ``tmp``, ``vartmp``, ``shm``. ``env`` is the whole environment of every command, beside PATH, HOME, LANG, USER and
    SHELL, which have defaults. ``decoys``: empty directories whose opening is reported. ``capture``: the directory of a
    run in which journal and store are kept (None: nothing is recorded). ``hidden``: directories of the host that must
    not show, even where they lie below something that does; RigorBench's own, with the tasks' answers, never shows.
    """

    directory: str
    root: str = "/work"
    binds: tuple[Bind, ...] = ()
    env: tuple[tuple[str, str], ...] = ()
    limits: Limits = Limits()
    network: bool = False
    decoys: tuple[str, ...] = ()
    capture: str | None = None
    hidden: tuple[str, ...] = ()
