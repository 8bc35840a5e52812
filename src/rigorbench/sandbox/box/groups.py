"""The control groups of one box: one group for its limits, and below it one group for each command."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct, field

from ..kit import cgroups
from ..kit.cgroups import Hierarchy
from .spec import BoxLimits

PREFIX = "rigor-box-"
CONTROLLERS = ("memory", "cpu", "pids")
_PERIOD = 100_000  # microseconds


class BoxGroups:
    """The groups of one sandbox."""

    def __init__(self, name: str, limits: BoxLimits, found: Mapping[str, Hierarchy] | None = None) -> None:
        unlimited = {"memory": limits.memory is None, "cpu": limits.cpus is None}
        # "pids" also finds a command's processes, so it is used without a limit, too.
        self._controllers = [c for c in CONTROLLERS if not unlimited.get(c)]
        self.directories: dict[str, Path] = {}
        """The group of each controller that can be used."""
        self.why: dict[str, str] = {}
        """For a controller or limit that cannot be used, the reason."""
        self._version2: Path | None = None
        found = cgroups.here(CONTROLLERS) if found is None else found
        if "" in found:
            self._open_version2(found[""].directory, name)
        for controller in self._controllers:
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
                self.directories[controller] = directory

    def _open_version2(self, own: Path, name: str) -> None:
        """Version 2: below the nearest group that gives controllers to others and where we may move processes to."""
        for parent, offered in cgroups.delegating(own):
            usable = [c for c in self._controllers if c in offered]
            if not usable:
                continue
            problem = cgroups.obstacle(parent, f"{name}-probe")
            directory = parent / name
            if problem is None:
                try:
                    directory.mkdir()
                    if "pids" in usable:
                        cgroups.write(directory / "cgroup.subtree_control", "+pids")
                except OSError as error:
                    problem = f"{parent}: {error.strerror}"
                    cgroups.remove(directory)
                else:
                    self._version2 = directory
                    self.directories.update(dict.fromkeys(usable, directory))
                    for controller in usable:
                        self.why.pop(controller, None)
                    return
            self.why.update(dict.fromkeys(usable, problem))

    def _version(self, directory: Path) -> int:
        return 2 if directory == self._version2 else 1

    def limit(self, limits: BoxLimits) -> dict[str, str]:
        """Put the limits in force. The result: {limit: "cgroup v1" or "cgroup v2"} of those that are."""
        in_force: dict[str, str] = {}
        values = {"memory": limits.memory, "cpu": limits.cpus, "pids": limits.processes}
        for limit, controller in (("memory", "memory"), ("cpus", "cpu"), ("processes", "pids")):
            group, value = self.directories.get(controller), values[controller]
            if group is None or value is None:
                continue
            version = self._version(group)
            try:
                if controller == "memory":
                    cgroups.limit_memory(group, version, int(value))
                elif controller == "pids":
                    cgroups.write(group / "pids.max", int(value))
                else:
                    quota = max(1000, int(value * _PERIOD))
                    if version == 2:
                        cgroups.write(group / "cpu.max", f"{quota} {_PERIOD}")
                    else:
                        cgroups.write(group / "cpu.cfs_period_us", _PERIOD)
                        cgroups.write(group / "cpu.cfs_quota_us", quota)
            except OSError as error:
                self.why[limit] = f"{error.filename}: {error.strerror}"
            else:
                in_force[limit] = f"cgroup v{version}"
        return in_force

    def command(self, name: str) -> CommandGroup | None:
        """A group for one command, so that everything it starts can be found; None without the pids controller."""
        pids = self.directories.get("pids")
        if pids is None:
            return None
        group = CommandGroup(pids / name)
        try:
            group.directory.mkdir(exist_ok=True)
            for directory in (group.directory, *dict.fromkeys(d for d in self.directories.values() if d != pids)):
                group.files.append(os.open(directory / "cgroup.procs", os.O_WRONLY | os.O_CLOEXEC))
        except OSError:
            group.close()
            return None
        return group

    def killed_for_memory(self) -> int | None:
        """How many processes the kernel ended because the sandbox had no memory left; None: it does not count them."""
        memory = self.directories.get("memory")
        return None if memory is None else cgroups.killed_for_memory(memory, self._version(memory))

    def remove(self) -> None:
        """Remove the groups, whose processes have ended."""
        for directory in dict.fromkeys(self.directories.values()):
            cgroups.remove_tree(directory)


class CommandGroup(Struct):
    """The group of one command."""

    directory: Path
    files: list[int] = field(default_factory=list)
    """A process that writes "0" to all of them has joined this group and those of the limits."""

    def close(self) -> None:
        """The files are not needed any more."""
        while self.files:
            os.close(self.files.pop())


def clear_left_over() -> list[Path]:
    """Remove the groups of supervisors that have ended, where this process would make its own."""
    parents = [hierarchy.directory for hierarchy in cgroups.here(CONTROLLERS).values()]
    found = cgroups.left_over(parents, PREFIX)
    return [group for group in found if cgroups.clear(group)]
