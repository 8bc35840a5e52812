"""What a cell looks like from inside, and the command of its process 1."""

from __future__ import annotations

import os
import platform
import stat
import sys
import sysconfig
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from msgspec import Struct, field

from ...base.data import PACKAGE
from ..kit import layout
from ..kit.bwrap import PROC, SYSTEM_PATH, Entry, SandboxView, bind, copied, directory, link, nothing, read_only
from ..kit.mount import Mount
from .spec import CellError, CellSpec

USER = "judge"
DEFAULTS = {"PATH": SYSTEM_PATH, "HOME": "/tmp", "LANG": "C.UTF-8"}
_PYTHON = "/run/judge/python"
# Of process 1 as root, to become the programs' user and end them, and to set the number of the next process.
_CAPABILITIES = ("CAP_SETUID", "CAP_SETGID", "CAP_KILL", "CAP_CHECKPOINT_RESTORE")
# Also of process 1, which gives them up before it starts any program: to hide what is mounted.
_TO_HIDE_MOUNTS = ("CAP_SYS_ADMIN", "CAP_SYS_CHROOT", "CAP_SETPCAP")
_DEVICES = {"null": 3, "zero": 5, "full": 7, "random": 8, "urandom": 9}
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


# Where process 1 has the host's system if programs have an image; it is unmounted before they start.
HOST = "/run/judge/host"


@cache
def _hosts_python() -> _Python:
    """The interpreter below `HOST`."""
    python = _python()
    if python.mounts:
        return python
    places = [p for p in layout.SYSTEM if os.path.isdir(p) and not os.path.islink(p)]
    libraries = [
        f"{top}{below}" for top in ("/usr/lib", "/lib") for below in (f"/{platform.machine()}-linux-gnu", "64", "")
    ]
    env = {"LD_LIBRARY_PATH": ":".join(HOST + place for place in libraries if os.path.isdir(place))}
    return _Python(HOST + python.path, tuple(Mount(place, HOST + place) for place in places), env)


def interpreter(spec: CellSpec) -> _Python:
    """What process 1 of a cell runs from."""
    return _hosts_python() if spec.image else _python()


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
    spec: CellSpec, work: str, tmp: str, files: Mapping[str, int], *, user: int | None, controlled: bool
) -> SandboxView:
    """The cell for bubblewrap.

    Args:
        spec: What the cell is made of.
        work: The host's directory for ``/w``.
        tmp: The host's directory for ``/tmp``.
        files: The paths of the `etc_files`, each with the descriptor to read it from.
        user: The programs' user; None: ours, in a user namespace.
        controlled: Whether we use control groups; a cell then must not see where they are.
    """
    python, etc = interpreter(spec), [] if spec.image else layout.etc_directories()
    above = layout.parents(["/dev/x", "/etc/x", "/w/x", "/tmp/x", "/var/x", *(m.inside for m in (*etc, *spec.mounts))])
    entries = layout.system(spec.image or "")
    # Other users than root cannot even look at what process 1 runs from.
    entries += [directory("/run"), directory("/run/judge", 0o700), *map(directory, sorted(above))]
    # Of process 1 nothing shows: the time it used would reveal earlier runs, and without root it has our own user.
    entries += [PROC, nothing("/proc/1")]
    entries += [bind(Mount(os.devnull, path)) for path in _OF_THE_HOST if os.path.exists(path)]
    entries += [_device(name, os.path.dirname(tmp)) for name in _DEVICES]
    for name, target in (("fd", ""), ("stdin", "/0"), ("stdout", "/1"), ("stderr", "/2")):
        entries.append(link(f"/dev/{name}", f"/proc/self/fd{target}"))
    entries += [*map(bind, etc), *(copied(path, number) for path, number in files.items()), *map(bind, python.mounts)]
    entries += [bind(Mount(work, "/w", True)), bind(Mount(tmp, "/tmp", True)), link("/var/tmp", "/tmp")]
    entries += map(bind, spec.mounts)
    entries += map(nothing, layout.covered((*spec.mounts, *python.mounts), _hidden(spec)))
    return SandboxView(
        [*entries, read_only("/")],
        hostname="judge",
        user_namespace=user is None,
        user=_OWN,
        capabilities=(*_TO_HIDE_MOUNTS, *(() if user is None else _CAPABILITIES[: 4 if kernel() >= (5, 9) else 3])),
        own_cgroups=controlled,
        env=python.env,
    )


def _device(name: str, place: str) -> Entry:
    """A device file of the cell's own in a directory of the host: those of the host show when they are opened."""
    inside, own = f"/dev/{name}", os.path.join(place, name)
    try:
        os.mknod(own, stat.S_IFCHR | 0o666, os.makedev(1, _DEVICES[name]))
        os.chmod(own, 0o666)
        os.close(os.open(own, os.O_RDONLY))
    except OSError:  # not root, or on a file system without devices
        own = inside
    return ["--dev-bind", own, inside]


def _hidden(spec: CellSpec) -> list[str]:
    """What must not show: the Python packages beside the interpreter, the checkout, and what ``spec`` names."""
    packages = [f"{mount.source}/site-packages" for mount in _python().mounts if os.path.isdir(mount.source)]
    checkout = [str(PACKAGE.parents[1])] if PACKAGE.parent.name == "src" else []  # with its suites and tests
    return [*spec.hidden, *packages, *checkout]


def supervisor(channel: int, code: int, *options: str, python: str) -> list[str]:
    """The command of process 1.

    Args:
        channel: The socket.
        code: The descriptor that the supervisor's code is read from.
        options: See `supervisor`.
        python: The interpreter.
    """
    start = f"import marshal;exec(marshal.load(open({code},'rb')))"
    return [python, "-I", "-S", "-E", "-B", "-c", start, str(channel), *options]


def kernel() -> tuple[int, int]:
    """The version of Linux, such as (6, 1)."""
    numbers = [int("".join(c for c in part if c.isdigit()) or 0) for part in platform.release().split(".")[:2]]
    return numbers[0], numbers[1] if len(numbers) > 1 else 0
