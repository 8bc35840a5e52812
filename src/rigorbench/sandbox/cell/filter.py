"""System calls that programs under judgement may not make, on top of `rigorbench.sandbox.hardening`.

They would leave something for the next run of the same cell (System V and POSIX queues and segments, extended
attributes, flags and versions of the directories, connections that the kernel remembers for a minute), change the
supervisor's own priorities or limits where it has the same user, move the program to another processor, reach into
other processes, or take disk space that no limit of a file's size holds.
"""

from __future__ import annotations

import errno
import platform
import struct
from functools import cache
from typing import Final

_ALLOW: Final = 0x7FFF0000
_ERRNO: Final = 0x00050000
_X86_64: Final = 0xC000003E
_I386: Final = 0x40000003
_AARCH64: Final = 0xC00000B7

# ipc objects, mqueues, extended attributes, priorities, affinity, fanotify, process_vm_writev, pidfd_getfd,
# memfd_secret, setxattrat, file_setattr; i386 has one call for all that is done with sockets, too.
_REFUSED: Final[dict[int, tuple[int, ...]]] = {
    _X86_64: (29, 64, 68, 240, 188, 189, 190, 141, 142, 144, 314, 251, 203, 300, 311, 438, 447, 463, 469),
    _I386: (117, 395, 393, 399, 277, 226, 227, 228, 97, 154, 156, 351, 289, 241, 338, 348, 438, 447, 463, 469, 102),
    _AARCH64: (194, 190, 186, 180, 5, 6, 7, 140, 118, 119, 274, 30, 122, 262, 271, 438, 447, 463, 469),
}
# prlimit64, socket, fallocate: allowed for oneself, between a run's own processes, and as far as limits of sizes go.
_WITH_ARGUMENTS: Final = {_X86_64: (302, 41, 285), _I386: (340, 359, 324), _AARCH64: (261, 198, 47)}
_AF_UNIX: Final = 1
# ioctl: only what terminals, pipes and any descriptor have (their letter is T) and sockets; file systems have dozens.
_IOCTL: Final = {_X86_64: 16, _I386: 54, _AARCH64: 29}
_LETTER, _TERMINALS, _SOCKETS = 0xFF00, 0x5400, 0x8900
# clone, fork, vfork (aarch64 has only clone).
_FORKS: Final[dict[int, tuple[int, tuple[int, ...]]]] = {
    _X86_64: (56, (57, 58)),
    _I386: (120, (2, 190)),
    _AARCH64: (220, ()),
}
_MACHINES: Final = {"x86_64": (_X86_64, _I386), "aarch64": (_AARCH64,)}
_CLONE_VM, _CLONE_VFORK = 0x100, 0x4000

_Line = tuple[int, int, int, int]
_LOAD_NUMBER: Final[_Line] = (0x20, 0, 0, 0)
_LOAD_ARCH: Final[_Line] = (0x20, 0, 0, 4)
_LOAD_FIRST: Final[_Line] = (0x20, 0, 0, 16)
_LOAD_SECOND: Final[_Line] = (0x20, 0, 0, 24)
_REFUSE: Final[_Line] = (0x06, 0, 0, _ERRNO | errno.EPERM)
_PASS: Final[_Line] = (0x06, 0, 0, _ALLOW)


def program(machine: str | None = None) -> bytes | None:
    """For every program of a cell; None for a machine that it is not written for."""
    return _assembled(machine or platform.machine(), forks=False)


def no_forks(machine: str | None = None) -> bytes | None:
    """Threads may start, processes may not: where no control group counts, a process could hide what it uses.

    Tasks that share the caller's memory are let through: LeakSanitizer stops a program's threads from one.
    """
    return _assembled(machine or platform.machine(), forks=True)


@cache
def _assembled(machine: str, *, forks: bool) -> bytes | None:
    arches = _MACHINES.get(machine)
    if arches is None:
        return None
    code: list[_Line] = [_LOAD_ARCH]
    for arch in arches:
        block = _forks(arch) if forks else _block(arch)
        code += [(0x15, 1, 0, arch), (0x05, 0, 0, len(block)), *block]
    return b"".join(struct.pack("HBBI", *line) for line in [*code, _PASS])


def _block(arch: int) -> list[_Line]:
    prlimit, new_socket, fallocate = _WITH_ARGUMENTS[arch]
    block = [_LOAD_NUMBER]
    for number, load, allowed, code in (
        (prlimit, _LOAD_FIRST, 0, errno.EPERM),
        (new_socket, _LOAD_FIRST, _AF_UNIX, errno.EAFNOSUPPORT),
        (fallocate, _LOAD_SECOND, 0, errno.EOPNOTSUPP),
    ):
        block += [(0x15, 0, 4, number), load, (0x15, 0, 1, allowed), _PASS, (0x06, 0, 0, _ERRNO | code)]
    block += [(0x15, 0, 6, _IOCTL[arch]), _LOAD_SECOND, (0x54, 0, 0, _LETTER)]
    block += [(0x15, 1, 0, _TERMINALS), (0x15, 0, 1, _SOCKETS), _PASS, (0x06, 0, 0, _ERRNO | errno.ENOTTY)]
    for number in _REFUSED[arch]:
        block += [(0x15, 0, 1, number), _REFUSE]
    return [*block, _PASS]


def _forks(arch: int) -> list[_Line]:
    clone, others = _FORKS[arch]
    block = [_LOAD_NUMBER]
    for number in others:
        block += [(0x15, 0, 1, number), _REFUSE]
    block += [(0x15, 0, 5, clone), _LOAD_FIRST, (0x45, 0, 2, _CLONE_VM), (0x45, 1, 0, _CLONE_VFORK), _PASS, _REFUSE]
    return [*block, _PASS]
