"""The content of a directory as one hash."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

# Files of editors, interpreters and version control, which are no part of a task's content.
_LITTER = frozenset({"__pycache__", ".pytest_cache", ".git", ".DS_Store", ".ruff_cache", ".mypy_cache"})


def directory_digest(directory: Path) -> str:
    """SHA-256 over relative names, kinds (file, executable, link) and contents of all files, without litter."""
    total = hashlib.sha256()
    for root, names, files in os.walk(directory):
        names[:] = sorted(n for n in names if n not in _LITTER)
        for name in sorted([*files, *(n for n in names if os.path.islink(os.path.join(root, n)))]):
            if name in _LITTER or name.endswith((".pyc", ".pyo")):
                continue
            file = Path(root, name)
            if file.is_symlink():
                kind, data = "link", os.fsencode(os.readlink(file))
            else:
                kind, data = ("executable" if file.stat().st_mode & 0o111 else "file"), file.read_bytes()
            relative = file.relative_to(directory).as_posix()
            total.update(f"{relative}\0{kind}\0{hashlib.sha256(data).hexdigest()}\n".encode("utf-8", "surrogateescape"))
    return total.hexdigest()
