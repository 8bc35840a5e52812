"""What happens between a fork of the mount gate and the program that is to run inside the sandbox.

The fork (the runner) enters the sandbox, becomes the parent of this command's orphans, and forks once more; the child
becomes the program. The runner waits for it, reports how it ended, and exits; processes that are still running then (a
server started in the background) become children of process 1. Nothing here may return into the caller's code, and
nothing may be imported here: the files of this program must not be visible inside.
"""

from __future__ import annotations

import errno
import os
import resource
import signal
import socket
import stat
from typing import NoReturn

from msgspec import Struct

from ..kit import syscalls
from ..kit.rlimits import Limit, capped
from ..record import seccomp
from .spec import BoxLimits

_FAILED, _CANNOT, _MISSING = 125, 126, 127
# What is ignored would stay so in the program: by Python, and by whoever started us in the background (`nohup`, `&`).
_RESET = tuple(signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP})


class Entrance(Struct):
    """The open files through which a process enters a sandbox, and its user there."""

    namespaces: list[tuple[int, int]]
    """(file, kind) in the order of entering."""
    root: int
    user: int | None
    """The sandbox's user namespace; None: it has none of its own."""
    uid: int
    change_user: bool
    """Whether a process has to change to ``uid`` (else it has that number already)."""
    last_capability: int
    """The highest capability of this kernel."""

    def files(self) -> list[int]:
        return [self.root, *(file for file, _ in self.namespaces), *([] if self.user is None else [self.user])]


class RunRequest(Struct):
    """What to run and under which conditions."""

    argv: list[bytes]
    cwd: bytes
    env: dict[bytes, bytes]
    recorded: bool
    """Whether to install the filter whose listener goes to the supervisor."""
    program: bytes | None
    """The filter that refuses system calls."""
    limits: list[Limit]
    cpus: list[int] | None
    """The only processors to use; None: all."""


def resource_limits(limits: BoxLimits, *, processes: bool, memory: bool) -> list[Limit]:
    """What rlimits limit: of each process, and (``processes``, ``memory``) where nothing better limits the sandbox."""
    found = [capped(resource.RLIMIT_CORE, 0), capped(resource.RLIMIT_NOFILE, 4096, 65536)]
    for kind, value in (
        (resource.RLIMIT_FSIZE, limits.disk),
        (resource.RLIMIT_NPROC, limits.processes if processes else None),
        (resource.RLIMIT_DATA, limits.memory if memory else None),
    ):
        if value is not None:
            found.append(capped(kind, value))
    return found


def enter(entrance: Entrance) -> None:
    """Enter the sandbox. The process keeps the capabilities that its namespaces give it."""
    for file, kind in entrance.namespaces:
        syscalls.setns(file, kind)
    os.fchdir(entrance.root)
    os.chroot(".")
    os.chdir("/")
    if entrance.user is not None:
        syscalls.setns(entrance.user, syscalls.CLONE_NEWUSER)
    syscalls.drop_bounding_set(entrance.last_capability)


def become_user(entrance: Entrance) -> None:
    """Become the sandbox's user, without any capability."""
    if entrance.change_user:
        os.setgroups([])
        os.setresgid(entrance.uid, entrance.uid, entrance.uid)
        os.setresuid(entrance.uid, entrance.uid, entrance.uid)
    syscalls.drop_capabilities()


def run(
    entrance: Entrance, request: RunRequest, channel: socket.socket, streams: list[int], groups: list[int]
) -> NoReturn:
    """The whole life of a runner.

    Messages on ``channel``: B (the runner's pid inside), L (with the listener), U (there is none, and why), P (not
    recorded), E (errno, what), S (wait status).
    """
    try:
        for file in groups:
            os.write(file, b"0")
        _send(channel, b"B%d" % os.getpid())  # as the sandbox counts
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.setsid()
        syscalls.subreaper()
        enter(entrance)
        child = os.fork()
        if child == 0:
            _become(entrance, request, channel, streams)
        _only([entrance.root] * 3, channel.fileno())  # anything but the streams of the command
        syscalls.drop_capabilities()
        while True:
            pid, status = os.waitpid(-1, 0)
            if pid == child:
                _send(channel, b"S%d" % status)
                os._exit(0)
    except OSError as error:
        _send(channel, b"E%d %s" % (error.errno or errno.EIO, str(error.strerror).encode()))
    finally:
        os._exit(_FAILED)


def _send(channel: socket.socket, message: bytes) -> None:
    try:
        channel.send(message)
    except OSError:
        os._exit(_FAILED)


def _become(entrance: Entrance, request: RunRequest, channel: socket.socket, streams: list[int]) -> NoReturn:
    code = _CANNOT
    try:
        if request.cpus:
            os.sched_setaffinity(0, request.cpus)
        for kind, soft, hard in request.limits:
            resource.setrlimit(kind, (soft, hard))
        become_user(entrance)
        os.setsid()
        os.umask(0o022)
        os.chdir(request.cwd)
        program = find_program(request.argv[0], request.env.get(b"PATH", b""))
        _only([os.dup(f) for f in streams], channel.fileno())
        for number in _RESET:
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
        if request.program is not None:
            syscalls.filter_calls(request.program)
        if request.recorded:
            try:
                listener = seccomp.install()
            except OSError as error:
                channel.send(b"U" + str(error).encode()[:500])
            else:
                # The supervisor must see what is about to start; to all others the process already is a recorded one.
                syscalls.dumpable(True)
                socket.send_fds(channel, [b"L"], [listener])
                os.close(listener)
        else:
            channel.send(b"P")
        os.execve(program, request.argv, request.env)
    except OSError as error:
        code = _MISSING if error.errno == errno.ENOENT else _CANNOT
        _send(channel, b"E%d %s" % (error.errno or errno.EIO, str(error.strerror).encode()))
    finally:
        os._exit(code)


def _only(streams: list[int], channel: int) -> None:
    """Close all files but 0, 1, 2 (now the ``streams``) and the channel, which closes when the program starts."""
    for number, file in enumerate(streams):
        os.dup2(file, number)
    os.closerange(3, channel)
    os.closerange(channel + 1, 1 << 20)


def find_program(name: bytes, path: bytes) -> bytes:
    """The file that a shell would run for ``name``. Running it is then one attempt, recorded as one program start.

    Raises:
        OSError: ENOENT, EACCES or EISDIR, as running it would have given.
    """
    if not name:
        raise OSError(errno.ENOENT, "no program given")
    if b"/" in name:
        return name
    refused = False
    for directory in path.split(b":"):
        candidate = os.path.join(directory or b".", name)
        try:
            mode = os.stat(candidate).st_mode
        except OSError:
            continue
        if stat.S_ISREG(mode) and os.access(candidate, os.X_OK):
            return candidate
        refused = True
    raise OSError(errno.EACCES if refused else errno.ENOENT, "Permission denied" if refused else "not found in PATH")


def open_file(entrance: Entrance, path: bytes, write: bool, channel: socket.socket) -> NoReturn:
    """Open ``path`` as the sandbox's user, in the sandbox's view of the files, and send the open file.

    Links, ``..`` and permissions mean what they mean to the user inside, however they change meanwhile. Only regular
    files are opened. Answers: F (with the file) or E (errno, what).
    """
    try:
        enter(entrance)
        become_user(entrance)
        os.umask(0o022)
        if write:
            os.makedirs(os.path.dirname(path) or b"/", exist_ok=True)
            flags = os.O_WRONLY | os.O_CREAT
        else:
            flags = os.O_RDONLY
        if os.path.isdir(path):
            raise OSError(errno.EISDIR, "Is a directory")
        file = os.open(path, flags | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY, 0o644)
        if not stat.S_ISREG(os.fstat(file).st_mode):
            raise OSError(errno.EINVAL, "not a regular file")
        if write:
            os.ftruncate(file, 0)
        socket.send_fds(channel, [b"F"], [file])
    except FileExistsError:
        _send(channel, b"E%d Not a directory" % errno.ENOTDIR)
    except OSError as error:
        _send(channel, b"E%d %s" % (error.errno or errno.EIO, str(error.strerror).encode()))
    finally:
        os._exit(0)


def kill_all(entrance: Entrance) -> NoReturn:
    """End every process of the sandbox's user at once: the kernel lets none of them fork meanwhile."""
    try:
        enter(entrance)
        become_user(entrance)
        os.kill(-1, signal.SIGKILL)
    except ProcessLookupError:
        pass
    finally:
        os._exit(0)
