"""What of this machine the programs of a language need to run, copied for them: the root of a submission's cell.

A file of the host that a program opens can be watched, locked and found in memory by others who may open it, and all
that is installed would be the program's library.
"""

from __future__ import annotations

import os
import platform
import re
import subprocess
from collections.abc import Sequence
from fnmatch import fnmatch
from functools import cache
from pathlib import Path

from ...sandbox.kit.layout import SYSTEM
from ...sandbox.kit.mount import Mount

# Parts of run-times that no program under judgement needs, or that solve tasks.
_LEFT_OUT = (
    *("site-packages", "dist-packages", "test", "tests", "ensurepip", "idlelib", "lib2to3", "config-*"),
    *("_sqlite3*", "_tkinter*", "jmods", "src.zip", "man", "demo", "legal"),
)
# What programs may expect of every system.
_COMMON = ("libc.so.6", "libm.so.6", "libgcc_s.so.1", "libpthread.so.0", "libdl.so.2", "librt.so.1")
_COMMON_PLACES = ("/usr/lib/locale/C.utf8",)
_LIBRARIES = [
    f"{top}{below}" for top in ("/lib", "/usr/lib") for below in (f"/{platform.machine()}-linux-gnu", "64", "")
]
_NEEDED = re.compile(rb"^\s+(?:\S+ => )?(/\S+) \(0x", re.MULTILINE)


@cache
def image(program: str, names: tuple[str, ...], mounts: tuple[Mount, ...] = ()) -> tuple[Mount, ...]:
    """The files and links of an image; the source of a link is on the host as well.

    Args:
        program: what starts the submission's program, with its own directories; "": nothing does.
        names: of libraries ("libstdc++.so.6"), or absolute paths; what is not here is left out.
        mounts: toolchains that are not below the system's directories.
    """
    found: dict[str, str] = {}
    for name in (*_COMMON, *_COMMON_PLACES, *names):
        _add(name if "/" in name else next((p for d in _LIBRARIES if os.path.exists(p := f"{d}/{name}")), ""), found)
    if program and os.path.exists(program):
        here = Path(os.path.realpath(program))
        prefix, own = here.parent.parent, Path(os.path.realpath(program)).name
        _add(program, found)
        # A prefix of its own, or what the program has below a shared one.
        shared = str(prefix) in ("/", "/usr", "/usr/local")
        for directory in [prefix / "lib" / own, prefix / "libexec" / own] if shared else [prefix]:
            _add(str(directory), found)
    for mount in mounts:
        _add(mount.source, found, mount.inside)
    binaries = [here for here in found.values() if _is_elf(here)]
    if binaries:
        asked = subprocess.run(["ldd", *binaries], capture_output=True, check=False, cwd="/").stdout
        for library in sorted(set(_NEEDED.findall(asked))):
            _add(os.fsdecode(library), found)
    return tuple(Mount(here, inside) for inside, here in sorted(found.items()))


def make(files: Sequence[Mount], root: Path) -> None:
    """Make an image in an empty directory: files of its own, so their content is in memory."""
    for top in SYSTEM:
        if os.path.islink(top):
            (root / top[1:]).symlink_to(os.readlink(top))
    for file in files:
        target = root / file.inside[1:]
        target.parent.mkdir(parents=True, exist_ok=True)
        if os.path.islink(file.source):
            target.symlink_to(os.path.realpath(file.source))
        else:
            target.write_bytes(Path(file.source).read_bytes())
            target.chmod(0o755 if os.access(file.source, os.X_OK) else 0o644)
            os.utime(target, (0, os.stat(file.source).st_mtime))  # Python compares it with what it has compiled


def _add(place: str, found: dict[str, str], inside: str = "") -> None:
    """A file, or all files of a directory, under the name that it has below directories that are no links."""
    here = os.path.realpath(place)
    inside = inside or os.path.join(os.path.realpath(os.path.dirname(place)), os.path.basename(place))
    if os.path.isfile(here):
        if inside != here and not fnmatch(inside, "*.so*"):
            # A program finds what it needs beside the file that the link leads to.
            found[inside], inside = place, here
        found[inside] = here
    for directory, below, files in os.walk(here):
        below[:] = [name for name in below if not _left_out(name)]
        for name in files:
            path = os.path.join(directory, name)
            if not _left_out(name) and os.path.isfile(path):
                found[inside + path.removeprefix(here)] = os.path.realpath(path)


def _left_out(name: str) -> bool:
    return any(fnmatch(name, pattern) for pattern in _LEFT_OUT)


def _is_elf(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            return file.read(4) == b"\x7fELF"
    except OSError:
        return False
