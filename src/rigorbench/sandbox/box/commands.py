"""The commands that run in a sandbox: starting them, waiting for them, ending them with everything they started."""

from __future__ import annotations

import contextlib
import errno
import os
import selectors
import signal
import socket
import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, cast

import msgspec
from msgspec import Struct

from ...base import journal
from ..kit import cgroups
from . import groups, processes, runner, wire
from .limits import Enforcement
from .mount_gate import GateRun, MountGate, wait_readable
from .namespaces import Namespaces

if TYPE_CHECKING:
    from ..record.processes import Origin
    from ..record.recorder import Capture

_TICKS = os.sysconf("SC_CLK_TCK")
_KILLED = 137
_PATIENCE = 1.0  # seconds to end a command's processes one by one, before all of the sandbox's are ended


class RunningCommand(Struct, eq=False):
    """A command that runs."""

    request: wire.Exec
    channel: socket.socket
    started: int
    """Clock ticks since boot."""
    group: groups.CommandGroup | None
    """Its control group; None: there is none."""
    deadline: float | None
    """When its time is over (monotonic seconds)."""
    runner: int | None = None
    """The pid of its runner."""
    inside: int | None = None
    """The same as the sandbox counts."""
    command: str | None = None
    """Its id in the journal."""
    attached: bool = False
    """Whether the recorder knows it."""
    status: int | None = None
    """How it ended, as a wait status."""
    timed_out: bool = False
    error: int | None = None
    """The errno with which it could not be started."""
    what: str = ""
    """The same in words."""


class BoxCommands:
    """All commands of one sandbox. ``reply`` sends a message to the run process."""

    def __init__(
        self,
        inside: Namespaces,
        gate: MountGate,
        box_groups: groups.BoxGroups,
        enforcement: Enforcement,
        selector: selectors.BaseSelector,
        capture: Capture | None,
        reply: Callable[[msgspec.Struct], None],
    ) -> None:
        self._inside = inside
        self._gate = gate
        self._groups = box_groups
        self._enforcement = enforcement
        self._selector = selector
        self._capture = capture
        self._reply = reply
        self._running: dict[int, RunningCommand] = {}
        self._number = 0
        self._finished: list[groups.CommandGroup] = []  # of ended commands that left something running

    def start(self, request: wire.Exec, files: list[int]) -> None:
        """Fork the runner of a command. Its streams are ``files``, which this process then closes."""
        if not request.stdin:
            files.insert(0, os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC))
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        ours.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)  # the kernel names the sender, in our own numbers
        self._number += 1
        group = self._groups.command(f"c{self._number}")
        run = runner.RunRequest(
            argv=request.argv,
            cwd=request.cwd,
            env=request.env,
            recorded=self._capture is not None,
            program=self._enforcement.filter,
            limits=self._enforcement.resource_limits,
            cpus=self._enforcement.cpus,
        )
        started = int(time.clock_gettime(time.CLOCK_BOOTTIME) * _TICKS)
        deadline = None if request.timeout is None else time.monotonic() + request.timeout
        running = RunningCommand(request, ours, started, group, deadline)
        self._running[request.id] = running
        self._selector.register(ours, selectors.EVENT_READ, partial(self._receive, running))
        try:
            self._gate.request(GateRun(run), [theirs.fileno(), *files, *(group.files if group is not None else [])])
        except OSError as error:
            running.error, running.what = error.errno, "the sandbox is gone"
        finally:
            theirs.close()
            if group is not None:
                group.close()
            for file in files:
                os.close(file)

    # -- messages of runners

    def _receive(self, running: RunningCommand) -> None:
        """One message of a runner or of its child; an empty one when both have closed the channel."""
        try:
            data, files, sender = wire.receive(running.channel, 4096)
        except OSError:
            data, files, sender = b"", [], None
        if not data:
            # The channel closed without a status: the runner was killed. End the processes that it was waiting for.
            if running.status is None:
                running.status = signal.SIGKILL
                if running.group is None:
                    self._kill_orphans(running)
                else:
                    cgroups.kill(running.group.directory, time.monotonic() + _PATIENCE)
            self._finish(running)
            return
        kind, rest = data[:1], data[1:]
        if kind == b"B":
            running.inside, running.runner = int(rest), sender
        elif kind in b"LUP":
            if not (self._capture is None or running.attached):
                running.attached = True
                request = running.request
                running.command = self._capture.attach(
                    (files[0] if files else None),
                    sender,
                    [os.fsdecode(word) for word in request.argv],
                    os.fsdecode(request.cwd),
                    cast("Origin", request.origin),
                    request.tag,
                )
            if kind == b"U" and self._capture is not None:
                reason = rest.decode("utf-8", "replace")
                gap = journal.Gap(time.time(), "programs", f"no filter: {reason}", command=running.command)
                self._capture.note(gap)
        elif kind == b"E":
            number, _, what = rest.partition(b" ")
            running.error, running.what = int(number), what.decode("utf-8", "replace")
        elif kind == b"S":
            running.status = int(rest)
            self._finish(running)

    def _finish(self, running: RunningCommand) -> None:
        """Record the end of the command and report it to the run process."""
        if self._running.pop(running.request.id, None) is None:
            return
        self._selector.unregister(running.channel)
        running.channel.close()
        if running.group is not None:
            self._finished.append(running.group)
        self._finished = [g for g in self._finished if not cgroups.remove(g.directory)]
        status = running.status if running.status is not None else signal.SIGKILL
        if self._capture is not None and running.command is not None:
            self._capture.finished(running.command, status, running.timed_out)
        if running.error is not None:
            shown = 127 if running.error == errno.ENOENT else 126
            self._reply(wire.ProgramEnded(running.request.id, shown, error=running.error, what=running.what))
            return
        code = os.waitstatus_to_exitcode(status)
        shown = 128 - code if code < 0 else code
        self._reply(wire.ProgramEnded(running.request.id, _KILLED if running.timed_out else shown, running.timed_out))

    # -- ends

    def deadline(self) -> float:
        """When the time of the next command is over (monotonic seconds)."""
        return min((r.deadline for r in self._running.values() if r.deadline is not None), default=float("inf"))

    def expire(self, now: float) -> None:
        """End the commands whose time is over."""
        for running in list(self._running.values()):
            if running.deadline is not None and running.deadline <= now:
                running.timed_out = True
                self._end(running)

    def kill(self, number: int) -> None:
        """End a command that nobody waits for."""
        running = self._running.get(number)
        if running is not None:
            self._end(running)

    def _end(self, running: RunningCommand) -> None:
        """End a command and everything it started, and report that."""
        if self._capture is not None and running.command is not None:
            self._capture.stopping(running.command)
        deadline = time.monotonic() + _PATIENCE
        if running.group is not None:
            clean = cgroups.kill(running.group.directory, deadline)
        else:
            clean = self._kill_descendants(running, deadline)
        if not clean:
            self._gate.kill_all()
        self._signal_runner(running, signal.SIGKILL)
        running.error = None
        running.status = signal.SIGKILL
        self._finish(running)

    def _kill_descendants(self, running: RunningCommand, deadline: float) -> bool:
        """Without control groups: stop the runner, the parent of all orphans, and kill everything below it."""
        while running.inside is None and running.error is None and wait_readable(running.channel, _PATIENCE):
            self._receive(running)  # it has only just begun
            if running.request.id not in self._running:
                return True
        self._signal_runner(running, signal.SIGSTOP)
        while running.inside is not None:
            found = processes.descendants(processes.listing(self._inside.proc), [running.inside])
            if not found:
                return True
            if time.monotonic() > deadline:
                return False
            for process in found:
                processes.send(self._inside.proc, process, signal.SIGKILL)
        return True

    def _kill_orphans(self, running: RunningCommand) -> None:
        """Kill the children of process 1 that are younger than the command: they may be its orphans."""
        deadline = time.monotonic() + _PATIENCE
        while time.monotonic() < deadline:
            listed = processes.listing(self._inside.proc)
            found = [p for p in processes.descendants(listed, [1]) if p.started >= running.started]
            if not found and running.inside not in listed:  # its channel closes before it lets go of its children
                return
            for process in found:
                processes.send(self._inside.proc, process, signal.SIGKILL)
        self._gate.kill_all()

    def _signal_runner(self, running: RunningCommand, number: signal.Signals) -> None:
        if running.runner is not None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(running.runner, number)

    def abandon(self) -> None:
        """The sandbox has ended, and every command with it."""
        for running in list(self._running.values()):
            running.status = signal.SIGKILL if running.status is None else running.status
            self._finish(running)
