"""System calls that programs under judgement may not make, on top of `rigorbench.sandbox.kit.hardening`.

They would leave something for the next run of the same cell (System V and POSIX queues and segments, extended
attributes, flags and versions of the directories, connections that the kernel remembers for a minute), change the
supervisor's own priorities or limits where it has the same user, move the program to another processor, reach into
other processes, or take disk space past the limit of a file's size.
"""

from __future__ import annotations

import errno
import platform
from functools import cache
from typing import Final

from ..kit import bpf

# ipc objects, mqueues, extended attributes, priorities, affinity, fanotify, process_vm_writev, pidfd_getfd,
# memfd_secret, setxattrat, file_setattr; i386 has one call for all that is done with sockets, too.
_REFUSED: Final[dict[int, tuple[int, ...]]] = {
    bpf.X86_64: (29, 64, 68, 240, 188, 189, 190, 141, 142, 144, 314, 251, 203, 300, 311, 438, 447, 463, 469),
    bpf.I386: (117, 395, 393, 399, 277, 226, 227, 228, 97, 154, 156, 351, 289, 241, 338, 348, 438, 447, 463, 469, 102),
    bpf.AARCH64: (194, 190, 186, 180, 5, 6, 7, 140, 118, 119, 274, 30, 122, 262, 271, 438, 447, 463, 469),
}
# prlimit64 is allowed for the caller itself, socket between a run's own processes, fallocate where size limits apply.
_WITH_ARGUMENTS: Final = {bpf.X86_64: (302, 41, 285), bpf.I386: (340, 359, 324), bpf.AARCH64: (261, 198, 47)}
# preadv2 and cachestat tell which files are in memory; fadvise64 takes them out, and does nothing here.
_IN_MEMORY: Final = {bpf.X86_64: (327, 451), bpf.I386: (378, 451), bpf.AARCH64: (286, 451)}
_OUT_OF_MEMORY: Final = {bpf.X86_64: (221,), bpf.I386: (250, 272), bpf.AARCH64: (223,)}
_AF_UNIX: Final = 1
# ioctl: only what terminals, pipes and any descriptor have (their letter is T) and sockets; file systems have dozens.
_IOCTL: Final = {bpf.X86_64: 16, bpf.I386: 54, bpf.AARCH64: 29}
_LETTER, _TERMINALS, _SOCKETS = 0xFF00, 0x5400, 0x8900
# clone, fork, vfork (aarch64 has only clone).
_FORKS: Final[dict[int, tuple[int, tuple[int, ...]]]] = {
    bpf.X86_64: (56, (57, 58)),
    bpf.I386: (120, (2, 190)),
    bpf.AARCH64: (220, ()),
}
_CLONE_VM, _CLONE_VFORK = 0x100, 0x4000


def program(machine: str | None = None) -> bytes | None:
    """The filter for every program of a cell; None for a machine it is not written for."""
    return _assembled(machine or platform.machine(), forks=False)


def no_forks(machine: str | None = None) -> bytes | None:
    """Threads may start, processes may not: where no control group counts, a process could hide what it uses.

    Tasks that share the caller's memory are let through: LeakSanitizer stops a program's threads from one.
    """
    return _assembled(machine or platform.machine(), forks=True)


@cache
def _assembled(machine: str, *, forks: bool) -> bytes | None:
    architectures = bpf.MACHINES.get(machine)
    if architectures is None:
        return None
    return bpf.assemble({arch: _forks(arch) if forks else _block(arch) for arch in architectures}, bpf.ALLOW)


def _block(arch: int) -> list[bpf.Line]:
    prlimit, new_socket, fallocate = _WITH_ARGUMENTS[arch]
    block = [bpf.LOAD_NUMBER]
    for number, load, allowed, code in (
        (prlimit, bpf.LOAD_FIRST, 0, errno.EPERM),
        (new_socket, bpf.LOAD_FIRST, _AF_UNIX, errno.EAFNOSUPPORT),
        (fallocate, bpf.LOAD_SECOND, 0, errno.EOPNOTSUPP),
    ):
        block += [bpf.equal(number, 0, 4), load, bpf.equal(allowed, 0, 1), bpf.ALLOW, bpf.refuse(code)]
    block += [bpf.equal(_IOCTL[arch], 0, 6), bpf.LOAD_SECOND, bpf.keep_bits(_LETTER)]
    block += [bpf.equal(_TERMINALS, 1, 0), bpf.equal(_SOCKETS, 0, 1), bpf.ALLOW, bpf.refuse(errno.ENOTTY)]
    block += bpf.refuse_calls(_IN_MEMORY[arch], errno.ENOSYS) + bpf.refuse_calls(_OUT_OF_MEMORY[arch], 0)
    return [*block, *bpf.refuse_calls(_REFUSED[arch], errno.EPERM), bpf.ALLOW]


def _forks(arch: int) -> list[bpf.Line]:
    clone, others = _FORKS[arch]
    block = [bpf.LOAD_NUMBER, *bpf.refuse_calls(others, errno.EPERM)]
    block += [bpf.equal(clone, 0, 5), bpf.LOAD_FIRST, bpf.any_bit(_CLONE_VM, 0, 2), bpf.any_bit(_CLONE_VFORK, 1, 0)]
    return [*block, bpf.ALLOW, bpf.refuse(errno.EPERM), bpf.ALLOW]
