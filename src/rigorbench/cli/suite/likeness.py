"""Reports how like the issues of recipes are to what their packages say themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...authoring.recipes.distributions import DistributionError
from ...authoring.recipes.recipe import RecipeError, load_recipe
from ..common import message

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from ...authoring.recipes.likeness import Likeness


def measure(recipe: Path) -> Likeness:
    from ...authoring.recipes.likeness import Likeness, likeness

    try:
        return likeness(load_recipe(recipe))
    except (RecipeError, DistributionError) as error:
        return Likeness(None, reason=str(error))


def as_json(one: Likeness) -> dict[str, Any]:
    return {"ratio": one.ratio, "sentence": one.sentence, "place": one.place, "reason": one.reason}


def tell(alike: Mapping[str, Likeness]) -> None:
    """Say on standard error which issue is most like its package's texts, and which are too much so."""
    from ...authoring.recipes.likeness import LIMIT

    known = sorted((one.ratio, name, one) for name, one in alike.items() if one.ratio is not None)
    if known:
        ratio, name, one = known[-1]
        message(f"issues like the texts of their packages: at most {ratio:.2f} ({name}, {one.place}; limit {LIMIT:g})")
    for name, one in alike.items():
        if one.is_too_high:
            message(
                f"{name}: FAILED: {one.sentence[:80]!r} is like {one.place} ({one.ratio:.2f}); say it in other words"
            )
        elif one.ratio is None:
            message(f"{name}: likeness not measured: {one.reason}")
