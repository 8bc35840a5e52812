"""System calls for which Python 3.11 has no function. Every failure is an OSError."""

from __future__ import annotations

import ctypes
import errno
import fcntl
import os
import struct
from pathlib import Path
from typing import Final

from .bpf import FilterProgram

_LIBC = ctypes.CDLL(None, use_errno=True)

CLONE_NEWNS: Final = 0x00020000
CLONE_NEWCGROUP: Final = 0x02000000
CLONE_NEWUTS: Final = 0x04000000
CLONE_NEWIPC: Final = 0x08000000
CLONE_NEWUSER: Final = 0x10000000
CLONE_NEWPID: Final = 0x20000000
CLONE_NEWNET: Final = 0x40000000

_NS_GET_USERNS: Final = 0xB701
_PR_SET_DUMPABLE: Final = 4
_PR_SET_NAME: Final = 15
_PR_SET_SECCOMP: Final = 22
_PR_CAPBSET_DROP: Final = 24
_PR_SET_CHILD_SUBREAPER: Final = 36
_PR_SET_NO_NEW_PRIVS: Final = 38
_PR_CAP_AMBIENT: Final = 47
_PR_CAP_AMBIENT_CLEAR_ALL: Final = 4
_CAPABILITY_VERSION: Final = 0x20080522


def _check(result: int, what: str) -> int:
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, f"{what}: {os.strerror(code)}")
    return result


def call(number: int, *args: object) -> int:
    """A system call by its number. ``args`` as ctypes."""
    result: int = _LIBC.syscall(ctypes.c_long(number), *args)
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def setns(fd: int, kind: int) -> None:
    _check(_LIBC.setns(fd, kind), "setns")


def prctl(option: int, value: int = 0, third: int = 0) -> None:
    words = [ctypes.c_ulong(v) for v in (value, third, 0, 0)]
    _check(_LIBC.prctl(option, *words), f"prctl {option}")


def dumpable(yes: bool) -> None:
    """Whether other processes of the same user may look into this one, and into what it forks.

    When it becomes another program, they may again.
    """
    prctl(_PR_SET_DUMPABLE, int(yes))


def subreaper() -> None:
    """Orphans among this process's descendants become its children."""
    prctl(_PR_SET_CHILD_SUBREAPER, 1)


def owning_user_namespace(namespace: int) -> int:
    """Open the user namespace that owns the namespace of file ``namespace``."""
    return fcntl.ioctl(namespace, _NS_GET_USERNS)


def last_capability() -> int:
    return int(Path("/proc/sys/kernel/cap_last_cap").read_text(encoding="ascii"))


def drop_bounding_set(last: int) -> None:
    """From now on no program gives capabilities (needs CAP_SETPCAP)."""
    for capability in range(last + 1):
        prctl(_PR_CAPBSET_DROP, capability)


def drop_capabilities() -> None:
    """Drop all capabilities for ever."""
    try:
        prctl(_PR_CAP_AMBIENT, _PR_CAP_AMBIENT_CLEAR_ALL)
    except OSError as error:
        if error.errno != errno.EINVAL:
            raise
    header = ctypes.create_string_buffer(struct.pack("Ii", _CAPABILITY_VERSION, 0))
    data = ctypes.create_string_buffer(struct.pack("6I", 0, 0, 0, 0, 0, 0))
    _check(_LIBC.capset(header, data), "capset")
    no_new_privileges()


def no_new_privileges() -> None:
    """No program that this process starts can gain any; without that it may not install a filter."""
    prctl(_PR_SET_NO_NEW_PRIVS, 1)


def filter_calls(program: bytes) -> None:
    """Filter this process and its descendants by a classic BPF ``program`` (needs no_new_privs)."""
    words = (ctypes.c_ulong(2), ctypes.byref(FilterProgram(program)), ctypes.c_ulong(0), ctypes.c_ulong(0))
    _check(_LIBC.prctl(_PR_SET_SECCOMP, *words), "seccomp")


def rename_process(name: str) -> None:
    """Let ``ps`` show ``name`` for this process and its forks, instead of a command line with paths of the host."""
    shown = ctypes.create_string_buffer(name.encode()[:15])
    _check(_LIBC.prctl(_PR_SET_NAME, shown, 0, 0, 0), "prctl name")
    fields = Path("/proc/self/stat").read_text(encoding="utf-8", errors="replace").rsplit(")", 1)[1].split()
    start, end = int(fields[45]), int(fields[46])  # arg_start, arg_end: fields 48 and 49 of proc(5)
    if 0 < start < end:
        ctypes.memset(start, 0, end - start)
        ctypes.memmove(start, name.encode()[: end - start - 1], min(len(name), end - start - 1))
