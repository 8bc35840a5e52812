"""The mount gate: the process through which a supervisor gets programs into its sandbox.

It has joined the sandbox's process namespace, so what it forks belongs to the sandbox. The supervisor itself must not
join, or whatever it starts on the host would be visible inside. The gate is forked from the supervisor before that has
any state, so its own forks are cheap and inherit nothing.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import socket
from collections.abc import Callable
from functools import partial
from typing import NoReturn

from msgspec import Struct

from ..kit import syscalls
from . import runner, wire
from .namespaces import Namespaces

_PATIENCE = 30.0  # seconds for what takes milliseconds


class GateRun(Struct, tag=True):
    """Run a program. Files: channel, standard input, output, error, and those of the control groups to join."""

    request: runner.RunRequest


class Open(Struct, tag=True):
    """Open a file as the sandbox's user sees it. Files: channel."""

    path: bytes
    write: bool


class KillAll(Struct, tag=True):
    """End every process of the sandbox's user. Files: channel, which closes when that is done."""


Request = GateRun | Open | KillAll


class MountGate:
    """The supervisor's side of the gate."""

    def __init__(self, inside: Namespaces) -> None:
        self._inside = inside
        self._socket, theirs = socket.socketpair()
        self.pid = os.fork()
        if self.pid == 0:
            self._socket.close()
            try:
                syscalls.rename_process("rigor-runner")
                keep = {0, 1, 2, theirs.fileno(), inside.processes, *inside.entrance.files()}
                for name in os.listdir("/proc/self/fd"):
                    if int(name) not in keep:
                        with contextlib.suppress(OSError):
                            os.close(int(name))
                # What is forked here reports to the supervisor by its channel; the kernel removes it at its end.
                signal.signal(signal.SIGCHLD, signal.SIG_IGN)
                signal.signal(signal.SIGTERM, signal.SIG_DFL)
                syscalls.setns(inside.processes, syscalls.CLONE_NEWPID)
                os.close(inside.processes)
                incoming = wire.Incoming[Request](Request)
                while incoming.receive(theirs):
                    for message, files in incoming.messages():
                        channel = socket.socket(fileno=files[0])
                        work: Callable[[], NoReturn]
                        match message:
                            case GateRun():
                                work = partial(
                                    runner.run, inside.entrance, message.request, channel, files[1:4], files[4:]
                                )
                            case Open():
                                work = partial(runner.open_file, inside.entrance, message.path, message.write, channel)
                            case KillAll():
                                work = partial(runner.kill_all, inside.entrance)
                        try:
                            if os.fork() == 0:
                                work()
                        except OSError as error:
                            with contextlib.suppress(OSError):
                                channel.send(
                                    b"E%d no further process can be started in the sandbox" % (error.errno or 11)
                                )
                        finally:
                            channel.close()
                            for file in files[1:]:
                                os.close(file)
            finally:
                os._exit(0)
        theirs.close()

    def request(self, message: Struct, files: list[int]) -> None:
        """Send a request. Raises OSError when the gate is gone."""
        wire.send(self._socket, message, files)

    def open(self, path: bytes, write: bool) -> tuple[int | None, list[int]]:
        """Open a file of the sandbox: (errno, []) or (None, [the file])."""
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with ours:
            with theirs:
                self.request(Open(path, write), [theirs.fileno()])
            ours.settimeout(_PATIENCE)
            answer, files, _ = wire.receive(ours, 1024)
        return (None if files else int(answer[1:].split(b" ", 1)[0] or 5) if answer else 5), files

    def kill_all(self) -> None:
        """End every process of the sandbox's user."""
        ours, theirs = socket.socketpair()
        with ours:
            with theirs:
                self.request(KillAll(), [theirs.fileno()])
            ours.settimeout(_PATIENCE)
            ours.recv(1)


def wait_readable(sock: socket.socket, seconds: float) -> bool:
    return bool(select.select([sock], [], [], seconds)[0])
