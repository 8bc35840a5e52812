"""The environment of the builds and tests of a replay: that of the recorded run."""

from __future__ import annotations

import hashlib
import platform
import sys
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from ..base.version import __version__
from ..sandbox.errors import SandboxError
from .sandbox import HOME

INSIDE = Path(__file__).parent / "inside"
TOOLS = Path("/tmp/rigor-tools")


class Environment(Struct):
    """What a sandbox for builds and tests needs beside the work tree.

    Attributes:
        python: The interpreter; it has the same path inside and outside.
        readonly: Directories of the host to show at their own paths.
        over: (source, target) of more read-only mounts.
        env: The environment.
        fingerprint: Changes when results may: interpreter, installed distributions, RigorBench version, machine.
    """

    python: Path
    readonly: list[Path]
    over: list[tuple[Path, Path]]
    env: dict[str, str]
    fingerprint: str


def find_environment(tools: Sequence[str] = ()) -> Environment:
    """The environment of the agent of a recorded run: the sandbox's own Python with pytest, the task's tool chains.

    Args:
        tools: names of the tool chains that the task needs.

    Raises:
        SandboxError: one is not available here.
    """
    from ..base.cache import cache_directory
    from ..sandbox.languages import find_languages
    from ..sandbox.toolchain import toolchain

    try:
        chain = toolchain(cache_directory(), tools)
    except OSError as error:
        raise SandboxError(f"the sandbox's Python cannot be made here ({error})") from None
    readonly = [Path(b.source) for b in chain.binds if not b.target]
    over = [(Path(b.source), Path(b.target)) for b in chain.binds if b.target]
    prefix = Path(chain.binds[0].source)
    over.append((INSIDE, TOOLS / "inside"))
    packages = _coverage_package()
    if packages is not None:
        over.append((packages, TOOLS / "packages" / "coverage"))
    env = {"PYTHONHASHSEED": "0", **dict(chain.env), "PATH": chain.path}
    fingerprint = _fingerprint(prefix, Path(sys.base_prefix), sorted(prefix.glob("lib/python*/site-packages")))
    others = find_languages(tools).identity
    if others:
        fingerprint = hashlib.sha256("\0".join([fingerprint, *others]).encode()).hexdigest()[:16]
    return Environment(Path(chain.python), readonly, over, env, fingerprint)


def _coverage_package() -> Path | None:
    """Our own coverage.py. All environments use it, so that results can be compared."""
    from importlib.util import find_spec

    spec = find_spec("coverage")
    return None if spec is None or spec.origin is None else Path(spec.origin).parent


def _fingerprint(prefix: Path, base: Path, site_packages: list[Path]) -> str:
    parts = [__version__, platform.machine(), platform.release(), str(prefix), str(base), HOME]
    for file in (prefix / "pyvenv.cfg", base / "bin" / "python3"):
        try:
            parts.append(f"{file.stat().st_size}:{file.stat().st_mtime_ns}")
        except OSError:
            parts.append("-")
    for directory in site_packages:
        parts += sorted(p.name for p in directory.glob("*-info"))
    for script in sorted(INSIDE.glob("*.py")):
        parts.append(script.read_text(encoding="utf-8"))
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]
