"""Bubblewrap: its command line for every sandbox of this package, and what it needs to start."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from . import proc
from .errors import SandboxError
from .mount import Mount

SYSTEM_PATH = "/usr/local/bin:/usr/bin:/bin"
REMEDY = "bubblewrap (bwrap) is not installed: apt install bubblewrap (or dnf, pacman, zypper)"
_CAP_SYS_ADMIN = 21


# Words of bubblewrap's command line that make one piece of a sandbox.
Entry = Sequence[str]


def bind(mount: Mount) -> Entry:
    return ["--bind" if mount.writable else "--ro-bind", mount.source, mount.inside]


def directory(path: str, mode: int = 0o755) -> Entry:
    """An empty directory. Bubblewrap gives missing parents a mode that keeps other users out, so name them as well."""
    return ["--perms", f"{mode:04o}", "--dir", path]


def copied(path: str, descriptor: int, mode: int = 0o644) -> Entry:
    """A copy of what can be read from ``descriptor``."""
    return ["--perms", f"{mode:04o}", "--file", str(descriptor), path]


def link(path: str, target: str) -> Entry:
    return ["--symlink", target, path]


def tmpfs(path: str) -> Entry:
    """An empty file system in memory. It covers whatever was at ``path``."""
    return ["--tmpfs", path]


def nothing(path: str) -> Entry:
    """The same, in which nothing can be written."""
    return [*tmpfs(path), *read_only(path)]


def read_only(path: str) -> Entry:
    """From here on nothing at ``path`` can be changed."""
    return ["--remount-ro", path]


# The processes of the sandbox; the usual devices and terminals.
PROC: Entry = ("--proc", "/proc")
DEV: Entry = ("--dev", "/dev")


class SandboxView(Struct):
    """What a sandbox looks like from inside."""

    entries: Sequence[Entry]
    """Made in this order: a later one covers an earlier one."""
    hostname: str | None = None
    """None: the host's."""
    user_namespace: bool = False
    """A user namespace of its own. Without it only root can start the sandbox."""
    user: int | None = None
    """The user's number in that namespace; None: as on the host."""
    capabilities: tuple[str, ...] | None = ()
    """All that process 1 keeps; None: bubblewrap's default."""
    network: bool = False
    """The host's network; False: none but a loopback device."""
    own_cgroups: bool = True
    """A control group namespace, where the kernel has them."""
    init: bool = True
    """The program is process 1 itself; False: bubblewrap's own process 1 waits for it."""
    env: Mapping[str, str] = {}
    directory: str = "/"

    def command(self, program: Sequence[str], *, bwrap: str = "bwrap", options: Sequence[str] = ()) -> list[str]:
        """The command line that runs ``program`` in the sandbox. ``options``: more of bubblewrap's own."""
        line = [bwrap, "--die-with-parent", "--new-session", "--unshare-ipc", "--unshare-pid", "--unshare-uts"]
        line += ["--as-pid-1"] if self.init else []
        line += ["--unshare-cgroup-try"] if self.own_cgroups else []
        line += [] if self.network else ["--unshare-net"]
        line += [] if self.hostname is None else ["--hostname", self.hostname]
        if self.user_namespace:
            number = str(self.user)
            line += (
                ["--unshare-user-try"] if self.user is None else ["--unshare-user", "--uid", number, "--gid", number]
            )
        if self.capabilities is not None:
            line += ["--cap-drop", "ALL", *(word for name in self.capabilities for word in ("--cap-add", name))]
        line.append("--clearenv")
        for name, value in self.env.items():
            line += ["--setenv", name, value]
        for entry in self.entries:
            line += entry
        return [*line, "--chdir", self.directory, *options, "--", *program]


def find(*, on_path: bool = False) -> str:
    """The path of bubblewrap.

    Args:
        on_path: look only in the user's PATH, not in the directories of the system.

    Raises:
        SandboxError: it is not installed.
    """
    found = shutil.which("bwrap", path=None if on_path else os.environ.get("PATH", SYSTEM_PATH) + ":" + SYSTEM_PATH)
    if found is None:
        raise SandboxError(REMEDY)
    return found


def privileged() -> bool:
    """Whether we are root on the host with the right to mount; a sandbox then needs no user namespace."""
    if os.geteuid() != 0:
        return False
    return bool((proc.number(Path("/proc/self/status"), "CapEff", base=16) or 0) >> _CAP_SYS_ADMIN & 1)


def as_root() -> bool:
    """Whether sandboxes are made as root, with a user of their own, or else in user namespaces.

    Raises:
        SandboxError: we are root without the right to mount.
    """
    root = privileged()
    if os.geteuid() == 0 and not root:
        raise SandboxError(
            "root without the capability SYS_ADMIN (as in a container) can make no sandbox: run as another user, "
            "or give the container --cap-add SYS_ADMIN"
        )
    return root


def explained(output: str) -> str:
    """Why bubblewrap did not start, by what it printed, with the remedy."""
    text = " ".join(output.split())[:300] or "it printed nothing"
    if "nknown option" in text:
        return f"bubblewrap is too old ({text}): install version 0.5 or later"
    if "uid map" in text or "No permissions to create" in text or "namespace" in text.lower():
        return (
            f"bubblewrap cannot make a user namespace here ({text}): allow them "
            "(sysctl kernel.unprivileged_userns_clone=1; on Ubuntu kernel.apparmor_restrict_unprivileged_userns=0)"
        )
    return f"bubblewrap does not start: {text}"
