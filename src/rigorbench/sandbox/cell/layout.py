"""What a cell looks like from inside, and the command of its process 1."""

from __future__ import annotations

import os
import platform
import sys
import sysconfig
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from msgspec import Struct, field

from ...base.data import PACKAGE
from ..kit import layout
from ..kit.bwrap import SYSTEM_PATH, Device, Directory, Entry, FileContent, Link, ReadOnly, SandboxView, Special, Tmpfs
from ..kit.mount import Mount
from .spec import CellError, CellSpec

USER = "judge"
DEFAULTS = {"PATH": SYSTEM_PATH, "HOME": "/tmp", "LANG": "C.UTF-8"}
_PYTHON = "/run/judge/python"
# Of process 1 as root, to become the programs' user and end them, and to set the number of the next process.
_CAPABILITIES = ("CAP_SETUID", "CAP_SETGID", "CAP_KILL", "CAP_CHECKPOINT_RESTORE")
# Also of process 1, which gives them up before it starts any program: to hide what is mounted.
_TO_HIDE_MOUNTS = ("CAP_SYS_ADMIN", "CAP_SYS_CHROOT", "CAP_SETPCAP")
_DEVICES = ("null", "zero", "full", "random", "urandom")
# Files of /proc that tell which machine this is, or who uses it.
_OF_THE_HOST = ("/proc/cmdline", "/proc/sys/kernel/random/boot_id", "/proc/keys", "/proc/key-users")
_RESERVED = ("usr", "bin", "lib", "lib64", "lib32", "sbin", "proc", "dev", "etc", "run", "w", "tmp", "var")
_OWN = 61499  # inside a user namespace everybody is our own user, whatever the number


def check(spec: CellSpec) -> None:
    """Raises: CellError: a mount that cannot be made."""
    for mount in spec.mounts:
        target = mount.inside
        if not target.startswith("/") or os.path.normpath(target) != target or target.split("/")[1] in ("", *_RESERVED):
            raise CellError(f"{target!r} cannot be a path in a cell: give an absolute path such as /code")
        if not os.path.exists(mount.source):
            raise CellError(f"{mount.source} is to be shown in a cell at {target}, but does not exist")


class _Python(Struct, frozen=True):
    """The interpreter for process 1: its path inside, what must be shown for it, its environment."""

    path: str
    mounts: tuple[Mount, ...] = ()
    env: dict[str, str] = field(default_factory=dict)


@cache
def _python() -> _Python:
    here = Path(os.path.realpath(getattr(sys, "_base_executable", sys.executable)))
    prefix = Path(os.path.realpath(sys.base_prefix))
    if here.is_relative_to("/usr"):
        return _Python(str(here))
    version = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    if os.path.exists(f"/usr/bin/{version}") and os.path.isdir(f"/usr/lib/{version}/ctypes"):
        # The system's own of the same version will do, and needs no mount, which would show where ours is.
        return _Python(f"/usr/bin/{version}")
    library = sysconfig.get_path("stdlib", vars={"installed_base": str(prefix), "base": str(prefix)})
    mounts = [Mount(str(here), f"{_PYTHON}/bin/python"), Mount(os.path.realpath(library), f"{_PYTHON}/lib/{version}")]
    env = {}
    if sysconfig.get_config_var("Py_ENABLE_SHARED") and (shared := sysconfig.get_config_var("LDLIBRARY")):
        directory = next((p for p in (prefix / "lib", prefix / "lib64") if (p / shared).exists()), prefix / "lib")
        mounts += [Mount(str(p), f"{_PYTHON}/lib/{p.name}") for p in directory.glob(f"{shared}*")]
        env["LD_LIBRARY_PATH"] = f"{_PYTHON}/lib"
    return _Python(f"{_PYTHON}/bin/python", tuple(mounts), env)


@cache
def etc_files(uid: int | None) -> dict[str, bytes]:
    """The files of ``/etc`` in a cell: of the host's only how to find libraries, and the time zone."""
    user = _OWN if uid is None else uid
    return {
        "passwd": f"root:x:0:0:root:/:/usr/sbin/nologin\n{USER}:x:{user}:{user}:judge:/tmp:/bin/sh\n".encode(),
        "group": f"root:x:0:\n{USER}:x:{user}:\n".encode(),
        "hosts": b"127.0.0.1 localhost\n::1 localhost\n",
        "nsswitch.conf": b"passwd: files\ngroup: files\nhosts: files\n",
        **layout.etc_copies(("ld.so.cache", "localtime")),
    }


def view(
    spec: CellSpec, work: str, tmp: str, files: Sequence[FileContent], *, user: int | None, controlled: bool
) -> SandboxView:
    """The cell for bubblewrap.

    Args:
        spec: What the cell is made of.
        work: The host's directory for ``/w``.
        tmp: The host's directory for ``/tmp``.
        files: The `etc_files`, each with the descriptor to read it from.
        user: The programs' user; None: ours, in a user namespace.
        controlled: Whether we use control groups; a cell then must not see where they are.
    """
    python, etc = _python(), layout.etc_directories()
    above = layout.parents(["/dev/x", "/etc/x", "/w/x", "/tmp/x", "/var/x", *(m.inside for m in (*etc, *spec.mounts))])
    entries: list[Entry] = [*layout.system()]
    # Other users than root cannot even look at what process 1 runs from.
    entries += [Directory("/run"), Directory("/run/judge", 0o700), *(Directory(path) for path in sorted(above))]
    # Of process 1 nothing shows: the time it used would reveal earlier runs, and without root it has our own user.
    entries += [Special("/proc", "proc"), Tmpfs("/proc/1", writable=False)]
    entries += [Mount(os.devnull, path) for path in _OF_THE_HOST if os.path.exists(path)]
    entries += [Device(f"/dev/{name}") for name in _DEVICES]
    for name, target in (("fd", ""), ("stdin", "/0"), ("stdout", "/1"), ("stderr", "/2")):
        entries.append(Link(f"/dev/{name}", f"/proc/self/fd{target}"))
    entries += [*etc, *files, *python.mounts]
    entries += [Mount(work, "/w", True), Mount(tmp, "/tmp", True), Link("/var/tmp", "/tmp"), *spec.mounts]
    entries += [Tmpfs(path, writable=False) for path in layout.covered((*spec.mounts, *python.mounts), _hidden(spec))]
    return SandboxView(
        [*entries, ReadOnly("/")],
        hostname="judge",
        user_namespace=user is None,
        user=_OWN,
        capabilities=(*_TO_HIDE_MOUNTS, *(() if user is None else _CAPABILITIES[: 4 if kernel() >= (5, 9) else 3])),
        own_cgroups=controlled,
        env=python.env,
    )


def _hidden(spec: CellSpec) -> list[str]:
    """What must not show: the Python packages beside the interpreter, the checkout, and what ``spec`` names."""
    packages = [f"{mount.source}/site-packages" for mount in _python().mounts if os.path.isdir(mount.source)]
    checkout = [str(PACKAGE.parents[1])] if PACKAGE.parent.name == "src" else []  # with its suites and tests
    return [*spec.hidden, *packages, *checkout]


def supervisor(channel: int, code: int, *options: str, python: str | None = None) -> list[str]:
    """The command of process 1.

    Args:
        channel: The socket.
        code: The descriptor that the supervisor's code is read from.
        options: See `supervisor`.
        python: The interpreter; None: that of a cell.
    """
    start = f"import marshal;exec(marshal.load(open({code},'rb')))"
    return [python or _python().path, "-I", "-S", "-E", "-B", "-c", start, str(channel), *options]


def kernel() -> tuple[int, int]:
    """The version of Linux, such as (6, 1)."""
    numbers = [int("".join(c for c in part if c.isdigit()) or 0) for part in platform.release().split(".")[:2]]
    return numbers[0], numbers[1] if len(numbers) > 1 else 0
