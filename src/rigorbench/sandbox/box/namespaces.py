"""Starting bubblewrap, and the way into the namespaces that it made."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import select
import signal
import time
from pathlib import Path

from msgspec import Struct

from ..kit import bwrap, proc, syscalls
from ..kit.errors import SandboxError
from ..kit.inputs import input_file
from . import layout
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


class Namespaces(Struct):
    """A running bubblewrap."""

    monitor: int
    """Bubblewrap's process, our child."""
    pid: int
    """The sandbox's process 1, as the host counts."""
    pidfd: int
    """A file for that process."""
    proc: int
    """The sandbox's own ``/proc``."""
    processes: int
    entrance: Entrance
    """The way in for other processes."""


def start(spec: BoxSpec, groups: list[int]) -> Namespaces:
    """Start the sandbox and wait for its process 1.

    Raises:
        SandboxError: bubblewrap is missing or cannot start a sandbox here.
    """
    program, root = bwrap.find(), bwrap.as_root()
    info_read, info_write = os.pipe()
    error_read, error_write = os.pipe()
    copies = layout.copies(network=spec.network)
    view = layout.view(spec, dict(enumerate(copies, _INFO + 1)), user_namespace=not root)
    line = view.command([layout.INIT, "infinity"], bwrap=program, options=["--info-fd", str(_INFO)])
    monitor = os.fork()
    if monitor == 0:
        try:
            for file in groups:
                os.write(file, b"0")
            os.setsid()
            # Process 1 inherits this: the kernel then removes its dead children, to which orphans belong, itself.
            signal.signal(signal.SIGCHLD, signal.SIG_IGN)
            null = os.open(os.devnull, os.O_RDWR)
            high = [
                fcntl.fcntl(file, fcntl.F_DUPFD_CLOEXEC, 100)
                for file in (null, null, error_write, *[info_write, *(input_file(copy.content) for copy in copies)])
            ]
            for number, file in enumerate(high):
                os.dup2(file, number)
            os.execve(line[0], line, {})
        except OSError as failure:
            # Also when it may not join its control group: then no limit would be in force.
            os.write(error_write, f"before bubblewrap started: {failure}".encode())
        finally:
            os._exit(127)
    os.close(info_write)
    os.close(error_write)
    try:
        pid = _settled(monitor, info_read)
        if pid is None:
            os.set_blocking(error_read, False)
            with contextlib.suppress(BlockingIOError):
                raise SandboxError(bwrap.explained(os.read(error_read, 4000).decode("utf-8", "replace")))
            raise SandboxError(f"bubblewrap did not come up within {_STARTING:.0f} s and printed nothing")
    finally:
        os.close(info_read)
        os.close(error_read)
    return join(pid, root, monitor)


def _settled(monitor: int, info: int) -> int | None:
    """Wait until process 1 has become the program that no other can look into. Its pid, None if that did not happen."""
    deadline = time.monotonic() + _STARTING
    pid: int | None = None
    info_text = b""
    while time.monotonic() < deadline:
        if pid is None:
            readable, _, _ = select.select([info], [], [], _STARTING)
            piece = os.read(info, 4096) if readable else b""
            if not piece:
                break
            info_text += piece
            if not info_text.rstrip().endswith(b"}"):  # it comes in pieces
                continue
            pid = int(json.loads(info_text)["child-pid"])
        try:
            name = Path(f"/proc/{pid}/comm").read_text(encoding="utf-8", errors="replace").strip()
        except OSError:
            break
        if name == os.path.basename(layout.INIT):
            return pid
        time.sleep(0.0002)
    # Its child first: without its parent it might wait for a message for ever.
    for process in (pid, *proc.children(monitor), monitor):
        if process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
    os.waitpid(monitor, 0)
    return None


def join(pid: int, root: bool, monitor: int = 0) -> Namespaces:
    """The way into the sandbox whose process 1 is ``pid``. This process joins the user namespace that owns
    it, if it has one: there it may look into the sandbox and read what its user made unreadable."""
    pidfd = os.pidfd_open(pid)
    directory = f"/proc/{pid}/ns"
    mount = os.open(f"{directory}/mnt", os.O_RDONLY | os.O_CLOEXEC)
    user: int | None = None
    if not root:
        # The namespaces belong to the user namespace that bubblewrap made first; the sandbox lives in a second one.
        owner = syscalls.owning_user_namespace(mount)
        user = os.open(f"{directory}/user", os.O_RDONLY | os.O_CLOEXEC)
        syscalls.setns(owner, syscalls.CLONE_NEWUSER)
        if os.fstat(user).st_ino == os.fstat(owner).st_ino:
            os.close(user)
            user = None
        os.close(owner)
    found: list[tuple[int, int]] = []
    for name, kind in _KINDS:
        file = mount if name == "mnt" else os.open(f"{directory}/{name}", os.O_RDONLY | os.O_CLOEXEC)
        if os.fstat(file).st_ino == os.stat(f"/proc/self/ns/{name}").st_ino:
            os.close(file)  # shared with the host (such as the network, when it is)
        else:
            found.append((file, kind))
    inside = os.open(f"/proc/{pid}/root", os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    own_proc = os.open("proc", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=inside)
    processes = os.open(f"{directory}/pid", os.O_RDONLY | os.O_CLOEXEC)
    entrance = Entrance(found, inside, user, layout.UID, root, syscalls.last_capability())
    return Namespaces(monitor, pid, pidfd, own_proc, processes, entrance)
