"""The environment of the builds and tests of a replay: that of the recorded run."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from ...base.cache import cache_directory
from ...base.version import __version__
from ...sandbox.kit.errors import SandboxError
from ...sandbox.kit.toolchain import Toolchain, toolchain
from .sandbox import HOME

INSIDE = Path(__file__).parent / "inside"
TOOLS = Path("/tmp/rigor-tools")


class Environment(Struct):
    """What a sandbox for builds and tests needs beside the work tree.

    Attributes:
        over: (source, target) of more read-only mounts.
        fingerprint: Changes when results may: interpreter, installed distributions, RigorBench version, machine.
    """

    python: Path
    readonly: list[Path]
    over: list[tuple[Path, Path]]
    env: dict[str, str]
    fingerprint: str


def find_environment(tools: Sequence[str] = ()) -> Environment:
    """The environment of the agent of a recorded run: the sandbox's own Python with pytest, the task's tool chains.

    Raises:
        SandboxError: one is not available here.
    """
    try:
        chain = toolchain(cache_directory(), tools)
    except OSError as error:
        raise SandboxError(f"the sandbox's Python cannot be made here ({error})") from None
    readonly = [Path(b.source) for b in chain.binds if not b.target]
    over = [(Path(b.source), Path(b.target)) for b in chain.binds if b.target]
    over.append((INSIDE, TOOLS / "inside"))
    env = {"PYTHONHASHSEED": "0", **dict(chain.env), "PATH": chain.path}
    return Environment(Path(chain.python), readonly, over, env, _fingerprint(chain))


def _fingerprint(chain: Toolchain) -> str:
    # The directory of the sandbox's Python has a name of its own for each interpreter.
    parts = [__version__, platform.machine(), platform.release(), chain.binds[0].source, *chain.packages, HOME]
    parts += [script.read_text(encoding="utf-8") for script in sorted(INSIDE.glob("*.py"))]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]
