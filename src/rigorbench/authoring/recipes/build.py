"""Builds the task directory of a recipe: Harbor's layout, as docs/tasks.md describes it."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from ...bench.tasks.prepared import RECIPE, directory_digest, prepared_directory, prepared_task
from ...bench.tasks.workspace import apply_change
from ...session.task import Task, TaskError, load_task
from ..canary import stamp
from ..harbor import write_generic
from .distributions import DistributionError, Tree, dependencies_tree, package_tree, selected, write_tree
from .recipe import NOTICE, Recipe, RecipeError

_STARTER_PATCH, _HIDDEN_PATCH = "starter.patch", "hidden.patch"
_NOT_OF_THE_TASK = (RECIPE, NOTICE, _STARTER_PATCH, _HIDDEN_PATCH)
_LITTER = shutil.ignore_patterns("__pycache__", "*.pyc")


def prepare(recipe: Recipe) -> tuple[Path, bool]:
    """The directory of a recipe's task, and whether it was built now.

    Raises:
        DistributionError: a distribution cannot be had.
        RecipeError: the recipe does not fit its distributions.
        OSError: the cache cannot be written.
    """
    known = prepared_task(recipe.directory)
    if known is not None:
        return known, False
    task = _task(recipe)
    place = prepared_directory(recipe.directory)
    place.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".draft-", dir=place.parent) as name:
        draft = Path(name) / "task"
        build(recipe, draft / str(task.category) / task.id)
        shutil.rmtree(place, ignore_errors=True)
        draft.rename(place)
    return place / str(task.category) / task.id, True


def build(recipe: Recipe, target: Path) -> None:
    """Write the task directory of a recipe; the same recipe always gives the same bytes.

    First the repository and the hidden tests of the package, each patched and checked by its digest, then the files
    that the recipe brings along, then those that are the same in every task.
    """
    starter, hidden = recipe.starter, recipe.hidden
    repository, tests = target / "environment" / "repo", target / "tests"
    package = _package(recipe, starter.version, starter.sha256, "starter")
    write_tree(selected(package, ["**"], starter.without), repository)
    _patch(recipe, _STARTER_PATCH, repository)
    # The files of the dependencies that the repository does not have.
    write_tree({p: c for p, c in dependencies_tree(recipe).items() if not (repository / p).exists()}, repository)
    _check(recipe, "starter", starter.digest, repository)
    if hidden is not None:
        if hidden.version is not None and hidden.sha256 is not None:
            package = _package(recipe, hidden.version, hidden.sha256, "hidden")
        prefix = f"{hidden.directory}/"
        own = {p.removeprefix(prefix): c for p, c in package.items() if p.startswith(prefix)}
        write_tree(selected(own, hidden.files), tests / hidden.into)
        _patch(recipe, _HIDDEN_PATCH, tests)
        _check(recipe, "hidden", hidden.digest, tests)
    for entry in recipe.directory.iterdir():
        if entry.is_dir():
            shutil.copytree(entry, target / entry.name, ignore=_LITTER, dirs_exist_ok=True)
        elif entry.name not in _NOT_OF_THE_TASK:
            shutil.copyfile(entry, target / entry.name)
    write_generic(target)
    stamp(target, str(_task(recipe).canary))


def _task(recipe: Recipe) -> Task:
    """The task file of a recipe. Raises: RecipeError."""
    file = recipe.directory / "task.toml"
    try:
        task = load_task(file)
    except TaskError as error:
        raise RecipeError(str(error)) from None
    if not task.recipe or task.canary is None or task.category is None:
        raise RecipeError(f"{file}: [metadata.rigor] of a recipe has a category, a canary and recipe = true")
    return task


def _package(recipe: Recipe, version: str, sha256: str, place: str) -> Tree:
    try:
        return package_tree(recipe, version, sha256)
    except DistributionError as error:
        raise type(error)(f"{place}.version: {error}") from None


def _patch(recipe: Recipe, name: str, directory: Path) -> None:
    file = recipe.directory / name
    if file.is_file() and (problem := apply_change(file, directory)) is not None:
        raise RecipeError(f"{file}: does not fit the package ({problem[:200]})")


def _check(recipe: Recipe, place: str, expected: str, directory: Path) -> None:
    found = directory_digest(directory)
    if found != expected:
        what = f"the files have {found}; find out what has changed before you write that there"
        raise RecipeError(f"{recipe.file}: {place}.digest: {what}")
