"""Starting bubblewrap and the supervisor in it, and leaving nothing behind."""

from __future__ import annotations

import contextlib
import marshal
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Final

from msgspec import Struct

from ..kit import bwrap, hardening, trees
from ..kit.errors import SandboxError
from ..kit.inputs import input_file
from ..kit.proc import descendants
from . import disk, filter, groups, layout, owners, users
from .groups import Controls
from .spec import CellError, CellSpec

_STARTING: Final = 30.0  # seconds, on the busiest machine
# Compilers may use all processors: test points that run on these meanwhile go first.
_COMPILERS_NICE: Final = 5
_SUPERVISOR: Final = Path(__file__).with_name("supervisor.py")
_PREFIX: Final = "rigor-judge-cell-"


class Launched(Struct):
    """A supervisor that waits for requests."""

    channel: socket.socket
    monitor: subprocess.Popen[bytes]
    """Bubblewrap's process on the host (without a sandbox: the supervisor itself)."""
    work: str
    """The host's directory that is ``/w`` inside."""
    tmp: str
    """The host's directory that is ``/tmp`` inside."""
    directory: str
    """Our own directory, to be removed in the end."""
    uid: int | None
    """The user of the programs, None where it is ours."""
    plain: bool = False
    """There is no sandbox."""


def start(spec: CellSpec) -> Launched:
    """A sandbox. Raises: CellError."""
    _require_linux()
    try:
        program, root = bwrap.find(), bwrap.as_root()
    except SandboxError as error:
        raise CellError(str(error)) from None
    user = users.uid(spec) if root else None
    controlled = isinstance(groups.controls(), Controls)
    # Before 5.16 the kernel asks whether the writer, not the opener, may move a process to a group it cannot see.
    hide_groups = controlled and layout.kernel() >= (5, 16)
    with contextlib.ExitStack() as files:

        def given(content: bytes) -> int:
            file = input_file(content)
            files.callback(os.close, file)
            return file

        code = given(_code())
        etc = {f"/etc/{name}": given(content) for name, content in layout.etc_files(user).items()}
        filters = [given(p) for p in (hardening.program(), filter.program()) if p is not None]
        directory, work, tmp = _directories(spec, user)
        view = layout.view(spec, work, tmp, etc, user=user, controlled=hide_groups)
        python = layout.interpreter(spec).path
        options = [*([] if root else ["hide"]), *map(str, (niceness(spec), *filters))]
        try:
            channel, monitor = _spawn(
                lambda channel: view.command(layout.supervisor(channel, code, *options, python=python), bwrap=program),
                [code, *etc.values(), *filters],
                _processor(spec),
            )
        except BaseException:
            trees.remove(directory)
            raise
    return Launched(channel, monitor, work, tmp, directory, user)


def start_plain(spec: CellSpec) -> Launched:
    """No sandbox: programs run as we do and see what we see. For code that one trusts. Raises: CellError."""
    _require_linux()
    directory, work, tmp = _directories(spec, None)
    code = input_file(_code())
    python = getattr(sys, "_base_executable", sys.executable)
    try:
        channel, monitor = _spawn(
            lambda channel: layout.supervisor(channel, code, "plain", python=python), [code], _processor(spec)
        )
    except BaseException:
        trees.remove(directory)
        raise
    finally:
        os.close(code)
    return Launched(channel, monitor, work, tmp, directory, None, True)


def _require_linux() -> None:
    if sys.platform != "linux":
        raise CellError("programs can be judged on Linux only: use a virtual machine or a container")


def niceness(spec: CellSpec) -> int:
    """How far the programs of a cell stand back."""
    return _COMPILERS_NICE if spec.role == "compiler" else 0


@cache
def _code() -> bytes:
    return marshal.dumps(compile(_SUPERVISOR.read_text(encoding="utf-8"), "supervisor", "exec"))


def new_directory() -> str:
    """A private directory with a name that tells programs nothing. If this judge is killed, the next one removes it."""
    _sweep()
    return tempfile.mkdtemp(prefix=f"{_PREFIX}{owners.word()}-", dir=disk.scratch())


def _directories(spec: CellSpec, user: int | None) -> tuple[str, str, str]:
    """(our own directory, /w, /tmp); the latter two belong to the programs."""
    own = new_directory()
    work = spec.work or os.path.join(own, "w")
    tmp = os.path.join(own, "t")
    try:
        for directory in (work, tmp):
            os.makedirs(directory, exist_ok=True)
            if user is not None:
                trees.give(Path(directory), user)
            # As `trees.clear` leaves them: the first run is not to look different from others.
            os.chmod(directory, 0o700)
            os.utime(directory, ns=(0, 0))
    except OSError as error:
        trees.remove(own)
        raise CellError(f"{error.filename}: cannot be a cell's directory: {error.strerror}") from None
    return own, work, tmp


def _processor(spec: CellSpec) -> set[int] | None:
    if not spec.pinned:
        return None
    order = processors()
    return {order[spec.slot % len(order)]}


@cache
def processors() -> tuple[int, ...]:
    """The processors that we may use, in the order of slots: the first hardware thread of each core comes first."""
    ranked = []
    for number in sorted(os.sched_getaffinity(0)):
        file = Path(f"/sys/devices/system/cpu/cpu{number}/topology/thread_siblings_list")
        try:
            text = file.read_text(encoding="ascii").strip()
        except OSError:
            text = str(number)
        siblings: list[int] = []
        for part in text.split(","):
            first, _, last = part.partition("-")
            siblings += range(int(first), int(last or first) + 1)
        ranked.append((siblings.index(number) if number in siblings else 0, number))
    return tuple(number for _, number in sorted(ranked))


def _spawn(
    command: Callable[[int], list[str]], passed: list[int], cpus: set[int] | None
) -> tuple[socket.socket, subprocess.Popen[bytes]]:
    """Start a supervisor and wait until it listens."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
    errors = os.memfd_create("errors", os.MFD_CLOEXEC)
    try:
        with theirs:
            line = command(theirs.fileno())
            monitor = _spawner().submit(_popen, line, [*passed, theirs.fileno()], errors, cpus).result()
        ours.settimeout(_STARTING)
        ready = b""
        with contextlib.suppress(TimeoutError):
            ready = ours.recv(64)
        if ready != b"ready\n":
            # A command that was refused has printed the reason by its end.
            with contextlib.suppress(subprocess.TimeoutExpired):
                monitor.wait(1)
            _end(ours, monitor)
            raise CellError(bwrap.explained(os.pread(errors, 4000, 0).decode("utf-8", "replace")))
        ours.settimeout(None)
    except OSError as error:
        ours.close()
        raise CellError(f"the sandbox cannot be started: {error}") from None
    finally:
        os.close(errors)
    return ours, monitor


def _popen(command: list[str], passed: list[int], errors: int, cpus: set[int] | None) -> subprocess.Popen[bytes]:
    """Runs in the spawner's thread, whose processors the new process inherits."""
    before = os.sched_getaffinity(0)
    if cpus is not None:
        os.sched_setaffinity(0, cpus)
    try:
        return subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=errors,
            pass_fds=passed,
            env={},
            cwd="/",
        )
    finally:
        os.sched_setaffinity(0, before)


_lock = threading.Lock()
# The thread that starts all cells, by process: bubblewrap dies with the *thread* that started it, and this one lives as
# long as the process.
_spawners: dict[int, ThreadPoolExecutor] = {}


def _spawner() -> ThreadPoolExecutor:
    with _lock:
        if os.getpid() not in _spawners:
            _spawners[os.getpid()] = ThreadPoolExecutor(1, "rigor-judge-spawner")
        return _spawners[os.getpid()]


def inhabitants(cell: Launched) -> list[int]:
    """The processes of a cell on the host, without its supervisor."""
    found = descendants(cell.monitor.pid)
    return found if cell.plain else found[1:]


def stop(cell: Launched) -> None:
    """End the cell and all in it, and wait until nothing of it runs."""
    if cell.plain:
        for pid in descendants(cell.monitor.pid):
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
    _end(cell.channel, cell.monitor)


def _end(channel: socket.socket, monitor: subprocess.Popen[bytes]) -> None:
    # Process 1 first, and everything else with it. Its monitor then buries it; the host's own process 1 may never.
    inside = descendants(monitor.pid)[:1]
    for pid in inside:
        with contextlib.suppress(OSError):
            os.kill(pid, signal.SIGKILL)
    if not inside:
        monitor.kill()
    with contextlib.suppress(OSError):  # our end of the socket hears when its end closes
        channel.settimeout(_STARTING)
        while channel.recv(4096):
            pass
    channel.close()
    try:
        monitor.wait(_STARTING)
    except subprocess.TimeoutExpired:
        monitor.kill()
        monitor.wait()


_swept = 0


def _sweep() -> None:
    """Once in a process: remove what judges left that were killed."""
    global _swept
    with _lock:
        if _swept == os.getpid():
            return
        _swept = os.getpid()
    owners.sweep(_remove_left_over)


def _remove_left_over(owner: str) -> None:
    groups.clear_left_over(owner)
    for directory in Path(disk.scratch()).glob(f"{_PREFIX}{owner}-*"):
        with contextlib.suppress(OSError):
            if not directory.is_symlink() and directory.lstat().st_uid == os.geteuid():
                trees.remove(directory)
