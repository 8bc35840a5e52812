"""What all submissions of a judge share: slots with their sandboxes, a workspace, the tools of each problem."""

from __future__ import annotations

import fcntl
import os
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Final, Self

from msgspec import Struct

from ...sandbox.cell import launch
from ..build.compile import build_tool
from ..build.generate import make_files
from ..build.program import BuiltProgram
from ..build.table import LanguageError, find
from ..build.toolchains import versions
from ..judgement import JudgeError
from ..problems import RESOURCES
from ..problems.problem import Problem
from .cells import IdleCells, SlotTools, Workspace
from .checking import Tools

DIRECTORY: Final = Path("/tmp/rigor-judge-processors")  # not of one user: all judges must agree on it
# Seconds that another judge may keep a processor: more than any compile or test point takes.
_PATIENCE: Final = 3600.0
_PAUSE: Final = 0.002


class SharedProcessors:
    """The locks for the slots of one judge: a processor that runs a test point is no other judge's meanwhile.

    Judges pin their slots to processors in the same order, so two of them would measure each other. The kernel releases
    a lock however its judge ends. Judges of all users find the same locks; containers with a /tmp of their own do not.

    `slots`: how many; more than there are processors share them, with each other and not with other judges' slots.
    Raises: JudgeError: the locks cannot be opened.
    """

    def __init__(self, slots: int, directory: Path = DIRECTORY, patience: float = _PATIENCE) -> None:
        self.count, self._patience = slots, patience
        self._files: list[int] = []
        order = launch.processors()
        names = [f"{order[slot % len(order)]}.{slot // len(order)}" for slot in range(slots)]
        try:
            # Who waits for a processor holds its gate meanwhile, and nobody passes it: so two judges take turns.
            self._locks = [(self._open(directory, f"{name}.gate"), self._open(directory, name)) for name in names]
        except OSError as error:
            self.close()
            where = error.filename or directory
            raise JudgeError(
                f"{where}: {error.strerror}: without it judges on this machine would disturb each other; remove it"
            ) from None

    def _open(self, directory: Path, name: str) -> int:
        with suppress(FileExistsError):
            directory.mkdir()
            directory.chmod(0o1777)
        path = directory / name
        with suppress(FileExistsError, PermissionError):
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDONLY | os.O_CLOEXEC, 0o444))
        file = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
        self._files.append(file)
        return file

    def close(self) -> None:
        while self._files:
            os.close(self._files.pop())

    def take(self, slot: int) -> bool:
        """Take the processor of a slot if no other judge uses it or waits for it."""
        gate, processor = self._locks[slot]
        if not _locked(gate):
            return False
        try:
            return _locked(processor)
        finally:
            fcntl.flock(gate, fcntl.LOCK_UN)

    def wait(self, slot: int) -> None:
        """Take the processor of a slot. Raises: JudgeError: another judge does not release it."""
        gate, processor = self._locks[slot]
        until = time.monotonic() + self._patience
        self._await(gate, until)
        try:
            self._await(processor, until)
        finally:
            fcntl.flock(gate, fcntl.LOCK_UN)

    def _await(self, file: int, until: float) -> None:
        while not _locked(file):
            if time.monotonic() > until:
                # /proc/locks names the process.
                raise JudgeError(f"another judge on this machine keeps a processor for {self._patience:.0f} s: end it")
            time.sleep(_PAUSE)

    def release(self, slots: Iterable[int]) -> None:
        for slot in slots:
            fcntl.flock(self._locks[slot][1], fcntl.LOCK_UN)

    @contextmanager
    def all(self) -> Iterator[None]:
        """All slots' processors, one after the other, so that two judges cannot wait for each other."""
        taken: list[int] = []
        try:
            for slot in sorted(range(len(self._locks)), key=lambda slot: os.fstat(self._locks[slot][1]).st_ino):
                self.wait(slot)
                taken.append(slot)
            yield
        finally:
            self.release(taken)


def _locked(file: int) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


class Slots:
    """Slots, given out in the order of requests.

    :meth:`alone` waits until no slot is busy and then keeps all of them: for a measurement that nothing may disturb.

    `shared`: the processors of the slots, which other judges on the machine use as well.
    """

    def __init__(self, shared: SharedProcessors) -> None:
        self.count, self._shared = shared.count, shared
        self._free = set(range(shared.count))
        self._queue: deque[object] = deque()
        self._changed = threading.Condition()

    @contextmanager
    def one(self, preferred: int | None = None) -> Iterator[int]:
        """A slot; the `preferred` one if it is free when it is this request's turn. Raises: JudgeError."""
        with self._turn():
            self._changed.wait_for(lambda: self._free)
            order = sorted(self._free, key=lambda slot: (slot != preferred, slot))
            taken = next((slot for slot in order if self._shared.take(slot)), None)
            slot = order[0] if taken is None else taken
            self._free.discard(slot)
        try:
            if taken is None:
                self._shared.wait(slot)  # another judge has them all
                taken = slot
            yield slot
        finally:
            if taken is not None:
                self._shared.release((slot,))
            self._give_back({slot})

    @contextmanager
    def alone(self) -> Iterator[None]:
        """All slots at once. The caller must not hold a slot. Raises: JudgeError."""
        everything = set(range(self.count))
        with self._turn():
            self._changed.wait_for(lambda: self._free == everything)
            self._free.clear()
        try:
            with self._shared.all():
                yield
        finally:
            self._give_back(everything)

    @contextmanager
    def _turn(self) -> Iterator[None]:
        ticket = object()
        with self._changed:
            self._queue.append(ticket)
            try:
                self._changed.wait_for(lambda: self._queue[0] is ticket)
                yield
            finally:
                self._queue.remove(ticket)
                self._changed.notify_all()

    def _give_back(self, slots: set[int]) -> None:
        with self._changed:
            self._free |= slots
            self._changed.notify_all()


# Memory for a test point and its surroundings, for the default number of slots.
_PER_SLOT = 1 << 30
# Problems whose built tools are kept.
_KEPT = 64


class JudgeSettings(Struct, frozen=True):
    """Settings of a judge."""

    slots: int | None = None
    """Test points that run at the same time, each on a processor of its own; None: see :func:`default_slots`."""
    trust: bool = False
    """Run without a sandbox where there is none; only for code that one trusts."""


class Resources:
    """Slots, their sandboxes, and the built tools of each problem, for several threads. Close it at the end."""

    def __init__(self, settings: JudgeSettings | None = None) -> None:
        self.settings = settings or JudgeSettings()
        count = self.settings.slots or default_slots()
        trust = self.settings.trust
        self._processors = SharedProcessors(count)
        self.slots = Slots(self._processors)
        self.workspace = Workspace()
        self.slot_tools = [SlotTools(slot, self.workspace, trust) for slot in range(self.slots.count)]
        self.idle_cells = IdleCells(self.workspace, trust)
        self._tools: OrderedDict[str, Tools] = OrderedDict()
        self._lock = threading.Lock()

    def tools(self, problem: Problem, slot: int) -> Tools:
        """The package's programs, built. Called by the holder of a slot. Raises: JudgeError."""
        trust = self.settings.trust

        def built(source: Path | None) -> BuiltProgram | None:
            if source is None:
                return None
            return build_tool(source, include=(RESOURCES,), slot=slot, trust=trust)

        with self._lock:
            known = self._tools.get(problem.digest)
            if known is None:
                make_files(problem, slot=slot, trust=trust)
                data = problem.root / "data"
                known = self._tools[problem.digest] = Tools(
                    checker=built(problem.checker.program),
                    interactor=built(problem.interactor),
                    data=data if data.is_dir() else problem.root,
                    static=built(problem.static_validator),
                )
                while len(self._tools) > _KEPT:
                    self._tools.popitem(last=False)
            return known

    def close(self) -> None:
        self.idle_cells.close()
        for slot_tools in self.slot_tools:
            slot_tools.close()
        self.workspace.close()
        self._processors.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def default_slots() -> int:
    """One for each core that this process may use, as far as memory allows.

    Two threads of one core would disturb each other's times.
    """
    memory = os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    found = set()
    for number in os.sched_getaffinity(0):
        try:
            with open(f"/sys/devices/system/cpu/cpu{number}/topology/thread_siblings_list") as file:
                found.add(file.read())
        except OSError:
            found.add(str(number))
    return max(1, min(len(found), memory // _PER_SLOT))


@cache
def machine(language: str) -> dict[str, str]:
    """Processor, cores, kernel, and the programs of a language by version, as far as they are known.

    "cmake" and "make" have the programs of C++ as well; an unknown language has none.
    """
    processor = os.uname().machine
    with suppress(OSError), open("/proc/cpuinfo") as file:
        for line in file:
            name, _, value = line.partition(":")
            if name.strip() in ("model name", "Processor", "cpu model"):
                processor = " ".join(value.split())
                break
    found = {"cpu": processor, "cores": str(os.cpu_count() or 1), "kernel": os.uname().release}
    more = (language,) if language in ("cmake", "make") else ()
    try:
        known = find("cpp" if more or language == "header" else language)
    except LanguageError:
        programs = {}
    else:
        programs = versions((*known.programs, *more))
    return {name: value for name, value in {**found, **programs}.items() if value}
