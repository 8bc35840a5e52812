"""Runs untrusted builds and tests in bubblewrap: no network, read-only system, nothing of the user's home."""

from __future__ import annotations

import contextlib
import os
import selectors
import shutil
import signal
import subprocess
import time
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from msgspec import Struct, field

REMEDY = "bubblewrap (bwrap) is not installed: apt install bubblewrap (or dnf, pacman, zypper)"
# What of the system a build or test may read.
_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc", "/opt", "/nix", "/gnu")
# Readable to root only, and a session under root shall not see them either.
_SECRETS = ("/etc/shadow", "/etc/shadow-", "/etc/gshadow", "/etc/gshadow-", "/etc/sudoers", "/etc/krb5.keytab")
HOME = "/tmp/home"
# pytest's temporary directories: the default place may be hidden below a work directory that is mounted there.
PYTEST_TEMP = "/tmp/rigor-pytest"


class Limits(Struct, frozen=True):
    """``timeout`` and ``cpu`` in seconds, ``memory`` (address space) and ``file`` in bytes; None: no limit.

    ``output`` is how much of a command's output is kept: its first quarter and its last three quarters.
    """

    timeout: float = 600.0
    cpu: int | None = 1200
    memory: int | None = 16 << 30
    file: int | None = 2 << 30
    output: int = 1 << 20


class Finished(Struct):
    """``exit_status`` is None when the command was killed at its time limit. ``seconds`` is wall clock."""

    exit_status: int | None
    output: str
    timed_out: bool
    seconds: float


class Mounts(Struct):
    """What a run sees beside the system: ``work`` (writable) at ``at``, and read-only paths, each at its own place.

    ``over`` are (source, target) read-only mounts, applied last: parts of the user's clone that git ignores but the
    project needs (``node_modules``, ``.venv``), and our own scripts.
    """

    work: Path
    at: Path
    readonly: list[Path] = field(default_factory=list)
    over: list[tuple[Path, Path]] = field(default_factory=list)
    writable: list[tuple[Path, Path]] = field(default_factory=list)


@cache
def unavailable() -> str | None:
    """Why bubblewrap cannot be used here, or None."""
    if shutil.which("bwrap") is None:
        return REMEDY
    try:
        done = subprocess.run(
            ["bwrap", *_base(), "true"], capture_output=True, stdin=subprocess.DEVNULL, timeout=20, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"bubblewrap does not start: {error}"
    if done.returncode != 0:
        reason = " ".join(done.stderr.decode("utf-8", "replace").split())[:200]
        return f"bubblewrap does not work here ({reason}); user namespaces must be allowed"
    return None


def _base() -> list[str]:
    arguments = ["--unshare-all", "--die-with-parent", "--new-session"]
    for path in _SYSTEM:
        if os.path.islink(path):
            arguments += ["--symlink", os.readlink(path), path]
        elif path == "/opt" and os.path.isdir(path):
            # Piece by piece: the tool chain of recorded runs has its place beside what is there.
            arguments += ["--dir", path]
            for name in sorted(os.listdir(path)):
                arguments += ["--ro-bind-try", f"{path}/{name}", f"{path}/{name}"]
        elif os.path.isdir(path):
            arguments += ["--ro-bind", path, path]
    for path in _SECRETS:
        if os.path.exists(path):
            arguments += ["--ro-bind", os.devnull, path]
    return [
        *arguments,
        "--proc",
        "/proc",
        "--dev",
        "/dev",
        "--tmpfs",
        "/tmp",
        "--tmpfs",
        "/var/tmp",
        "--dir",
        HOME,
        "--dir",
        PYTEST_TEMP,
    ]


def command_line(mounts: Mounts, command: Sequence[str], env: dict[str, str], limits: Limits) -> list[str]:
    """The bwrap command that runs ``command`` (an argument vector) in the work directory."""
    arguments = ["bwrap", *_base()]
    for path in mounts.readonly:
        if path.exists() and not any(_inside(path, Path(s)) for s in _SYSTEM):
            arguments += ["--ro-bind", str(path), str(path)]
    arguments += ["--bind", str(mounts.work), str(mounts.at)]
    for source, target in mounts.over:
        if source.exists():
            arguments += ["--ro-bind", str(source), str(target)]
    for source, target in mounts.writable:
        arguments += ["--bind", str(source), str(target)]
    values = {"HOME": HOME, "TMPDIR": "/tmp", "PYTEST_DEBUG_TEMPROOT": PYTEST_TEMP, "LANG": "C.UTF-8", "TZ": "UTC"}
    values.update({"TERM": "dumb", "CI": "1", **env})
    arguments.append("--clearenv")
    for name, value in values.items():
        arguments += ["--setenv", name, value]
    return [*arguments, "--chdir", str(mounts.at), "--", "/bin/sh", "-c", _limited(limits), "sh", *command]


def _limited(limits: Limits) -> str:
    """Shell text that sets the limits and becomes the command. A limit above the hard one is left as it is."""
    wanted = [("c", 0)]
    if limits.cpu is not None:
        wanted.append(("t", limits.cpu))
    if limits.memory is not None:
        wanted.append(("v", limits.memory >> 10))
    if limits.file is not None:
        wanted.append(("f", limits.file >> 9))
    return "".join(f"ulimit -{flag} {value} 2>/dev/null; " for flag, value in wanted) + 'exec "$@"'


def _inside(path: Path, directory: Path) -> bool:
    return path == directory or directory in path.parents


def run(
    command: str | Sequence[str], mounts: Mounts, *, env: dict[str, str] | None = None, limits: Limits | None = None
) -> Finished:
    """Run a shell command line or an argument vector in the sandbox and wait for it.

    At the time limit the whole process tree is killed: the sandbox has its own process namespace, whose end ends all.

    Raises:
        SandboxError: bubblewrap is missing or cannot start.
    """
    limits = limits or Limits()
    vector = ["/bin/sh", "-c", command] if isinstance(command, str) else list(command)
    started = time.monotonic()
    process = start(vector, mounts, env=env or {}, limits=limits, stdin=subprocess.DEVNULL)
    assert process.stdout is not None
    with process.stdout:
        output, timed_out = _collect(process, limits)
    kill(process)
    status = None if timed_out else process.returncode
    return Finished(status, output.decode("utf-8", "replace"), timed_out, time.monotonic() - started)


class SandboxError(Exception):
    """The sandbox itself cannot be had; one line, with the remedy."""


def start(
    vector: Sequence[str], mounts: Mounts, *, env: dict[str, str], limits: Limits, stdin: int
) -> subprocess.Popen[bytes]:
    """Start a command in the sandbox with standard output and error on one pipe."""
    reason = unavailable()
    if reason is not None:
        raise SandboxError(reason)
    return subprocess.Popen(
        command_line(mounts, vector, env, limits),
        stdin=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )


def kill(process: subprocess.Popen[bytes]) -> None:
    """End a sandbox and everything in it, and wait for it."""
    if process.poll() is None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _collect(process: subprocess.Popen[bytes], limits: Limits) -> tuple[bytes, bool]:
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
