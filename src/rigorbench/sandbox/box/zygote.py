"""The process that supervisors are forked from: small, single-threaded, with everything they need already imported.

Started once per run process as ``python -I -S`` (see `box`), with a clean environment, so that nothing of the run (its
keys, its files, its memory) can be found in or near a sandbox.
"""

from __future__ import annotations

import importlib
import os
import signal
import socket
import sys
import traceback
from contextlib import suppress
from types import TracebackType

import msgspec

from ..kit import hardening, syscalls
from ..kit.errors import SandboxError
from . import layout, wire
from .supervisor import Supervisor


def main(fd: int) -> None:
    """Serve `wire.Launch` requests from socket ``fd`` until its other end is closed."""
    syscalls.rename_process("rigor-zygote")
    syscalls.dumpable(False)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    with suppress(SandboxError):  # cached for all supervisors, which will report the error
        layout.copies(network=False)
    hardening.program()
    control = socket.socket(fileno=fd)
    control.set_inheritable(False)
    incoming = wire.Incoming[wire.Launch](wire.Launch)
    while incoming.receive(control):
        for message, files in incoming.messages():
            if len(files) == 1:
                if message.spec.capture is not None:
                    importlib.import_module("rigorbench.sandbox.record.recorder")  # once, for all supervisors to come
                if os.fork() == 0:
                    control.close()
                    _supervise(message, socket.socket(fileno=files[0]))
                os.close(files[0])


def _supervise(message: wire.Launch, link: socket.socket) -> None:
    """The rest of this process's life."""
    me = os.getpid()

    def failed(kind: type[BaseException], error: BaseException, where: TracebackType | None) -> None:
        if os.getpid() == me:
            traceback.print_exception(kind, error, where)
            _report(link, f"the supervisor of the sandbox failed ({kind.__name__}: {error})")
        os._exit(1)

    sys.excepthook = failed
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    syscalls.rename_process("rigor-sandbox")
    os.setsid()
    try:
        supervisor = Supervisor(message.spec, link, message.owner)
    except (SandboxError, OSError) as error:
        _report(link, str(error))
        os._exit(1)
    supervisor.serve()
    os._exit(0)


def _report(link: socket.socket, reason: str) -> None:
    try:
        link.setblocking(True)
        wire.send(link, wire.Gone(reason))
    except (OSError, msgspec.MsgspecError):
        return  # the other side is gone
