"""The programs of other languages than Python that a task needs: where they are here, and how a sandbox shows them.

A sandbox shows the host's ``/usr``, and with it everything that the distribution installed. A toolchain elsewhere
(rustup's below a home directory, nvm's Node, a JDK in a directory of its own) is shown read-only below ``/opt``, and of
a home directory nothing but the toolchain itself: a directory with other content is refused. rustup's own programs are
not shown, because they choose a toolchain by files in the home directory; the one that they would choose is.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from msgspec import Struct

from .bwrap import SYSTEM_PATH
from .mount import Mount
from .programs import TOOLS, TaskTool

# What of the host every sandbox shows.
_SHOWN = tuple(Path(p) for p in ("/usr", "/bin", "/sbin", "/lib", "/lib64"))


# One of each family, for `rigor doctor`.
FAMILIES = {"JavaScript": "node", "Rust": "cargo", "Java": "javac", "C++": "g++", "make": "make"}
_RUST = TOOLS["cargo"]
_RUSTUP = ("cargo", "rustc")


class Languages(Struct, frozen=True):
    """What a sandbox needs for a task's ``tools``."""

    binds: tuple[Mount, ...] = ()
    path: tuple[str, ...] = ()
    """Directories for the start of PATH."""
    env: tuple[tuple[str, str], ...] = ()
    missing: tuple[str, ...] = ()
    """One line for each missing program, with the remedy."""
    identity: tuple[str, ...] = ()
    """Changes when another program would be run."""


class FoundProgram(Struct, frozen=True):
    """One program."""

    program: str
    here: Path
    prefix: tuple[Path, str] | None = None
    """The directory to show, and where; None: it shows anyway."""
    directory: str | None = None
    """What must be added to PATH inside; None: nothing."""


class MissingError(Exception):
    """A program is not installed, or cannot be shown. One line with the remedy."""


def find_languages(tools: Sequence[str]) -> Languages:
    """Look for all programs of a task's ``tools``. Raises nothing for what is missing."""
    path = os.environ.get("PATH", os.defpath)
    return _find(tuple(tools), path, str(Path.home()))


@cache
def _find(tools: tuple[str, ...], path: str, home: str) -> Languages:
    binds: dict[str, Mount] = {}
    directories: dict[str, None] = {}
    missing: dict[str, None] = {}
    identity: list[str] = []
    rust = False
    for name in tools:
        tool = TOOLS.get(name, TaskTool(name, (name,), (name,)))
        rust = rust or tool is _RUST
        for program in tool.programs:
            try:
                found = locate(program, tool, path, Path(home))
            except MissingError as problem:
                missing[f"{name}: {problem}"] = None
                continue
            if found.prefix is not None:
                binds[found.prefix[1]] = Mount(str(found.prefix[0]), found.prefix[1])
            if found.directory is not None:
                directories[found.directory] = None
            status = found.here.stat()
            identity.append(f"{program}={found.here}:{status.st_size}:{status.st_mtime_ns}")
    # A crate from the network then fails at once instead of after a minute.
    env = (("CARGO_NET_OFFLINE", "true"),) if rust else ()
    return Languages(tuple(binds.values()), tuple(directories), env, tuple(missing), tuple(dict.fromkeys(identity)))


def locate(program: str, tool: TaskTool, path: str, home: Path) -> FoundProgram:
    """Where a program is, and what must be shown for it.

    Raises:
        MissingError: it is not installed, or is where it cannot be shown.
    """
    if program in _RUSTUP:
        # cargo and rustc of the toolchain that ``rustc`` itself names: rustup's programs only pass a call on.
        rustc = shutil.which("rustc", path=f"{path}:{home}/.cargo/bin")
        if rustc is None:
            raise MissingError(f"the program {program} is not installed: {_remedy(_RUST)}")
        try:
            done = subprocess.run(
                [rustc, "--print", "sysroot"],
                cwd="/",  # not in a directory that may have a rust-toolchain file
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=60,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise MissingError(f"{rustc} does not start ({error}): {_remedy(_RUST)}") from None
        if done.returncode != 0:
            output = " ".join(done.stderr.split())[:160]
            raise MissingError(f"{rustc} names no toolchain ({output}): rustup default stable, or {_remedy(_RUST)}")
        sysroot = Path(os.path.realpath(done.stdout.strip()))
        here = sysroot / "bin" / program
        if not here.is_file():
            raise MissingError(f"{sysroot} has no {program}: rustup component add {program}, or {_remedy(_RUST)}")
        return _found(program, here, sysroot, _RUST, home)
    first = shutil.which(program, path=path)
    if first is None:
        raise MissingError(f"the program {program} is not installed: {_remedy(tool)}")
    here = Path(os.path.realpath(first))
    return _found(program, here, here.parent.parent, tool, home)


def _found(program: str, here: Path, prefix: Path, tool: TaskTool, home: Path) -> FoundProgram:
    """A program of the system, or of a toolchain with a directory ``prefix`` of its own and of nothing else."""
    if any(directory in Path(os.path.realpath(here)).parents for directory in _SHOWN):
        usual = shutil.which(program, path=SYSTEM_PATH)
        reached = usual is not None and os.path.realpath(usual) == os.path.realpath(here)
        return FoundProgram(program, here, directory=None if reached else str(here.parent))
    own = here.parent.name == "bin" and bool(tool.mark) and (prefix / tool.mark).exists()
    too_much = prefix in (home, home / ".local", home / "bin") or prefix in home.parents or prefix == prefix.parent
    if not own or too_much:
        raise MissingError(
            f"{here} is in no directory of its own that a sandbox can show, install it for all users: {_remedy(tool)}"
        )
    target = f"/opt/rigor-{tool.name}"
    return FoundProgram(program, here, (prefix, target), f"{target}/bin")


def _remedy(tool: TaskTool) -> str:
    return f"apt install {' '.join(tool.packages)}"


def version(program: str) -> str | None:
    """The first line of a program's ``--version``; None when it does not start."""
    tool = TOOLS.get(program, TaskTool(program, (program,), (program,)))
    try:
        found = locate(program, tool, os.environ.get("PATH", os.defpath), Path.home())
        done = subprocess.run(
            [str(found.here), "--version"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=20,
            check=False,
        )
    except (MissingError, OSError, subprocess.TimeoutExpired):
        return None
    lines = (done.stdout or done.stderr).strip().splitlines()
    return lines[0][:80] if done.returncode == 0 and lines else None
