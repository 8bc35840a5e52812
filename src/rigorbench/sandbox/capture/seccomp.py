"""The system-call filter that makes every program start and exit of a sandbox wait for a word from outside.

`install` is called in a child, just before it becomes the program to run: it sets "no new privileges" and a filter
whose listener is a file descriptor. The kernel stops each execve, execveat and exit_group of the process and of all it
starts, and asks whoever holds the listener. Nothing inside can remove the filter, whatever it starts: a static binary,
its own shell, a daemon. See seccomp(2) and seccomp_unotify(2).
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import struct
from typing import Final

_LIBC = ctypes.CDLL(None, use_errno=True)

ARCH_X86_64: Final = 0xC000003E
ARCH_I386: Final = 0x40000003
ARCH_AARCH64: Final = 0xC00000B7
ARCH_ARM: Final = 0x40000028
_X32: Final = 0x40000000  # the bit that marks system calls of the x32 interface of x86_64

EXECVE, EXECVEAT, EXIT_GROUP = "execve", "execveat", "exit_group"
# What to be told of, by architecture as the filter sees it: {number: name}.
CALLS: Final[dict[int, dict[int, str]]] = {
    ARCH_X86_64: {59: EXECVE, 322: EXECVEAT, 231: EXIT_GROUP},
    ARCH_I386: {11: EXECVE, 358: EXECVEAT, 252: EXIT_GROUP},
    ARCH_AARCH64: {221: EXECVE, 281: EXECVEAT, 94: EXIT_GROUP},
    ARCH_ARM: {11: EXECVE, 387: EXECVEAT, 248: EXIT_GROUP},
}
POINTER_SIZE: Final = {ARCH_X86_64: 8, ARCH_I386: 4, ARCH_AARCH64: 8, ARCH_ARM: 4}
_MACHINES: Final = {"x86_64": ((ARCH_X86_64, ARCH_I386), 317), "aarch64": ((ARCH_AARCH64, ARCH_ARM), 277)}

_PR_SET_NO_NEW_PRIVS: Final = 38
_SET_MODE_FILTER: Final = 1
_GET_ACTION_AVAIL: Final = 2
_NEW_LISTENER: Final = 1 << 3
_WAIT_KILLABLE_RECV: Final = 1 << 5

_ALLOW: Final = 0x7FFF0000
_NOTIFY: Final = 0x7FC00000
_ERRNO: Final = 0x00050000


def program(machine: str) -> bytes:
    """The BPF program for a machine ("x86_64", "aarch64"): notify of `CALLS`, allow other calls.

    A call of an architecture that is not listed would run unseen, so it fails with ENOSYS, as on a kernel without it.
    """
    arches, _ = _MACHINES[machine]
    blocks: list[list[tuple[int, int, int, int]]] = []
    for arch in arches:
        numbers = CALLS[arch]
        body = [(0x20, 0, 0, 0)]  # A = number
        if arch == ARCH_X86_64:
            body += [(0x35, 0, 1, _X32), (0x06, 0, 0, _ERRNO | errno.ENOSYS)]
        for left, number in zip(range(len(numbers) - 1, -1, -1), numbers, strict=True):
            body.append((0x15, left + 1, 0, number))  # equal: to the NOTIFY that ends the block
        body += [(0x06, 0, 0, _ALLOW), (0x06, 0, 0, _NOTIFY)]
        blocks.append([(0x15, 0, len(body), arch), *body])  # another architecture: past the block
    code = [(0x20, 0, 0, 4), *(line for block in blocks for line in block), (0x06, 0, 0, _ERRNO | errno.ENOSYS)]
    return b"".join(struct.pack("HBBI", *line) for line in code)


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_void_p))


def _call(number: int, *args: object) -> int:
    result: int = _LIBC.syscall(ctypes.c_long(number), *args)
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return result


def install() -> int:
    """Filters the calling thread and all it will start; returns the listener. Raises OSError where it cannot be had."""
    if platform.machine() not in _MACHINES:
        raise OSError(errno.ENOSYS, f"no filter for machine {platform.machine()}")
    if _LIBC.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0:
        raise OSError(ctypes.get_errno(), "no_new_privs refused")
    number = _MACHINES[platform.machine()][1]
    code = program(platform.machine())
    buffer = ctypes.create_string_buffer(code, len(code))
    filter_ = _Program(len(code) // 8, ctypes.addressof(buffer))
    try:
        # A process that waits for our answer can then be killed, but is not disturbed by other signals (Linux 5.19).
        return _call(number, _SET_MODE_FILTER, _NEW_LISTENER | _WAIT_KILLABLE_RECV, ctypes.byref(filter_))
    except OSError as error:
        if error.errno != errno.EINVAL:
            raise
    return _call(number, _SET_MODE_FILTER, _NEW_LISTENER, ctypes.byref(filter_))


def available() -> str | None:
    """None if programs can be witnessed on this machine, else the reason why not. Tries it, in a child process."""
    machine = platform.machine()
    if os.uname().sysname != "Linux" or machine not in _MACHINES:
        return f"no system-call filter for {os.uname().sysname} on {machine}"
    action = ctypes.c_uint32(_NOTIFY)
    try:
        _call(_MACHINES[machine][1], _GET_ACTION_AVAIL, ctypes.c_uint(0), ctypes.byref(action))
    except OSError as error:
        return f"the kernel has no seccomp user notification ({error.strerror})"
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        signal = 9
        try:
            install()
        except OSError as error:
            os.write(writing, str(error).encode())
            signal = 15
        os.kill(os.getpid(), signal)  # no exit call: with the filter nobody would answer it
    os.close(writing)
    _, state = os.waitpid(child, 0)
    why = os.read(reading, 500).decode(errors="replace")
    os.close(reading)
    return None if os.WTERMSIG(state) == 9 and not why else f"the filter could not be installed: {why or state}"
