"""Variants of recipes: ``real~7`` is the suite ``real`` whose tasks are drawn anew by the seed ``7``.

``rigor suite prepare real --variant 7`` draws a recipe for each recipe of the suite, in the user's cache: another
mutation of the same package, and other names of its private symbols. A drawn recipe is then a recipe like any other.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from ..base.cache import cache_directory
from .digests import directory_digest
from .seeds import seed_of

MARK = "~"
# Raise it when the same recipe and seed give another variant.
DRAWING = 1
_SEED = re.compile(r"[A-Za-z0-9][A-Za-z0-9.-]{0,31}")


def split_seed(name: str) -> tuple[str, str | None]:
    """(``real``, ``7``) of ``real~7``; a name without a seed, or an existing path, is returned as it is."""
    plain, mark, seed = name.rpartition(MARK)
    if mark and plain and is_seed(seed) and not Path(name).exists():
        return plain, seed
    return name, None


def with_seed(name: str, seed: str | None) -> str:
    """The name of the variant of a suite; without a seed that of the suite itself."""
    return name if seed is None else f"{name}{MARK}{seed}"


def is_seed(text: str) -> bool:
    """Whether a text may be the seed of a variant, or the name of a sealed one: letters, digits, dots and hyphens."""
    return _SEED.fullmatch(text) is not None


def drawn_recipe(recipe: Path, seed: str) -> Path:
    """The directory, existing or not, of the recipe that a seed draws from another.

    Raises:
        rigorbench.tasks.sealed.SealError: the seed is sealed, and its key is missing.
    """
    content = f"{DRAWING}\0{recipe.name}\0{seed_of(recipe.parent, seed)}\0{directory_digest(recipe)}"
    return cache_directory().with_name("variants") / hashlib.sha256(content.encode()).hexdigest()[:24] / recipe.name
