"""Runs untrusted builds and tests in bubblewrap: no network, read-only system, nothing of the user's home."""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import time
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from msgspec import Struct

from ...sandbox.kit import bwrap, layout
from ...sandbox.kit.bwrap import DEV, PROC, Entry, SandboxView, bind, directory, tmpfs
from ...sandbox.kit.errors import SandboxError
from ...sandbox.kit.mount import Mount

# What of the system a build or test may read, beside `layout.SYSTEM` and ``/opt``.
_SYSTEM = ("/etc", "/nix", "/gnu")
# Readable to root only, and a session under root shall not see them either.
_SECRETS = ("/etc/shadow", "/etc/shadow-", "/etc/gshadow", "/etc/gshadow-", "/etc/sudoers", "/etc/krb5.keytab")
HOME = "/tmp/home"
# pytest's temporary directories: the default one may be hidden below a work directory that is mounted there.
PYTEST_TEMP = "/tmp/rigor-pytest"


class CommandLimits(Struct, frozen=True):
    """Limits of one command; None: no limit."""

    timeout: float = 600.0
    cpu: int | None = 1200
    memory: int | None = 16 << 30
    """Bytes of address space of each process."""
    file: int | None = 2 << 30
    output: int = 1 << 20
    """Bytes of the output that are kept: the first quarter of them and the last three quarters."""


class CommandEnd(Struct):
    """How a command ended."""

    exit_status: int | None
    output: str
    timed_out: bool
    seconds: float


class Mounts(Struct):
    """What a run sees beside the system."""

    work: Path
    at: Path
    binds: Sequence[Mount] = ()
    """More of the host. Those with a target are made after ``work``: the tool chains, our own scripts and results."""


@cache
def unavailable() -> str | None:
    """Why bubblewrap cannot be used here, or None."""
    try:
        line = _view(_system(), {}, "/").command(["true"], bwrap=bwrap.find(on_path=True))
        done = subprocess.run(line, capture_output=True, stdin=subprocess.DEVNULL, timeout=20, check=False)
    except (SandboxError, OSError, subprocess.TimeoutExpired) as error:
        return str(error) if isinstance(error, SandboxError) else f"bubblewrap does not start: {error}"
    return None if done.returncode == 0 else bwrap.explained(done.stderr.decode("utf-8", "replace"))


def _view(entries: Sequence[Entry], env: dict[str, str], place: str) -> SandboxView:
    return SandboxView(entries, user_namespace=True, capabilities=None, init=False, env=env, directory=place)


def _system() -> list[Entry]:
    entries = [*layout.system(), *(bind(Mount(path)) for path in _SYSTEM if os.path.isdir(path))]
    if os.path.isdir("/opt"):
        # Piece by piece: the tool chain of recorded runs is mounted beside what is there.
        entries.append(directory("/opt"))
        shown = sorted(e.path for e in os.scandir("/opt") if os.path.exists(e.path))
        entries += [bind(Mount(path)) for path in shown]
    entries += [bind(Mount(os.devnull, path)) for path in _SECRETS if os.path.exists(path)]
    return [*entries, PROC, DEV, tmpfs("/tmp"), tmpfs("/var/tmp"), directory(HOME), directory(PYTEST_TEMP)]


def command_line(mounts: Mounts, command: Sequence[str], env: dict[str, str], limits: CommandLimits) -> list[str]:
    """The bwrap command that runs ``command`` (an argument vector) in the work directory."""
    entries = _system()
    shown = [Path(path) for path in (*layout.SYSTEM, *_SYSTEM, "/opt")]
    plain = (mount for mount in mounts.binds if not mount.target)
    entries += [bind(m) for m in plain if not any(Path(m.source).is_relative_to(directory) for directory in shown)]
    entries.append(bind(Mount(str(mounts.work), str(mounts.at), True)))
    entries += [bind(mount) for mount in mounts.binds if mount.target]
    values = {"HOME": HOME, "TMPDIR": "/tmp", "PYTEST_DEBUG_TEMPROOT": PYTEST_TEMP, "LANG": "C.UTF-8", "TZ": "UTC"}
    values.update({"TERM": "dumb", "CI": "1", **env})
    program = ["/bin/sh", "-c", _limited(limits), "sh", *command]
    return _view(entries, values, str(mounts.at)).command(program, bwrap=bwrap.find(on_path=True))


def _limited(limits: CommandLimits) -> str:
    """Shell text that sets the limits and becomes the command. A limit above the hard one is left as it is."""
    values = [("c", 0), ("t", limits.cpu)]
    values += [("v", None if limits.memory is None else limits.memory >> 10)]
    values += [("f", None if limits.file is None else limits.file >> 9)]
    return "".join(f"ulimit -{flag} {value} 2>/dev/null; " for flag, value in values if value is not None) + 'exec "$@"'


def run(command: str, mounts: Mounts, env: dict[str, str], limits: CommandLimits) -> CommandEnd:
    """Run a shell command line in the sandbox and wait for it.

    At the time limit the whole process tree is killed: the sandbox has its own process namespace, whose end ends all.

    Raises:
        SandboxError: bubblewrap is missing or cannot start.
    """
    started = time.monotonic()
    process = subprocess.Popen(
        command_line(mounts, ["/bin/sh", "-c", command], env, limits),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    assert process.stdout is not None
    with process.stdout:
        output, timed_out = _collect(process, limits)
    kill(process)
    status = None if timed_out else process.returncode
    return CommandEnd(status, output.decode("utf-8", "replace"), timed_out, time.monotonic() - started)


def kill(process: subprocess.Popen[bytes]) -> None:
    """End a sandbox and everything in it, and wait for it."""
    if process.poll() is None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _collect(process: subprocess.Popen[bytes], limits: CommandLimits) -> tuple[bytes, bool]:
    """Output until the end or the time limit: the first quarter of the limit, and the last three quarters."""
    assert process.stdout is not None
    head, tail = bytearray(), bytearray()
    first, last = limits.output // 4, limits.output - limits.output // 4
    cut = False
    deadline = time.monotonic() + limits.timeout
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        while True:
            left = deadline - time.monotonic()
            if left <= 0 or not selector.select(left):
                kill(process)
                return bytes(head + tail), True
            data = os.read(process.stdout.fileno(), 1 << 16)
            if not data:
                break
            room = first - len(head)
            head += data[:room] if room > 0 else b""
            tail += data[max(room, 0) :]
            if len(tail) > 2 * last:
                cut = True
                del tail[:-last]
    try:
        process.wait(max(0.0, deadline - time.monotonic()))
    except subprocess.TimeoutExpired:
        kill(process)
        return bytes(head + tail), True
    if cut:
        head += b"\n[... output cut ...]\n"
    return bytes(head + tail), False
