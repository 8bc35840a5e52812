"""The supervisor of one sandbox: it runs on the host, starts bubblewrap, runs commands inside, records, and cleans up.

One process per sandbox, one thread, one loop. When the run process dies, however it dies, the supervisor sees its
socket close: it kills the sandbox, takes a last snapshot, closes the journal and exits. When the supervisor itself is
killed, so is the sandbox (bubblewrap's --die-with-parent).
"""

from __future__ import annotations

import contextlib
import os
import resource
import select
import selectors
import signal
import socket
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, cast

import msgspec

from ...base import journal
from ..kit import bwrap
from . import directories, groups, layout, namespaces, wire
from .commands import BoxCommands
from .limits import Enforcement
from .mount_gate import MountGate
from .spec import BoxSpec

if TYPE_CHECKING:
    from ..record.recorder import Cause

_RECORD: msgspec.json.Decoder[journal.AnyRecord] = msgspec.json.Decoder(journal.AnyRecord)
_END = msgspec.json.Decoder(journal.End)
_PATIENCE = 10.0  # seconds that the end of a sandbox may take on a busy machine
_FAILURES = 20  # of handlers, before the sandbox is ended
_BEAT = 0.25  # seconds between looks at limits and background writes


class Supervisor:
    """Raises SandboxError or OSError when the sandbox cannot be started."""

    def __init__(self, spec: BoxSpec, link: socket.socket, owner: int) -> None:
        self.spec = spec
        self._link = link
        self._incoming = wire.Incoming[wire.ToSupervisor](wire.ToSupervisor)
        self._selector = selectors.DefaultSelector()
        self._gone: str | None = None
        self._stopping = False
        self._failures = 0
        self._owner = os.pidfd_open(owner)
        _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        root = bwrap.privileged()
        layout.check(spec)
        os.makedirs(spec.directory, exist_ok=True)
        self._lock = directories.hold(Path(spec.directory))
        layout.prepare(spec, layout.UID if root else None)
        self._groups = groups.BoxGroups(f"{groups.PREFIX}{os.getpid()}", spec.limits)
        try:
            self._enforcement = Enforcement(spec, self._groups)
            first = self._groups.command("init")
            try:
                self._inside = namespaces.start(spec, first.files if first else [])
            finally:
                if first is not None:
                    first.close()
            self._gate = MountGate(self._inside)
            self._enforcement.proc = self._inside.proc
            self._capture = None
            if self.spec.capture is not None:
                from ..record.recorder import Capture

                flags = os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC
                self._capture = Capture(
                    Path(self.spec.capture),
                    Path(layout.writable_mounts(self.spec)[0].source),
                    self._selector,
                    {
                        path: os.open(path.lstrip("/"), flags, dir_fd=self._inside.entrance.root)
                        for path in self.spec.decoys
                    },
                    self.spec.limits.recording,
                )
        except BaseException:
            self._groups.remove()
            raise
        self._commands = BoxCommands(
            self._inside, self._gate, self._groups, self._enforcement, self._selector, self._capture, self._reply
        )
        self._watch(self._link.fileno(), self._receive)
        self._watch(self._owner, self._orphaned)
        self._watch(self._inside.pidfd, self._ended)
        read, write = os.pipe()
        os.set_blocking(write, False)
        signal.signal(signal.SIGTERM, lambda number, frame: None)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        signal.set_wakeup_fd(write)
        self._watch(read, self._orphaned)
        features = list(self._capture.features) if self._capture is not None else []
        self._reply(wire.Started(self._inside.pid, self._enforcement.in_force, features, layout.UID))

    def _watch(self, file: int, callback: Callable[[], None]) -> None:
        self._selector.register(file, selectors.EVENT_READ, callback)

    def serve(self) -> None:
        """Work until the sandbox is stopped or the run process is gone."""
        due = time.monotonic() + _BEAT
        while not self._stopping:
            now = time.monotonic()
            for key, _ in self._selector.select(max(0.0, min(due, self._commands.deadline()) - now)):
                if not self._stopping:
                    self._guarded(cast(Callable[[], None], key.data))
            now = time.monotonic()
            self._guarded(partial(self._commands.expire, now))
            if now >= due and not self._stopping:
                self._guarded(self._beat)
                due = time.monotonic() + _BEAT

    def _guarded(self, action: Callable[[], None]) -> None:
        """What a program inside brings about must not end the recording: a failure is a gap, many end the sandbox."""
        try:
            action()
        except Exception as error:
            self._failures += 1
            reason = f"the supervisor failed ({type(error).__name__}: {str(error)[:200]})"
            if self._failures <= _FAILURES:
                self._note(journal.Gap(time=time.time(), what="recorder", reason=reason))
            elif self._gone is None:
                self._end(reason)
            else:
                raise

    def _beat(self) -> None:
        if self._capture is not None:
            self._capture.tick()
        if self._gone is not None:
            return
        for exceeded in self._enforcement.look(self._capture.size if self._capture is not None else 0):
            record = journal.Limit(time=time.time(), kind=exceeded.kind, limit=exceeded.limit, used=exceeded.used)
            self._note(record)
            if exceeded.ends is not None:
                self._end(exceeded.ends)

    def _note(self, record: journal.JournalRecord) -> None:
        if self._capture is not None:
            self._capture.note(record)

    # -- messages of the run process

    def _receive(self) -> None:
        try:
            if not self._incoming.receive(self._link):
                self._orphaned()
                return
        except ConnectionError:
            self._orphaned()
            return
        for message, files in self._incoming.messages():
            self._handle(message, files)
            if self._stopping:
                break

    def _handle(self, message: wire.ToSupervisor, files: list[int]) -> None:
        match message:
            case wire.Exec():
                if self._gone is not None:
                    self._reply(wire.ProgramEnded(message.id, 137))
                    for file in files:
                        os.close(file)
                else:
                    self._enforcement.begin()
                    self._commands.start(message, files)
            case wire.Kill():
                self._commands.kill(message.id)
            case wire.OpenFile():
                self._open(message)
            case wire.Write():
                self._answer(message.id, lambda: self._note(_RECORD.decode(message.record)))
            case wire.TakeSnapshot():
                self._answer(
                    message.id,
                    lambda: None if self._capture is None else self._capture.snapshot(cast("Cause", message.cause)),
                )
            case wire.StopBox():
                end = None if message.end is None else _END.decode(message.end)
                self._answer(message.id, lambda: self._close(end))

    def _answer(self, number: int, action: Callable[[], str | None]) -> None:
        try:
            self._reply(wire.Finished(number, action()))
        except (OSError, msgspec.MsgspecError) as error:
            self._reply(wire.Finished(number, error=f"{type(error).__name__}: {error}"))

    def _open(self, message: wire.OpenFile) -> None:
        if self._gone is not None:
            self._reply(wire.Opened(message.id, 5))
            return
        try:
            error, files = self._gate.open(message.path, message.write)
        except OSError:
            error, files = 5, []
        self._reply(wire.Opened(message.id, error), files)
        for file in files:
            os.close(file)

    def _reply(self, message: msgspec.Struct, files: list[int] | None = None) -> None:
        with contextlib.suppress(ConnectionError):  # the run process is gone: reading from its socket shows it next
            wire.send(self._link, message, files)

    # -- ends

    def _ended(self) -> None:
        """Process 1 has ended."""
        self._end("the sandbox ended by itself")

    def _end(self, reason: str) -> None:
        """The sandbox has ended, but its journal can still be written and its files can still be read."""
        if self._gone is None:
            self._gone = reason
            self._reply(wire.Gone(reason))  # first of all, so that no command is blamed for what follows
            self._kill()

    def _kill(self) -> None:
        """End process 1 and with it all processes of the sandbox; wait for that."""
        if self._capture is not None:
            self._capture.stopping(None)
        with contextlib.suppress(KeyError):
            self._selector.unregister(self._inside.pidfd)
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._inside.pidfd, signal.SIGKILL)
        select.select([self._inside.pidfd], [], [], _PATIENCE)  # it ends when all others inside have ended
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._inside.monitor, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            os.waitpid(self._inside.monitor, 0)
        self._commands.abandon()

    def _orphaned(self) -> None:
        """The run process is gone."""
        self._close(None)

    def _close(self, end: journal.End | None) -> str | None:
        self._stopping = True
        if self._gone is None:
            self._gone = "the sandbox was stopped"
            self._kill()
        tree = None
        try:
            if self._capture is not None:
                tree = self._capture.close(end)
        finally:
            self._groups.remove()
        return tree
