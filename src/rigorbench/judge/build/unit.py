"""One compile: what it sees, what is run and which artefact is taken; in a cell, or from the cache."""

from __future__ import annotations

import itertools
import os
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

from msgspec import Struct, field

from ...base.sanitize import block
from ...sandbox.cell.cell import JudgeCell
from ...sandbox.cell.spec import CellError, CellLimits, CellRun, CellSpec, Measured
from ...sandbox.kit.mount import Mount
from ..files import copy_readable, scratch
from ..judgement import JudgeError, ProgramUsage
from ..problems.problem import BuildKind
from . import cache
from .cache import CacheEntry
from .collect import ArtefactError, take_file, take_tree
from .table import Language, Sanitized
from .toolchains import CompilerToolchain

_MOST = 16_000
_LINE = 600
_PLACES = re.compile(r"(?<![\w./-])/(?:w/src|src|driver|include|w)/")
_PREFIX = {"/w/src/": "", "/src/": "", "/driver/": "", "/include/": "include/", "/w/": ""}


def clean(data: bytes) -> str:
    """Text of at most about 16,000 characters: the beginning, which is most useful, and the end."""
    if len(data) > 12 * _MOST:
        data = data[: 8 * _MOST] + b"\n" + data[-4 * _MOST :]
    text = block(data.decode("utf-8", "replace"))
    text = _PLACES.sub(lambda match: _PREFIX[match[0]], text)
    lines = [line if len(line) <= _LINE else f"{line[:_LINE]} […]" for line in text.splitlines()]
    # Repeated lines are given once and counted.
    once: list[str] = []
    for line, same in itertools.groupby(lines):
        count = sum(1 for _ in same)
        once += [line, f"[… {count - 1:,} more of this line …]"] if count > 1 and line else [line]
    text = "\n".join(once).strip("\n")
    if len(text) <= _MOST:
        return text
    head, tail = _MOST * 3 // 4, _MOST // 4
    return f"{text[:head]}\n[… {len(text) - head - tail:,} characters left out …]\n{text[-tail:]}"


def first_error(log: str) -> str:
    lines = [line for line in log.splitlines() if "error" in line.lower()] or log.splitlines() or ["no message"]
    return lines[0][:300]


# Bytes that a compiler may write in total, and of the largest artefact.
_DISK = 1 << 30
_ARTEFACT = 256 << 20
# With less free disk space, a failure is not the fault of the submission.
_SPACE = 32 << 20
_FILES = 50_000
_PROCESSES = 256
_OUTPUT = 16 << 20


class BuildStopped(JudgeError):
    """The build was stopped before its end. It says nothing about the submission, and is not cached."""

    def __init__(self) -> None:
        super().__init__("compiling was cancelled")


class Stop:
    """The running compiles of one submission."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._cells: set[JudgeCell] = set()
        self._stopped = False

    def stop(self) -> None:
        """End what runs, and what would start later. May be called again."""
        with self._lock:
            self._stopped = True
            cells = list(self._cells)
        for cell in cells:
            cell.cancel()

    @contextmanager
    def watching(self, cell: JudgeCell) -> Iterator[None]:
        """Raises: BuildStopped, at the beginning."""
        with self._lock:
            if self._stopped:
                raise BuildStopped
            self._cells.add(cell)
        try:
            yield
        finally:
            with self._lock:
                self._cells.discard(cell)

    def check(self) -> None:
        """Raises: BuildStopped."""
        if self._stopped:
            raise BuildStopped


class CompilePlace(Struct, frozen=True):
    """Where a compile runs, and what can end it. `trust`: without a sandbox if there is none here."""

    slot: int = 0
    trust: bool = False
    stop: Stop | None = None
    time: float = 60.0
    """CPU seconds of all commands of a unit together."""
    memory: int = 2 << 30


class Common(Struct, frozen=True):
    """Language, tools and place of a build."""

    language: Language
    sanitized: Sanitized
    tools: CompilerToolchain
    build: BuildKind | None
    """Of the problem; None for a package's own tools."""
    place: CompilePlace
    own: frozenset[str] = frozenset()
    """The files one of which has the entry point: the submission's, if files of the package were put over them; empty:
    any."""

    @property
    def standard(self) -> str:
        return self.build.standard if self.build is not None else "c++20"


class BuildCommand(Struct, frozen=True):
    argv: tuple[str, ...]
    cwd: str = "/src"


class Take(Struct, frozen=True):
    """What becomes the artefact: the first of `paths` (below ``/w``) that exists, as `name` below ``/code``."""

    paths: tuple[str, ...]
    name: str
    kind: str = "program"  # "program", "file", "tree", "programs" (a tree whose programs stay executable)


class CompileUnit(Struct, frozen=True):
    """One compile."""

    what: str
    tools: CompilerToolchain
    commands: tuple[BuildCommand, ...]
    take: tuple[Take, ...] = ()
    """What becomes the artefact."""
    shown: dict[str, Path] = field(default_factory=dict)
    """Path in the cell -> file or directory of the host; it is copied, with modes that every user can read."""
    extra: Callable[[], tuple[Mount, ...]] | None = None
    """Further mounts, asked for only when something has to be compiled; they are not part of the key."""
    root: Callable[[], str] | None = None
    """Makes the directory with all that it sees of a system; None: the host's programs and libraries."""
    verified: bool = True
    """The digest of a cached artefact is checked before use."""
    address_space: bool = False
    """The compiler reserves far more memory than it uses."""
    awaited: bool = False
    """Threads and processes that need the same artefact at the same time wait for it."""
    env: dict[str, str] = field(default_factory=dict)
    key: tuple[str, ...] = ()
    """What decides the result besides commands, environment and what is shown."""
    after: Callable[[Path], dict[str, str]] | None = None
    """Checks a finished artefact; its result is stored with it, and its ArtefactError is a compile error."""


def run_unit(unit: CompileUnit, place: CompilePlace) -> tuple[CacheEntry, bool]:
    """The artefact of a unit, and whether it was cached.

    Raises: JudgeError: the sandbox failed, or a compiler cannot be started. BuildStopped: `place.stop` was asked to end
    it.
    """
    try:
        name = _key(unit, place)
        entry = cache.get(name, verify=unit.verified)
        if entry is not None:
            return entry, True
        with cache.lock(name) if unit.awaited else nullcontext():
            entry = cache.get(name, verify=unit.verified) if unit.awaited else None
            if entry is not None:
                return entry, True
            made = cache.draft()
            try:
                entry, keep = _compile(unit, place, made / "code")
                return cache.put(name, made, entry) if keep else entry, False
            finally:
                cache.drop(made)
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        raise JudgeError(f"{unit.what} cannot be compiled here: {where}{error.strerror or error}") from None


def _key(unit: CompileUnit, place: CompilePlace) -> str:
    parts: list[str | bytes] = ["compile 1", str(place.time), str(place.memory), *unit.tools.identity, "/", *unit.key]
    for command in unit.commands:
        parts += ["$", command.cwd, *command.argv]
    parts += ["=", *(f"{k}={v}" for k, v in sorted(unit.env.items())), "take", *(repr(take) for take in unit.take)]
    for target, source in sorted(unit.shown.items()):
        parts += [target, cache.tree_digest(source)]
    return cache.key(parts)


def _compile(unit: CompileUnit, place: CompilePlace, code: Path) -> tuple[CacheEntry, bool]:
    """Run the commands. The second value: whether the result is reproducible and may be cached."""
    with scratch("compile") as base:
        mounts = [*unit.tools.mounts, *(unit.extra() if unit.extra is not None else ())]
        for n, (target, source) in enumerate(unit.shown.items()):
            staged = base / "shown" / str(n)
            copy_readable(source, staged)
            mounts.append(Mount(str(staged), target))
        work = base / "work"
        work.mkdir()
        root = unit.root() if unit.root is not None and not place.trust else None
        spec = CellSpec(place.slot, "compiler", str(work), tuple(mounts), root, pinned=False)
        env = {"PATH": unit.tools.path, "HOME": "/w", "LANG": "C.UTF-8", "TMPDIR": "/tmp", **unit.env}
        cpu = wall = 0.0
        memory: int | None = None
        said: list[bytes] = []
        try:
            stop = place.stop or Stop()
            with JudgeCell.start(spec, trust=place.trust) as cell, stop.watching(cell):
                for command in unit.commands:
                    stop.check()
                    left = max(0.1, place.time - cpu)
                    limits = CellLimits(
                        cpu=left, wall=_wall(left), memory=place.memory, processes=_PROCESSES, output=_OUTPUT,
                        errors=256 << 10, disk=_DISK, files=_FILES,
                    )  # fmt: skip
                    run = CellRun(command.argv, limits, cwd=command.cwd, env=env, fresh=False)
                    run.address_space = unit.address_space
                    done = cell.run(run)
                    if done.killed == "cancelled":
                        raise BuildStopped
                    cpu += done.cpu
                    wall += done.wall
                    memory = max(memory or 0, done.memory or 0) or None
                    said += [done.stdout, done.stderr]
                    usage = ProgramUsage(cpu=cpu, wall=wall, memory=memory, memory_by=done.memory_by)
                    problem = _problem(unit, done, place)
                    if problem is not None:
                        log = "\n".join(filter(None, (problem, clean(b"\n".join(filter(None, said))))))
                        return CacheEntry(False, log, usage), done.killed is None and not done.oom
        except CellError as error:
            raise JudgeError(str(error)) from None
        log = clean(b"\n".join(filter(None, said)))
        try:
            for take in unit.take:
                found = next((path for path in take.paths if os.path.lexists(work / path)), None)
                taken = code / take.name
                if found is None:
                    name = take.paths[0].rsplit("/", 1)[-1]
                    raise ArtefactError(f"the build left no {name}{_elsewhere(work, name)}")
                if take.kind in ("tree", "programs"):
                    taken.mkdir(mode=0o755)
                    take_tree(work, found, taken, most=_ARTEFACT, programs=take.kind == "programs")
                else:
                    taken.parent.mkdir(parents=True, exist_ok=True, mode=0o755)
                    take_file(work, found, taken, most=_ARTEFACT, program=take.kind == "program")
            facts = unit.after(code) if unit.after is not None else {}
        except ArtefactError as error:
            return CacheEntry(False, "\n".join(filter(None, (str(error), log))), usage), True
        return CacheEntry(True, log, usage, facts=facts), True


def _wall(cpu: float) -> float:
    """Wall clock limit, against compilers that wait for each other or builds that sleep."""
    return 2 * cpu + 10


def _problem(unit: CompileUnit, done: Measured, place: CompilePlace) -> str | None:
    """Why a command failed, in one line; "": its own messages say why; None: it did not fail."""
    if done.failed is not None:
        raise JudgeError(f"{unit.what}: the compiler cannot be started: {done.failed}")
    if done.oom:
        return f"compiling needs more than the {place.memory >> 20} MiB of memory allowed"
    if done.killed is not None:
        return {
            "cpu": f"compiling took more than the {place.time:g} s of CPU time allowed",
            "wall": f"compiling did not end within {_wall(place.time):g} s",
            "output": f"the compiler wrote more than {_OUTPUT >> 20} MiB of messages",
            "disk": f"compiling wrote more than the {_DISK >> 20} MiB allowed",
            "files": f"compiling made more than the {_FILES:,} files allowed",
        }[done.killed]
    if done.signal is not None:
        return f"the compiler was ended by signal {done.signal}"
    if done.exit_code != 0:
        # A full disk of the judge is not the fault of a submission, and must not be cached as one.
        status = os.statvfs(cache.place())
        if status.f_bavail * status.f_frsize < _SPACE:
            full = f"the disk of {cache.place()} is full; free some space there"
            raise JudgeError(f"{unit.what} cannot be compiled: {full}")
        return ""
    return None


def _elsewhere(work: Path, name: str) -> str:
    """A hint: a program of this name that is elsewhere in the build directory."""
    build = work / "build"
    # The build may have replaced the directory by a link; os.walk does not follow links below it.
    for directory, _, files in os.walk(build) if not build.is_symlink() else ():
        if name in files:
            return f" at its top (there is a {Path(directory, name).relative_to(build)} in the build directory)"
    return ""
