"""What of the sandbox works on this machine, and what to do about the rest. For ``rigor doctor``; no engine needed."""

from __future__ import annotations

import asyncio
import importlib.util
import os
import platform
import shutil
import stat
import subprocess
import tempfile

from msgspec import Struct

from .. import cgroups, hardening, layout, namespaces
from ..errors import SandboxError
from ..spec import BoxSpec, Limits
from .box import Box
from .limits import Keeper

_OLDEST = (0, 5, 0)  # bubblewrap's version with --unshare-all, --info-fd, --as-pid-1 and --die-with-parent as used here


class Check(Struct, frozen=True):
    """``found``: one line; ``remedy``: what to do, None where nothing needs to be done. ``needed``: without it there is
    no sandbox at all."""

    name: str
    ok: bool
    found: str
    remedy: str | None = None
    needed: bool = True


def probe() -> list[Check]:
    """Tries everything; takes about a tenth of a second."""
    checks = [_bubblewrap()]
    if checks[0].ok:
        checks.append(_start())
    checks += [_witness(), _filter(), *_limits(), _pytest()]
    return checks


def _bubblewrap() -> Check:
    program = shutil.which("bwrap", path=os.environ.get("PATH", layout.PATH) + ":" + layout.PATH)
    if program is None:
        return Check("bubblewrap", False, "not installed", namespaces.REMEDY.partition(": ")[2])
    try:
        said = subprocess.run([program, "--version"], capture_output=True, timeout=10, check=False).stdout.decode()
    except (OSError, subprocess.TimeoutExpired) as error:
        return Check("bubblewrap", False, f"{program} does not run: {error}", namespaces.REMEDY.partition(": ")[2])
    version = said.split()[-1] if said.split() else "?"
    numbers = tuple(int(part) for part in version.split(".") if part.isdigit())
    if numbers < _OLDEST:
        return Check("bubblewrap", False, f"{version} at {program}", "install version 0.5 or later")
    if os.stat(program).st_mode & stat.S_ISUID and os.geteuid() != 0:
        return Check("bubblewrap", False, f"{program} is set-uid root", f"chmod u-s {program} (as root)")
    return Check("bubblewrap", True, f"{version} at {program}")


def _start() -> Check:
    """The whole thing, once."""

    async def begin(directory: str) -> None:
        async with await Box.start(BoxSpec(directory, limits=Limits(None, None, None, None))) as box:
            done = await box.exec(["true"], timeout=10)
            if done.status != 0:
                raise SandboxError(f"a first command ended with status {done.status}")

    how = "as root, programs run as an unprivileged user" if namespaces.privileged() else "by user namespaces"
    with tempfile.TemporaryDirectory(prefix="rigor-probe-") as directory:
        try:
            asyncio.run(begin(directory))
        except SandboxError as error:
            text, _, remedy = str(error).partition(": ")
            return Check("sandbox", False, text, remedy or text)
        except OSError as error:
            return Check("sandbox", False, str(error), "see the message")
    return Check("sandbox", True, f"starts and runs commands, {how}")


def _witness() -> Check:
    from rigorbench.sandbox.capture import seccomp

    reason = seccomp.available()
    if reason is None:
        return Check("programs witnessed", True, "seccomp user notification", needed=False)
    remedy = (
        "use Linux 5.9 or later on x86_64 or aarch64; in a container allow seccomp (--security-opt seccomp=unconfined)"
    )
    return Check("programs witnessed", False, reason, remedy, needed=False)


def _filter() -> Check:
    if hardening.program() is None:
        found = f"no list of system calls for {platform.machine()}: namespaces and mounts are not refused inside"
        return Check("system calls filtered", False, found, "use x86_64 or aarch64", needed=False)
    return Check("system calls filtered", True, f"for {platform.machine()}", needed=False)


def _limits() -> list[Check]:
    limits = Limits(cpus=max(1.0, (os.cpu_count() or 1) - 1.0))
    groups = cgroups.Groups(f"{cgroups.PREFIX}{os.getpid()}", limits)
    try:
        keeper = Keeper(BoxSpec(tempfile.gettempdir(), limits=limits), groups)
        return [_limit(name, keeper.in_force[name], groups) for name in ("cpus", "memory", "processes", "disk")]
    finally:
        groups.remove()


def _limit(name: str, how: str, groups: cgroups.Groups) -> Check:
    if how.startswith("cgroup") or name == "disk":
        return Check(f"limit of {name}", True, how, needed=False)
    controller = {"cpus": "cpu", "memory": "memory", "processes": "pids"}[name]
    why = groups.why.get(name) or groups.why.get(controller) or "no control group"
    remedy = (
        f"for an exact limit let this user make control groups (systemd-run --user --scope -p Delegate=yes ...): {why}"
    )
    return Check(f"limit of {name}", True, how, remedy, needed=False)


def _pytest() -> Check:
    if importlib.util.find_spec("pytest") is None:
        remedy = "pip install 'rigorbench[bench]'"
        return Check("pytest for the sandbox", False, "pytest is not installed here", remedy, needed=False)
    return Check("pytest for the sandbox", True, "taken from this installation", needed=False)


def usable() -> str | None:
    """None if sandboxes can be had here, else why not and what to do, in one line."""
    for check in probe()[:2]:
        if not check.ok:
            return f"{check.name}: {check.found}: {check.remedy}"
    return None
