"""The programs of languages on this machine: paths, versions, and what must be mounted in a cell."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from msgspec import Struct

from ...sandbox.kit.bwrap import SYSTEM_PATH
from ...sandbox.kit.languages import MissingError, locate
from ...sandbox.kit.mount import Mount
from ...sandbox.kit.programs import TOOLS, TaskTool

_MORE = {
    "python3": TaskTool(
        "python", ("python3",), ("python3",), f"lib/python{sys.version_info[0]}.{sys.version_info[1]}/os.py"
    ),
    "go": TaskTool("go", ("go",), ("golang-go",), "src/runtime"),
    "valgrind": TaskTool("valgrind", ("valgrind",), ("valgrind", "libc6-dbg"), "libexec/valgrind"),
    "git": TaskTool("git", ("git",), ("git",)),
}
_VERSION = re.compile(r"\d+(?:\.\d+)+")
_ASKED = {"go": ("version",)}


class CompilerToolchain(Struct, frozen=True):
    """Programs on this machine."""

    where: dict[str, str]
    """Program -> its path in a cell."""
    here: dict[str, str]
    """Program -> its path on the host."""
    mounts: tuple[Mount, ...] = ()
    path: str = SYSTEM_PATH
    missing: tuple[str, ...] = ()
    """One line for each missing program, with the remedy."""
    identity: tuple[str, ...] = ()
    """Changes when another program would be run; part of the key of every cached compile."""


def toolchain(programs: Sequence[str]) -> CompilerToolchain:
    """Look for programs; missing ones are listed in the result."""
    return _find(tuple(programs), os.environ.get("PATH", os.defpath), str(Path.home()))


@cache
def _find(programs: tuple[str, ...], path: str, home: str) -> CompilerToolchain:
    where: dict[str, str] = {}
    here: dict[str, str] = {}
    mounts: dict[str, Mount] = {}
    directories: dict[str, None] = {}
    missing: dict[str, None] = {}
    identity: list[str] = []
    # The distribution's programs come first: those of a version manager are in homes and only pass calls on.
    search = f"{SYSTEM_PATH}:{sys.base_prefix}/bin:{path}"
    for program in programs:
        tool = TOOLS.get(program) or _MORE.get(program) or TaskTool(program, (program,), (program,))
        try:
            found = locate(program, tool, search, Path(home))
        except MissingError as problem:
            missing[str(problem)] = None
            continue
        if found.prefix is not None:
            mounts[found.prefix[1]] = Mount(str(found.prefix[0]), found.prefix[1])
        if found.directory is not None:
            directories[found.directory] = None
        here[program] = str(found.here)
        usual = shutil.which(program, path=SYSTEM_PATH)
        where[program] = f"{found.directory}/{program}" if found.directory or usual is None else usual
        status = found.here.stat()
        identity.append(f"{program}={found.here}:{status.st_size}:{status.st_mtime_ns}")
    return CompilerToolchain(
        where, here, tuple(mounts.values()), ":".join((*directories, SYSTEM_PATH)), tuple(missing), tuple(identity)
    )


def versions(programs: Sequence[str]) -> dict[str, str]:
    """Program -> version, for those that are installed and print one."""
    tools = toolchain(programs)
    found = {program: _version(program, path) for program, path in tools.here.items()}
    return {program: version for program, version in found.items() if version is not None}


@cache
def _version(program: str, path: str) -> str | None:
    try:
        done = subprocess.run(
            [path, *_ASKED.get(program, ("--version",))],
            cwd="/",
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=30,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    # The last number of the first line: one in brackets before it is the distribution's.
    found = _VERSION.findall((done.stdout or done.stderr).strip().partition("\n")[0])
    return found[-1] if done.returncode == 0 and found else None
