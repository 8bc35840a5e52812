"""Where the task of a recipe lies once ``rigor suite prepare`` has built it: in the user's cache.

The place depends on the content of the recipe's directory and on the version of the tooling, so a changed recipe is one
that is not prepared.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from ...base.cache import cache_directory
from .digests import directory_digest

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
