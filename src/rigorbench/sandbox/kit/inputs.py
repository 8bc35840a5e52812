"""Open files with a given content."""

from __future__ import annotations

import fcntl
import os

_F_SETPIPE_SZ = 1031
_PIPE = 64 << 10  # the usual capacity of a pipe
_LARGE_PIPE = 1 << 20  # the most that every user may set


def input_file(content: bytes) -> int:
    """A file from which ``content`` can be read: a pipe, or a file in memory if it is larger."""
    if len(content) <= _LARGE_PIPE:
        read, write = os.pipe()
        try:
            if len(content) > _PIPE:
                fcntl.fcntl(write, _F_SETPIPE_SZ, _LARGE_PIPE)
            os.set_blocking(write, False)
            if os.write(write, content) == len(content) if content else True:
                return read
        except OSError:
            pass  # the user has used up what pipes may hold
        finally:
            os.close(write)
        os.close(read)
    file = os.memfd_create("input", os.MFD_CLOEXEC)
    rest = memoryview(content)
    while rest:
        rest = rest[os.write(file, rest) :]
    os.lseek(file, 0, os.SEEK_SET)
    return file
