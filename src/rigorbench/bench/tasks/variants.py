"""Variants of a suite of recipes: ``real~7`` is the suite in ``real/variants/7``.

It has recipes of the same names, each with another fault in the same package. A run on a variant shows whether an
agent knows the published tasks.
"""

from __future__ import annotations

import re
from pathlib import Path

from .prepared import is_recipe

MARK, DIRECTORY = "~", "variants"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9.-]{0,31}")


def split_name(name: str) -> tuple[str, str | None]:
    """(``real``, ``7``) of ``real~7``; a name without a variant, or an existing path, is returned as it is."""
    plain, mark, variant = name.rpartition(MARK)
    if mark and plain and is_variant(variant) and not Path(name).exists():
        return plain, variant
    return name, None


def with_variant(name: str, variant: str | None) -> str:
    """The name of the variant of a suite; without a variant that of the suite itself."""
    return name if variant is None else f"{name}{MARK}{variant}"


def is_variant(text: str) -> bool:
    """Whether a text may be the name of a variant: letters, digits, dots and hyphens."""
    return _NAME.fullmatch(text) is not None


def variant_directory(place: Path, variant: str) -> Path:
    """The directory, existing or not, of the variant of a suite or of one of its recipes."""
    if is_recipe(place):
        return place.parent / DIRECTORY / variant / place.name
    return place / DIRECTORY / variant


def variants_of(place: Path) -> list[str]:
    """The names of the variants that a suite, or the suite of a recipe, has."""
    suite = place.parent if is_recipe(place) else place
    return sorted(path.name for path in (suite / DIRECTORY).glob("*") if path.is_dir())
