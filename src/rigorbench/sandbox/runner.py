"""What happens between a fork of the warden and the program that is to run inside the sandbox.

The fork (the runner) enters the sandbox, becomes the one to whom orphans of this command go, and forks once more; the
child becomes the program. The runner waits for it, says how it ended, and leaves; what is still running then (a server
started in the background) goes to process 1. Nothing here may return
into the caller's code, and nothing may be imported here: the files of this program are not to be seen inside.
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

from rigorbench.sandbox.capture import seccomp

from . import syscalls
from .spec import Limits

_FAILED, _CANNOT, _MISSING = 125, 126, 127
# Python ignores some of these, and what is ignored would stay so in the program.
_RESET = (signal.SIGCHLD, signal.SIGHUP, signal.SIGINT, signal.SIGPIPE, signal.SIGTERM, signal.SIGXFSZ)


class Entrance(Struct):
    """The open files through which one gets into a sandbox, and who one is there.

    ``namespaces``: (file, kind) in the order of entering; ``root``: its root directory; ``user``: its user namespace,
    when it has one of its own; ``uid``: whom to become, if ``change_user`` (else one is that already).
    """

    namespaces: list[tuple[int, int]]
    root: int
    user: int | None
    uid: int
    change_user: bool
    last_capability: int

    def files(self) -> list[int]:
        return [self.root, *(file for file, _ in self.namespaces), *([] if self.user is None else [self.user])]


class Order(Struct):
    """What to run and under which conditions. ``witnessed``: the filter whose listener goes to the warden is wanted;
    ``program``: the one that refuses system calls; ``limits``: {kind: (soft, hard)}; ``cpus``: the only ones to use."""

    argv: list[bytes]
    cwd: bytes
    env: dict[bytes, bytes]
    witnessed: bool
    program: bytes | None
    limits: dict[int, tuple[int, int]]
    cpus: list[int] | None


def resource_limits(limits: Limits, *, processes: bool, memory: bool) -> dict[int, tuple[int, int]]:
    """What is held by rlimits: of each process, or (``processes``, ``memory``) where nothing better holds it."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    files = 65536 if most == resource.RLIM_INFINITY else min(most, 65536)
    found = {resource.RLIMIT_CORE: (0, 0), resource.RLIMIT_NOFILE: (min(files, 4096), files)}
    wanted = [(resource.RLIMIT_FSIZE, limits.disk)]
    if processes:
        wanted.append((resource.RLIMIT_NPROC, limits.processes))
    if memory:
        wanted.append((resource.RLIMIT_DATA, limits.memory))
    for kind, value in wanted:
        hard = resource.getrlimit(kind)[1]
        if value is not None:
            value = value if hard == resource.RLIM_INFINITY else min(value, hard)
            found[kind] = (value, value)
    return found


def enter(entrance: Entrance) -> None:
    """Go into the sandbox. Capabilities are still held, as far as the namespaces at work give them."""
    for file, kind in entrance.namespaces:
        syscalls.setns(file, kind)
    os.fchdir(entrance.root)
    os.chroot(".")
    os.chdir("/")
    if entrance.user is not None:
        syscalls.setns(entrance.user, syscalls.CLONE_NEWUSER)
    syscalls.drop_bounding_set(entrance.last_capability)


def become_user(entrance: Entrance) -> None:
    """The sandbox's user, without any capability."""
    if entrance.change_user:
        os.setgroups([])
        os.setresgid(entrance.uid, entrance.uid, entrance.uid)
        os.setresuid(entrance.uid, entrance.uid, entrance.uid)
    syscalls.drop_capabilities()


def run(entrance: Entrance, order: Order, channel: socket.socket, streams: list[int], groups: list[int]) -> NoReturn:
    """The whole life of a runner.

    Messages on ``channel``: B (the runner's pid inside), L (with the listener), U (there is none, and why), P (none is
    wanted), E (errno, what), S (wait status).
    """
    try:
        _run(entrance, order, channel, streams, groups)
    except OSError as error:
        _say(channel, b"E%d %s" % (error.errno or errno.EIO, str(error.strerror).encode()))
    finally:
        os._exit(_FAILED)


def _say(channel: socket.socket, message: bytes) -> None:
    try:
        channel.send(message)
    except OSError:
        os._exit(_FAILED)


def _run(entrance: Entrance, order: Order, channel: socket.socket, streams: list[int], groups: list[int]) -> None:
    for file in groups:
        os.write(file, b"0")
    _say(channel, b"B%d" % os.getpid())  # as the sandbox counts
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.setsid()
    syscalls.subreaper()
    enter(entrance)
    child = os.fork()
    if child == 0:
        _become(entrance, order, channel, streams)
    _only([entrance.root] * 3, channel.fileno())  # anything but the streams of the command
    syscalls.drop_capabilities()
    while True:
        pid, status = os.waitpid(-1, 0)
        if pid == child:
            _say(channel, b"S%d" % status)
            os._exit(0)


def _become(entrance: Entrance, order: Order, channel: socket.socket, streams: list[int]) -> NoReturn:
    code = _CANNOT
    try:
        if order.cpus:
            os.sched_setaffinity(0, order.cpus)
        for kind, values in order.limits.items():
            resource.setrlimit(kind, values)
        become_user(entrance)
        os.setsid()
        os.umask(0o022)
        os.chdir(order.cwd)
        program = find_program(order.argv[0], order.env.get(b"PATH", b""))
        _only([os.dup(f) for f in streams], channel.fileno())
        for number in _RESET:
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
        if order.program is not None:
            syscalls.filter_calls(order.program)
        if order.witnessed:
            _witness(channel)
        else:
            channel.send(b"P")
        os.execve(program, order.argv, order.env)
    except OSError as error:
        code = _MISSING if error.errno == errno.ENOENT else _CANNOT
        _say(channel, b"E%d %s" % (error.errno or errno.EIO, str(error.strerror).encode()))
    finally:
        os._exit(code)


def _witness(channel: socket.socket) -> None:
    """From here on every start of a program and every exit waits for the warden."""
    try:
        listener = seccomp.install()
    except OSError as error:
        channel.send(b"U" + str(error).encode()[:500])
    else:
        # The warden wants to see what is about to start; whoever else looks finds a process that is witnessed already.
        syscalls.dumpable(True)
        socket.send_fds(channel, [b"L"], [listener])
        os.close(listener)


def _only(streams: list[int], channel: int) -> None:
    """Close all files but 0, 1, 2 (now the ``streams``) and the channel, which closes when the program starts."""
    for number, file in enumerate(streams):
        os.dup2(file, number)
    os.closerange(3, channel)
    os.closerange(channel + 1, 1 << 20)


def find_program(name: bytes, path: bytes) -> bytes:
    """The file that a shell would run for ``name``. One try at running it then shows as one start of a program.

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
    """Open ``path`` as the sandbox's user, in the sandbox's view of the files, and hand the open file over.

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
        _say(channel, b"E%d Not a directory" % errno.ENOTDIR)
    except OSError as error:
        _say(channel, b"E%d %s" % (error.errno or errno.EIO, str(error.strerror).encode()))
    finally:
        os._exit(0)


def kill_all(entrance: Entrance) -> NoReturn:
    """End every process of the sandbox's user at one blow: the kernel lets none of them fork meanwhile."""
    try:
        enter(entrance)
        become_user(entrance)
        os.kill(-1, signal.SIGKILL)
    except ProcessLookupError:
        pass
    finally:
        os._exit(0)
