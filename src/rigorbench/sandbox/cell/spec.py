"""What a cell is made of, what is run in it, and what came of that. In seconds and bytes; paths are the host's."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct, field

from ..kit.errors import SandboxError
from ..kit.mount import Mount

Killed = Literal["cpu", "wall", "output", "disk", "files", "cancelled"]


class CellSpec(Struct, frozen=True):
    """One cell: a sandbox that stays up over several runs (the test points of a submission).

    Attributes:
        slot: Which of the judge's parallel workers uses it. It decides the unprivileged uid, and the processor that
            programs are pinned to.
        role: For messages and uids: two roles never share a uid.
        work: The host's directory that is the programs' working directory ``/w``; None: a new one. It must be empty if
            only the cell uses it.
        mounts: More of the host (the artefact at ``/code``, toolchains ...).
        hidden: Directories of the host that must not show, even below a mount. RigorBench's own never shows.
        pinned: Programs may use one processor only (the slot's).
    """

    slot: int = 0
    role: Literal["submission", "compiler", "checker", "interactor"] = "submission"
    work: str | None = None
    mounts: tuple[Mount, ...] = ()
    hidden: tuple[str, ...] = ()
    pinned: bool = True


class CellLimits(Struct, frozen=True):
    """Limits of one run; None: no limit.

    Attributes:
        cpu: CPU seconds of all processes together; the run is killed when it exceeds them.
        wall: Seconds of wall clock; the run is killed when it exceeds them, without those in which it waited for a
            processor that others used (up to four times as many).
        memory: Bytes of all processes together, without files that the kernel keeps in memory. The kernel gets as much
            more as the files may take (``disk``), so a run that exceeds its limit by less is not killed but shows it in
            `Measured.memory`: always compare that.
        processes: Processes and threads.
        output: Bytes of standard output; more of them kill the run.
        errors: Bytes of standard error; more of them are dropped.
        disk: Bytes that the run may add in ``/w`` and ``/tmp``.
        files: How many files and directories it may add there.
        stack: Bytes of the stack; None: as much as ``memory``.
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


class CellRun(Struct):
    """One program to run.

    Attributes:
        argv: The command.
        limits: See `CellLimits`.
        cwd: The directory inside.
        env: The whole environment (PATH and HOME have defaults).
        stdin: A file descriptor (read-only for the program, whatever it tries), bytes, or None for an empty input.
        stdout: A file descriptor that it writes to directly (an interactor's pipe): ``Limits.output`` then limits what
            the program is seen to write. None: the output is captured.
        files: More descriptors, {number inside: ours}.
        fresh: Clear ``/w`` and ``/tmp`` afterwards (False between the runs of a chain).
        address_space: The program reserves far more memory than it uses (sanitizers, virtual machines): without control
            groups no limit of the address space takes the place of the memory limit.
        whole_disk: ``Limits.disk`` and ``files`` limit everything in ``/w`` and ``/tmp``, including what earlier runs
            left there (chains).
        forks: Whether processes may start; threads always may. False where a tool watches the program from inside and
            would not see what a child does.
    """

    argv: tuple[str, ...]
    limits: CellLimits = CellLimits()
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

    Attributes:
        exit_code: Of the program itself; None: a signal ended it, or it could not be started.
        signal: The number of that signal.
        failed: Why it could not be started (a missing program, no permission): the submission's fault when the program
            is its artefact, else the judge's.
        killed: The limit for which we ended it; None: it ended by itself, or for memory.
        oom: The kernel killed for memory.
        cpu: CPU seconds of all processes.
        wall: Seconds of wall clock.
        starved: Seconds in which it was ready to run and others had its processor, as far as seen.
        memory: Peak in bytes; None: not known.
        memory_by: See :class:`rigorbench.judge.judgement.ProgramUsage`.
        limits_by: "cgroup v1" and the like.
        disk: Bytes added in ``/w`` and ``/tmp``.
        files: Files and directories added there.
        stdout: The captured output, at most ``Limits.output`` bytes.
        output: Bytes that were written to standard output, as far as seen.
        stderr: At most ``Limits.errors`` bytes.
    """

    exit_code: int | None = None
    signal: int | None = None
    failed: str | None = None
    killed: Killed | None = None
    oom: bool = False
    cpu: float = 0.0
    wall: float = 0.0
    starved: float = 0.0
    memory: int | None = None
    memory_by: Literal["cgroup", "rlimit"] = "rlimit"
    limits_by: str = "rlimit"
    disk: int = 0
    files: int = 0
    stdout: bytes = b""
    output: int = 0
    stderr: bytes = b""


class CellError(SandboxError):
    """The sandbox itself failed or cannot be made here: a judge error, never a verdict. One line with the remedy."""
