"""Starting bubblewrap and the supervisor in it, and leaving nothing behind."""

from __future__ import annotations

import contextlib
import marshal
import os
import queue
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from .. import hardening, namespaces
from .. import layout as boxes
from ..inputs import input_file
from . import disk, filter, groups, layout, users
from .groups import Controls
from .spec import CellError, CellSpec
from .watch import descendants

_STARTING: Final = 30.0  # seconds, on the busiest machine
_SUPERVISOR: Final = Path(__file__).with_name("supervisor.py")
_PLACE: Final = "rigor-judge-cell-"


class Launched(Struct):
    """A supervisor that listens. ``work`` and ``tmp``: what is /w and /tmp inside. ``uid``: of the programs, None
    where they have ours. ``plain``: no sandbox at all. ``place``: our directory, to be removed in the end."""

    channel: socket.socket
    monitor: subprocess.Popen[bytes]
    work: str
    tmp: str
    place: str
    uid: int | None
    plain: bool = False


def start(spec: CellSpec) -> Launched:
    """A sandbox. Raises: CellError."""
    if sys.platform != "linux":
        raise CellError("programs can be judged on Linux only: use a virtual machine or a container")
    bwrap = _bwrap()
    root = as_root()
    _sweep()
    user = users.uid(spec) if root else None
    place, work, tmp = _directories(spec, user)
    controlled = isinstance(groups.controls(), Controls)
    # Before 5.16 the kernel asks whether the writer, not the opener, may move a process to a group it cannot see.
    hide_groups = controlled and layout.kernel() >= (5, 16)
    with contextlib.ExitStack() as files:

        def given(content: bytes) -> int:
            file = input_file(content)
            files.callback(os.close, file)
            return file

        inside = [(f"/etc/{name}", given(text)) for name, text in layout.etc_files(user).items()]
        line = layout.command_line(spec, bwrap, work, tmp, user=user, files=inside, cgroup=hide_groups)
        filters = [p for p in (hardening.program(), filter.program()) if p is not None]
        code = given(_code())
        passed = [code, *(file for _, file in inside)]
        for program in filters:
            passed.append(given(program))
            line += ["--add-seccomp-fd", str(passed[-1])]
        try:
            channel, monitor = _spawn(
                lambda channel: [*line, "--", *layout.supervisor(channel, code, hide=not root)],
                passed,
                _processor(spec),
            )
        except BaseException:
            remove(place)
            raise
    return Launched(channel, monitor, work, tmp, place, user)


def start_plain(spec: CellSpec) -> Launched:
    """No sandbox: programs run as we do and see what we see. For code that one trusts. Raises: CellError."""
    if sys.platform != "linux":
        raise CellError("programs can be judged on Linux only: use a virtual machine or a container")
    place, work, tmp = _directories(spec, None)
    code = input_file(_code())
    try:
        start = f"import marshal;exec(marshal.load(open({code},'rb')))"
        python = getattr(sys, "_base_executable", sys.executable)
        channel, monitor = _spawn(
            lambda channel: [python, "-I", "-S", "-E", "-B", "-c", start, str(channel), "plain"],
            [code],
            _processor(spec),
        )
    except BaseException:
        remove(place)
        raise
    finally:
        os.close(code)
    return Launched(channel, monitor, work, tmp, place, None, True)


@cache
def _code() -> bytes:
    return marshal.dumps(compile(_SUPERVISOR.read_text(encoding="utf-8"), "supervisor", "exec"))


def _bwrap() -> str:
    found = shutil.which("bwrap", path=os.environ.get("PATH", layout.PATH) + ":" + layout.PATH)
    if found is None:
        raise CellError(namespaces.REMEDY)
    return found


def as_root() -> bool:
    """Whether cells are made as root, with a user of their own, or else in user namespaces.

    Raises:
        CellError: we are root without the right to mount.
    """
    root = namespaces.privileged()
    if os.geteuid() == 0 and not root:
        raise CellError(
            "root without the capability SYS_ADMIN (as in a container) can make no sandbox: run as another user, "
            "or give the container --cap-add SYS_ADMIN"
        )
    return root


def _directories(spec: CellSpec, user: int | None) -> tuple[str, str, str]:
    """(our own place, /w, /tmp); the latter two are the programs' own."""
    place = tempfile.mkdtemp(prefix=f"{_PLACE}{_namespace()}-{os.getpid()}-", dir=disk.scratch())
    work = spec.work or os.path.join(place, "w")
    tmp = os.path.join(place, "t")
    try:
        for directory in (work, tmp):
            os.makedirs(directory, exist_ok=True)
            if user is not None:
                boxes.give(Path(directory), user)
            # As `disk.clear` leaves them: the first run is not to look different from others.
            os.chmod(directory, 0o700)
            os.utime(directory, ns=(0, 0))
    except OSError as error:
        remove(place)
        raise CellError(f"{error.filename}: cannot be a cell's directory: {error.strerror}") from None
    return place, work, tmp


def _processor(spec: CellSpec) -> set[int] | None:
    if not spec.pinned:
        return None
    order = processors()
    return {order[spec.slot % len(order)]}


@cache
def processors() -> tuple[int, ...]:
    """Those that we may use, in the order of slots: one hardware thread of each core before any second."""
    ranked = []
    for number in sorted(os.sched_getaffinity(0)):
        place = f"/sys/devices/system/cpu/cpu{number}/topology/thread_siblings_list"
        try:
            text = Path(place).read_text(encoding="ascii").strip()
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
    said = os.memfd_create("errors", os.MFD_CLOEXEC)
    try:
        with theirs:
            line = command(theirs.fileno())
            monitor = _spawner().call(_popen, line, [*passed, theirs.fileno()], said, cpus)
        ours.settimeout(_STARTING)
        ready = b""
        with contextlib.suppress(TimeoutError):
            ready = ours.recv(64)
        if ready != b"ready\n":
            # A refused command has said why by its end.
            with contextlib.suppress(subprocess.TimeoutExpired):
                monitor.wait(1)
            _end(ours, monitor)
            raise CellError(_explained(os.pread(said, 4000, 0).decode("utf-8", "replace")))
        ours.settimeout(None)
    except OSError as error:
        ours.close()
        raise CellError(f"the sandbox cannot be started: {error}") from None
    finally:
        os.close(said)
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


class _Spawner:
    """One thread that starts all cells and never ends before the process does: bubblewrap dies with the *thread* that
    it was started from."""

    def __init__(self) -> None:
        self.pid = os.getpid()
        self._orders: queue.SimpleQueue[tuple[Callable[[], Any], queue.SimpleQueue[Any]]] = queue.SimpleQueue()
        threading.Thread(target=self._work, name="rigor-judge-spawner", daemon=True).start()

    def _work(self) -> None:
        while True:
            order, answer = self._orders.get()
            try:
                answer.put((order(), None))
            except BaseException as error:
                answer.put((None, error))

    def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        answer: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._orders.put((lambda: function(*arguments), answer))
        result, error = answer.get()
        if error is not None:
            raise error
        return result


_lock = threading.Lock()
_the_spawner: _Spawner | None = None


def _spawner() -> _Spawner:
    global _the_spawner
    with _lock:
        if _the_spawner is None or _the_spawner.pid != os.getpid():
            _the_spawner = _Spawner()
        return _the_spawner


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


def remove(place: str) -> None:
    with contextlib.suppress(OSError):
        disk.clear(place)
        os.rmdir(place)


def _namespace() -> int:
    return os.stat("/proc/self/ns/pid").st_ino


_swept = 0


def _sweep() -> None:
    """Once in a process: remove what judges left that were killed."""
    global _swept
    with _lock:
        if _swept == os.getpid():
            return
        _swept = os.getpid()
    groups.clear_left_over()
    base = Path(disk.scratch())
    ours = f"{_PLACE}{_namespace()}-"
    with contextlib.suppress(OSError):
        for directory in base.glob(ours + "*"):
            pid = directory.name.removeprefix(ours).partition("-")[0]
            foreign = directory.is_symlink() or directory.lstat().st_uid != os.geteuid()
            if pid.isdigit() and not foreign and not os.path.exists(f"/proc/{pid}"):
                remove(str(directory))


def _explained(said: str) -> str:
    if "add-seccomp-fd" in said:
        return f"bubblewrap is too old ({' '.join(said.split())[:300]}): install version 0.5 or later"
    return namespaces.explained(said)
