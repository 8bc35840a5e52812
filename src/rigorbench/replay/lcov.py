"""Coverage reports in the LCOV format, which the coverage tools of most languages can write."""

from __future__ import annotations

import posixpath

from .model import FileCoverage


def read_lcov(text: str, root: str) -> dict[str, FileCoverage]:
    """Coverage by file (relative to ``root``). A branch is (line, its number on that line). Skips bad records."""
    files: dict[str, FileCoverage] = {}
    current: FileCoverage | None = None
    count: dict[int, int] = {}
    for line in text.splitlines():
        kind, _, rest = line.partition(":")
        if kind == "SF":
            path = rest.strip()
            if posixpath.isabs(path):
                path = posixpath.relpath(path, root)
            current = files.setdefault(posixpath.normpath(path), FileCoverage())
            count = {}
        elif current is not None and kind in ("DA", "BRDA"):
            fields = rest.split(",")
            if len(fields) < (2 if kind == "DA" else 4) or not fields[0].strip().isdigit():
                continue
            number, taken = int(fields[0]), fields[1 if kind == "DA" else 3].strip() not in ("0", "-")
            if kind == "DA":
                (current.executed if taken else current.missing).add(number)
            else:
                count[number] = count.get(number, 0) + 1
                (current.branches if taken else current.missing_branches).add((number, count[number]))
    for found in files.values():
        found.missing -= found.executed
    return files
