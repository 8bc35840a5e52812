"""Archives as JSON files."""

from __future__ import annotations

import json
from pathlib import Path

from .archive import Archive
from .errors import ShelfError


def load(path: Path) -> Archive:
    """Read an archive.

    Raises:
        ShelfError: the file is missing or does not hold an archive.
    """
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ShelfError(f"{path}: {error.strerror}") from None
    except ValueError as error:
        raise ShelfError(f"{path}: {error}") from None
    archive = Archive()
    try:
        for member in document["members"]:
            archive.add_member(member)
        for group in document["groups"]:
            archive.add_group(group)
        for group, names in document["groups"].items():
            for name in names:
                archive.put_into(group, name)
        _place(archive, document["folders"])
        for folder, group, level in document["grants"]:
            archive.grant(folder, group, level)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ShelfError(f"{path}: no archive: {error!r}") from None
    except ShelfError as error:
        raise ShelfError(f"{path}: {error}") from None
    return archive


def _place(archive: Archive, folders: dict[str, str | None]) -> None:
    """Folders in any order: first all of them at the top, then each where it belongs."""
    for folder in folders:
        archive.place_folder(folder)
    for folder, parent in folders.items():
        archive.place_folder(folder, parent)
