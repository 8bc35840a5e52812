"""The process that wardens are forked from: small, single-threaded, with everything they need already imported.

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

from .. import hardening, layout, syscalls
from ..errors import SandboxError
from . import wire
from .supervisor import Warden


def main(fd: int) -> None:
    """Serve `wire.Launch` requests from socket ``fd`` until its other end is closed."""
    syscalls.rename_process("rigor-zygote")
    syscalls.dumpable(False)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    with suppress(SandboxError):  # what each warden would otherwise find out for itself; it will complain if need be
        layout.contents()
    hardening.program()
    control = socket.socket(fileno=fd)
    control.set_inheritable(False)
    incoming = wire.Incoming("warden")
    while incoming.receive(control):
        for message, files in incoming.messages():
            if isinstance(message, wire.Launch) and len(files) == 1:
                if message.spec.capture is not None:
                    importlib.import_module("rigorbench.sandbox.capture.recorder")  # once, for all wardens to come
                if os.fork() == 0:
                    control.close()
                    _be_warden(message, socket.socket(fileno=files[0]))
                os.close(files[0])


def _be_warden(message: wire.Launch, link: socket.socket) -> None:
    """The rest of this process's life."""
    me = os.getpid()

    def failed(kind: type[BaseException], error: BaseException, where: TracebackType | None) -> None:
        if os.getpid() == me:
            traceback.print_exception(kind, error, where)
            _tell(link, f"the warden of the sandbox failed ({kind.__name__}: {error})")
        os._exit(1)

    sys.excepthook = failed
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    syscalls.rename_process("rigor-warden")
    os.setsid()
    try:
        warden = Warden(message.spec, link, message.owner)
    except (SandboxError, OSError) as error:
        _tell(link, str(error))
        os._exit(1)
    warden.serve()
    os._exit(0)


def _tell(link: socket.socket, reason: str) -> None:
    try:
        link.setblocking(True)
        wire.send(link, wire.Gone(reason))
    except (OSError, msgspec.MsgspecError):
        return  # the other side is gone; there is nobody to tell
