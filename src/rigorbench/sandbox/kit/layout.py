"""The parts of the host that every sandbox shows, and what must not show below them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path

from ...base.data import PACKAGE
from .bwrap import Entry, bind, link
from .mount import Mount

SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
# Directories of the host's /etc that programs need to find libraries, certificates, time zones and other programs. None
# can hold a password or a token (so no npmrc, pip.conf, gitconfig, environment).
_ETC_DIRECTORIES = ("alternatives", "fonts", "pki/ca-trust", "pki/tls", "ssl/certs", "terminfo")


def system(root: str = "") -> list[Entry]:
    """The installed programs and libraries, read-only: those of the host, or of the directory ``root``."""
    found: list[Entry] = []
    for path in (*SYSTEM, "/opt") if root else SYSTEM:
        if os.path.islink(root + path):
            found.append(link(path, os.readlink(root + path)))
        elif os.path.isdir(root + path):
            found.append(bind(Mount(root + path, path)))
    return found


def etc_directories() -> list[Mount]:
    """The directories of the host's ``/etc`` that a sandbox shows."""
    names = [*_ETC_DIRECTORIES, *sorted(n for n in os.listdir("/etc") if n.startswith("java"))]  # a JVM's settings
    paths = [f"/etc/{name}" for name in names]
    return [Mount(os.path.realpath(path), path) for path in paths if os.path.isdir(path)]


def etc_copies(names: Iterable[str]) -> dict[str, bytes]:
    """The files of the host's ``/etc`` that exist, as name -> content."""
    found = {}
    for name in names:
        with suppress(OSError):
            found[name] = Path("/etc", name).read_bytes()
    return found


def parents(paths: Iterable[str]) -> set[str]:
    """The directories above paths of a sandbox, without its root."""
    return {str(parent) for path in paths for parent in Path(path).parents} - {"/"}


def covered(mounts: Iterable[Mount], hidden: Sequence[str]) -> list[str]:
    """Where RigorBench and the ``hidden`` directories of the host would show below ``mounts`` or ``/usr``.

    An installation for all users is below ``/usr``, with the answers of its tasks.
    """
    found = set()
    for name in {str(PACKAGE), *hidden}:
        secret = Path(os.path.realpath(name))
        for mount in (Mount("/usr"), *mounts):
            source = Path(os.path.realpath(mount.source))
            if secret.is_dir() and secret != source and secret.is_relative_to(source):
                found.add(str(Path(mount.inside) / secret.relative_to(source)))
    return sorted(found)
