"""The system calls that nothing in a sandbox may make, as a seccomp filter (classic BPF).

New namespaces and mounts would let a program see other files under the paths that are recorded; the rest are the parts
of the kernel that need no sandboxed program and that most escapes went through. Container engines refuse much the same.
"""

from __future__ import annotations

import errno
import platform
import struct
from functools import cache
from typing import Final

_ALLOW: Final = 0x7FFF0000
_ERRNO: Final = 0x00050000
# Any of CLONE_NEWTIME (unshare only), NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET.
_NEW_NAMESPACE: Final = 0x7E020000
_NEW_TIME: Final = 0x80

# Numbers by (AUDIT_ARCH): clone, unshare, clone3, sched_setaffinity, and those refused whatever their arguments.
_COMMON = (425, 426, 427, 428, 429, 430, 431, 432, 433, 442)  # io_uring, and the calls of the newer mount interface
_X86_64: Final = 0xC000003E
_I386: Final = 0x40000003
_AARCH64: Final = 0xC00000B7
_TABLE: Final[dict[int, tuple[int, int, int, int, tuple[int, ...]]]] = {
    _X86_64: (
        56, 272, 435, 203,
        (155, 163, 164, 165, 166, 167, 168, 169, 172, 173, 175, 176, 179, 227, 246, 248, 249, 250, 298, 304, 308, 313,
         320, 321, 323),
    ),
    _I386: (
        120, 310, 435, 241,
        (21, 22, 25, 51, 52, 79, 87, 88, 101, 110, 115, 128, 129, 131, 217, 264, 283, 286, 287, 288, 336, 342, 346,
         350, 357, 374),
    ),
    _AARCH64: (
        220, 97, 435, 122,
        (39, 40, 41, 60, 89, 104, 105, 106, 112, 142, 170, 217, 218, 219, 224, 225, 241, 265, 268, 273, 280, 282, 294),
    ),
}  # fmt: skip
_MACHINES: Final = {"x86_64": (_X86_64, _I386), "aarch64": (_AARCH64,)}

_LOAD_NUMBER: Final = (0x20, 0, 0, 0)
_LOAD_ARCH: Final = (0x20, 0, 0, 4)
_LOAD_FLAGS: Final = (0x20, 0, 0, 16)  # the low half of the first argument (both machines are little-endian)


@cache
def program(machine: str | None = None, *, fixed_cpus: bool = False) -> bytes | None:
    """The filter for ``machine`` (default: this one), None for a machine it is not written for.

    ``fixed_cpus``: programs cannot choose their processors either (where affinity is all that limits the CPU).
    """
    arches = _MACHINES.get(machine or platform.machine())
    if arches is None:
        return None
    code: list[tuple[int, int, int, int]] = [_LOAD_ARCH]
    for arch in arches:
        block = _block(arch, fixed_cpus)
        code += [(0x15, 1, 0, arch), (0x05, 0, 0, len(block)), *block]
    code.append(_return(errno.ENOSYS))  # an interface that is not listed, such as 32 bits on ARM
    return b"".join(struct.pack("HBBI", *line) for line in code)


def _return(code: int) -> tuple[int, int, int, int]:
    return (0x06, 0, 0, _ERRNO | code)


def _block(arch: int, fixed_cpus: bool) -> list[tuple[int, int, int, int]]:
    clone, unshare, clone3, affinity, refused = _TABLE[arch]
    numbers = (*refused, *_COMMON, *((affinity,) if fixed_cpus else ()))
    block = [_LOAD_NUMBER]
    if arch == _X86_64:
        block += [(0x35, 0, 1, 0x40000000), _return(errno.ENOSYS)]  # the x32 interface
    # The C library does with clone what it cannot do with clone3, whose flags a filter cannot see.
    block += [(0x15, 0, 1, clone3), _return(errno.ENOSYS)]
    for number, flags in ((clone, _NEW_NAMESPACE), (unshare, _NEW_NAMESPACE | _NEW_TIME)):
        block += [(0x15, 0, 4, number), _LOAD_FLAGS, (0x45, 0, 1, flags), _return(errno.EPERM), (0x06, 0, 0, _ALLOW)]
    for number in numbers:
        block += [(0x15, 0, 1, number), _return(errno.EPERM)]
    return [*block, (0x06, 0, 0, _ALLOW)]
