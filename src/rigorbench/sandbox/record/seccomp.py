"""The system-call filter that makes every program start and exit of a sandbox wait for an answer from outside.

`install` is called in a child, just before it becomes the program to run: it sets "no new privileges" and a filter
whose listener is a file descriptor. The kernel stops each execve, execveat and exit_group of the process and of all it
starts, and asks the process that has the listener. Nothing inside can remove the filter, whatever it starts: a static
binary, its own shell, a daemon. See seccomp(2) and seccomp_unotify(2).
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
from typing import Final

from ..kit import bpf, syscalls

EXECVE, EXECVEAT, EXIT_GROUP = "execve", "execveat", "exit_group"
# The calls to be notified of, by architecture as the filter sees it: {number: name}.
CALLS: Final[dict[int, dict[int, str]]] = {
    bpf.X86_64: {59: EXECVE, 322: EXECVEAT, 231: EXIT_GROUP},
    bpf.I386: {11: EXECVE, 358: EXECVEAT, 252: EXIT_GROUP},
    bpf.AARCH64: {221: EXECVE, 281: EXECVEAT, 94: EXIT_GROUP},
    bpf.ARM: {11: EXECVE, 387: EXECVEAT, 248: EXIT_GROUP},
}
POINTER_SIZE: Final = {bpf.X86_64: 8, bpf.I386: 4, bpf.AARCH64: 8, bpf.ARM: 4}
_MACHINES: Final = {"x86_64": ((bpf.X86_64, bpf.I386), 317), "aarch64": ((bpf.AARCH64, bpf.ARM), 277)}

_SET_MODE_FILTER: Final = 1
_GET_ACTION_AVAIL: Final = 2
_NEW_LISTENER: Final = 1 << 3
_WAIT_KILLABLE_RECV: Final = 1 << 5


def program(machine: str) -> bytes:
    """The BPF program for a machine ("x86_64", "aarch64"): notify of `CALLS`, allow other calls.

    A call of an architecture that is not listed would run unseen, so it fails with ENOSYS, as on a kernel without it.
    """
    blocks = {arch: _block(arch) for arch in _MACHINES[machine][0]}
    return bpf.assemble(blocks, bpf.refuse(errno.ENOSYS))


def _block(arch: int) -> list[bpf.Line]:
    numbers = CALLS[arch]
    block = [bpf.LOAD_NUMBER, *([bpf.at_least(bpf.X32, 0, 1), bpf.refuse(errno.ENOSYS)] if arch == bpf.X86_64 else [])]
    # Equal: on to the NOTIFY that ends the block.
    block += [bpf.equal(number, left, 0) for left, number in zip(range(len(numbers), 0, -1), numbers, strict=True)]
    return [*block, bpf.ALLOW, bpf.NOTIFY]


def install() -> int:
    """Filter the calling thread and all it will start; the listener. Raises OSError where that is not possible."""
    if platform.machine() not in _MACHINES:
        raise OSError(errno.ENOSYS, f"no filter for machine {platform.machine()}")
    syscalls.no_new_privileges()
    number = _MACHINES[platform.machine()][1]
    filter_ = bpf.FilterProgram(program(platform.machine()))
    try:
        # A process that waits for our answer can then be killed, but is not disturbed by other signals (Linux 5.19).
        return syscalls.call(number, _SET_MODE_FILTER, _NEW_LISTENER | _WAIT_KILLABLE_RECV, ctypes.byref(filter_))
    except OSError as error:
        if error.errno != errno.EINVAL:
            raise
    return syscalls.call(number, _SET_MODE_FILTER, _NEW_LISTENER, ctypes.byref(filter_))


def available() -> str | None:
    """None if programs can be recorded on this machine, else the reason why not. Tries it in a child process."""
    machine = platform.machine()
    if os.uname().sysname != "Linux" or machine not in _MACHINES:
        return f"no system-call filter for {os.uname().sysname} on {machine}"
    action = ctypes.c_uint32(bpf.NOTIFY[-1])
    try:
        syscalls.call(_MACHINES[machine][1], _GET_ACTION_AVAIL, ctypes.c_uint(0), ctypes.byref(action))
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
        os.kill(os.getpid(), signal)  # no exit call: with the filter it would wait for an answer for ever
    os.close(writing)
    _, state = os.waitpid(child, 0)
    why = os.read(reading, 500).decode(errors="replace")
    os.close(reading)
    return None if os.WTERMSIG(state) == 9 and not why else f"the filter could not be installed: {why or state}"
