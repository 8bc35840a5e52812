"""Starting bubblewrap, and the way into what it made."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import select
import shutil
import signal
import time
from pathlib import Path
from typing import NoReturn

from msgspec import Struct

from . import layout, syscalls
from .errors import SandboxError
from .inputs import input_file
from .runner import Entrance
from .spec import BoxSpec

_STARTING = 30.0  # seconds that bubblewrap may take, on the busiest machine
_INFO = 3
_KINDS = (
    ("cgroup", syscalls.CLONE_NEWCGROUP),
    ("ipc", syscalls.CLONE_NEWIPC),
    ("uts", syscalls.CLONE_NEWUTS),
    ("net", syscalls.CLONE_NEWNET),
    ("mnt", syscalls.CLONE_NEWNS),
)
_CAP_SYS_ADMIN = 21
REMEDY = "bubblewrap (bwrap) is not installed: apt install bubblewrap (or dnf, pacman, zypper)"


class Namespaces(Struct):
    """A running bubblewrap. ``monitor`` is our child, ``pid`` the sandbox's process 1 as the host counts, ``pidfd`` a
    file for it, ``proc`` the sandbox's own ``/proc``, ``processes`` its process namespace."""

    monitor: int
    pid: int
    pidfd: int
    proc: int
    processes: int
    entrance: Entrance


def privileged() -> bool:
    """Whether we are root on the host with the right to mount; the sandbox then needs no user namespace."""
    if os.geteuid() != 0:
        return False
    for line in Path("/proc/self/status").read_text(encoding="ascii", errors="replace").splitlines():
        if line.startswith("CapEff:"):
            return bool(int(line.split()[1], 16) >> _CAP_SYS_ADMIN & 1)
    return False


def start(spec: BoxSpec, groups: list[int]) -> Namespaces:
    """Start the sandbox and wait until its process 1 is in place.

    Raises:
        SandboxError: bubblewrap is missing, or says why it cannot.
    """
    bwrap = shutil.which("bwrap", path=os.environ.get("PATH", layout.PATH) + ":" + layout.PATH)
    if bwrap is None:
        raise SandboxError(REMEDY)
    root = privileged()
    if os.geteuid() == 0 and not root:
        raise SandboxError(
            "root without the capability SYS_ADMIN (as in a container) can make no sandbox: run as another user, "
            "or give the container --cap-add SYS_ADMIN"
        )
    info_read, info_write = os.pipe()
    error_read, error_write = os.pipe()
    files = layout.parts(spec)
    line = layout.command_line(spec, bwrap, user_namespace=not root, info_fd=_INFO, files=files)
    monitor = os.fork()
    if monitor == 0:
        _exec(line, [info_write, *(input_file(part.content) for part in files)], error_write, groups)
    os.close(info_write)
    os.close(error_write)
    try:
        pid = _settled(monitor, info_read)
        if pid is None:
            os.set_blocking(error_read, False)
            with contextlib.suppress(BlockingIOError):
                raise SandboxError(explained(os.read(error_read, 4000).decode("utf-8", "replace")))
            raise SandboxError(f"bubblewrap did not come up within {_STARTING:.0f} s and said nothing")
    finally:
        os.close(info_read)
        os.close(error_read)
    return join(pid, root, monitor)


def _exec(line: list[str], others: list[int], error: int, groups: list[int]) -> NoReturn:
    try:
        for file in groups:
            os.write(file, b"0")
        os.setsid()
        # Process 1 inherits that it does not care for the end of its children: the kernel then buries orphans itself.
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        null = os.open(os.devnull, os.O_RDWR)
        high = [fcntl.fcntl(file, fcntl.F_DUPFD_CLOEXEC, 100) for file in (null, null, error, *others)]
        for number, file in enumerate(high):
            os.dup2(file, number)
        os.execve(line[0], line, {})
    except OSError as failure:
        # Also when it may not join its control group: then no limit would hold.
        os.write(error, f"before it began: {failure}".encode())
    finally:
        os._exit(127)


def _settled(monitor: int, info: int) -> int | None:
    """Wait until process 1 has become the program that nobody can look into; its pid, None if that never happened."""
    deadline = time.monotonic() + _STARTING
    pid: int | None = None
    told = b""
    while time.monotonic() < deadline:
        if pid is None:
            readable, _, _ = select.select([info], [], [], _STARTING)
            piece = os.read(info, 4096) if readable else b""
            if not piece:
                break
            told += piece
            if not told.rstrip().endswith(b"}"):  # it comes in pieces
                continue
            pid = int(json.loads(told)["child-pid"])
        try:
            name = Path(f"/proc/{pid}/comm").read_text(encoding="utf-8", errors="replace").strip()
        except OSError:
            break
        if name == os.path.basename(layout.INIT):
            return pid
        time.sleep(0.0002)
    # Its child first: alone it might wait for a word of its parent for ever.
    for process in (pid, *_children(monitor), monitor):
        if process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
    os.waitpid(monitor, 0)
    return None


def _children(pid: int) -> list[int]:
    try:
        return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()]
    except OSError:
        return []


def explained(said: str) -> str:
    """What bubblewrap says when it does not start, with what helps."""
    text = " ".join(said.split())[:300] or "it said nothing"
    if "uid map" in text or "No permissions to create" in text or "namespace" in text.lower():
        return (
            f"bubblewrap cannot make a user namespace here ({text}): allow them "
            "(sysctl kernel.unprivileged_userns_clone=1; on Ubuntu kernel.apparmor_restrict_unprivileged_userns=0)"
        )
    return f"bubblewrap does not start: {text}"


def join(pid: int, root: bool, monitor: int = 0) -> Namespaces:
    """The way into the sandbox whose process 1 is ``pid``. This process joins the user namespace that owns
    it, if it has one: there it may look into the sandbox and read what its user made unreadable."""
    pidfd = os.pidfd_open(pid)
    place = f"/proc/{pid}/ns"
    mount = os.open(f"{place}/mnt", os.O_RDONLY | os.O_CLOEXEC)
    user: int | None = None
    if not root:
        # The namespaces belong to the user namespace that bubblewrap made first; the sandbox lives in a second one.
        owner = syscalls.owning_user_namespace(mount)
        user = os.open(f"{place}/user", os.O_RDONLY | os.O_CLOEXEC)
        syscalls.setns(owner, syscalls.CLONE_NEWUSER)
        if os.fstat(user).st_ino == os.fstat(owner).st_ino:
            os.close(user)
            user = None
        os.close(owner)
    found: list[tuple[int, int]] = []
    for name, kind in _KINDS:
        file = mount if name == "mnt" else os.open(f"{place}/{name}", os.O_RDONLY | os.O_CLOEXEC)
        if os.fstat(file).st_ino == os.stat(f"/proc/self/ns/{name}").st_ino:
            os.close(file)  # shared with the host (such as the network, when it is)
        else:
            found.append((file, kind))
    inside = os.open(f"/proc/{pid}/root", os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    proc = os.open("proc", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=inside)
    processes = os.open(f"{place}/pid", os.O_RDONLY | os.O_CLOEXEC)
    entrance = Entrance(found, inside, user, layout.UID, root, syscalls.last_capability())
    return Namespaces(monitor, pid, pidfd, proc, processes, entrance)
