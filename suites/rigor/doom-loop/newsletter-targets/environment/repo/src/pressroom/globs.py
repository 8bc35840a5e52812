"""Looks up the files that a pattern stands for."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

_WILD = re.compile(r"[*?\[]")


def expand(root: Path, pattern: str, log: Callable[[str], None]) -> list[str]:
    """The files below `root` that match, relative to it and in the order of their names.

    A pattern without wildcards names one file, which need not be there yet: another target may make it.
    """
    if not _WILD.search(pattern):
        return [pattern]
    found = sorted(path.relative_to(root).as_posix() for path in root.glob(pattern) if path.is_file())
    log(f"scan {pattern} ({len(found)} files)")
    return found
