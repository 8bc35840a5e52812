"""The recipes of the suite: each is complete, and one is prepared from the package index."""

from __future__ import annotations

from pathlib import Path

import pytest

from rigorbench.authoring.recipes.build import prepare
from rigorbench.authoring.recipes.distributions import Unavailable
from rigorbench.authoring.recipes.recipe import load_recipe
from rigorbench.bench.tasks.proofs import load
from rigorbench.bench.tasks.suite import load_suite, recipes_of

SUITE = Path(__file__).resolve().parents[2] / "suites" / "real"
RECIPES = [*recipes_of(str(SUITE)), *(file.parent for file in SUITE.glob("variants/*/*/recipe.toml"))]


@pytest.mark.parametrize("directory", RECIPES, ids=[str(place.relative_to(SUITE)) for place in RECIPES])
def test_a_recipe_keeps_the_notice_of_its_package(directory: Path) -> None:
    load_recipe(directory)
    assert len((directory / "LICENSE").read_text().split()) > 100


@pytest.mark.slow(reason="fetches a package from the index")
def test_a_recipe_of_the_suite_gives_the_task_that_was_proved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    try:
        prepare(load_recipe(SUITE / "sqlparse-ctas"))
    except Unavailable as error:
        pytest.skip(str(error))
    (task,) = load_suite(SUITE / "sqlparse-ctas").tasks
    assert load([task])[task.id].digest == task.digest
