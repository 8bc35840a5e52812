"""Finds an installed agent and the mounts that make it visible in a sandbox.

Places are searched in this order: the directory given for the agent (``--agent-path NAME=DIR``), the directories in
RIGOR_AGENTS (``scripts/agents`` makes them), PATH. The program found may be a link, npm's shim or a script in a virtual
environment; it is followed to the files that belong to it, and these are mounted read-only below ``/opt/agents``. There
a start script of ours has the program's name, so that nothing depends on the paths of the host.
"""

from __future__ import annotations

import hashlib
import json
import os
import shlex
import shutil
import subprocess
from functools import lru_cache
from importlib import metadata
from pathlib import Path

from msgspec import Struct

from ...base.cache import cache_directory
from ...base.files import replace_file
from ...sandbox.kit.mount import Mount
from .spec import BIN, INSIDE, AgentError, AgentSpec

_SYSTEM = (Path("/usr"), Path("/bin"), Path("/lib"), Path("/lib64"), Path("/sbin"))


class Installation(Struct, frozen=True):
    """An agent on the host."""

    version: str | None
    binds: tuple[Mount, ...]


def binds(spec: AgentSpec) -> tuple[Mount, ...]:
    """The files of the host that an agent needs in the sandbox, read-only.

    Raises:
        AgentError: the program is not installed.
    """
    return () if spec.package is None else installation(spec).binds


def find(spec: AgentSpec) -> Path | None:
    """The program on the host, or None."""
    if spec.package is None:
        return None
    name = spec.package.executable
    given = spec.paths.get(spec.name)
    if given is not None:
        return _within(given, name)
    for directory in filter(None, os.environ.get("RIGOR_AGENTS", "").split(os.pathsep)):
        found = _within(Path(directory), name)
        if found is not None:
            return found
    found_on_path = shutil.which(name)
    return Path(found_on_path) if found_on_path else None


def _within(path: Path, name: str) -> Path | None:
    if path.is_file():
        return path
    candidates = [path / name, path / "bin" / name, path / "node_modules" / ".bin" / name]
    if path.is_dir():
        below = sorted(p for p in path.iterdir() if p.is_dir())
        candidates += [d / "bin" / name for d in below] + [d / "node_modules" / ".bin" / name for d in below]
    return next((c.absolute() for c in candidates if c.is_file() and os.access(c, os.X_OK)), None)


def installation(spec: AgentSpec) -> Installation:
    """Raises: AgentError when the agent is not installed, or when its files cannot be mounted in a sandbox."""
    found = find(spec)
    assert spec.package is not None
    if found is None:
        raise AgentError(f"{spec.name}: `{spec.package.executable}` not found; {spec.package.remedy}")
    return _installation(spec.name, spec.package.kind, spec.package.name, spec.package.executable, found)


@lru_cache(maxsize=64)
def _installation(agent: str, kind: str, package: str, executable: str, found: Path) -> Installation:
    target = found.resolve()
    modules = next((p for p in reversed(target.parents) if p.name == "node_modules"), None)
    if kind == "npm" and modules is not None:
        inside = f"{INSIDE}/{agent}/node_modules"
        program = f"{inside}/{target.relative_to(modules).as_posix()}"
        binds = [Mount(str(modules), inside)]
        words = [program]
        if _is_script(target):
            node, bind = _node(found)
            binds += bind
            words = [node, program]
        binds.append(_start(agent, executable, words))
        return Installation(_npm_version(target, modules, package), tuple(binds))
    if kind == "pip" and (venv := _venv(found)) is not None:
        return _pip(agent, executable, package, venv)
    if _visible(target):
        return Installation(None, (_start(agent, executable, [str(target)]),))
    inside = f"{INSIDE}/{agent}/program"
    # A program that comes as a directory keeps its other files beside it.
    start = _start(agent, executable, [f"{inside}/{target.name}"])
    return Installation(None, (Mount(str(target.parent), inside), start))


def _npm_version(target: Path, modules: Path, package: str) -> str | None:
    for directory in target.parents:
        if directory == modules:
            return None
        try:
            facts = json.loads((directory / "package.json").read_bytes())
        except (OSError, ValueError):
            continue
        if isinstance(facts, dict) and facts.get("name") == package and isinstance(facts.get("version"), str):
            return str(facts["version"])
    return None


def _is_script(target: Path) -> bool:
    with target.open("rb") as file:
        return file.read(2) == b"#!" or target.suffix in (".js", ".mjs", ".cjs")


def _node(found: Path) -> tuple[str, list[Mount]]:
    """Path of Node.js in the sandbox, and its mount. The one beside the program was installed with it."""
    names = [found.parent / "node", found.parent.parent / "bin" / "node"]
    beside = next((n for n in names if n.is_file() and os.access(n, os.X_OK)), None)
    node = str(beside) if beside else shutil.which("node")
    if node is None:
        raise AgentError(f"{found}: needs Node.js, and there is no `node` beside it or on PATH; install nodejs")
    real = _node_binary(node)
    if _visible(real):
        return str(real), []
    return f"{INSIDE}/node/bin/node", [Mount(str(real), f"{INSIDE}/node/bin/node")]


@lru_cache(maxsize=8)
def _node_binary(node: str) -> Path:
    """The binary itself, since PATH may lead to a version manager's script."""
    try:
        done = subprocess.run(
            [node, "-p", "process.execPath"], capture_output=True, text=True, timeout=30, check=True, env=os.environ
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise AgentError(f"{node}: does not start ({error}); install nodejs") from None
    return Path(done.stdout.strip()).resolve()


def _venv(found: Path) -> Path | None:
    """The virtual environment of a console script: by the script's path, else by its first line."""
    for script in (found, found.resolve()):
        candidates = [script.parent.parent]
        try:
            first = script.read_bytes()[:1024].split(b"\n", 1)[0].decode("utf-8", "replace")
        except OSError:
            first = ""
        if first.startswith("#!") and "python" in first:
            candidates.append(Path(first[2:].split()[0]).parent.parent)
        for directory in candidates:
            if (directory / "pyvenv.cfg").is_file():
                return directory
    return None


def _pip(agent: str, executable: str, package: str, venv: Path) -> Installation:
    site = next(iter(sorted((venv / "lib").glob("python3*/site-packages"))), None)
    if site is None:
        raise AgentError(f"{venv}: no site-packages in this virtual environment; make it anew")
    python = (venv / "bin" / "python").resolve()
    binds: list[Mount] = []
    if _visible(python):
        interpreter = str(python)
    else:
        # An interpreter finds its modules relative to itself, but not its shared library: that needs the same path.
        base = python.parent.parent
        target = str(base) if list((base / "lib").glob("libpython3*.so*")) else f"{INSIDE}/{agent}/python"
        binds.append(Mount(str(base), target))
        interpreter = f"{target}/bin/{python.name}"
    inside = f"{INSIDE}/{agent}/site-packages"
    binds.append(Mount(str(site), inside))
    start = (
        # The working directory is not on the path, since it may contain anything.
        f"import site, sys; sys.path[:] = filter(None, sys.path); site.addsitedir({inside!r}); "
        f"sys.argv[0] = {executable!r}; "
        "from importlib.metadata import entry_points as e; "
        f"sys.exit(next(iter(e(group='console_scripts', name={executable!r}))).load()())"
    )
    binds.append(_start(agent, executable, [interpreter, "-s", "-c", start]))
    return Installation(_pip_version(site, package), tuple(binds))


def _pip_version(site: Path, package: str) -> str | None:
    found = next(iter(metadata.distributions(name=package, path=[str(site)])), None)
    return found.version if found is not None else None


def _visible(path: Path) -> bool:
    """Whether every sandbox contains this path of the host anyway."""
    return any(path.is_relative_to(system) for system in _SYSTEM) and not path.is_relative_to("/usr/local/lib/node")


def _start(agent: str, executable: str, words: list[str]) -> Mount:
    text = f'#!/bin/sh\nexec {shlex.join(words)} "$@"\n'
    name = f"{agent}-{hashlib.sha256(text.encode()).hexdigest()[:16]}"
    directory = cache_directory().with_name("agents")
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise AgentError(
            f"{directory}: {error.strerror or error}; set XDG_CACHE_HOME to a writable directory"
        ) from None
    file = directory / name
    if not file.is_file():
        replace_file(file, text.encode(), 0o755)
    return Mount(str(file), f"{BIN}/{executable}")
