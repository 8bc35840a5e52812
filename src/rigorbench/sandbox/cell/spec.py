"""What a cell is made of, what is run in it, and what came of that. In seconds and bytes; paths are the host's."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct, field

from ..kit.errors import SandboxError
from ..kit.mount import Mount

Killed = Literal["cpu", "wall", "output", "disk", "files", "cancelled"]


class CellSpec(Struct, frozen=True):
    """One cell: a sandbox that stays up over several runs (the test points of a submission)."""

    slot: int = 0
    """Which of the judge's parallel workers uses it. It decides the unprivileged uid, and the processor that programs
    are pinned to."""
    role: Literal["submission", "compiler", "checker", "interactor"] = "submission"
    """For messages and uids: two roles never share a uid."""
    work: str | None = None
    """The host's directory that is the programs' working directory ``/w``; None: a new one. It must be empty if only
    the cell uses it."""
    mounts: tuple[Mount, ...] = ()
    """More of the host (the artefact at ``/code``, toolchains ...)."""
    image: str | None = None
    """A directory with all that programs see of a system; None: the host's programs and libraries, read-only."""
    hidden: tuple[str, ...] = ()
    """Directories of the host that must not show, even below a mount. RigorBench's own never shows."""
    pinned: bool = True
    """Programs may use one processor only (the slot's)."""


class CellLimits(Struct, frozen=True):
    """Limits of one run; None: no limit."""

    cpu: float | None = 10.0
    """CPU seconds of all processes together; the run is killed when it exceeds them."""
    wall: float | None = 30.0
    """Seconds of wall clock; the run is killed when it exceeds them, without those in which it waited for a processor
    that others used (up to four times as many)."""
    memory: int | None = 512 << 20
    """Bytes of all processes together, without files that the kernel keeps in memory. The kernel gets as much more as
    the files may take (``disk``), so a run that exceeds its limit by less is not killed but shows it in
    `Measured.memory`: always compare that."""
    processes: int | None = 64
    output: int = 64 << 20
    """Bytes of standard output; more of them kill the run."""
    errors: int = 64 << 10
    """Bytes of standard error; more of them are dropped."""
    disk: int | None = 64 << 20
    """Bytes that the run may add in ``/w`` and ``/tmp``."""
    files: int | None = 1024
    """How many files and directories it may add there."""
    stack: int | None = None
    """Bytes of the stack; None: as much as ``memory``."""


class CellRun(Struct):
    """One program to run."""

    argv: tuple[str, ...]
    limits: CellLimits = CellLimits()
    cwd: str = "/w"
    env: dict[str, str] = field(default_factory=dict)
    """The whole environment (PATH and HOME have defaults)."""
    stdin: int | bytes | None = None
    """A file descriptor (read-only for the program, whatever it tries), bytes, or None for an empty input."""
    stdout: int | None = None
    """A file descriptor that it writes to directly (an interactor's pipe): ``Limits.output`` then limits what the
    program is seen to write. None: the output is captured."""
    files: dict[int, int] = field(default_factory=dict)
    """More descriptors, {number inside: ours}."""
    captured: dict[int, int] = field(default_factory=dict)
    """More outputs, {number inside: bytes that are kept}; the program cannot open them anew."""
    fresh: bool = True
    """Clear ``/w`` and ``/tmp`` afterwards (False between the runs of a chain)."""
    address_space: bool = False
    """The program reserves far more memory than it uses (sanitizers, virtual machines): without control groups no limit
    of the address space takes the place of the memory limit."""
    whole_disk: bool = False
    """``Limits.disk`` and ``files`` limit everything in ``/w`` and ``/tmp``, including what earlier runs left there
    (chains)."""
    forks: bool = True
    """Whether processes may start; threads always may. False where a tool watches the program from inside and would not
    see what a child does."""


class Measured(Struct):
    """How a run ended and what it used."""

    exit_code: int | None = None
    """Of the program itself; None: a signal ended it, or it could not be started."""
    signal: int | None = None
    failed: str | None = None
    """Why it could not be started (a missing program, no permission): the submission's fault when the program is its
    artefact, else the judge's."""
    killed: Killed | None = None
    """The limit for which we ended it; None: it ended by itself, or for memory."""
    oom: bool = False
    """The kernel killed for memory."""
    cpu: float = 0.0
    """CPU seconds of all processes."""
    wall: float = 0.0
    """Seconds of wall clock."""
    starved: float = 0.0
    """Seconds in which it was ready to run and others had its processor, as far as seen."""
    memory: int | None = None
    """Peak in bytes; None: not known."""
    memory_by: Literal["cgroup", "rlimit"] = "rlimit"
    """See :class:`rigorbench.judge.judgement.ProgramUsage`."""
    limits_by: str = "rlimit"
    """Such as "cgroup v1"."""
    disk: int = 0
    """Bytes added in ``/w`` and ``/tmp``."""
    files: int = 0
    """Files and directories added there."""
    stdout: bytes = b""
    """The captured output, at most ``Limits.output`` bytes."""
    output: int = 0
    """Bytes that were written to standard output, as far as seen."""
    stderr: bytes = b""
    """At most ``Limits.errors`` bytes."""
    captured: dict[int, bytes] = field(default_factory=dict)
    """What was written to `CellRun.captured`."""


class CellError(SandboxError):
    """The sandbox itself failed or cannot be made here: a judge error, never a verdict. One line with the remedy."""
