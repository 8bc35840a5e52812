"""What a sandbox looks like from inside: its writable directories, its own ``/etc``, and the bwrap command line."""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from functools import cache
from pathlib import Path

from msgspec import Struct

from rigorbench.base.data import PACKAGE

from .errors import SandboxError
from .spec import BoxSpec

USER = "agent"
UID = 61000
HOME = "/home/agent"
PATH = "/usr/local/bin:/usr/bin:/bin"
INIT = "/run/init"  # process 1 of the sandbox
_WORK, _HOME, _TMP, _VARTMP, _SHM = "work", "home", "tmp", "vartmp", "shm"
WRITABLE = (_WORK, _HOME, _TMP, _VARTMP, _SHM)

# Of the host's /etc: what programs need to find libraries, certificates, time zones, other programs. Nothing that can
# hold a password or a token (so no npmrc, pip.conf, gitconfig, environment).
_ETC_FILES = (
    "debian_version", "ld.so.cache", "magic", "mime.types", "os-release", "protocols", "services", "ssl/cert.pem",
    "ssl/openssl.cnf", "timezone", "localtime",
)  # fmt: skip
_ETC_DIRECTORIES = ("alternatives", "fonts", "pki/ca-trust", "pki/tls", "ssl/certs", "terminfo")


def default_environment(spec: BoxSpec) -> dict[str, str]:
    """The whole environment of a command, before what the command itself is given."""
    base = {"PATH": PATH, "HOME": HOME, "LANG": "C.UTF-8", "USER": USER, "SHELL": "/bin/bash"}
    return {**base, **dict(spec.env)}


class Place(Struct, frozen=True):
    inside: str
    host: Path


def writable_places(spec: BoxSpec) -> list[Place]:
    base = Path(spec.directory)
    inside = {_WORK: spec.root, _HOME: HOME, _TMP: "/tmp", _VARTMP: "/var/tmp", _SHM: "/dev/shm"}
    return [Place(inside[name], base / name) for name in WRITABLE]


def decoy_places(spec: BoxSpec) -> list[Place]:
    return [Place(path, Path(spec.directory) / "decoys" / str(n)) for n, path in enumerate(spec.decoys)]


def host_path(spec: BoxSpec, path: str) -> Path:
    """Where a path of the sandbox lies on the host, by its text alone: links are not followed, ``..`` stays inside.

    Raises:
        SandboxError: the path is in no part of the sandbox that the host has (such as ``/proc``).
    """
    wanted = os.path.normpath(os.path.join(spec.root, path))
    if wanted.startswith("//"):
        wanted = wanted[1:]
    places = [(p.inside, p.host) for p in (*writable_places(spec), *decoy_places(spec))]
    places += [(b.target or b.source, Path(b.source)) for b in spec.binds]
    places.append(("/usr", Path("/usr")))
    for inside, host in sorted(places, key=lambda p: -len(p[0])):
        if wanted == inside or wanted.startswith(inside.rstrip("/") + "/"):
            return host / os.path.relpath(wanted, inside) if wanted != inside else host
    raise SandboxError(f"{wanted} is not a file of the sandbox that the host can see")


def check(spec: BoxSpec) -> None:
    """Refuse a specification that cannot work, before anything is made.

    Raises:
        SandboxError: a path that is not absolute, a missing source, a root that would hide the system.
    """
    paths = [spec.root, *spec.decoys, *(b.target or b.source for b in spec.binds)]
    for path in paths:
        if not path.startswith("/") or os.path.normpath(path) != path or "\0" in path:
            raise SandboxError(f"{path!r} cannot be a place in a sandbox: give an absolute path without '..'")
    for path in paths:
        if path == "/" or path.split("/")[1] in ("usr", "bin", "lib", "lib64", "sbin", "proc", "dev", "etc", "run"):
            raise SandboxError(f"{path} is part of every sandbox and cannot be replaced: choose another place")
    for bind in spec.binds:
        if not os.path.exists(bind.source):
            raise SandboxError(f"{bind.source} is to be shown in the sandbox, but does not exist")
    for name, value in spec.env:
        if not name or "=" in name or "\0" in name + value:
            raise SandboxError(f"{name!r} cannot be the name of an environment variable")


def prepare(spec: BoxSpec, owner: int | None) -> None:
    """Make the directories of a sandbox; as root, give the writable ones to ``owner``."""
    base = Path(spec.directory)
    base.mkdir(parents=True, exist_ok=True)
    for place in writable_places(spec):
        made = not place.host.is_dir()
        place.host.mkdir(exist_ok=True)
        if made:
            place.host.chmod(0o1777 if place.host.name in (_TMP, _VARTMP, _SHM) else 0o755)
        if owner is not None and place.host.stat().st_uid != owner:
            try:
                give(place.host, owner)
            except OSError as error:
                raise SandboxError(
                    f"{place.host} cannot be given to user {owner} ({error.strerror}): run as another user than root"
                ) from None
    for place in decoy_places(spec):
        place.host.mkdir(parents=True, exist_ok=True)
        place.host.chmod(0o755)


def give(directory: Path, owner: int) -> None:
    """Make ``owner`` the owner of a directory and of all in it. Links are changed themselves, never followed."""
    os.chown(directory, owner, owner, follow_symlinks=False)
    for _, directories, files, fd in os.fwalk(directory, follow_symlinks=False):
        for name in (*directories, *files):
            os.chown(name, owner, owner, dir_fd=fd, follow_symlinks=False)


@cache
def contents() -> dict[str, tuple[int, bytes]]:
    """The files that a sandbox gets a copy of: path inside -> (mode, content).

    Raises:
        SandboxError: the program for process 1 is missing.
    """
    own = {
        "passwd": f"root:x:0:0:root:/root:/usr/sbin/nologin\n{USER}:x:{UID}:{UID}:agent:{HOME}:/bin/bash\n"
        "nobody:x:65534:65534:nobody:/:/usr/sbin/nologin\n",
        "group": f"root:x:0:\n{USER}:x:{UID}:\nnogroup:x:65534:\n",
        "hosts": "127.0.0.1 localhost sandbox\n::1 localhost\n",
        "hostname": "sandbox\n",
        "host.conf": "multi on\n",
        "nsswitch.conf": "passwd: files\ngroup: files\nhosts: files dns\nservices: files\nprotocols: files\n",
        "shells": "/bin/sh\n/bin/bash\n",
        "profile": "",
        # Commits need an identity, and the repository may belong to whoever made it.
        "gitconfig": f"[user]\n\tname = {USER}\n\temail = {USER}@sandbox\n[init]\n\tdefaultBranch = main\n"
        "[safe]\n\tdirectory = *\n",
    }
    found = {f"/etc/{name}": (0o644, text.encode()) for name, text in own.items()}
    for name in _ETC_FILES:
        with suppress(OSError):
            found[f"/etc/{name}"] = (0o644, Path("/etc", name).read_bytes())
    # Process 1 is ``sleep``, as a file that may be run but not read: so the kernel lets nobody look into it.
    program = shutil.which("sleep", path=PATH)
    if program is None:
        raise SandboxError("the program sleep is not installed: install coreutils")
    found[INIT] = (0o111, Path(program).read_bytes())
    return found


class Part(Struct, frozen=True):
    """A file to be made inside; ``content`` comes through an open file."""

    path: str
    mode: int
    content: bytes


def parts(spec: BoxSpec) -> list[Part]:
    """See `contents`; with the host's name servers where there is a network."""
    found = [Part(path, mode, content) for path, (mode, content) in contents().items()]
    if spec.network:
        with suppress(OSError):
            found.append(Part("/etc/resolv.conf", 0o644, Path("/etc/resolv.conf").read_bytes()))
    return found


def command_line(spec: BoxSpec, bwrap: str, *, user_namespace: bool, info_fd: int, files: list[Part]) -> list[str]:
    """The bwrap command. What it runs is process 1, which waits for nothing and nobody.

    The contents of ``files`` are read from the descriptors that follow ``info_fd``.
    """
    line = [bwrap, "--die-with-parent", "--new-session", "--as-pid-1", "--unshare-ipc", "--unshare-pid"]
    line += ["--unshare-uts", "--unshare-cgroup-try", "--hostname", "sandbox", "--cap-drop", "ALL", "--clearenv"]
    if user_namespace:
        line += ["--unshare-user", "--uid", str(UID), "--gid", str(UID)]
    if not spec.network:
        line.append("--unshare-net")
    line += ["--ro-bind", "/usr", "/usr"]
    for path in ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"):
        if os.path.islink(path):
            line += ["--symlink", os.readlink(path), path]
        elif os.path.isdir(path):
            line += ["--ro-bind", path, path]
    line += ["--proc", "/proc", "--dev", "/dev"]
    shared = etc_directories()
    for directory in _parents(spec, [*(part.path for part in files), *shared]):
        line += ["--dir", directory]  # what bubblewrap makes of its own accord, others may not enter
    for number, part in enumerate(files, info_fd + 1):
        line += ["--perms", f"{part.mode:04o}", "--file", str(number), part.path]
    for path in shared:
        line += ["--ro-bind", os.path.realpath(path), path]
    for place in writable_places(spec):
        line += ["--bind", str(place.host), place.inside]
    for place in decoy_places(spec):
        line += ["--ro-bind", str(place.host), place.inside]
    for bind in spec.binds:
        line += ["--ro-bind", bind.source, bind.target or bind.source]
    for covered in covered_places(spec):
        line += ["--tmpfs", covered, "--remount-ro", covered]
    # Nothing may be written beside the writable places, not even into memory.
    line += ["--remount-ro", "/dev", "--remount-ro", "/"]
    return [*line, "--chdir", "/", "--info-fd", str(info_fd), "--", INIT, "infinity"]


def covered_places(spec: BoxSpec) -> list[str]:
    """Where hidden directories would show: an installation for all users lies below ``/usr``, answer keys and all."""
    shown = [("/usr", "/usr"), *((b.source, b.target or b.source) for b in spec.binds)]
    found = set()
    for name in {str(PACKAGE), *spec.hidden}:
        hidden = Path(os.path.realpath(name))
        for source, target in shown:
            inside = Path(os.path.realpath(source))
            if hidden.is_dir() and hidden != inside and hidden.is_relative_to(inside):
                found.add(str(Path(target) / hidden.relative_to(inside)))
    return sorted(found)


def _parents(spec: BoxSpec, paths: list[str]) -> list[str]:
    places = [p.inside for p in (*writable_places(spec), *decoy_places(spec))]
    places += ["/tmp/x", *paths, *(b.target or b.source for b in spec.binds)]
    parents = {str(parent) for place in places for parent in Path(place).parents} - {"/", "/dev", "/usr"}
    return sorted(parents)


def etc_directories() -> list[str]:
    wanted = [f"/etc/{name}" for name in _ETC_DIRECTORIES]
    wanted += sorted(f"/etc/{n}" for n in os.listdir("/etc") if n.startswith("java"))  # a JVM's settings lie there
    return [path for path in wanted if os.path.isdir(path)]
