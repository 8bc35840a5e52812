"""The recorder, used by the supervisor of a sandbox: everything that is recorded of a run goes through a `Capture`.

The order of the journal's records around a command that the agent asked for: the tree before it (if it differs from the
last one recorded), the command, what it started and printed, the tree after it, its exit. Its background processes may
print later.
"""

from __future__ import annotations

import os
import selectors
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Final, Literal

from ...base import journal
from . import procfs, seccomp
from .decoys import Decoys
from .events import IN, Events
from .notify import Listener, Notification
from .output import attach_output, finish_output
from .processes import Origin, Processes, ProcessWatch, RecordedProcess, StartedCommand, is_server, origin_of
from .worktree import RecordedTree
from .writer import JournalWriter, text

Cause = Literal["start", "before", "after", "model", "background", "end"]
_AT_ONCE: Final = 64  # stopped calls handled before others get a turn
_BEAT: Final = 0.5  # seconds between looks for background writes, at the least
_SHARE: Final = 30  # a look that takes long is followed by this many times as long without


class Capture:
    """Records one run. All calls come from one thread, the supervisor's loop.

    Args:
        directory: For journal.jsonl and store.git.
        root_on_host: The repository's directory on the host.
        selector: The selector of the loop.
        decoys: {path inside: its open directory, which is closed here}.
        limit: Bytes that may be stored after the first snapshot. What comes after them is a gap.

    It registers its file in ``selector`` with ``data`` = a callable without arguments, to be called when the file is
    ready. `tick` must be called at least every half second.

    Raises:
        OSError: the directory cannot be written, or another process records into it.
    """

    def __init__(
        self,
        directory: Path,
        root_on_host: Path,
        selector: selectors.BaseSelector,
        decoys: Mapping[str, int] | None = None,
        limit: int | None = None,
    ) -> None:
        directory.mkdir(parents=True, exist_ok=True)
        self.writer = JournalWriter(directory / journal.JOURNAL)
        self._selector = selector
        self._events = Events(self._failed)
        selector.register(self._events.fileno(), selectors.EVENT_READ, self._ready)
        self._tree = RecordedTree(root_on_host, directory / journal.STORE, self.note, limit)
        self._processes = Processes()
        self._commands: dict[str, StartedCommand] = {}
        self._open: dict[StartedCommand, None] = {}  # started and not ended, in order
        self._listeners: dict[Listener, ProcessWatch] = {}
        self._number = 0
        self._gaps: set[str] = set()
        self._due = 0.0
        self._closed = False
        self._stopping = False
        self.features = ["trees"]
        """What is recorded here ("commands", "output", "trees", "decoys")."""
        reason = seccomp.available()
        if reason is None:
            self.features = ["commands", "output", "trees"]
        else:
            self._gap("commands", f"programs started inside commands are not seen: {reason}")
        self._decoys = Decoys(self._events, decoys, self._decoy_opened) if decoys else None
        if self._decoys is not None:
            if len(self._decoys.missing) < len(decoys or ()):
                self.features.append("decoys")
            for path, why in self._decoys.missing.items():
                self._gap("decoys", f"{path} cannot be watched: {why}")

    @property
    def size(self) -> int:
        """Bytes of the journal, and of what was to be stored after the first snapshot."""
        return self.writer.size + self._tree.offered

    # -- calls of the supervisor

    def attach(
        self,
        listener: int | None,
        pid: int | None,
        argv: list[str],
        cwd: str | None,
        origin: Origin,
        tag: str | None = None,
    ) -> str:
        """The engine is about to execute a command. Returns its id.

        Args:
            listener: From `seccomp.install` in the child, which may wait in its execve already; the recorder owns it
                from now on. None: there is no filter.
            pid: The child's, as the host sees it.
            argv: The command.
            cwd: Its directory inside.
            origin: Who asked for it.
            tag: For the journal.
        """
        words = [os.fsencode(word) for word in argv]
        command = self._new(words, "engine" if is_server(words) else origin, None)
        command.tag, command.cwd = tag, cwd
        self._commands[command.id] = command
        if listener is None:
            self._gap("commands", "no filter: programs that this command starts, and its output, are not seen", command)
            self._record_start(command, pid or 0, False)
            return command.id
        watch = command.watch = ProcessWatch(command, pid)
        relatives = procfs.family(pid) if pid is not None else None
        watch.runner = relatives[1] if relatives is not None else None
        opened = Listener(listener)
        self._listeners[opened] = watch
        self._events.watch(opened.fd, IN, lambda mask: self._notified(opened, watch))
        return command.id

    def stopping(self, command: str | None) -> None:
        """The engine is about to end ``command`` and all it started (None: everything): the reason is "timeout"."""
        if command is None:
            self._stopping = True
        elif command in self._commands:
            self._commands[command].stopping = True

    def finished(self, command: str, status: int, timed_out: bool = False) -> None:
        """The engine's child for ``command`` has ended with this wait status (as of os.waitpid). Passes on its output.

        To be called before the client is informed. Does nothing for a command whose end was recorded already.
        """
        known = self._commands.pop(command, None)
        if known is None:
            return
        known.stopping |= timed_out
        self._drain_events()
        if not known.started:
            self._record_start(known, known.watch.pid or 0 if known.watch else 0, False)
        self._end(known, status)
        for tee in known.tees:
            tee.drain()

    def note(self, record: journal.JournalRecord) -> None:
        """Write a record of the engine (`journal.Run` first)."""
        self.writer.write(record)

    def snapshot(self, cause: Cause) -> str | None:
        """The git tree of the work tree as it is now; a Tree record if it differs from the last one.

        The first call (or the agent's first command) records the state at the start. None: it cannot be read or stored;
        a Gap gives the reason.
        """
        self._drain_events()
        return self._tree.look(cause, None)

    def tick(self) -> None:
        """Housekeeping between events: background writes, output held back. Cheap when nothing is due."""
        self._drain_events()
        now = time.monotonic()
        if self._closed or now < self._due:
            return
        for command in self._open:
            if command.copy is not None:
                command.copy.flush()
        if self._tree.begun:
            self._tree.look("background", self._only_tool())
            self._due = time.monotonic() + max(_BEAT, _SHARE * (time.monotonic() - now))

    def close(self, end: journal.End | None) -> str | None:
        """Record the last tree (all processes of the sandbox have ended) and ``end`` (None: the run was killed)."""
        if self._closed:
            return None
        self._stopping = True
        for _ in range(1000):
            if not self._events.run():
                break
        for command in list(self._open):
            self._end(command, None)
            for tee in command.tees:
                tee.close()
        for listener in list(self._listeners):
            self._drop_listener(listener)
        for process in list(self._processes.by_pid.values()):
            self._drop_process(process)
        if self._decoys is not None:
            self._decoys.close()
        tree = self._tree.look("end", None, everything=True)
        self._tree.close()
        if end is not None:
            end.final_tree = end.final_tree or tree
            self.note(end)
        self._closed = True
        self._selector.unregister(self._events.fileno())
        self._events.close()
        self.writer.close()
        return tree

    # -- stopped calls

    def _ready(self) -> None:
        self._events.run()

    def _drain_events(self) -> None:
        for _ in range(20):
            if self._closed or not self._events.run():
                return

    def _notified(self, listener: Listener, watch: ProcessWatch) -> None:
        for _ in range(_AT_ONCE):
            state = listener.state() if listener.fd >= 0 else 0
            if state < 0:
                self._drop_listener(listener)
            if state <= 0:
                return
            call = listener.receive()
            if call is None:
                continue
            refused = 0
            try:
                if call.call == seccomp.EXIT_GROUP:
                    process = self._processes.by_pid.get(call.tid)
                    if process is None:
                        relatives = procfs.family(call.tid)
                        process = self._processes.by_pid.get(relatives[0]) if relatives is not None else None
                    if process is not None and process.alive():
                        self._end_process(process, (call.args[0] & 0xFF) << 8)
                else:
                    refused = self._executes(listener, watch, call)
            except Exception as error:  # whatever it was, the program must go on: it waits for the answer
                what = error if isinstance(error, OSError) else type(error).__name__
                self._gap("commands", f"a program's {call.call} was not recorded: {what}", once=True)
            if refused:
                listener.refuse(call.id, refused)
            else:
                listener.allow(call.id)

    def _executes(self, listener: Listener, watch: ProcessWatch, call: Notification) -> int:
        """Record a program start. The error with which it must fail, 0: it may continue."""
        relatives = procfs.family(call.tid)
        if relatives is None:
            return 0
        pid, above = relatives
        start = procfs.read_start(call.tid, call.call, call.args, seccomp.POINTER_SIZE[call.arch])
        cwd = procfs.link(call.tid, "cwd")
        program = procfs.find_program(pid, start.path, cwd) if start is not None else procfs.StartedProgram(None, 0)
        if not listener.valid(call.id):
            return 0
        if program.error:
            return program.error
        if start is None:
            self._gap("commands", "the words of a program's start could not be read", once=True)
            start = procfs.Start(b"", [], False)
        process = self._processes.get(pid)
        if not watch.root.started and (watch.pid is None or watch.pid == pid):
            watch.pid, watch.runner = pid, above
            command = watch.root
            command.argv = start.argv or command.argv
        else:
            parent = self._processes.parent(watch, pid, above)
            command = self._new(start.argv, origin_of(parent, start.argv, in_place=process is not None), watch)
            command.parent = parent
        command.exe, command.cwd = program.path, cwd
        watch.recent.append(command)
        self._record_start(command, pid, start.cut)
        if command.origin == "tool" and process is None:
            reason = attach_output(command, self._events, listener, call.id, pid, self.note)
            if reason is not None:
                self._gap("output", reason, command)
        if process is None:
            try:
                pidfd = os.pidfd_open(pid)
            except OSError as error:
                pidfd = -1
                self._gap("commands", f"the end of a process may not be seen: {error.strerror}", once=True)
            process = self._processes.by_pid[pid] = RecordedProcess(pid, pidfd)
            if pidfd >= 0:
                self._events.watch(pidfd, IN, lambda mask: self._died(process, mask))
        process.commands.append(command)
        return 0

    def _new(self, argv: list[bytes], origin: Origin, watch: ProcessWatch | None) -> StartedCommand:
        self._number += 1
        return StartedCommand(f"c{self._number}", argv, origin, watch)

    def _record_start(self, command: StartedCommand, pid: int, cut: bool) -> None:
        if command.origin == "tool":
            self._tree.look("before", command.id)
        command.started = True
        self._open[command] = None
        parent = command.parent
        # The origin says who asked for it; a parent is given where one command runs inside another.
        named = parent is not None and (parent.origin in ("tool", "nested") or command.origin == parent.origin)
        self.note(
            journal.CommandRecord(
                time.time(),
                command.id,
                pid,
                [text(word) for word in command.argv],
                text(command.cwd) if command.cwd is not None else None,
                text(command.exe) if command.exe is not None else None,
                parent.id if named and parent is not None else None,
                command.origin,
                command.tag,
                cut,
            )
        )

    # -- ends

    def _died(self, process: RecordedProcess, mask: int) -> None:
        if process.pidfd < 0:
            return
        status: int | None = None
        if any(not command.ended for command in process.commands):
            status = procfs.exit_status(process.pidfd)
            if status is None:
                # It may have been waited for in between: then the first call has an answer now.
                status = procfs.zombie_status(process.pid)
                status = procfs.exit_status(process.pidfd) if status is None else status
            if status is None and not mask & ~IN and os.path.exists(f"/proc/{process.pid}"):
                self._events.watch(process.pidfd, 0, lambda mask: self._died(process, mask))  # until it is waited for
                return
            root = process.commands[0]
            if status is None and root.watch is not None and root is root.watch.root and not self._closed:
                self._drop_process(process)  # the engine's own child: `finished` reports it
                return
            self._end_process(process, status)
        self._drop_process(process)

    def _end_process(self, process: RecordedProcess, status: int | None) -> None:
        for command in reversed(process.commands):
            self._end(command, status)

    def _end(self, command: StartedCommand, status: int | None) -> None:
        """Record the end of a command, with a wait status if one is known."""
        if command.ended or not command.started:
            return
        command.ended = True
        self._open.pop(command, None)
        finish_output(command)
        if command.origin == "tool":
            self._tree.look("after", command.id)
        record = journal.Exit(time.time(), command.id)
        if status is None:
            record.reason = "timeout" if self._stopping or command.stopped() else "lost"
        elif os.WIFSIGNALED(status):
            record.signal = os.WTERMSIG(status)
            record.status = 128 + record.signal
            record.reason = "timeout" if self._stopping or command.stopped() else "signal"
        else:
            record.status = os.WEXITSTATUS(status)
        self.note(record)

    def _drop_process(self, process: RecordedProcess) -> None:
        if self._processes.by_pid.get(process.pid) is process:
            del self._processes.by_pid[process.pid]
        if process.pidfd >= 0:
            self._events.drop(process.pidfd)
            os.close(process.pidfd)
            process.pidfd = -1

    def _drop_listener(self, listener: Listener) -> None:
        self._listeners.pop(listener, None)
        if listener.fd >= 0:
            self._events.drop(listener.fd)
            listener.close()

    # -- the rest

    def _only_tool(self) -> str | None:
        tools = [command.id for command in self._open if command.origin == "tool"]
        return tools[0] if len(tools) == 1 else None

    def _decoy_opened(self, path: str, access: str) -> None:
        self.note(journal.Decoy(time.time(), path, access, self._only_tool()))

    def _failed(self, error: Exception) -> None:
        self._gap("recorder", f"an observer failed ({type(error).__name__}: {str(error)[:200]})", once=True)

    def _gap(self, what: str, reason: str, command: StartedCommand | None = None, *, once: bool = False) -> None:
        if once and reason in self._gaps:
            return
        self._gaps.add(reason)
        self.note(journal.Gap(time.time(), what, reason, command.id if command is not None else None))
