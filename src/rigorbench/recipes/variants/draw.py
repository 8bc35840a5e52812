"""From a recipe and a seed to another recipe, in the user's cache."""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from ...base.cache import cache_directory
from ...base.files import read_json, write_json
from ...tasks.prepared import RECIPE
from ...tasks.seeds import seed_of
from ...tasks.variants import DRAWING, drawn_recipe
from .. import toml
from ..distributions import package_tree
from ..model import Recipe, RecipeError, load_recipe
from ..mutation import Renaming
from ..renamed import renaming
from .mutant import Drawn, draw_mutant


class NoVariant(RecipeError):
    """Nothing can be drawn from a recipe of this kind."""


def draw(directory: Path, seed: str) -> Path:
    """The directory of the recipe that a seed draws from another, drawn once; the same wherever its tests end the same.

    Raises:
        DistributionError: a distribution cannot be had.
        NoVariant: it is a fold or a refactor recipe, or one of an npm package.
        RecipeError: the recipe cannot be used, or no mutant that was tried gives a task.
        rigorbench.tasks.sealed.SealError: the seed is sealed.
        rigorbench.sandbox.errors.SandboxError: the tests cannot be run here.
        OSError: the cache cannot be written.
    """
    recipe, place, seed = load_recipe(directory), drawn_recipe(directory, seed), seed_of(directory.parent, seed)
    if recipe.kind in ("fold", "refactor"):
        # Their own code goes by the package's names and lines.
        raise NoVariant(f"{recipe.file}: a {recipe.kind} task has no variants; run it as it is")
    if recipe.package.ecosystem != "pypi":
        # Names are drawn, and issues are read off failing tests, in Python only.
        raise NoVariant(f"{recipe.file}: a task of an npm package has no variants; run it as it is")
    if (place / RECIPE).is_file():
        return place
    drawn = _with_names(recipe, seed)
    texts = {
        name: (directory / name).read_text(encoding="utf-8") for name in ("instruction.md", recipe.issue_test.name)
    }
    if recipe.kind == "mutant":
        found = _drawn_once(drawn, seed)
        drawn = found.into(drawn)
        texts = {"instruction.md": found.instruction, recipe.issue_test.name: found.issue_test}
    else:
        drawn = _in_new_names(drawn)
    place.parent.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".draft-", dir=place.parent.parent) as name:
        target = Path(name) / "variant" / place.name
        target.mkdir(parents=True)
        for file, text in {RECIPE: recipe_text(drawn), **texts}.items():
            (target / file).write_text(text, encoding="utf-8")
        shutil.rmtree(place.parent, ignore_errors=True)
        target.parent.rename(place.parent)
    return place


def recipe_text(recipe: Recipe) -> str:
    """A recipe as its file: every table of a list in one line."""
    table: dict[str, Any] = msgspec.to_builtins(recipe, enc_hook=str)
    del table["directory"]
    parts = {name: _given(table.pop(name)) for name in ("package", "tests")}
    return "\n".join([toml.table(_given(table)), *(toml.table(part, name) for name, part in parts.items())])


def _given(value: Any) -> Any:
    """A value without the entries that are empty."""
    if isinstance(value, dict):
        return {key: _given(one) for key, one in value.items() if one is not None and one != []}
    return [_given(one) for one in value] if isinstance(value, list) else value


def _with_names(recipe: Recipe, seed: str) -> Recipe:
    number = Random(f"{seed}\0{recipe.id}\0names").getrandbits(32)
    return msgspec.structs.replace(recipe, package=msgspec.structs.replace(recipe.package, renamed=number))


def _drawn_once(recipe: Recipe, seed: str) -> Drawn:
    """The mutant that a seed draws; the search is kept, since it runs the tests many times."""
    place = cache_directory().with_name("variants") / "searches" / f"{_search_key(recipe, seed)}.json"
    known = read_json(place, Drawn)
    if known is None:
        known = draw_mutant(recipe, seed)
        place.parent.mkdir(parents=True, exist_ok=True)
        write_json(place, known)
    return known


def _search_key(recipe: Recipe, seed: str) -> str:
    """All that a search depends on: the package, its tests, and what must not be drawn. Not the issue of the recipe."""
    tests = msgspec.structs.replace(recipe.tests, visible=0, hidden=[])
    content = msgspec.json.encode([DRAWING, seed, recipe.id, recipe.package, tests, recipe.mutations], order="sorted")
    return hashlib.sha256(content).hexdigest()


def _in_new_names(recipe: Recipe) -> Recipe:
    """The recipe with the new names of functions in its operations. What a changed file hashes to is another thing."""
    operations = [*recipe.mutations, *(o for miss in recipe.near_misses for o in miss.mutate)]
    if not operations:
        return recipe
    package = recipe.package
    trees = [package_tree(package, package.version, package.sha256)]
    if package.before is not None and package.before_sha256 is not None:
        trees.insert(0, package_tree(package, package.before, package.before_sha256))
    found = renaming(recipe, *trees)

    def change(operation: Any) -> Any:
        return msgspec.structs.replace(operation, function=_new_name(operation.function, found), sha256=None)

    return msgspec.structs.replace(
        recipe,
        mutations=[change(operation) for operation in recipe.mutations],
        near_misses=[
            msgspec.structs.replace(miss, mutate=[change(operation) for operation in miss.mutate])
            for miss in recipe.near_misses
        ],
    )


def _new_name(function: str, found: Renaming) -> str:
    return ".".join(found.private.get(part, part) for part in function.split("."))
