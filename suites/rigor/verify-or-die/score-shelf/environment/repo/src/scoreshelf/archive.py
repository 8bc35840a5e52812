"""The archive itself: members, groups, folders and grants."""

from __future__ import annotations

from collections.abc import Callable

from .errors import BadRequest, NotFound

LEVELS = ("read", "write")


class Archive:
    """What the file server knows.

    ``on_read`` is called with the name of the method at the beginning of every reading access. The service log hooks in
    there, because readings are what takes time.
    """

    def __init__(self, on_read: Callable[[str], None] | None = None) -> None:
        self.on_read = on_read
        self._members: set[str] = set()
        self._groups: dict[str, set[str]] = {}
        self._folders: dict[str, str | None] = {}
        self._grants: dict[str, dict[str, str]] = {}

    # Readings

    def has_member(self, name: str) -> bool:
        self._reading("has_member")
        return name in self._members

    def has_folder(self, name: str) -> bool:
        self._reading("has_folder")
        return name in self._folders

    def groups_holding(self, name: str) -> list[str]:
        """The groups that hold a member or a group directly."""
        self._reading("groups_holding")
        return sorted(group for group, names in self._groups.items() if name in names)

    def folders(self) -> list[str]:
        self._reading("folders")
        return sorted(self._folders)

    def parent_of(self, folder: str) -> str | None:
        self._reading("parent_of")
        return self._folders[folder]

    def grants_on(self, folder: str) -> dict[str, str]:
        """Level by group, as granted on this very folder."""
        self._reading("grants_on")
        return dict(self._grants.get(folder, {}))

    # Changes

    def add_member(self, name: str) -> None:
        if name in self._groups:
            raise BadRequest(f"{name} is a group")
        self._members.add(name)

    def add_group(self, name: str) -> None:
        if name in self._members:
            raise BadRequest(f"{name} is a member")
        self._groups.setdefault(name, set())

    def put_into(self, group: str, name: str) -> None:
        """Put a member or a group into a group."""
        holders = self._group(group)
        if name not in self._members and name not in self._groups:
            raise NotFound(f"unknown member or group: {name}")
        if name == group or group in self._below(name):
            raise BadRequest(f"{group} would hold itself")
        holders.add(name)

    def take_out(self, group: str, name: str) -> None:
        holders = self._group(group)
        if name not in holders:
            raise NotFound(f"{name} is not in {group}")
        holders.remove(name)

    def place_folder(self, name: str, parent: str | None = None) -> None:
        """Add a folder, or move one that is there."""
        above = parent
        while above is not None:
            if above == name:
                raise BadRequest(f"{name} would lie in itself")
            if above not in self._folders:
                raise NotFound(f"unknown folder: {above}")
            above = self._folders[above]
        self._folders[name] = parent

    def grant(self, folder: str, group: str, level: str) -> None:
        if level not in LEVELS:
            raise BadRequest(f"unknown level: {level}")
        if folder not in self._folders:
            raise NotFound(f"unknown folder: {folder}")
        self._group(group)
        self._grants.setdefault(folder, {})[group] = level

    def revoke(self, folder: str, group: str) -> None:
        if group not in self._grants.get(folder, {}):
            raise NotFound(f"{group} has no grant on {folder}")
        del self._grants[folder][group]

    def _reading(self, method: str) -> None:
        if self.on_read is not None:
            self.on_read(method)

    def _group(self, name: str) -> set[str]:
        if name not in self._groups:
            raise NotFound(f"unknown group: {name}")
        return self._groups[name]

    def _below(self, name: str) -> set[str]:
        found: set[str] = set()
        open_ = [name]
        while open_:
            for below in self._groups.get(open_.pop(), ()):
                if below not in found:
                    found.add(below)
                    open_.append(below)
        return found
