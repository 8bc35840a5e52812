"""What the host knows about a process of the sandbox: its parents, memory, files, and how it ended."""

from __future__ import annotations

import ctypes
import errno
import fcntl
import os
import stat
import struct
from typing import Final, NamedTuple

from ..kit.syscalls import call

_OPENAT2: Final = 437
_PIDFD_GETFD: Final = 438
_IN_ROOT: Final = 0x10
_GET_INFO: Final = 0xC040FF0B  # PIDFD_GET_INFO with the first published size of its structure, 64 bytes
_INFO_EXIT: Final = 1 << 3
_INFO: Final = struct.Struct("QQ11Ii")
_AT_FDCWD: Final = 2**32 - 100
_AT_EMPTY_PATH: Final = 0x1000

MAX_WORDS: Final = 200
MAX_BYTES: Final = 32 << 10


def pidfd_getfd(pidfd: int, fd: int) -> int:
    """A duplicate of file ``fd`` of that process."""
    return call(_PIDFD_GETFD, ctypes.c_int(pidfd), ctypes.c_int(fd), ctypes.c_uint(0))


def exit_status(pidfd: int) -> int | None:
    """The wait status of an ended process, if the kernel reports it (Linux 6.15) and it was waited for."""
    buffer = bytearray(_INFO.size)
    struct.pack_into("Q", buffer, 0, _INFO_EXIT)
    try:
        fcntl.ioctl(pidfd, _GET_INFO, buffer)
    except OSError:
        return None
    fields = _INFO.unpack(buffer)
    return fields[-1] if fields[0] & _INFO_EXIT else None


def zombie_status(pid: int) -> int | None:
    """The wait status of a process that has ended but was not waited for yet (the last field of its stat)."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            fields = file.read().rpartition(b")")[2].split()
    except OSError:
        return None
    return int(fields[-1]) if len(fields) == 50 and fields[0] == b"Z" else None


def family(tid: int) -> tuple[int, int] | None:
    """Process id and parent's process id of a thread, None if it is gone."""
    try:
        fd = os.open(f"/proc/{tid}/status", os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        lines = os.read(fd, 1024)
    except OSError:
        return None
    finally:
        os.close(fd)
    try:
        at, by = lines.index(b"\nTgid:\t") + 7, lines.index(b"\nPPid:\t") + 7
        return int(lines[at : lines.index(b"\n", at)]), int(lines[by : lines.index(b"\n", by)])
    except ValueError:
        return None


def command_line(pid: int) -> list[bytes]:
    """The words with which a program was started (or what it changed them to), [] if unknown."""
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            return file.read(MAX_BYTES).rstrip(b"\0").split(b"\0")
    except OSError:
        return []


class Start(NamedTuple):
    """An execve as a process requests it. ``path``: the file it names; ``cut``: ``argv`` is longer than we keep."""

    path: bytes
    argv: list[bytes]
    cut: bool


def read_start(tid: int, call: str, args: tuple[int, ...], pointer: int) -> Start | None:
    """The arguments of a stopped execve or execveat, from its memory; None if that cannot be read."""
    at = 1 if call == "execveat" else 0
    try:
        memory = os.open(f"/proc/{tid}/mem", os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        path = _string(memory, args[at], 4096)[0]
        argv, cut = _words(memory, args[at + 1], pointer)
    except (OSError, OverflowError):
        return None
    finally:
        os.close(memory)
    if call == "execveat":
        base = args[0] & 0xFFFFFFFF
        if not path and args[4] & _AT_EMPTY_PATH:
            path = f"/proc/self/fd/{base}".encode()
        elif not path.startswith(b"/") and base != _AT_FDCWD:
            path = f"/proc/self/fd/{base}/".encode() + path
    return Start(path, argv, cut)


def _string(memory: int, address: int, limit: int) -> tuple[bytes, bool]:
    """A string up to its NUL, and whether it exceeds ``limit``. Reads end at page borders: the next may be missing."""
    parts: list[bytes] = []
    size = 0
    while size < limit:
        piece = os.pread(memory, min(256 if not parts else 4096, 4096 - address % 4096), address)
        end = piece.find(b"\0")
        if end >= 0 or not piece:
            parts.append(piece[:end] if end >= 0 else b"")
            data = b"".join(parts)
            return data[:limit], len(data) > limit
        parts.append(piece)
        size += len(piece)
        address += len(piece)
    return b"".join(parts)[:limit], True


def _words(memory: int, address: int, pointer: int) -> tuple[list[bytes], bool]:
    words: list[bytes] = []
    left = MAX_BYTES
    kind = "Q" if pointer == 8 else "I"
    if not address:
        return words, False
    while len(words) < MAX_WORDS:
        piece = os.pread(memory, min(16 * pointer, 4096 - address % 4096 or 4096), address)
        piece = piece[: len(piece) // pointer * pointer]
        if not piece:
            return words, False
        for (where,) in struct.iter_unpack(kind, piece):
            if not where:
                return words, False
            if len(words) == MAX_WORDS or left <= 0:
                return words, True
            word, cut = _string(memory, where, left)
            words.append(word)
            left -= len(word)
            if cut:
                return words, True
        address += len(piece)
    return words, True


class StartedProgram(NamedTuple):
    """What an execve would run."""

    path: str | None
    """The file, links resolved; None: not known."""
    error: int
    """The errno with which the call is certain to fail, else 0."""


_UNKNOWN: Final = StartedProgram(None, 0)


def link(pid: int, name: str) -> str | None:
    """Where "cwd", "root", "exe" or "fd/N" of a process points."""
    try:
        return os.readlink(f"/proc/{pid}/{name}")
    except OSError:
        return None


def find_program(pid: int, path: bytes, cwd: str | None) -> StartedProgram:
    """What a stopped execve of ``path`` would run, looked up as that process would, from its root."""
    if path.startswith(b"/proc/self/fd/") and path[14:].isdigit():
        return StartedProgram(link(pid, f"fd/{int(path[14:])}"), 0)
    if path.startswith((b"/proc/", b"/dev/fd/")) or link(pid, "root") != "/":
        return _UNKNOWN
    if not path.startswith(b"/"):
        if cwd is None or not path:
            return _UNKNOWN if path else StartedProgram(None, errno.ENOENT)
        path = os.fsencode(cwd) + b"/" + path
    try:
        root = os.open(f"/proc/{pid}/root", os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError:
        return _UNKNOWN
    try:
        how = struct.pack("QQQ", os.O_PATH | os.O_CLOEXEC, 0, _IN_ROOT)
        file = call(_OPENAT2, ctypes.c_int(root), ctypes.c_char_p(path), how, ctypes.c_size_t(len(how)))
    except OSError as error:
        certain = error.errno in (errno.ENOENT, errno.ENOTDIR) and not _leads_to_proc(root, path)
        return StartedProgram(None, error.errno or errno.ENOENT) if certain else _UNKNOWN
    finally:
        os.close(root)
    try:
        mode = os.fstat(file).st_mode
        if not stat.S_ISREG(mode) or not mode & 0o111:
            return StartedProgram(None, errno.EACCES)
        return StartedProgram(os.readlink(f"/proc/self/fd/{file}"), 0)
    except OSError:
        return _UNKNOWN
    finally:
        os.close(file)


def _leads_to_proc(root: int, path: bytes) -> bool:
    """Whether a link on the way of an absolute path goes through /proc, which has other content for us."""
    parts = path.split(b"/")[::-1]
    done: list[bytes] = []
    for _ in range(400):
        while parts and parts[-1] in (b"", b"."):
            parts.pop()
        if not parts:
            return False
        name = parts.pop()
        if name == b"..":
            done = done[:-1]
            continue
        if not done and name == b"proc":
            return True
        done.append(name)
        try:
            target = os.readlink(b"/".join(done), dir_fd=root)
        except OSError as error:
            if error.errno != errno.EINVAL:  # EINVAL: no link
                return False
            continue
        done = [] if target.startswith(b"/") else done[:-1]
        parts.extend(target.split(b"/")[::-1])
    return True


_BENEATH: Final = 0x08
_NO_SYMLINKS: Final = 0x04


def open_beneath(directory: str | os.PathLike[str], path: str, flags: int) -> int:
    """Opens a file below a directory, following no link on the way. Raises OSError."""
    top = os.open(directory, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        how = struct.pack("QQQ", flags | os.O_CLOEXEC, 0, _BENEATH | _NO_SYMLINKS)
        name = ctypes.c_char_p(os.fsencode(path))
        return call(_OPENAT2, ctypes.c_int(top), name, how, ctypes.c_size_t(len(how)))
    finally:
        os.close(top)
