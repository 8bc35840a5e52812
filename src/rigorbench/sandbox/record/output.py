"""Where a command's standard output and error go, and how each is copied."""

from __future__ import annotations

import contextlib
import fcntl
import os
import stat
from collections.abc import Callable

from ...base import journal
from . import procfs
from .events import Events
from .notify import Listener
from .processes import StartedCommand
from .tee import FileCopy, OutputCopy, Stream, Tee


def attach_output(
    command: StartedCommand,
    events: Events,
    listener: Listener,
    call: int,
    pid: int,
    write: Callable[[journal.JournalRecord], None],
) -> str | None:
    """Put a `Tee` between a process that is stopped in its execve and the target of its output.

    Returns why some of it will not be recorded, or None. Output to a device (such as /dev/null) is ignored.
    """
    kinds: dict[int, os.stat_result] = {}
    for fd in (1, 2):
        with contextlib.suppress(OSError):
            kinds[fd] = os.stat(f"/proc/{pid}/fd/{fd}")
    if not kinds:
        return None
    command.copy = OutputCopy(command.id, write)
    try:
        pidfd = os.pidfd_open(pid)
    except OSError as error:
        return f"output is not recorded: {error.strerror}"
    reason: str | None = None
    try:
        together = len(kinds) == 2 and (kinds[1].st_dev, kinds[1].st_ino) == (kinds[2].st_dev, kinds[2].st_ino)
        for fd, info in kinds.items():
            if together and fd == 2:
                break
            stream: Stream = "both" if together else "out" if fd == 1 else "err"
            reason = _attach(command, events, listener, call, pidfd, fd, info, stream) or reason
    except OSError as error:
        reason = f"output is not recorded: {error.strerror}"
    finally:
        os.close(pidfd)
    return reason


def _attach(
    command: StartedCommand,
    events: Events,
    listener: Listener,
    call: int,
    pidfd: int,
    fd: int,
    info: os.stat_result,
    stream: Stream,
) -> str | None:
    assert command.copy is not None
    if stat.S_ISCHR(info.st_mode):
        original = procfs.pidfd_getfd(pidfd, fd)
        terminal = os.isatty(original)
        os.close(original)
        return "the output goes to a terminal and is not recorded" if terminal else None
    if not (stat.S_ISREG(info.st_mode) or stat.S_ISFIFO(info.st_mode) or stat.S_ISSOCK(info.st_mode)):
        return None
    original = procfs.pidfd_getfd(pidfd, fd)
    access = fcntl.fcntl(original, fcntl.F_GETFL) & os.O_ACCMODE
    if access == os.O_RDONLY:
        os.close(original)
        return None
    if stat.S_ISREG(info.st_mode):
        command.files.append(FileCopy(original, stream, command.copy))
        return None
    tee = Tee(events, original, stream, command.copy)
    try:
        done = all(listener.put(call, tee.entrance, number) for number in ((1, 2) if stream == "both" else (fd,)))
    finally:
        os.close(tee.entrance)
    if not done:
        tee.close()
        return None  # the process is gone
    command.tees.append(tee)
    return None


def finish_output(command: StartedCommand) -> None:
    """The command has ended or is about to: pass on what it has printed, and write the rest of the records."""
    for tee in command.tees:
        tee.drain()
    for file in command.files:
        file.finish()
    command.files.clear()
    if command.copy is not None:
        command.copy.finish()
