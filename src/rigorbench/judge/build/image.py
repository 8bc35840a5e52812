"""What of this machine the programs of a language need to run, copied for them: the root of a submission's cell.

A file of the host that a program opens can be watched, locked and found in memory by others who may open it, and all
that is installed would be the program's library.
"""

from __future__ import annotations

import os
import platform
import re
import subprocess
from collections.abc import Iterator, Sequence
from fnmatch import fnmatch
from functools import cache
from glob import glob
from pathlib import Path
from typing import Final

from ...sandbox.kit.layout import SYSTEM
from ...sandbox.kit.mount import Mount
from ..judgement import ProgramUsage
from . import cache as compiles
from .cache import CacheEntry

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


_PROGRAMS: Final = (
    "sh dash bash env cmake make gmake gcc g++ cc c++ cpp ld ld.* as ar ranlib nm strip objcopy objdump readelf size "
    "strings c++filt gcc-ar gcc-nm gcc-ranlib awk mawk gawk basename cat chmod cksum cmp comm cp cut date dd diff "
    "dirname echo egrep expr false fgrep find grep gzip head id install join ln ls md5sum mkdir mkfifo mktemp mv nl "
    "nproc od paste printf pwd readlink realpath rm rmdir sed seq sha256sum sleep sort split stat tac tail tar tee "
    "test [[] touch tr true truncate tty uname uniq wc which whoami xargs gcc-[0-9]* g++-[0-9]* cpp-[0-9]*"
).split()
_TRIPLE: Final = f"{platform.machine()}-linux-gnu"
_PLACES: Final = ("/usr/lib/gcc", "/usr/libexec/gcc", "/usr/share/cmake*/[!H]*")
# Headers of the C library, the kernel and C++; those of others are directories beside them.
_HEADERS: Final = (
    "arpa asm asm-generic bits c++ drm finclude gnu linux misc mtd net netash netatalk netax25 neteconet netinet "
    "netipx netiucv netpacket netrom netrose nfs protocols rdma rpc rpcsvc scsi sound sys video xen"
).split()
# What the C library consists of for the linker.
_LINKED: Final = (
    "*crt1.o", "crti.o", "crtn.o", "libc.*", "libc_nonshared.a", "libm.*", "libm-*.a", "libmvec.*", "libpthread*.a",
    "libpthread.so", "libdl.*", "librt.*", "libutil.*", "libresolv.*", "libanl.*", "libg.a", "libmcheck.a",
    "libstdc++.so*", "libgcc_s.so*", "libasan.so*", "liblsan.so*", "libubsan.so*", "libgomp.so*", "libatomic.so*",
    "libquadmath.so*", "ld-linux*",
)  # fmt: skip


def build_root(more: str = "") -> str:
    """The directory with all that a build sees of a system; made once on a machine.

    `more`: a program that is not of the build, such as the one that reads what was built.
    """
    files, name = _files(more)
    with compiles.lock(name):
        entry = compiles.get(name, verify=False)
        if entry is None:
            made = compiles.draft()
            try:
                make(files, made / "code")
                entry = compiles.put(name, made, CacheEntry(True, "", ProgramUsage()))
            finally:
                compiles.drop(made)
    return entry.code


@cache
def _files(more: str) -> tuple[tuple[Mount, ...], str]:
    """The files, and the key under which a directory with them is kept."""
    files = image(more, tuple(_names()))
    stated = [f"{file.inside}:{(s := os.stat(file.source)).st_size}:{s.st_mtime_ns}" for file in files]
    return files, compiles.key(("build root 1", *stated))


def _names() -> Iterator[str]:
    for directory in ("/usr/bin", "/usr/local/bin"):
        for name in _PROGRAMS:
            yield from (p for prefix in ("", f"{_TRIPLE}-") for p in glob(f"{directory}/{prefix}{name}"))
    for place in _PLACES:
        yield from glob(place)
    yield from (str(path) for path in Path("/usr/include").glob("*") if path.is_file() or path.name in _HEADERS)
    yield from glob(f"/usr/include/{_TRIPLE}")
    for library in (f"/usr/lib/{_TRIPLE}", "/usr/lib64", f"/lib/{_TRIPLE}", "/lib64"):
        yield from (p for name in _LINKED for p in glob(f"{library}/{name}"))
