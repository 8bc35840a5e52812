"""The trees of a recipe: the golden solution, the starter, and its near misses and faults."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from pathlib import PurePosixPath

from msgspec import Struct

from .distributions import dependency_tree, package_tree
from .model import NearMiss, Operation, Recipe, RecipeError
from .mutation import Mutation, MutationError, apply
from .test_functions import TestFunctionError, names, only, without
from .trees import Tree, TreeError, matches, selected, with_changes

_LANGUAGES = {".py": "python"}


class States(Struct, frozen=True):
    """The trees of a recipe.

    Attributes:
        starter: the repository from which the agent starts.
        golden: the same with the golden solution.
        hidden: the hidden tests, relative to their directory.
    """

    starter: Tree
    golden: Tree
    hidden: Tree


def build_states(recipe: Recipe) -> States:
    """Make the trees of a recipe.

    Raises:
        DistributionError: a distribution cannot be had.
        RecipeError: the recipe does not fit its distributions.
    """
    package, tests = recipe.package, recipe.tests
    later = package_tree(package, package.version, package.sha256)
    code = selected(later, package.source)
    if not code:
        raise RecipeError(f"{recipe.file}: package.source matches no file of {package.name} {package.version}")
    if recipe.kind == "version-pair":
        assert package.before is not None
        assert package.before_sha256 is not None
        start = package_tree(package, package.before, package.before_sha256)
        _check_names(recipe, start, later)
        # Beside the code the repository stays that of the earlier version.
        golden = {p: c for p, c in start.items() if not matches(p, package.source)} | code
        hidden = _later_tests(recipe, later)
        # A test that the later version has changed requires the opposite in the earlier one.
        moved = [test for requirement in recipe.requirements for test in requirement.tests]
    else:
        _check_names(recipe, later)
        start = operated(recipe, later, recipe.mutations, "mutations")
        golden = later
        hidden = _moved_tests(recipe, later)
        moved = [test for test in tests.hidden if test not in tests.red]
    added = {**_visible_tests(recipe, start, moved), "pytest.ini": settings(recipe)}
    trees = [with_dependencies(recipe, {**_without_tests(recipe, tree), **added}) for tree in (start, golden)]
    return States(*trees, hidden)


def repaired(recipe: Recipe, states: States, number: int) -> Tree:
    """The starter of a stack without its first mutations: the tree after so many right fixes."""
    left = [operation.file for operation in recipe.mutations[number:]]
    return with_changes(states.starter, states.golden, left)


def near_miss(recipe: Recipe, states: States, miss: NearMiss) -> Tree:
    """Raises: RecipeError when the near miss names a change or an operation that does not exist."""
    place = f"near_misses {miss.id}"
    tree = states.golden if miss.on == "golden" else states.starter
    if miss.undo and miss.on == "starter":
        raise RecipeError(f"{recipe.file}: {place}.undo: the starter has no change to undo")
    tree = undone(recipe, states, miss.undo, place) if miss.undo else tree
    found = operated(recipe, tree, miss.mutate, f"{place}.mutate")
    if found in (states.golden, states.starter):
        raise RecipeError(f"{recipe.file}: {place}: changes nothing; give undo or mutate")
    return found


def undone(recipe: Recipe, states: States, undo: Sequence[str], place: str) -> Tree:
    """The golden tree with some changes undone; without names: with all of them undone."""
    if not undo:
        return states.starter
    try:
        return with_changes(states.starter, states.golden, undo)
    except TreeError as error:
        raise RecipeError(f"{recipe.file}: {place}.undo: {error}") from None


def operated(recipe: Recipe, tree: Tree, operations: Sequence[Operation], place: str) -> Tree:
    result = dict(tree)
    for number, operation in enumerate(operations):
        where = f"{recipe.file}: {place}[{number}]"
        content, language = result.get(operation.file), _LANGUAGES.get(PurePosixPath(operation.file).suffix)
        if content is None or language is None:
            raise RecipeError(f"{where}.file: no source file {operation.file!r} in the distribution")
        mutation = Mutation(operation.operator, operation.function, operation.index, operation.line, "")
        try:
            result[operation.file] = apply(content.decode(), mutation, language).encode()
        except (MutationError, UnicodeDecodeError) as error:
            raise RecipeError(f"{where}: {operation.file}: {error}") from None
        digest = hashlib.sha256(result[operation.file]).hexdigest()
        if operation.sha256 is not None and operation.sha256 != digest:
            raise RecipeError(f"{where}.sha256: the changed file has {digest}; the operators have changed")
    return result


# -- tests -----------------------------------------------------------------------------------------------------------


def settings(recipe: Recipe) -> bytes:
    """pytest reads this file instead of the package's own settings, which may need plugins."""
    root = ["."] if recipe.package.dependencies else []
    path = dict.fromkeys([*recipe.tests.path, *root])
    lines = ["[pytest]", f"testpaths = {recipe.tests.directory}", f"pythonpath = {' '.join(path)}"]
    return "\n".join([*lines, *recipe.tests.settings, ""]).encode()


def with_dependencies(recipe: Recipe, tree: Tree) -> Tree:
    """A tree with the packages that its code or its tests import.

    They are in the root: the hidden tests import from there and from ``src``, and from nowhere else.

    Raises:
        DistributionError: one of them cannot be had.
        RecipeError: two packages have a file of the same name.
    """
    result = dict(tree)
    for number, dependency in enumerate(recipe.package.dependencies):
        for path, content in dependency_tree(dependency).items():
            if path in result:
                where = f"{recipe.file}: package.dependencies[{number}]"
                raise RecipeError(f"{where}: {path} is in another package as well; choose another package")
            result[path] = content
    return result


def is_test_file(path: str) -> bool:
    name = path.rsplit("/", 1)[-1]
    return name.endswith(".py") and (name.startswith("test_") or name.endswith("_test.py"))


def _in_tests(recipe: Recipe, tree: Tree) -> Tree:
    """The files of the tests' directory, relative to it."""
    prefix = f"{recipe.tests.directory}/"
    return {p.removeprefix(prefix): c for p, c in tree.items() if p.startswith(prefix)}


def _without_tests(recipe: Recipe, tree: Tree) -> Tree:
    return {p: c for p, c in tree.items() if not p.startswith(f"{recipe.tests.directory}/")}


def _left_out(recipe: Recipe) -> list[str]:
    return [name for entry in recipe.tests.leave_out for name in entry.tests]


def without_left_out(recipe: Recipe, tree: Tree) -> Tree:
    """A tree without the tests that a recipe leaves out."""
    return {**_without_tests(recipe, tree), **_visible_tests(recipe, tree, ())}


def _visible_tests(recipe: Recipe, start: Tree, moved: Sequence[str]) -> Tree:
    tests = _reduced(recipe, _in_tests(recipe, start), [*_left_out(recipe), *moved], without)
    return {f"{recipe.tests.directory}/{path}": content for path, content in tests.items()}


def _later_tests(recipe: Recipe, later: Tree) -> Tree:
    """The hidden files of the later version, with everything beside them that is no test."""
    tests = _in_tests(recipe, later)
    chosen = {p: c for p, c in tests.items() if not is_test_file(p) or p in recipe.tests.hidden}
    return _reduced(recipe, chosen, _left_out(recipe), without)


def _moved_tests(recipe: Recipe, tree: Tree) -> Tree:
    """The files of the hidden functions, without their other tests."""
    tests = _in_tests(recipe, tree)
    files = {name.partition("::")[0] for name in recipe.tests.hidden}
    chosen = {p: c for p, c in tests.items() if not is_test_file(p) or p in files}
    return _reduced(recipe, chosen, recipe.tests.hidden, only)


def _reduced(recipe: Recipe, tests: Tree, ids: Sequence[str], how: Callable[[bytes, list[str]], bytes]) -> Tree:
    result = dict(tests)
    by_file: dict[str, list[str]] = {}
    for name in ids:
        file, _, test = name.partition("::")
        by_file.setdefault(file, []).append(test)
    for file, functions in by_file.items():
        if file not in result:
            continue
        if "" in functions:
            del result[file]
            continue
        try:
            result[file] = how(result[file], functions)
        except TestFunctionError as error:
            raise RecipeError(f"{recipe.file}: {recipe.tests.directory}/{file}: {error}") from None
    return result


def _check_names(recipe: Recipe, *trees: Tree) -> None:
    """Every test that the recipe names is in a version of the package."""
    files = [_in_tests(recipe, tree) for tree in trees]
    known = {p for tests in files for p in tests}
    known |= {f"{p}::{n}" for tests in files for p, c in tests.items() if is_test_file(p) for n in _names(c)}
    for place, ids in (("leave_out", _left_out(recipe)), ("hidden", recipe.tests.hidden)):
        for name in ids:
            if name not in known and not any(k.startswith(f"{name}::") for k in known):
                raise RecipeError(f"{recipe.file}: tests.{place}: no test {name!r} in {recipe.tests.directory}/")


def _names(content: bytes) -> list[str]:
    try:
        return names(content)
    except TestFunctionError:
        return []
