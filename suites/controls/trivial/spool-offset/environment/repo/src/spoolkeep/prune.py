"""Removes old segments."""

from __future__ import annotations

from pathlib import Path

from .errors import SpoolError
from .segments import segments


def prune(spool: Path, keep: int) -> list[Path]:
    """Remove all but the newest ``keep`` segments; returns what was removed."""
    if keep < 1:
        raise SpoolError("at least one segment is kept")
    old = segments(spool)[:-keep]
    for path in old:
        path.unlink()
    return old
