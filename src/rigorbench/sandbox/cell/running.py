"""One run in a cell, from the request to what was measured."""

from __future__ import annotations

import contextlib
import marshal
import os
import select
import signal
import socket
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from ..kit import proc
from . import filter, launch, layout, rlimits
from .groups import Controls, RunGroup
from .spec import CellError, CellRun, CellSpec, Killed, Measured
from .streams import StreamReader, given, readable
from .watch import RunWatch

_FILES: Final = 256 << 20  # bytes of written files that may stay in memory beside what a program may use
_FILES_MORE: Final = 1 << 20  # what the file system itself keeps in memory for a few of them
# Seconds between two looks at the memory in use: a program takes longer to fill ten megabytes and free them.
_GLANCE: Final = 0.005
_STARVING: Final = 4.0  # a run may wait this many times its wall clock limit for a processor
_CLOSING: Final = 30.0  # seconds that the kernel may take to end what was killed, on the busiest machine


class StartedCell:
    """The state of a running cell, which `cell.JudgeCell` controls and `RunningCell` uses."""

    def __init__(self, spec: CellSpec, process: launch.Launched, controls: Controls | None) -> None:
        self.spec = spec
        self.process = process
        self.controls = controls
        self.cancelling = os.eventfd(0, os.EFD_CLOEXEC | os.EFD_NONBLOCK)
        self.lock = threading.Lock()
        self.watch: RunWatch | None = None
        self.numbers: set[int] = set()  # that the main processes of the runs had inside
        self.sizes = directory_sizes(process)
        self._closed = False

    @property
    def limits_by(self) -> str:
        """What enforces the limits: "cgroup v1" and the like, "rlimit", or "none (trusted)"."""
        if self.process.plain:
            return "none (trusted)"
        return self.controls.label if self.controls is not None else "rlimit"

    @property
    def work(self) -> str:
        """The host's directory that is /w."""
        return self.process.work


def directory_sizes(process: launch.Launched) -> list[int]:
    """What programs see as the sizes of ``/w`` and ``/tmp`` themselves."""
    return [os.stat(directory).st_size for directory in (process.work, process.tmp)]


class RunningCell:
    """One run, from the request to what was measured."""

    def __init__(
        self, cell: StartedCell, run: CellRun, started: Callable[[], None] | None, stack: contextlib.ExitStack
    ) -> None:
        self.cell, self.run, self.limits = cell, run, run.limits
        self.process = cell.process
        self.channel = self.process.channel
        self.started = started
        self.killed: Killed | None = None
        self.ending: float | None = None
        self.handle = -1
        self.result = b""
        self.begun: float | None = None
        group = None
        if cell.controls is not None:
            try:
                group = RunGroup(cell.controls, self._kernel_memory(), self.limits.processes)
            except OSError as error:
                raise CellError(f"no control group for a run: {error}") from None
            stack.callback(group.close)
        self.group = group
        self.watch = RunWatch(run, (self.process.work, self.process.tmp), group)
        stack.callback(self._unwatch)
        self.errors = StreamReader(self.limits.errors, self.process.uid)
        stack.callback(self.errors.close)
        self.output: StreamReader | None = None
        if run.stdout is None:
            self.output = StreamReader(self.limits.output, self.process.uid)
            stack.callback(self.output.close)
        self.captured = {number: StreamReader(most, None) for number, most in run.captured.items()}
        for stream in self.captured.values():
            stack.callback(stream.close)
        own = (self.output, self.errors, *self.captured.values())
        self.streams = {stream.file: stream for stream in own if stream is not None}
        self.poll = select.epoll()
        stack.callback(self.poll.close)
        stack.callback(self._close_handle)

    def _kernel_memory(self) -> int | None:
        """The limit for the kernel, with room for all files that the run may write: in a group that is full of files to
        be written back, allocations fail that would succeed a moment later, and processes with little memory are
        killed."""
        if self.limits.memory is None:
            return None
        files = _FILES if self.limits.disk is None else self.limits.disk + self.limits.disk // 16 + _FILES_MORE
        return self.limits.memory + min(files, _FILES)

    def _unwatch(self) -> None:
        with self.cell.lock:
            self.cell.watch = None

    def _close_handle(self) -> None:
        if self.handle >= 0:
            os.close(self.handle)
            self.handle = -1

    def measured(self) -> Measured:
        self._request()
        self._wait()
        for stream in self.streams.values():
            stream.rest()
        self._notify_started()
        self._unwatch()
        words = self.result.splitlines()[-1].decode("utf-8", "replace").split(" ", 3)
        measured = Measured(limits_by=self.cell.limits_by, memory_by="cgroup" if self.group is not None else "rlimit")
        measured.stderr = bytes(self.errors.kept)
        measured.captured = {number: bytes(stream.kept) for number, stream in self.captured.items()}
        if words[0] == "failed":
            step, number = words[1], int(words[2])
            if step == "broken":
                raise CellError(f"the sandbox cannot start programs: {' '.join(words[3:]) or os.strerror(number)}")
            what = self.run.cwd if step == "chdir" else self.run.argv[0]
            measured.failed = f"{what}: {os.strerror(number)}"
            return measured
        status, wall, rest = words[1], words[2], words[3].split()
        code = os.waitstatus_to_exitcode(int(status))
        measured.wall, measured.cpu, resident, moved = float(wall), float(rest[0]), int(rest[1]), int(rest[2])
        measured.starved = self.watch.starved.seconds
        if self.group is not None:
            measured.cpu = self.group.cpu()
            measured.memory = self.group.memory(rlimits.peak(resident, None), moved)
            measured.oom = self.group.ooms() > 0
            if not self.group.close():
                raise CellError("something of a run is still in its control group")
        else:
            measured.oom = self.watch.out_of_memory
            measured.memory = rlimits.peak(resident, self.watch.largest)
        if code < 0:
            measured.signal = -code
        else:
            measured.exit_code = code
        added = self.watch.added([])
        measured.disk, measured.files = max(0, added.bytes), max(0, added.files)
        if self.output is not None:
            measured.stdout, measured.output = bytes(self.output.kept), self.output.seen
        else:
            measured.output = self.watch.direct_output
        measured.killed = self.killed or self._found_late(measured)
        return measured

    def _request(self) -> None:
        run = self.run
        with contextlib.ExitStack() as ours:

            def keep(file: int) -> int:
                ours.callback(os.close, file)
                return file

            files = [keep(readable(run.stdin))]
            files.append(self.output.theirs if self.output is not None else keep(os.dup(run.stdout or 0)))
            files.append(self.errors.theirs)
            files += [keep(given(file)) for file in run.files.values()]
            files += [stream.theirs for stream in self.captured.values()]
            counted = self.group is not None or self.process.plain or self.cell.spec.role == "compiler"
            argv, cwd, env = self._command()
            request = {
                "argv": argv,
                "cwd": cwd,
                "env": env,
                "numbers": [0, 1, 2, *run.files, *run.captured],
                "rlimits": rlimits.of(run, self.watch.before.bytes, group=self.group is not None),
                "uid": self.process.uid,
                "nice": launch.niceness(self.cell.spec),
                "filter": b"" if counted and run.forks else filter.no_forks() or b"",
            }
            body = marshal.dumps(request)
            if self.group is not None:
                files += self.group.files
            try:
                socket.send_fds(self.channel, [len(body).to_bytes(4, "little")], files)
                self.channel.sendall(body)
            except OSError as error:
                raise CellError(f"the sandbox is gone ({error})") from None
        if self.group is not None:
            self.group.joined()
        for stream in self.streams.values():
            stream.passed()
            self.poll.register(stream.file, select.EPOLLIN)
        self.poll.register(self.channel, select.EPOLLIN)
        self.poll.register(self.cell.cancelling, select.EPOLLIN)

    def _command(self) -> tuple[list[str], str, dict[str, str]]:
        run = self.run
        env = {**layout.DEFAULTS, **run.env}
        if not self.process.plain:
            return list(run.argv), run.cwd, env
        paths = {"/w": self.process.work, "/tmp": self.process.tmp}
        paths |= {mount.inside: mount.source for mount in self.cell.spec.mounts}
        return (
            [_translated(word, paths) for word in run.argv],
            _translated(run.cwd, paths),
            {name: ":".join(_translated(part, paths) for part in value.split(":")) for name, value in env.items()},
        )

    def _wait(self) -> None:
        """Until the supervisor reports that nothing of the run is left."""
        limit_at = look_at = time.monotonic() + 0.02
        glance_at = time.monotonic() if self.group is not None and self.limits.memory is not None else float("inf")
        while True:
            timeout = None
            now = time.monotonic()
            if self.ending is not None:
                timeout = self.ending + _CLOSING - now
                if timeout <= 0:
                    raise CellError(f"processes did not end within {_CLOSING:.0f} s of being killed")
            elif self.begun is not None:
                timeout = max(0.0, min(limit_at, look_at, glance_at, self._wall_at()) - now)
            for file, _ in self.poll.poll(timeout):
                if file in self.streams:
                    stream = self.streams[file]
                    if not stream.read():
                        self.poll.unregister(file)
                    elif stream is self.output and stream.exceeded:
                        self._kill("output")
                elif file == self.cell.cancelling:
                    self.poll.unregister(file)
                    self._kill("cancelled")
                elif self._receive():
                    return
            if self.begun is None or self.ending is not None:
                continue
            now = time.monotonic()
            # First, as it is quick: what follows looks at each process.
            if now >= limit_at:
                limit_at = self._check_cpu(now)
            if now >= self._wall_at() and self.ending is None:
                self.watch.note_starved()
                if now >= self._wall_at():
                    self._kill("wall")
            if now >= glance_at:
                # When to look again. The kernel's peak includes files in memory, so while the sum is above the limit
                # the part without files must be sampled as it happens.
                assert self.group is not None
                assert self.limits.memory is not None
                if self.group.beyond(self.limits.memory):
                    self.group.sample()
                glance_at = now + _GLANCE
            if now >= look_at and self.ending is None:
                reason = self.watch.look(self.errors.seen)
                if reason is not None:
                    self._kill(reason)
                elif self.watch.out_of_memory:
                    self._kill(None)
                look_at = time.monotonic() + self.watch.pace(time.monotonic() - now)

    def _wall_at(self) -> float:
        """The limit does not run while the program waits for a processor; but nothing waits for ever."""
        if self.limits.wall is None or self.begun is None:
            return float("inf")
        return self.begun + self.limits.wall + min(self.watch.starved.seconds, _STARVING * self.limits.wall)

    def _check_cpu(self, now: float) -> float:
        """When to look again: on n processors a program needs at least an n-th of the remaining CPU time."""
        if self.limits.cpu is None:
            return float("inf")
        if self.watch.over():
            self._kill("cpu")
        left = self.limits.cpu - self.watch.cpu()
        cpus = 1 if self.cell.spec.pinned else len(launch.processors())
        return now + max(left / cpus, 0.001)

    def _receive(self) -> bool:
        """Read a message of the supervisor. True: the run is over."""
        data, files, _, _ = socket.recv_fds(self.channel, 4096, 1)
        if not data:
            raise CellError("the sandbox's process 1 is gone (out of memory, or killed from outside)")
        if files:
            self.handle = files[0]
            pid = proc.number(Path(f"/proc/self/fdinfo/{self.handle}"), "Pid")
            assert pid is not None
            self.cell.numbers.add(int(data.split(None, 2)[1]))
            self.begun = time.monotonic()
            self.watch.begin(pid, self.process.monitor.pid)
            with self.cell.lock:
                self.cell.watch = self.watch
            self._notify_started()
            if self.ending is not None:
                self._kill_main()
        self.result += data
        return self.result.endswith(b"\n") and self.result.splitlines()[-1].startswith((b"done", b"failed"))

    def _notify_started(self) -> None:
        started, self.started = self.started, None
        if started is not None:
            started()

    def _kill(self, reason: Killed | None) -> None:
        if self.ending is None:
            self.killed = reason
            self.ending = time.monotonic()
            self._kill_main()

    def _kill_main(self) -> None:
        """End the main process, and from outside everything else. (The supervisor would as well, as soon as the main
        process is gone; but it shares a processor with a hundred processes that a fork bomb has left.)"""
        if self.handle < 0:
            return
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self.handle, signal.SIGKILL)
        if self.group is not None:
            self.group.kill()
            return
        for pid in launch.inhabitants(self.process):
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)

    def _found_late(self, measured: Measured) -> Killed | None:
        """A limit that was exceeded too shortly before the end to be noticed, or that the kernel enforced."""
        if self.output is not None and self.output.exceeded:
            return "output"
        if measured.signal == signal.SIGXFSZ and self.limits.disk is not None:
            return "disk"
        if measured.signal == signal.SIGXCPU and self.limits.cpu is not None and measured.cpu > self.limits.cpu:
            return "cpu"
        return self.watch.exceeded(self.watch.added([]))


def _translated(text: str, paths: dict[str, str]) -> str:
    for inside in sorted(paths, key=len, reverse=True):
        if text == inside or text.startswith(inside + "/"):
            return paths[inside] + text[len(inside) :]
    return text
