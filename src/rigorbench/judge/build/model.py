"""What compiling gives."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct, field

from ..model import Compilation
from ..sandbox.spec import Mount

Variant = Literal["plain", "leak", "address", "uninitialised"]


class Program(Struct, frozen=True):
    """How to run what was built: ``argv`` and ``mounts`` as a cell needs them (the artefact below ``/code``).

    ``time`` and ``memory`` multiply the problem's limits; ``startup_memory`` (bytes) and ``processes`` come on top
    (a virtual machine's own). ``stack``: bytes, None: as large as memory.
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


class Built(Struct, frozen=True):
    """``programs``: by driver name for header problems, else one under "". Empty when ``compilation.ok`` is False."""

    compilation: Compilation
    programs: dict[str, Program] = field(default_factory=dict)
    language: str = ""
