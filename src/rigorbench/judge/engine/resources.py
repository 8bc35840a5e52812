"""What all submissions of a judge share: slots with their sandboxes, a workspace, the tools of each problem."""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Self

from msgspec import Struct

from ..build.compile import build_tool
from ..build.generate import make_files
from ..build.program import BuiltProgram
from ..build.table import LanguageError, find
from ..build.toolchains import versions
from ..problems.problem import Problem
from .cells import IdleCells, SlotTools, Workspace
from .checking import Tools
from .slots import SharedProcessors, Slots

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
        self.slots = Slots(count, self._processors)
        self.workspace = Workspace()
        self.slot_tools = [SlotTools(slot, self.workspace, trust) for slot in range(self.slots.count)]
        self.idle_cells = IdleCells(self.workspace, trust)
        self._tools: OrderedDict[str, Tools] = OrderedDict()
        self._lock = threading.Lock()

    def tools(self, problem: Problem, slot: int) -> Tools:
        """The package's programs, built. Called by the holder of a slot. Raises: JudgeError."""
        from ..problems import RESOURCES

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
