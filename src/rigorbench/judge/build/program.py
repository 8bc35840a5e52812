"""The result of a build: programs, and how to run them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

from msgspec import Struct, field

from ...sandbox.cell.spec import CellLimits, CellRun
from ...sandbox.kit.mount import Mount
from ..judgement import Compilation

Variant = Literal["plain", "leak", "address", "uninitialised"]
Reports = Literal["sanitizer", "valgrind"]

# Descriptors of a program for what it sends besides its output.
RESULTS_FD = 3
NONCE_FD = 4
REPORTS_FD = 9


class BuiltProgram(Struct, frozen=True):
    """How to run what was built."""

    argv: tuple[str, ...]
    mounts: tuple[Mount, ...] = ()
    """For a cell; the artefact is below ``/code``."""
    image: tuple[Mount, ...] = ()
    """The files that its cell has instead of the host's system; empty: it is not a submission's."""
    env: dict[str, str] = field(default_factory=dict)
    language: str = ""
    """Id in the table of languages."""
    time: float = 1.0
    memory: float = 1.0
    """Factors of the problem's limits, with the problem's own overrides and the variant's factor."""
    startup_memory: int = 0
    """Bytes that come on top (what a virtual machine needs itself)."""
    processes: int = 0
    """Number that comes on top."""
    driver: bool = False
    """It is a driver of a header problem. Its result comes through descriptor 3 and ends with the nonce that it reads
    from descriptor 4."""
    reports: Reports | None = None
    """What writes findings to descriptor 9. None in a sanitizer variant: the language manages memory."""
    address_space: bool = False
    """It reserves far more address space than it uses, so that must not be limited."""
    memory_marker: str = ""
    """Text on standard error when the language's run-time is out of memory; "": none."""

    def run(self, arguments: Iterable[str], limits: CellLimits, **more: Any) -> CellRun:
        """One run of it in a cell that has its mounts."""
        env, space = dict(self.env), self.address_space
        return CellRun((*self.argv, *arguments), limits, env=env, address_space=space, **more)


class Built(Struct, frozen=True):
    """A build. `programs`: by driver, or under "" if there are no drivers; empty if it did not compile."""

    compilation: Compilation
    programs: dict[str, BuiltProgram] = field(default_factory=dict)
    language: str = ""
