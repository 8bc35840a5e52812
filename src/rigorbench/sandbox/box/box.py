"""One sandbox, for asyncio programs: `Box.start`, `Box.exec`, `Box.read`, `Box.write`, `Box.stop`. No engine needed."""

from __future__ import annotations

import asyncio
import errno
import os
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from ...base import journal
from ...base.data import PACKAGE
from ..kit.bwrap import SYSTEM_PATH
from ..kit.errors import SandboxError, SandboxGoneError, UnknownUserError
from ..kit.inputs import input_file
from . import layout, wire
from .pipes import Collected
from .spec import BoxSpec

_USERS = (layout.USER, str(layout.UID))


class Done(Struct, frozen=True):
    """How a command ended."""

    status: int
    """As a shell reports it: 128 + signal when it was killed (137 at its time limit), 127 when there is no such
    program, 126 when it cannot be run."""
    stdout: bytes
    """Its last ``output_limit`` bytes."""
    stderr: bytes
    """The same."""
    timed_out: bool
    """Whether it was killed at its time limit."""
    error: int | None = None
    """The errno when it could not be run."""
    omitted: int = 0
    """How many bytes of both streams were left out."""


class Box:
    """A running sandbox. Make one with `start`; always `stop` it."""

    def __init__(self, spec: BoxSpec, link: socket.socket) -> None:
        self.spec = spec
        """What it is made of."""
        self.pid = 0
        """Its process 1, as the host counts."""
        self.limits_in_force: dict[str, str] = {}
        """{limit: how it is enforced here}."""
        self.features: list[str] = []
        """What is recorded ("commands", "output", "trees", "decoys")."""
        self.gone: str | None = None
        """Why the sandbox has ended, None while it is up."""
        self._environment = layout.ENVIRONMENT | dict(spec.env)
        self._link = link
        self._incoming = wire.Incoming[wire.ToBox](wire.ToBox)
        self._waiting: dict[int, asyncio.Future[tuple[wire.ToBox, list[int]]]] = {}
        self._number = 0
        self._sending = asyncio.Lock()
        self._loop = asyncio.get_running_loop()
        self._closed = False

    @classmethod
    async def start(cls, spec: BoxSpec) -> Box:
        """Start a sandbox.

        Raises:
            SandboxError: it cannot be started here, or the specification cannot work; the message has the remedy.
        """
        layout.check(spec)
        if spec.capture is not None and os.path.exists(os.path.join(spec.capture, journal.JOURNAL)):
            raise SandboxError(f"{spec.capture} already has the journal of a run: record into another directory")
        ours, theirs = socket.socketpair()
        global _running
        with theirs:
            if _running is None or not _running.alive():
                _running = _Zygote()
            _running.launch(spec, theirs)
        ours.setblocking(False)
        box = cls(spec, ours)
        answer = box._expect(0)
        box._loop.add_reader(ours, box._receive)
        try:
            message, _ = await answer
        except BaseException:
            box._close()
            raise
        assert isinstance(message, wire.Started)
        box.pid, box.limits_in_force, box.features = message.pid, message.limits, message.features
        return box

    async def exec(
        self,
        argv: Sequence[str],
        *,
        input: bytes | None = None,
        cwd: str | None = None,
        env: Mapping[str, str] | None = None,
        user: str | None = None,
        timeout: float | None = None,
        output_limit: int = 10 << 20,
        origin: str = "tool",
        tag: str | None = None,
    ) -> Done:
        """Run a program and wait for it; background processes that it started keep running.

        ``cwd`` is relative to the root; ``env`` comes on top of the specification's. At ``timeout`` seconds the program
        and all it started are killed, also when this call is cancelled. ``origin`` and ``tag`` are for the journal.

        Raises:
            UnknownUserError: ``user`` is not the sandbox's only one, "agent".
            SandboxGoneError: the sandbox has ended.
        """
        if user is not None and user not in _USERS:
            raise UnknownUserError(f"the sandbox has no user {user!r}: programs run in it as {layout.USER!r}")
        if not argv:
            raise SandboxError("no program given")
        environment = {**self._environment, **(env or {})}
        for text in (*argv, *environment, *environment.values(), cwd or ""):
            if "\0" in text:
                raise SandboxError("a command, its directory and its environment cannot contain a NUL character")
        self._check()
        stdin = input_file(input) if input is not None else None
        out, err = Collected(self._loop, output_limit), Collected(self._loop, output_limit)
        files = [*([stdin] if stdin is not None else []), out.write_end, err.write_end]
        number = self._next()
        request = wire.Exec(
            number,
            [os.fsencode(word) for word in argv],
            os.fsencode(os.path.join(self.spec.root, cwd) if cwd else self.spec.root),
            {os.fsencode(k): os.fsencode(v) for k, v in environment.items()},
            stdin is not None,
            timeout,
            origin,
            tag,
        )
        try:
            answer = self._expect(number)
            try:
                await self._send(request, files)
            finally:
                for file in files:
                    os.close(file)
            message, _ = await answer
            assert isinstance(message, wire.ProgramEnded)
            await out.rest()
            await err.rest()
        except asyncio.CancelledError:
            self._waiting.pop(number, None)
            if not self._closed:
                self._loop.create_task(self._kill(number))
            raise
        finally:
            out.close()
            err.close()
        stderr = bytes(err.data)
        if message.error is not None:
            stderr += f"{argv[0]}: {message.what}\n".encode()
        return Done(
            message.status, bytes(out.data), stderr, message.timed_out, message.error, out.omitted + err.omitted
        )

    async def open(self, path: str, *, write: bool = False) -> int:
        """Open a regular file as the sandbox's user and in the sandbox's view, links and all; a file descriptor.

        ``write`` makes the file and missing directories, and empties it. Relative paths start at the root.

        Raises:
            OSError: as opening it inside would (FileNotFoundError, PermissionError, IsADirectoryError ...).
        """
        if "\0" in path:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
        number = self._next()
        absolute = os.fsencode(os.path.join(self.spec.root, path))
        message, files = await self._ask(number, wire.OpenFile(number, absolute, write))
        assert isinstance(message, wire.Opened)
        if message.error is not None:
            raise OSError(message.error, os.strerror(message.error), path)
        return files[0]

    async def read(self, path: str, limit: int | None = None) -> bytes:
        """The content of a file, at most ``limit`` + 1 bytes of it. Raises OSError as `open`."""
        with os.fdopen(await self.open(path), "rb") as file:
            return await asyncio.to_thread(file.read, -1 if limit is None else limit + 1)

    async def write(self, path: str, content: bytes) -> None:
        """Write a file, making its directories. Raises OSError as `open`."""
        with os.fdopen(await self.open(path, write=True), "wb") as file:
            if len(content) < 1 << 20:
                file.write(content)
            else:
                await asyncio.to_thread(file.write, content)

    async def record(self, record: journal.JournalRecord) -> None:
        """Append a record to the journal (nothing without capture). Raises SandboxError when it cannot be written."""
        number = self._next()
        await self._finished(number, wire.Write(number, msgspec.json.encode(record)))

    async def snapshot(self, cause: str) -> str | None:
        """The git tree of the repository as it is now; None without capture."""
        number = self._next()
        return await self._finished(number, wire.TakeSnapshot(number, cause))

    async def stop(self, end: journal.End | None = None) -> str | None:
        """End the sandbox and all that runs in it; ``end`` closes the journal. The final tree (None without capture).

        The directories stay. Calling it again does nothing.
        """
        if self._closed:
            return None
        number = self._next()
        try:
            return await self._finished(number, wire.StopBox(number, None if end is None else msgspec.json.encode(end)))
        except SandboxGoneError:
            return None
        finally:
            self._close()

    async def __aenter__(self) -> Box:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    # -- messages to and from the supervisor

    def _check(self) -> None:
        if self.gone is not None:
            raise SandboxGoneError(self.gone)

    def _next(self) -> int:
        self._number += 1
        return self._number

    def _expect(self, number: int) -> asyncio.Future[tuple[wire.ToBox, list[int]]]:
        future: asyncio.Future[tuple[wire.ToBox, list[int]]] = self._loop.create_future()
        self._waiting[number] = future
        return future

    async def _ask(self, number: int, message: Struct) -> tuple[wire.ToBox, list[int]]:
        if self._closed:
            raise SandboxGoneError(self.gone or "the sandbox was stopped")
        answer = self._expect(number)
        await self._send(message)
        return await answer

    async def _finished(self, number: int, message: Struct) -> str | None:
        answer, _ = await self._ask(number, message)
        assert isinstance(answer, wire.Finished)
        if answer.error is not None:
            raise SandboxError(f"the run cannot be recorded: {answer.error}")
        return answer.tree

    async def _send(self, message: Struct, files: list[int] | None = None) -> None:
        data = memoryview(wire.encode(message, len(files or ())))
        async with self._sending:
            try:
                sent = 0
                while files and not sent:
                    try:
                        sent = socket.send_fds(self._link, [data], files)
                    except BlockingIOError:
                        await asyncio.sleep(0.005)
                await self._loop.sock_sendall(self._link, data[sent:])
            except ConnectionError:
                raise SandboxGoneError(self.gone or "the supervisor of the sandbox is gone") from None

    async def _kill(self, number: int) -> None:
        try:
            await self._send(wire.Kill(number))
        except SandboxGoneError:
            return  # and the command with it

    def _receive(self) -> None:
        try:
            alive = self._incoming.receive(self._link)
        except BlockingIOError:
            return
        except ConnectionError:
            alive = False
        for message, files in self._incoming.messages():
            if isinstance(message, wire.Gone):
                self.gone = message.reason
                future = self._waiting.pop(0, None)  # the sandbox never came up
                if future is not None and not future.done():
                    future.set_exception(SandboxError(message.reason))
            else:
                future = self._waiting.pop(0 if isinstance(message, wire.Started) else message.id, None)
                if future is not None and not future.done():
                    future.set_result((message, files))
                else:
                    for file in files:
                        os.close(file)
        if not alive:
            self.gone = self.gone or "the supervisor of the sandbox is gone"
            self._loop.remove_reader(self._link)
            for future in self._waiting.values():
                if not future.done():
                    future.set_exception(SandboxGoneError(self.gone))
            self._waiting.clear()

    def _close(self) -> None:
        if not self._closed:
            self._closed = True
            self.gone = self.gone or "the sandbox was stopped"
            self._loop.remove_reader(self._link)
            self._link.close()
            self._incoming.close()


class _Zygote:
    """The process that supervisors are forked from. It ends when this process does."""

    def __init__(self) -> None:
        self.owner = os.getpid()
        ours, theirs = socket.socketpair()
        packages = str(Path(msgspec.__file__).resolve().parents[1])
        # An empty package takes the place of ours, whose __init__ would import what a supervisor does not need.
        program = (
            "import sys,types;p=types.ModuleType('rigorbench');"
            f"p.__path__=[{str(PACKAGE)!r}];sys.modules['rigorbench']=p;sys.path.append({packages!r});"
            f"from rigorbench.sandbox.box.zygote import main;main({theirs.fileno()})"
        )
        with theirs:
            # Nothing of our environment may be found near a sandbox but where programs are.
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-S", "-c", program],
                pass_fds=(theirs.fileno(),),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                env={"PATH": os.environ.get("PATH", SYSTEM_PATH), "LANG": "C.UTF-8"},
                start_new_session=True,
                cwd="/",
            )
        self._control = ours

    def alive(self) -> bool:
        return self.owner == os.getpid() and self._process.poll() is None

    def launch(self, spec: BoxSpec, link: socket.socket) -> None:
        try:
            wire.send(self._control, wire.Launch(spec, self.owner), [link.fileno()])
        except ConnectionError:
            raise SandboxError("the process that starts sandboxes is gone; try again") from None


_running: _Zygote | None = None
