"""The environment of the project's builds and tests: its Python, its ignored dependencies, its tool chains."""

from __future__ import annotations

import hashlib
import os
import platform
import sys
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from ..base.version import __version__
from ..sandbox.errors import SandboxError
from .sandbox import HOME
from .store import Clone

INSIDE = Path(__file__).parent / "inside"
TOOLS = Path("/tmp/rigor-tools")
# Parts of a clone that git ignores and the project cannot run without. They are mounted read-only.
_DEPENDENCIES = ("node_modules", ".venv", "venv", "env", "vendor")
_BUILT = (".egg-info", ".so", ".pyd", "_version.py", "_version.pyi")
# Tool chains in the user's home, without the directories of their credentials.
_TOOLCHAINS: tuple[tuple[str, str, str | None], ...] = (
    (".cargo/bin", "", None),
    (".cargo/registry", "CARGO_HOME", ".cargo"),
    (".cargo/git", "", None),
    (".rustup", "RUSTUP_HOME", ".rustup"),
    ("go/bin", "", None),
    ("go/pkg/mod", "GOMODCACHE", "go/pkg/mod"),
    (".nvm/versions", "", None),
    (".volta/tools", "", None),
    (".deno/bin", "", None),
    (".bun/bin", "", None),
    (".m2/repository", "", None),
    (".sdkman/candidates", "", None),
    (".rbenv/versions", "", None),
    (".local/share/mise/installs", "", None),
)
_INTERPRETERS = ("python3", "python")


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


def find_environment(clone: Clone, tools: Sequence[str] = ()) -> Environment:
    """The Python environment for a clone, and everything mounted beside its work tree.

    The interpreter is that of ``.venv`` or ``venv`` in the clone, else of the active virtual environment
    (``VIRTUAL_ENV``), else the one that runs RigorBench. It is found by reading ``pyvenv.cfg``, never by running it.
    For a captured run it is the tool chain of the run's own sandbox, with its task's ``tools``.

    Raises:
        SandboxError: that tool chain is not available here.
    """
    if clone.raw:
        return _of_the_run(tools)
    prefix = _prefix(clone)
    base = _base_prefix(prefix)
    python = next((p for n in _INTERPRETERS if (p := prefix / "bin" / n).exists()), Path(sys.executable))
    site_packages = sorted(prefix.glob("lib/python*/site-packages"))
    readonly = [prefix, base, *_linked(site_packages, clone.root)]
    over = [(clone.root / name, clone.root / name) for entry in clone.ignored() if _needed(name := entry.rstrip("/"))]
    env = {"PYTHONHASHSEED": "0"}
    paths = [str(prefix / "bin")]
    home = Path.home()
    for relative, variable, value in _TOOLCHAINS:
        if os.path.isdir(home / relative):
            readonly.append(home / relative)
            if variable and value is not None:
                env[variable] = str(home / value)
    for entry in os.environ.get("PATH", "").split(":"):
        if entry.startswith("/") and os.path.isdir(entry) and not entry.startswith(("/sbin", "/usr/sbin")):
            paths.append(entry)
            if home in Path(entry).parents:
                readonly.append(Path(entry))
    over.append((INSIDE, TOOLS / "inside"))
    packages = _coverage_package()
    if packages is not None:
        over.append((packages, TOOLS / "packages" / "coverage"))
    env["PATH"] = ":".join(dict.fromkeys([*paths, "/usr/local/bin", "/usr/bin", "/bin"]))
    if prefix != base:
        env["VIRTUAL_ENV"] = str(prefix)
    readonly = [p for p in dict.fromkeys(readonly) if clone.root not in p.parents and p != clone.root]
    return Environment(python, readonly, over, env, _fingerprint(prefix, base, site_packages))


def _of_the_run(names: Sequence[str]) -> Environment:
    """The environment of the agent of a recorded run: the sandbox's own Python with pytest, and the system."""
    from ..base.cache import cache_directory
    from ..sandbox.languages import find_languages
    from ..sandbox.toolchain import toolchain

    try:
        tools = toolchain(cache_directory(), names)
    except OSError as error:
        raise SandboxError(f"the sandbox's Python cannot be made here ({error})") from None
    readonly = [Path(b.source) for b in tools.binds if not b.target]
    over = [(Path(b.source), Path(b.target)) for b in tools.binds if b.target]
    prefix = Path(tools.binds[0].source)
    over.append((INSIDE, TOOLS / "inside"))
    packages = _coverage_package()
    if packages is not None:
        over.append((packages, TOOLS / "packages" / "coverage"))
    env = {"PYTHONHASHSEED": "0", **dict(tools.env), "PATH": tools.path}
    fingerprint = _fingerprint(prefix, Path(sys.base_prefix), sorted(prefix.glob("lib/python*/site-packages")))
    others = find_languages(names).identity
    if others:
        fingerprint = hashlib.sha256("\0".join([fingerprint, *others]).encode()).hexdigest()[:16]
    return Environment(Path(tools.python), readonly, over, env, fingerprint)


def _prefix(clone: Clone) -> Path:
    for name in (".venv", "venv", "env"):
        if (clone.root / name / "pyvenv.cfg").is_file() and (clone.root / name / "bin" / "python").exists():
            return clone.root / name
    active = os.environ.get("VIRTUAL_ENV")
    if active and (Path(active) / "bin" / "python").exists():
        return Path(active)
    return Path(sys.prefix)


def _base_prefix(prefix: Path) -> Path:
    """The installation that a virtual environment was made from."""
    if prefix == Path(sys.prefix):
        return Path(sys.base_prefix)
    try:
        return (prefix / "bin" / "python").resolve(strict=True).parent.parent
    except OSError:
        return prefix


def _linked(site_packages: list[Path], root: Path) -> list[Path]:
    """Directories that ``.pth`` files add to the path (editable installs), other than the clone itself."""
    found = []
    for directory in site_packages:
        for file in sorted(directory.glob("*.pth")):
            try:
                lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
            except OSError:
                continue
            for line in lines:
                path = Path(line.strip())
                if line.startswith("/") and path.is_dir() and root != path and root not in path.parents:
                    found.append(path)
    return found


def _needed(path: str) -> bool:
    name = path.rsplit("/", 1)[-1]
    return name in _DEPENDENCIES or name.endswith(_BUILT)


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
