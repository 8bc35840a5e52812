"""One recipe of the suite, prepared from the package index."""

from __future__ import annotations

from pathlib import Path

import pytest

from rigorbench.recipes.fetching import Unavailable, fetch
from rigorbench.recipes.model import load_recipe
from rigorbench.recipes.states import build_states

RECIPE = Path(__file__).resolve().parents[2] / "suites" / "real" / "sqlparse-ctas"


@pytest.mark.slow(reason="fetches a package from the index")
def test_a_recipe_of_the_suite_fits_its_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    recipe = load_recipe(RECIPE)
    try:
        fetch("source distribution", recipe.package.name, recipe.package.version, recipe.package.sha256)
    except Unavailable as error:
        pytest.skip(str(error))
    states = build_states(recipe)
    changed = {path for path in states.golden if states.golden[path] != states.starter[path]}
    assert changed == {operation.file for operation in recipe.mutations}
    assert "test_grouping.py" in states.hidden
