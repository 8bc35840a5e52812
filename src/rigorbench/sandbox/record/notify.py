"""The listener's end of the filter: receive a stopped system call, look at it, allow or refuse it."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import select
import struct
from typing import Final, NamedTuple

from . import seccomp

_RECEIVE: Final = 0xC0502100
_SEND: Final = 0xC0182101
_ID_VALID: Final = 0x40082102
_ADD_FD: Final = 0x40182103
_SET_FLAGS: Final = 0x40082104
_SYNC_WAKE_UP: Final = 1
_CONTINUE: Final = 1
_SET_FD: Final = 1
_NOTIFICATION: Final = struct.Struct("QIIiIQ6Q")
_RESPONSE: Final = struct.Struct("QqiI")
_ADDED: Final = struct.Struct("QIIII")
_GONE: Final = (errno.ENOENT, errno.ESRCH, errno.EINPROGRESS)


class Notification(NamedTuple):
    """A stopped call. ``tid``: the thread as the host sees it; ``arch`` and ``call`` as in `seccomp`."""

    id: int
    tid: int
    call: str
    arch: int
    args: tuple[int, ...]


class Listener:
    """Owns the file descriptor. If the waiting process has died meanwhile, no method raises."""

    def __init__(self, fd: int) -> None:
        self.fd = fd
        os.set_inheritable(fd, False)
        self._poll = select.poll()
        self._poll.register(fd, select.POLLIN)
        with contextlib.suppress(OSError):  # wake the other side on our own CPU, we are about to wait (Linux 6.6)
            fcntl.ioctl(fd, _SET_FLAGS, _SYNC_WAKE_UP)

    def state(self) -> int:
        """1: a call waits. 0: none. -1: no process is left that could make one."""
        events = self._poll.poll(0)
        if not events:
            return 0
        return 1 if events[0][1] & select.POLLIN else -1

    def receive(self) -> Notification | None:
        """The next stopped call; None if the process died before we looked. Only to be called when `state` is 1."""
        buffer = bytearray(_NOTIFICATION.size)
        while True:
            try:
                fcntl.ioctl(self.fd, _RECEIVE, buffer)
                break
            except InterruptedError:
                continue
            except OSError as error:
                if error.errno in _GONE:
                    return None
                raise
        id_, tid, _, number, arch, _, *args = _NOTIFICATION.unpack(buffer)
        return Notification(id_, tid, seccomp.CALLS.get(arch, {}).get(number, "?"), arch, tuple(args))

    def valid(self, id_: int) -> bool:
        """Whether the call still waits: then what was read from /proc before is really of that process."""
        try:
            fcntl.ioctl(self.fd, _ID_VALID, struct.pack("Q", id_))
        except OSError:
            return False
        return True

    def allow(self, id_: int) -> bool:
        return self._send(id_, 0, _CONTINUE)

    def refuse(self, id_: int, code: int) -> bool:
        """The call fails with the error ``code``, unexecuted."""
        return self._send(id_, -code, 0)

    def put(self, id_: int, fd: int, at: int) -> bool:
        """Make our file ``fd`` the file ``at`` of the waiting process."""
        try:
            fcntl.ioctl(self.fd, _ADD_FD, _ADDED.pack(id_, _SET_FD, fd, at, 0))
        except OSError:
            return False
        return True

    def close(self) -> None:
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1

    def _send(self, id_: int, error: int, flags: int) -> bool:
        while True:
            try:
                fcntl.ioctl(self.fd, _SEND, _RESPONSE.pack(id_, 0, error, flags))
            except InterruptedError:
                continue
            except OSError as failure:
                if failure.errno in _GONE:
                    return False
                raise
            return True
