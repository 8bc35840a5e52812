"""Where the task of a recipe lies once ``rigor suite prepare`` has built it: in the user's cache.

The place depends on the content of the recipe's directory and on the version of the tooling, so a changed recipe is one
that is not prepared.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from ...base.cache import cache_directory

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


RECIPE = "recipe.toml"
# Raise it when the same recipe gives another task.
TOOLING = 2


def is_recipe(directory: Path) -> bool:
    return (directory / RECIPE).is_file()


def prepared_directory(recipe: Path) -> Path:
    """The directory, existing or not, in which ``<category>/<task>`` of a recipe is built."""
    key = hashlib.sha256(f"{TOOLING}\0{recipe.name}\0{directory_digest(recipe)}".encode()).hexdigest()[:24]
    return cache_directory().with_name("recipes") / key


def prepared_task(recipe: Path) -> Path | None:
    """The directory of the task that was built from a recipe in its present state, or None."""
    return next((file.parent for file in prepared_directory(recipe).glob("*/*/task.toml")), None)
