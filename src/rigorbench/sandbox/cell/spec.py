"""What a cell is made of, what is run in it, and what came of that. Seconds, bytes, paths of the host unless said."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct, field

from ..mount import Mount

Killed = Literal["cpu", "wall", "output", "disk", "files", "cancelled"]


class CellSpec(Struct, frozen=True):
    """One cell: a sandbox that stays up over several runs (the test points of a submission).

    ``slot``: which of the judge's parallel places this is; it gives the unprivileged uid, and the processor that
    programs are pinned to. ``role``: "submission", "compiler", "checker", "interactor" (for messages and uids: two
    roles never share a uid). ``work``: the host's directory that is the programs' working directory, shown at ``/w``;
    it must be empty when it is the cell's own. ``mounts`` as listed (the artefact at ``/code``, toolchains ...).
    ``hidden``: host directories that must not show even below a mount; RigorBench's own never shows.
    ``pinned``: programs may use one processor only (the slot's).
    """

    slot: int = 0
    role: Literal["submission", "compiler", "checker", "interactor"] = "submission"
    work: str | None = None
    mounts: tuple[Mount, ...] = ()
    hidden: tuple[str, ...] = ()
    pinned: bool = True


class Limits(Struct, frozen=True):
    """Of one run; ``None``: none. ``cpu``: of all processes together, kills when exceeded; ``wall``: kills; ``memory``:
    of all processes together, files in memory do not count: the kernel is given as much more as the files may take
    (``disk``), so a run that exceeds it by less is not killed but shows it in ``Measured.memory``: always compare that;
    ``processes`` counts threads too;
    ``output``/``errors``: bytes of standard output and standard error (more of ``output`` kills; more of ``errors`` is
    dropped); ``disk``: bytes that the run may add in ``/w`` and ``/tmp``; ``files``: how many it may add.
    """

    cpu: float | None = 10.0
    wall: float | None = 30.0
    memory: int | None = 512 << 20
    processes: int | None = 64
    output: int = 64 << 20
    errors: int = 64 << 10
    disk: int | None = 64 << 20
    files: int | None = 1024
    stack: int | None = None


class Run(Struct):
    """One program to run. ``cwd``: inside. ``env`` is the whole environment (PATH and HOME have defaults).

    ``stdin``: a file descriptor (read-only for the program, whatever it tries), bytes, or None for an empty one.
    ``stdout``: a file descriptor that it writes to directly (an interactor's pipe; ``Limits.output`` is then enforced
    by what the program is seen to write), or None: captured. ``files``: more descriptors, {number inside: ours}.
    ``fresh``: clear ``/w`` and ``/tmp`` afterwards (False between the runs of a chain). ``address_space``: the program
    reserves far more memory than it uses (sanitizers, virtual machines), so where no control group holds its memory no
    limit of the address space may stand in for one. ``whole_disk``: ``Limits.disk`` and ``files`` hold for all that
    lies in ``/w`` and ``/tmp``, what earlier runs left there included (chains). ``forks`` False: threads may start,
    processes may not (where somebody watches the program from inside, who would not see what a child does).
    """

    argv: tuple[str, ...]
    limits: Limits = Limits()
    cwd: str = "/w"
    env: dict[str, str] = field(default_factory=dict)
    stdin: int | bytes | None = None
    stdout: int | None = None
    files: dict[int, int] = field(default_factory=dict)
    fresh: bool = True
    address_space: bool = False
    whole_disk: bool = False
    forks: bool = True


class Measured(Struct):
    """How a run ended and what it used.

    ``exit_code`` or ``signal`` (number) of the program itself; both None when it could not be started: then ``failed``
    says why (a missing program, no permission: the submission's fault when it is its artefact, else the judge's).
    ``killed``: the limit we ended it for (None: it ended by itself, or for memory). ``oom``: the kernel killed for
    memory. ``stdout``: what was captured, at most ``Limits.output`` bytes; ``output``: bytes that were written, as far
    as seen. ``memory_by``: see :class:`rigorbench.judge.model.Usage`. ``limits_by``: "cgroup v1" and the like.
    """

    exit_code: int | None = None
    signal: int | None = None
    failed: str | None = None
    killed: Killed | None = None
    oom: bool = False
    cpu: float = 0.0
    wall: float = 0.0
    memory: int | None = None
    memory_by: Literal["cgroup", "rlimit"] = "rlimit"
    limits_by: str = "rlimit"
    disk: int = 0
    files: int = 0
    stdout: bytes = b""
    output: int = 0
    stderr: bytes = b""


class CellError(Exception):
    """The sandbox itself failed, or cannot be had here: a judge error, never a verdict. One line with the remedy."""
