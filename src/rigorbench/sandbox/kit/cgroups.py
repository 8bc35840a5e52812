"""Control groups of version 1 and 2, as far as this process may make them: finding, limiting, ending, removing."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from msgspec import Struct

from . import proc


class Hierarchy(Struct, frozen=True):
    """Where groups can be made."""

    directory: Path
    """Of the group below which they are made."""
    version: int
    """1 or 2."""


def hierarchies(mountinfo: str, own: str, controllers: Sequence[str]) -> dict[str, Hierarchy]:
    """The groups of this process by controller ("": version 2), as far as they are mounted.

    ``mountinfo`` and ``own`` are the texts of /proc/self/mountinfo and /proc/self/cgroup.
    """
    paths: dict[str, str] = {}
    for line in own.splitlines():
        _, listed, path = line.split(":", 2)
        for controller in listed.split(",") if listed else ("",):
            paths[controller] = path
    found: dict[str, Hierarchy] = {}
    for line in mountinfo.splitlines():
        fields = line.split(" ")
        kind, options = fields[fields.index("-") + 1], fields[-1].split(",")
        text = fields[4]
        root, point = fields[3], (text.encode().decode("unicode_escape") if "\\" in text else text)
        if kind == "cgroup":
            for controller in controllers:
                if controller in options and controller in paths:
                    found[controller] = Hierarchy(_below(point, root, paths[controller]), 1)
        elif kind == "cgroup2" and "" in paths:
            found.setdefault("", Hierarchy(_below(point, root, paths[""]), 2))
    return found


def _below(point: str, root: str, path: str) -> Path:
    """A path of the hierarchy under its mount point, when only the part below ``root`` is mounted."""
    if root != "/":
        path = path[len(root) :] if path == root or path.startswith(root + "/") else "/"
    return Path(point + path)


def here(controllers: Sequence[str]) -> dict[str, Hierarchy]:
    """`hierarchies` of this process."""
    try:
        mountinfo = Path("/proc/self/mountinfo").read_text(encoding="utf-8", errors="replace")
        own = Path("/proc/self/cgroup").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return {}
    return hierarchies(mountinfo, own, controllers)


def words(path: Path) -> list[str] | None:
    """The words of a file, None when it cannot be read."""
    try:
        return path.read_text(encoding="ascii").split()
    except (OSError, ValueError):
        return None


def write(path: Path, value: int | str) -> None:
    """Set a control."""
    with open(path, "wb", buffering=0) as file:
        file.write(str(value).encode("ascii"))


def delegating(own: Path) -> Iterator[tuple[Path, list[str]]]:
    """Version 2: the groups from ``own`` upwards, each with the controllers that it gives to the groups below it."""
    for parent in (own, *own.parents):
        controllers = words(parent / "cgroup.subtree_control")
        if controllers is None:
            return
        yield parent, controllers


def obstacle(parent: Path, name: str) -> str | None:
    """Why no groups can be made below ``parent`` and filled with processes, None when they can. Makes group ``name``.

    To move a process needs the right to write to the nearest common group, so a process tries it. It is no fork of
    ours: other threads may hold locks.
    """
    group = parent / name
    try:
        group.mkdir()
    except OSError as error:
        return f"{parent}: {error.strerror}"
    try:
        nowhere = [(os.POSIX_SPAWN_OPEN, file, os.devnull, os.O_RDWR, 0) for file in (1, 2)]
        script = ["sh", "-c", 'echo 0 > "$0/cgroup.procs"', str(group)]
        child = os.posix_spawn("/bin/sh", script, {}, file_actions=nowhere)
        done = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    except OSError as error:
        return f"{parent}: {error}"
    finally:
        remove(group, attempts=200)
    return None if done else f"{parent}: processes cannot be moved to groups below it"


def limit_memory(group: Path, version: int, limit: int) -> None:
    """Limit the memory of a group, without swap where the kernel counts that."""
    memory, swap = ("memory.limit_in_bytes", "memory.memsw.limit_in_bytes")
    if version == 2:
        memory, swap = ("memory.max", "memory.swap.max")
    write(group / memory, limit)
    with suppress(OSError):
        write(group / swap, 0 if version == 2 else limit)


def killed_for_memory(group: Path, version: int) -> int | None:
    """How many processes of a group the kernel has ended for memory; None: it does not count them."""
    return proc.number(group / ("memory.events" if version == 2 else "memory.oom_control"), "oom_kill")


def processes(group: Path) -> list[int]:
    """The processes of a group, as the host counts."""
    return [int(word) for word in words(group / "cgroup.procs") or ()]


def kill(group: Path, deadline: float) -> bool:
    """End all processes of a group, none of which can fork any more. False: some are left at ``deadline``."""
    with suppress(OSError):
        write(group / "pids.max", 0)
    with suppress(OSError):
        write(group / "cgroup.kill", 1)  # version 2, since Linux 5.14: all at once
    while pids := processes(group):
        for pid in pids:
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        if time.monotonic() > deadline:
            return False
        time.sleep(0.002)
    return True


def remove(group: Path, attempts: int = 1) -> bool:
    """Whether a group could be removed: it stays while a process is in it, which may be a moment after its end."""
    for attempt in range(attempts):
        try:
            group.rmdir()
        except FileNotFoundError:
            return True
        except OSError:
            if attempt + 1 < attempts:
                time.sleep(0.0002 * (attempt + 1))
        else:
            return True
    return False


def remove_tree(group: Path) -> bool:
    """Remove a group and those in it, whose processes have ended."""
    with suppress(OSError):
        for child in group.iterdir():
            if child.is_dir():
                remove(child, attempts=100)
    return remove(group, attempts=100)


def left_over(parents: Iterable[Path], prefix: str) -> list[Path]:
    """Directories (groups, too) whose names are ``prefix`` and the number of a process that has ended."""
    found: list[Path] = []
    for parent in set(parents):
        with suppress(OSError):
            for directory in parent.glob(prefix + "*"):
                pid = directory.name.removeprefix(prefix).partition("-")[0]
                if pid.isdigit() and not os.path.exists(f"/proc/{pid}"):
                    found.append(directory)
    return found


def clear(group: Path) -> bool:
    """End what runs in a group and remove it, when its maker was killed."""
    with suppress(OSError):  # another process is clearing up as well
        for directory in (group, *(child for child in group.iterdir() if child.is_dir())):
            kill(directory, time.monotonic() + 1)
    return remove_tree(group)
