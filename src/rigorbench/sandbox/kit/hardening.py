"""The system calls that nothing in a sandbox may make, as a seccomp filter (classic BPF).

New namespaces and mounts would let a program see other files under the paths that are recorded; the others are
parts of the kernel that sandboxed programs do not need and that most escapes used. Container engines refuse much the
same.
"""

from __future__ import annotations

import errno
import platform
from functools import cache
from typing import Final

from . import bpf

# Any of CLONE_NEWTIME (unshare only), NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET.
_NEW_NAMESPACE: Final = 0x7E020000
_NEW_TIME: Final = 0x80

# Numbers by (AUDIT_ARCH): clone, unshare, clone3, sched_setaffinity, and those refused whatever their arguments.
_COMMON = (425, 426, 427, 428, 429, 430, 431, 432, 433, 442)  # io_uring, and the calls of the newer mount interface
_TABLE: Final[dict[int, tuple[int, int, int, int, tuple[int, ...]]]] = {
    bpf.X86_64: (
        56, 272, 435, 203,
        (155, 163, 164, 165, 166, 167, 168, 169, 172, 173, 175, 176, 179, 227, 246, 248, 249, 250, 298, 304, 308, 313,
         320, 321, 323),
    ),
    bpf.I386: (
        120, 310, 435, 241,
        (21, 22, 25, 51, 52, 79, 87, 88, 101, 110, 115, 128, 129, 131, 217, 264, 283, 286, 287, 288, 336, 342, 346,
         350, 357, 374),
    ),
    bpf.AARCH64: (
        220, 97, 435, 122,
        (39, 40, 41, 60, 89, 104, 105, 106, 112, 142, 170, 217, 218, 219, 224, 225, 241, 265, 268, 273, 280, 282, 294),
    ),
}  # fmt: skip


@cache
def program(machine: str | None = None, *, fixed_cpus: bool = False) -> bytes | None:
    """The filter for ``machine`` (default: this one), None for a machine it is not written for.

    ``fixed_cpus``: programs cannot choose their processors either (where affinity is all that limits the CPU).
    """
    architectures = bpf.MACHINES.get(machine or platform.machine())
    if architectures is None:
        return None
    # An interface that is not listed, such as 32 bits on ARM, does not exist.
    return bpf.assemble({arch: _block(arch, fixed_cpus) for arch in architectures}, bpf.refuse(errno.ENOSYS))


def _block(arch: int, fixed_cpus: bool) -> list[bpf.Line]:
    clone, unshare, clone3, affinity, refused = _TABLE[arch]
    block = [bpf.LOAD_NUMBER]
    if arch == bpf.X86_64:
        block += [bpf.at_least(bpf.X32, 0, 1), bpf.refuse(errno.ENOSYS)]
    # The C library does with clone what it cannot do with clone3, whose flags a filter cannot see.
    block += bpf.refuse_calls([clone3], errno.ENOSYS)
    for number, flags in ((clone, _NEW_NAMESPACE), (unshare, _NEW_NAMESPACE | _NEW_TIME)):
        block += [bpf.equal(number, 0, 4), bpf.LOAD_FIRST, bpf.any_bit(flags, 0, 1), bpf.refuse(errno.EPERM), bpf.ALLOW]
    block += bpf.refuse_calls((*refused, *_COMMON, *((affinity,) if fixed_cpus else ())), errno.EPERM)
    return [*block, bpf.ALLOW]
