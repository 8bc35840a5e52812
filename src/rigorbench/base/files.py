"""Files that are written whole or not at all."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import Any

import msgspec


def write_json(path: Path, value: Any) -> None:
    """Write a document in full or not at all, even if the machine stops meanwhile."""
    data = msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n"
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    with open(draft, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    os.replace(draft, path)
    sync_directory(path.parent)


def sync_directory(directory: Path) -> None:
    """Sync the names in a directory to disk, where its file system can."""
    with contextlib.suppress(OSError):
        descriptor = os.open(directory, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
