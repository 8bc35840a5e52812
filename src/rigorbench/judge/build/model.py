"""What compiling gives."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct, field

from ...sandbox.mount import Mount
from ..model import Compilation

Variant = Literal["plain", "leak", "address", "uninitialised"]
Reports = Literal["sanitizer", "valgrind"]

# Descriptors of a program that has something to tell besides its output.
RESULTS_FD = 3
NONCE_FD = 4
REPORTS_FD = 9


class Program(Struct, frozen=True):
    """How to run what was built: ``argv`` and ``mounts`` as a cell needs them (the artefact below ``/code``).

    ``time`` and ``memory`` multiply the problem's limits (its own overrides and the variant's factor are in them);
    ``startup_memory`` (bytes) and ``processes`` come on top (a virtual machine's own). ``stack``: bytes, None: as large
    as memory. ``driver``: a driver of a header problem, whose result leaves through descriptor 3 and ends with the
    nonce that it reads from descriptor 4. ``reports``: what writes findings to descriptor 9 (None under a sanitizer
    variant: the language manages memory and there is nothing to find). ``address_space``: it reserves far more address
    space than it uses, so that this must not be limited. ``ptrace``: it stops its own threads to look for leaks.
    ``memory_marker``: words of the language's own run-time, on standard error, when it found no memory ("": none).
    """

    argv: tuple[str, ...]
    mounts: tuple[Mount, ...] = ()
    env: dict[str, str] = field(default_factory=dict)
    language: str = ""
    time: float = 1.0
    memory: float = 1.0
    startup_memory: int = 0
    processes: int = 0
    stack: int | None = None
    driver: bool = False
    reports: Reports | None = None
    address_space: bool = False
    ptrace: bool = False
    memory_marker: str = ""


class Built(Struct, frozen=True):
    """``programs``: by driver name for header problems, else one under "". Empty when ``compilation.ok`` is False."""

    compilation: Compilation
    programs: dict[str, Program] = field(default_factory=dict)
    language: str = ""
