"""Control groups for one sandbox, version 1 or 2, as far as this process may make them."""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import time
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct, field

from .spec import Limits

PREFIX = "rigor-box-"
_PERIOD = 100_000  # microseconds
_CONTROLLERS = ("memory", "cpu", "pids")


class Mount(Struct, frozen=True):
    """``directory``: our own group's, as far as it is mounted; ``version`` 1 or 2."""

    directory: Path
    version: int


def mounts(mountinfo: str, own: str, controllers: tuple[str, ...] = _CONTROLLERS) -> dict[str, Mount]:
    """Controller -> our group's directory, from the texts of /proc/self/mountinfo and /proc/self/cgroup."""
    paths: dict[str, str] = {}
    for line in own.splitlines():
        _, listed, path = line.split(":", 2)
        for controller in listed.split(",") if listed else ("",):
            paths[controller] = path
    found: dict[str, Mount] = {}
    for line in mountinfo.splitlines():
        fields = line.split(" ")
        kind, options = fields[fields.index("-") + 1], fields[-1].split(",")
        root, point = fields[3], _unescaped(fields[4])
        if kind == "cgroup":
            for controller in controllers:
                if controller in options and controller in paths:
                    found[controller] = Mount(_below(point, root, paths[controller]), 1)
        elif kind == "cgroup2" and "" in paths:
            found.setdefault("", Mount(_below(point, root, paths[""]), 2))
    return found


def _below(point: str, root: str, path: str) -> Path:
    """A path of the hierarchy under its mount point, when only the part below ``root`` is mounted."""
    if root != "/":
        path = path[len(root) :] if path == root or path.startswith(root + "/") else "/"
    return Path(point + path)


def _unescaped(text: str) -> str:
    return text.encode().decode("unicode_escape") if "\\" in text else text


def here(controllers: tuple[str, ...] = _CONTROLLERS) -> dict[str, Mount]:
    try:
        return mounts(
            Path("/proc/self/mountinfo").read_text(encoding="utf-8", errors="replace"),
            Path("/proc/self/cgroup").read_text(encoding="utf-8", errors="replace"),
            controllers,
        )
    except OSError:
        return {}


class Groups:
    """The groups of one sandbox. ``why``: for a controller that cannot be used, the reason."""

    def __init__(self, name: str, limits: Limits, found: Mapping[str, Mount] | None = None) -> None:
        unwanted = {"memory": limits.memory is None, "cpu": limits.cpus is None}
        self._wanted = [c for c in _CONTROLLERS if not unwanted.get(c)]  # "pids" also finds a command's processes
        self.directories: dict[str, Path] = {}
        self.why: dict[str, str] = {}
        self._made: list[Path] = []
        self._version2: Path | None = None
        found = here() if found is None else found
        if "" in found:
            self._open_version2(found[""].directory, name)
        for controller in self._wanted:
            if controller in self.directories:
                continue
            if controller not in found:
                self.why.setdefault(controller, "the kernel offers no such control group here")
                continue
            directory = found[controller].directory / name
            try:
                directory.mkdir()
            except OSError as error:
                self.why[controller] = f"{directory.parent}: {error.strerror}"
            else:
                self._made.append(directory)
                self.directories[controller] = directory

    def _open_version2(self, own: Path, name: str) -> None:
        """Version 2: below the nearest group that passes controllers on and where we may move processes to."""
        for parent in (own, *own.parents):
            try:
                passed = (parent / "cgroup.subtree_control").read_text(encoding="ascii").split()
            except OSError:
                return
            usable = [c for c in self._wanted if c in passed]
            if usable and self._try_version2(parent / name, usable):
                return

    def _try_version2(self, directory: Path, usable: list[str]) -> bool:
        try:
            directory.mkdir()
        except OSError as error:
            for controller in usable:
                self.why[controller] = f"{directory.parent}: {error.strerror}"
            return False
        probe = directory / "probe"
        try:
            if "pids" in usable:
                (directory / "cgroup.subtree_control").write_text("+pids", encoding="ascii")
            probe.mkdir()
            # May a process be moved here? That takes the right to write to the nearest common group.
            child = os.fork()
            if child == 0:
                code = 1
                try:
                    (probe / "cgroup.procs").write_text("0", encoding="ascii")
                    code = 0
                finally:
                    os._exit(code)
            if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) != 0:
                raise PermissionError(errno.EPERM, "processes cannot be moved there")
        except OSError as error:
            for controller in usable:
                self.why[controller] = f"{directory.parent}: {error.strerror}"
            _remove(probe)
            _remove(directory)
            return False
        _remove(probe)
        self._made.append(directory)
        self._version2 = directory
        for controller in usable:
            self.why.pop(controller, None)
            self.directories[controller] = directory
        return True

    def limit(self, limits: Limits) -> dict[str, str]:
        """Put the limits in force. Which hold, in words."""
        held: dict[str, str] = {}
        memory, cpu, pids = (self.directories.get(c) for c in _CONTROLLERS)
        if limits.memory is not None and memory is not None:
            names = ("memory.max",) if self._version2 == memory else ("memory.limit_in_bytes",)
            self._set(held, "memory", [(memory / n, str(limits.memory)) for n in names])
            with contextlib.suppress(OSError):
                if self._version2 == memory:
                    (memory / "memory.swap.max").write_text("0", encoding="ascii")
                else:
                    (memory / "memory.memsw.limit_in_bytes").write_text(str(limits.memory), encoding="ascii")
        if limits.cpus is not None and cpu is not None:
            quota = max(1000, int(limits.cpus * _PERIOD))
            if self._version2 == cpu:
                wanted = [(cpu / "cpu.max", f"{quota} {_PERIOD}")]
            else:
                wanted = [(cpu / "cpu.cfs_period_us", str(_PERIOD)), (cpu / "cpu.cfs_quota_us", str(quota))]
            self._set(held, "cpus", wanted)
        if limits.processes is not None and pids is not None:
            self._set(held, "processes", [(pids / "pids.max", str(limits.processes))])
        return held

    def _set(self, held: dict[str, str], limit: str, wanted: list[tuple[Path, str]]) -> None:
        try:
            for path, value in wanted:
                path.write_text(value, encoding="ascii")
        except OSError as error:
            self.why[limit] = f"{error.filename}: {error.strerror}"
        else:
            version = 2 if self._version2 == wanted[0][0].parent else 1
            held[limit] = f"cgroup v{version}"

    def command(self, number: str) -> Command | None:
        """A group of its own for one command, so that all it starts can be found; None without the pids controller."""
        pids = self.directories.get("pids")
        if pids is None:
            return None
        directory = pids / number
        try:
            directory.mkdir(exist_ok=True)
            files = [os.open(directory / "cgroup.procs", os.O_WRONLY | os.O_CLOEXEC)]
            for other in dict.fromkeys(self.directories.values()):
                if other != pids:
                    files.append(os.open(other / "cgroup.procs", os.O_WRONLY | os.O_CLOEXEC))
        except OSError:
            return None
        return Command(directory, files)

    def out_of_memory(self) -> int | None:
        """How many processes were killed because the sandbox had no memory left; None where nobody counts."""
        memory = self.directories.get("memory")
        if memory is None:
            return None
        name = "memory.events" if self._version2 == memory else "memory.oom_control"
        try:
            text = (memory / name).read_text(encoding="ascii")
        except OSError:
            return None
        for line in text.splitlines():
            key, _, value = line.partition(" ")
            if key == "oom_kill":
                return int(value)
        return None

    def remove(self) -> None:
        """Remove the groups, whose processes are gone."""
        for directory in self._made:
            remove_tree(directory)


class Command(Struct):
    """The group of one command; ``files`` are to be written to by a process that joins."""

    directory: Path
    files: list[int] = field(default_factory=list)

    def close(self) -> None:
        while self.files:
            os.close(self.files.pop())

    def processes(self) -> list[int]:
        try:
            return [int(line) for line in (self.directory / "cgroup.procs").read_text(encoding="ascii").split()]
        except OSError:
            return []

    def kill(self, deadline: float) -> bool:
        """End all its processes, none of which can fork any more. False: some are still there at ``deadline``."""
        with contextlib.suppress(OSError):
            (self.directory / "pids.max").write_text("0", encoding="ascii")
        while pids := self.processes():
            for pid in pids:
                with contextlib.suppress(OSError):
                    os.kill(pid, signal.SIGKILL)
            if time.monotonic() > deadline:
                return False
            time.sleep(0.002)
        return True

    def remove(self) -> bool:
        """Whether the group is gone; it stays while something runs in it."""
        return _remove(self.directory)


def _remove(directory: Path) -> bool:
    try:
        directory.rmdir()
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return True


def remove_tree(directory: Path) -> bool:
    """Remove a group and those in it. A dead process leaves its group a moment after its end."""
    for _ in range(100):
        with contextlib.suppress(OSError):
            for child in directory.iterdir():
                if child.is_dir():
                    _remove(child)
        if _remove(directory):
            return True
        time.sleep(0.005)
    return False


def left_over() -> list[Path]:
    """Groups, beside which this process would make its own, of wardens that are no more."""
    found: list[Path] = []
    for mount in here().values():
        with contextlib.suppress(OSError):
            for directory in mount.directory.glob(PREFIX + "*"):
                pid = directory.name.removeprefix(PREFIX)
                if pid.isdigit() and not os.path.exists(f"/proc/{pid}"):
                    found.append(directory)
    return found


def clear(directory: Path) -> bool:
    """End what runs in a group and remove it (a warden that was killed while its sandbox began leaves both)."""
    with contextlib.suppress(OSError):  # somebody else is clearing up, too
        for group in (directory, *(child for child in directory.iterdir() if child.is_dir())):
            Command(group).kill(time.monotonic() + 1)
    return remove_tree(directory)
