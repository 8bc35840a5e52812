"""What a box looks like from inside: its writable directories, its own ``/etc``, its process 1."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from msgspec import Struct

from ..kit import layout, trees
from ..kit.bwrap import DEV, PROC, SYSTEM_PATH, SandboxView, bind, copied, directory, nothing, read_only
from ..kit.errors import SandboxError
from ..kit.mount import Mount
from .spec import BoxSpec

USER = "agent"
UID = 61000
HOME = "/home/agent"
INIT = "/run/init"  # process 1 of the sandbox
ENVIRONMENT = {"PATH": SYSTEM_PATH, "HOME": HOME, "LANG": "C.UTF-8", "USER": USER, "SHELL": "/bin/bash"}
_WORK, _HOME, _TMP, _VARTMP, _SHM = "work", "home", "tmp", "vartmp", "shm"
_ETC_COPIES = (
    "debian_version", "ld.so.cache", "magic", "mime.types", "os-release", "protocols", "services", "ssl/cert.pem",
    "ssl/openssl.cnf", "timezone", "localtime",
)  # fmt: skip


def writable_mounts(spec: BoxSpec) -> list[Mount]:
    """The directories that programs may change."""
    inside = {_WORK: spec.root, _HOME: HOME, _TMP: "/tmp", _VARTMP: "/var/tmp", _SHM: "/dev/shm"}
    return [Mount(f"{spec.directory}/{name}", path, True) for name, path in inside.items()]


def check(spec: BoxSpec) -> None:
    """Refuse a specification that cannot work, before anything is made.

    Raises:
        SandboxError: a path that is not absolute, a missing source, a root that would hide the system.
    """
    paths = [spec.root, *spec.decoys, *(mount.inside for mount in spec.binds)]
    for path in paths:
        if not path.startswith("/") or os.path.normpath(path) != path or "\0" in path:
            raise SandboxError(f"{path!r} cannot be a path in a sandbox: give an absolute path without '..'")
    for path in paths:
        if path == "/" or path.split("/")[1] in ("usr", "bin", "lib", "lib64", "sbin", "proc", "dev", "etc", "run"):
            raise SandboxError(f"{path} is part of every sandbox and cannot be replaced: choose another path")
    for mount in spec.binds:
        if not os.path.exists(mount.source):
            raise SandboxError(f"{mount.source} is to be shown in the sandbox, but does not exist")
    for name, value in spec.env:
        if not name or "=" in name or "\0" in name + value:
            raise SandboxError(f"{name!r} cannot be the name of an environment variable")


def prepare(spec: BoxSpec, owner: int | None) -> None:
    """Make the directories of a sandbox; as root, give the writable ones to ``owner``."""
    Path(spec.directory).mkdir(parents=True, exist_ok=True)
    for mount in writable_mounts(spec):
        directory = Path(mount.source)
        if not directory.is_dir():
            directory.mkdir()
            directory.chmod(0o1777 if directory.name in (_TMP, _VARTMP, _SHM) else 0o755)
        if owner is not None and directory.stat().st_uid != owner:
            try:
                trees.give(directory, owner)
            except OSError as error:
                raise SandboxError(
                    f"{directory} cannot be given to user {owner} ({error.strerror}): run as another user than root"
                ) from None


class CopiedFile(Struct, frozen=True):
    """A file to be made inside."""

    path: str
    mode: int
    content: bytes


@cache
def _copies() -> tuple[CopiedFile, ...]:
    etc = {
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
    files = {**{name: text.encode() for name, text in etc.items()}, **layout.etc_copies(_ETC_COPIES)}
    # Process 1 is ``sleep``, as a file that may be run but not read: so the kernel lets no other process look into it.
    program = shutil.which("sleep", path=SYSTEM_PATH)
    if program is None:
        raise SandboxError("the program sleep is not installed: install coreutils")
    etc_copies = (CopiedFile(f"/etc/{name}", 0o644, content) for name, content in files.items())
    return (*etc_copies, CopiedFile(INIT, 0o111, Path(program).read_bytes()))


def copies(*, network: bool) -> list[CopiedFile]:
    """The files that a sandbox gets a copy of; with the host's name servers where there is a network.

    Raises:
        SandboxError: the program for process 1 is missing.
    """
    names = layout.etc_copies(("resolv.conf",) if network else ())
    return [*_copies(), *(CopiedFile(f"/etc/{name}", 0o644, content) for name, content in names.items())]


def view(spec: BoxSpec, files: Mapping[int, CopiedFile], *, user_namespace: bool) -> SandboxView:
    """The sandbox for bubblewrap. ``files``: the `copies`, by the descriptor to read each from."""
    etc = layout.etc_directories()
    mounts = [*writable_mounts(spec), *spec.binds]
    paths = ["/tmp/x", *(file.path for file in files.values()), *spec.decoys]
    paths += [mount.inside for mount in (*etc, *mounts)]
    entries = [*layout.system(), PROC, DEV]
    entries += [directory(path) for path in sorted(layout.parents(paths) - {"/dev", "/usr"})]
    # Decoys are file systems of this sandbox alone: nobody on the host can come across them.
    entries += [copied(file.path, number, file.mode) for number, file in files.items()]
    entries += [*map(bind, (*etc, *mounts)), *map(nothing, spec.decoys)]
    entries += map(nothing, layout.covered(spec.binds, spec.hidden))
    # Nothing may be written beside the writable directories, not even into memory.
    entries += [read_only("/dev"), read_only("/")]
    return SandboxView(
        entries,
        hostname="sandbox",
        user_namespace=user_namespace,
        user=UID if user_namespace else None,
        network=spec.network,
    )
