"""Lookups, which are cached, and changes, which go straight to the archive."""

from __future__ import annotations

from .archive import LEVELS, Archive
from .cache import TtlCache
from .errors import NotFound


class AccessService:
    def __init__(self, archive: Archive, cache: TtlCache | None = None) -> None:
        self._archive = archive
        self._cache = cache if cache is not None else TtlCache()

    # Lookups

    def groups_of(self, member: str) -> list[str]:
        """All groups of a member, also those that hold one of their groups, by name."""
        groups = self._cache.get_or_load(("groups", member), lambda: self._find_groups(member))
        if groups is None:
            raise NotFound(f"unknown member: {member}")
        return groups

    def level(self, member: str, folder: str) -> str | None:
        """The highest level that a member has on a folder, None without access."""
        groups = self.groups_of(member)
        grants = self._grants(folder)
        if grants is None:
            raise NotFound(f"unknown folder: {folder}")
        return self._cache.get_or_load(("level", member, folder), lambda: _highest(groups, grants))

    def folders(self, member: str) -> list[dict[str, str]]:
        """The folders that a member may open, by name: ``[{"folder": "requiem", "level": "read"}, ...]``."""
        return self._cache.get_or_load(("folders", member), lambda: self._find_folders(member))

    # Changes

    def add_member(self, name: str) -> None:
        self._archive.add_member(name)

    def add_group(self, name: str) -> None:
        self._archive.add_group(name)

    def put_into(self, group: str, name: str) -> None:
        self._archive.put_into(group, name)
        self._cache.drop(("groups", name))

    def take_out(self, group: str, name: str) -> None:
        self._archive.take_out(group, name)

    def place_folder(self, name: str, parent: str | None = None) -> None:
        self._archive.place_folder(name, parent)

    def grant(self, folder: str, group: str, level: str) -> None:
        self._archive.grant(folder, group, level)
        self._cache.drop(("grants", folder))

    def revoke(self, folder: str, group: str) -> None:
        self._archive.revoke(folder, group)
        self._cache.drop(("grants", folder))

    # Readings

    def _find_groups(self, member: str) -> list[str] | None:
        if not self._archive.has_member(member):
            return None
        found: set[str] = set()
        open_ = [member]
        while open_:
            for group in self._archive.groups_holding(open_.pop()):
                if group not in found:
                    found.add(group)
                    open_.append(group)
        return sorted(found)

    def _grants(self, folder: str) -> list[tuple[str, str]] | None:
        """(group, level) as granted on the folder and on those above it; None for a folder that is not there."""
        return self._cache.get_or_load(("grants", folder), lambda: self._find_grants(folder))

    def _find_grants(self, folder: str) -> list[tuple[str, str]] | None:
        if not self._archive.has_folder(folder):
            return None
        found: list[tuple[str, str]] = []
        above: str | None = folder
        while above is not None:
            found += self._archive.grants_on(above).items()
            above = self._archive.parent_of(above)
        return found

    def _find_folders(self, member: str) -> list[dict[str, str]]:
        self.groups_of(member)
        levels = {folder: self.level(member, folder) for folder in self._archive.folders()}
        return [{"folder": folder, "level": level} for folder, level in levels.items() if level is not None]


def _highest(groups: list[str], grants: list[tuple[str, str]]) -> str | None:
    levels = [level for group, level in grants if group in groups]
    return max(levels, key=LEVELS.index, default=None)
