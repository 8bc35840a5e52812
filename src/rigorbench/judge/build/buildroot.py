"""What of this machine the build of a repository sees: compilers, CMake or make, and the tools that scripts expect.

Libraries of others and interpreters are not there: a build could link the one and have the other do the work.
"""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator
from functools import cache
from glob import glob
from pathlib import Path
from typing import Final

from ...sandbox.kit.mount import Mount
from ..judgement import ProgramUsage
from . import cache as compiles
from .cache import CacheEntry
from .image import image, make

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
