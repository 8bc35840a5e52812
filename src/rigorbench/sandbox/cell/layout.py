"""What a cell looks like from inside, and the bwrap command that makes it."""

from __future__ import annotations

import os
import platform
import sys
import sysconfig
from functools import cache
from pathlib import Path

from ...base.data import PACKAGE
from .. import layout as boxes
from ..spec import Bind, BoxSpec
from .spec import CellError, CellSpec

USER = "judge"
PATH = "/usr/local/bin:/usr/bin:/bin"
DEFAULTS = {"PATH": PATH, "HOME": "/tmp", "LANG": "C.UTF-8"}
_PYTHON = "/run/judge/python"
# Of process 1 as root, to become the programs' user and end them, and to set the number of the next process.
_CAPABILITIES = ("CAP_SETUID", "CAP_SETGID", "CAP_KILL", "CAP_CHECKPOINT_RESTORE")
_DEVICES = ("null", "zero", "full", "random", "urandom")
_RESERVED = ("usr", "bin", "lib", "lib64", "lib32", "sbin", "proc", "dev", "etc", "run", "w", "tmp", "var")
_OWN = 61499  # inside a user namespace everybody is our own user, whatever the number


def check(spec: CellSpec) -> None:
    """Raises: CellError: a mount that cannot be made."""
    for mount in spec.mounts:
        target = mount.target
        if not target.startswith("/") or os.path.normpath(target) != target or target.split("/")[1] in ("", *_RESERVED):
            raise CellError(f"{target!r} cannot be a place in a cell: give an absolute path such as /code")
        if not os.path.exists(mount.source):
            raise CellError(f"{mount.source} is to be shown in a cell at {target}, but does not exist")


@cache
def _python() -> tuple[str, tuple[tuple[str, str], ...], dict[str, str]]:
    """The interpreter for process 1: its path inside, what must be shown for it, its environment."""
    here = Path(os.path.realpath(getattr(sys, "_base_executable", sys.executable)))
    prefix = Path(os.path.realpath(sys.base_prefix))
    if here.is_relative_to("/usr"):
        return str(here), (), {}
    version = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    library = sysconfig.get_path("stdlib", vars={"installed_base": str(prefix), "base": str(prefix)})
    binds = [(str(here), f"{_PYTHON}/bin/python"), (os.path.realpath(library), f"{_PYTHON}/lib/{version}")]
    shared = sysconfig.get_config_var("LDLIBRARY") if sysconfig.get_config_var("Py_ENABLE_SHARED") else None
    environment = {}
    if shared:
        place = next((p for p in (prefix / "lib", prefix / "lib64") if (p / shared).exists()), prefix / "lib")
        binds += [(str(p), f"{_PYTHON}/lib/{p.name}") for p in place.glob(f"{shared}*")]
        environment["LD_LIBRARY_PATH"] = f"{_PYTHON}/lib"
    return f"{_PYTHON}/bin/python", tuple(binds), environment


@cache
def etc_files(uid: int | None) -> dict[str, bytes]:
    """Files of ``/etc`` that are made for a cell; nothing of the host's but how to find libraries and the time zone."""
    user = _OWN if uid is None else uid
    files = {
        "passwd": f"root:x:0:0:root:/:/usr/sbin/nologin\n{USER}:x:{user}:{user}:judge:/tmp:/bin/sh\n".encode(),
        "group": f"root:x:0:\n{USER}:x:{user}:\n".encode(),
        "hosts": b"127.0.0.1 localhost\n::1 localhost\n",
        "nsswitch.conf": b"passwd: files\ngroup: files\nhosts: files\n",
    }
    for own in ("ld.so.cache", "localtime"):
        try:
            files[own] = Path("/etc", own).read_bytes()
        except OSError:
            continue
    return files


def command_line(
    spec: CellSpec, bwrap: str, work: str, tmp: str, *, user: int | None, files: list[tuple[str, int]], cgroup: bool
) -> list[str]:
    """``user``: of the programs, None: ours, in a user namespace. ``files``: (path inside, descriptor to read its
    content from). ``cgroup``: hide where our control groups are."""
    line = [bwrap, "--die-with-parent", "--new-session", "--as-pid-1", "--unshare-ipc", "--unshare-pid"]
    line += ["--unshare-uts", "--unshare-net", "--hostname", "judge", "--clearenv", "--cap-drop", "ALL"]
    if cgroup:
        line.append("--unshare-cgroup-try")
    if user is not None:
        for capability in _CAPABILITIES if kernel() >= (5, 9) else _CAPABILITIES[:3]:
            line += ["--cap-add", capability]
    else:
        line += ["--unshare-user", "--uid", str(_OWN), "--gid", str(_OWN)]
    line += ["--ro-bind", "/usr", "/usr"]
    for name in ("bin", "sbin", "lib", "lib32", "lib64"):
        if os.path.islink(f"/{name}"):
            line += ["--symlink", os.readlink(f"/{name}"), f"/{name}"]
        elif os.path.isdir(f"/{name}"):
            line += ["--ro-bind", f"/{name}", f"/{name}"]
    # Other users than root cannot even look at what process 1 runs from.
    line += ["--perms", "0755", "--dir", "/run", "--perms", "0700", "--dir", "/run/judge"]
    for place in sorted(_parents(spec)):
        line += ["--perms", "0755", "--dir", place]
    # Of process 1 nothing shows: what it used up would tell of earlier runs, and it has our own user without root.
    line += ["--proc", "/proc", "--tmpfs", "/proc/1", "--remount-ro", "/proc/1"]
    for name in _DEVICES:
        line += ["--dev-bind", f"/dev/{name}", f"/dev/{name}"]
    for name, target in (("fd", ""), ("stdin", "/0"), ("stdout", "/1"), ("stderr", "/2")):
        line += ["--symlink", f"/proc/self/fd{target}", f"/dev/{name}"]
    for path in boxes.etc_directories():
        line += ["--ro-bind", os.path.realpath(path), path]
    for path, file in files:
        line += ["--perms", "0644", "--file", str(file), path]
    _, binds, environment = _python()
    for source, target in binds:
        line += ["--ro-bind", source, target]
    for name, value in environment.items():
        line += ["--setenv", name, value]
    line += ["--bind", work, "/w", "--bind", tmp, "/tmp", "--symlink", "/tmp", "/var/tmp"]
    for mount in spec.mounts:
        line += ["--bind" if mount.writable else "--ro-bind", mount.source, mount.target]
    for covered in _covered(spec, binds):
        line += ["--tmpfs", covered, "--remount-ro", covered]
    return [*line, "--remount-ro", "/", "--chdir", "/"]


def supervisor(channel: int, code: int, *, hide: bool) -> list[str]:
    """The command of process 1; ``channel``: the socket, ``code``: where the supervisor's code is read from."""
    start = f"import marshal;exec(marshal.load(open({code},'rb')))"
    line = [_python()[0], "-I", "-S", "-E", "-B", "-c", start, str(channel)]
    return [*line, "hide"] if hide else line


def _parents(spec: CellSpec) -> set[str]:
    places = ["/dev/x", "/etc/x", "/w/x", "/tmp/x", "/var/x"]
    places += [*boxes.etc_directories(), *(mount.target for mount in spec.mounts)]
    return {str(parent) for place in places for parent in Path(place).parents} - {"/"}


def _covered(spec: CellSpec, binds: tuple[tuple[str, str], ...]) -> list[str]:
    """Where RigorBench itself, the Python packages beside it and what else is ``hidden`` would show."""
    shown = tuple(Bind(mount.source, mount.target) for mount in spec.mounts)
    shown += tuple(Bind(source, target) for source, target in binds)
    packages = tuple(str(Path(source) / "site-packages") for source, _ in binds if os.path.isdir(source))
    if PACKAGE.parent.name == "src":  # a checkout, with its suites and tests
        packages += (str(PACKAGE.parents[1]),)
    return boxes.covered_places(BoxSpec("/", binds=shown, hidden=(*spec.hidden, *packages)))


def kernel() -> tuple[int, int]:
    numbers = [int("".join(c for c in part if c.isdigit()) or 0) for part in platform.release().split(".")[:2]]
    return numbers[0], numbers[1] if len(numbers) > 1 else 0
