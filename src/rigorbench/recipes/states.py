"""The trees of a recipe: the golden solution, the starter, and its near misses and faults."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from pathlib import PurePosixPath

from msgspec import Struct

from ..evidence.testruns.results import SEPARATOR
from .distributions import package_tree
from .fetching import DistributionError
from .languages import known_tests, language
from .model import HIDDEN_TEST, NearMiss, Operation, Recipe, RecipeError
from .mutation import Mutation, MutationError, apply
from .mutation.mutate import place_of
from .mutation.search import LANGUAGES
from .mutation.special import special_cases
from .renamed import renamed
from .restructure import stages
from .rewrites import Rewrite, rewritten
from .test_functions import TestFunctionError
from .trees import Tree, TreeError, lines, matches, selected, with_changes


class States(Struct, frozen=True):
    """The trees of a recipe.

    Attributes:
        starter: the repository from which the agent starts.
        golden: the same with the golden solution: that of the reading which the user chooses, or the starter where
            nothing solves the task.
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
        start, later = renamed(recipe, start, later)
        code = selected(later, package.source)
        _check_names(recipe, start, later)
        # Beside the code the repository stays that of the earlier version.
        golden = {p: c for p, c in start.items() if not matches(p, package.source)} | code
        hidden = _later_tests(recipe, later)
        # A test that the later version has changed requires the opposite in the earlier one.
        moved = [test for requirement in recipe.requirements for test in requirement.tests]
    else:
        (later,) = renamed(recipe, later)
        _check_names(recipe, later)
        start = _erased(recipe, later, operated(recipe, later, recipe.mutations, "mutations"))
        golden = _own_golden(recipe, later, start)
        hidden = {**_moved_tests(recipe, later), **_own_tests(recipe)}
        moved = [test for test in tests.hidden if test not in tests.red]
    added = {**_visible_tests(recipe, start, moved), **language(recipe).settings(recipe)}
    starter = with_dependencies(recipe, {**_without_tests(recipe, start), **added})
    golden = with_dependencies(recipe, {**_without_tests(recipe, golden), **added})
    return States(starter, golden, hidden)


def _own_golden(recipe: Recipe, package: Tree, start: Tree) -> Tree:
    """The golden solution on the package: by our own code where a recipe has some."""
    if recipe.blocker is not None:
        return start
    if recipe.kind == "refactor":
        try:
            return stages(start, recipe.steps)[-1]
        except TreeError as error:
            raise RecipeError(f"{recipe.file}: {error}") from None
    if recipe.ambiguity is not None:
        chosen = next(r for r in recipe.ambiguity.readings if r.id == recipe.ambiguity.answered)
        return _solved(recipe, package, chosen.rewrites, f"ambiguity.readings {chosen.id}")
    return _solved(recipe, package, recipe.rewrites, "rewrites")


def reading(recipe: Recipe, states: States, rewrites: Sequence[Rewrite], place: str) -> Tree:
    """The repository with the solution of one reading."""
    (package,) = renamed(recipe, package_tree(recipe.package, recipe.package.version, recipe.package.sha256))
    code = selected(_solved(recipe, package, rewrites, place), recipe.package.source)
    return {p: c for p, c in states.starter.items() if not matches(p, recipe.package.source)} | code


def _solved(recipe: Recipe, package: Tree, rewrites: Sequence[Rewrite], place: str) -> Tree:
    return _erased(recipe, package, _rewritten(recipe, package, rewrites, place))


def _erased(recipe: Recipe, package: Tree, tree: Tree) -> Tree:
    """A tree without the facts that the recipe deletes: their lines are found by what the package has there."""
    result = dict(tree)
    for number, entry in enumerate(recipe.erase):
        first, last = entry.lines
        old = "".join(lines(package.get(entry.file))[first - 1 : last])
        text = "".join(lines(result.get(entry.file)))
        if text.count(old) != 1:
            what = (
                f"the lines {first} to {last} of {entry.file} are not once in every tree; choose more lines or others"
            )
            raise RecipeError(f"{recipe.file}: erase[{number}]: {what}")
        result[entry.file] = text.replace(old, entry.code).encode("utf-8", "surrogateescape")
    return result


def _rewritten(recipe: Recipe, tree: Tree, rewrites: Sequence[Rewrite], place: str) -> Tree:
    try:
        return rewritten(tree, rewrites)
    except TreeError as error:
        raise RecipeError(f"{recipe.file}: {place}: {error}") from None


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
    if miss.only_if is not None:
        tree = _fixed_only_if(recipe, states.golden, miss.only_if, f"{place}.only_if")
    found = operated(recipe, tree, miss.mutate, f"{place}.mutate")
    found = _rewritten(recipe, found, miss.rewrites, f"{place}.rewrites")
    if found in (states.golden, states.starter):
        what = "changes nothing; give undo, mutate, rewrites or only_if"
        raise RecipeError(f"{recipe.file}: {place}: {what}")
    return found


def _fixed_only_if(recipe: Recipe, golden: Tree, condition: str, place: str) -> Tree:
    if len(recipe.mutations) != 1:
        raise RecipeError(f"{recipe.file}: {place}: used only with one mutation, which it fixes in part")
    file, text = recipe.mutations[0].file, golden[recipe.mutations[0].file].decode()
    cases = {c: t for t, c in special_cases(text, place_of(text, _mutation(recipe.mutations[0])))}
    if condition not in cases:
        known = ", ".join(map(repr, cases)) or "none there"
        raise RecipeError(f"{recipe.file}: {place}: no such condition; known: {known}")
    return {**golden, file: cases[condition].encode()}


def _mutation(operation: Operation) -> Mutation:
    return Mutation(operation.operator, operation.function, operation.index, operation.line, "")


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
        content, kind = result.get(operation.file), LANGUAGES.get(PurePosixPath(operation.file).suffix)
        if content is None or kind is None:
            raise RecipeError(f"{where}.file: no source file {operation.file!r} in the distribution")
        try:
            result[operation.file] = apply(content.decode(), _mutation(operation), kind).encode()
        except (MutationError, UnicodeDecodeError) as error:
            raise RecipeError(f"{where}: {operation.file}: {error}") from None
        digest = hashlib.sha256(result[operation.file]).hexdigest()
        if operation.sha256 is not None and operation.sha256 != digest:
            raise RecipeError(f"{where}.sha256: the changed file has {digest}; the operators have changed")
    return result


# -- tests -----------------------------------------------------------------------------------------------------------


def with_dependencies(recipe: Recipe, tree: Tree) -> Tree:
    """A tree with the packages that its code or its tests import.

    Raises:
        DistributionError: one of them cannot be had.
        RecipeError: two packages have a file of the same name, or ``package.source`` matches one of them.
    """
    result = dict(tree)
    for number, dependency in enumerate(recipe.package.dependencies):
        place = f"package.dependencies[{number}]"
        try:
            found = language(recipe).installed(dependency)
        except DistributionError as error:
            raise type(error)(f"{place}: {error}") from None
        for path, content in found.items():
            if matches(path, recipe.package.source):
                raise RecipeError(f"{recipe.file}: {place}: {path} is among package.source; give that more exactly")
            if result.setdefault(path, content) != content:
                what = f"{path} is in another package as well; choose another package"
                raise RecipeError(f"{recipe.file}: {place}: {what}")
    return result


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
    tests = _reduced(recipe, _in_tests(recipe, start), [*_left_out(recipe), *moved], language(recipe).without)
    return {f"{recipe.tests.directory}/{path}": content for path, content in tests.items()}


def _later_tests(recipe: Recipe, later: Tree) -> Tree:
    """The hidden files of the later version, with everything beside them that is no test."""
    tests = _in_tests(recipe, later)
    tools = language(recipe)
    chosen = {p: c for p, c in tests.items() if not tools.is_test_file(recipe, p) or p in recipe.tests.hidden}
    return tools.relocated(recipe, _reduced(recipe, chosen, _left_out(recipe), tools.without), later)


def _moved_tests(recipe: Recipe, tree: Tree) -> Tree:
    """The files of the hidden functions, without their other tests; those that are hidden as a whole."""
    tests = _in_tests(recipe, tree)
    files = {name.partition("::")[0] for name in recipe.tests.hidden}
    tools = language(recipe)
    chosen = {p: c for p, c in tests.items() if not tools.is_test_file(recipe, p) or p in files}
    parts = [name for name in recipe.tests.hidden if name.partition("::")[0] not in recipe.tests.hidden]
    return tools.relocated(recipe, _reduced(recipe, chosen, parts, tools.only), tree)


def _own_tests(recipe: Recipe) -> Tree:
    """The hidden tests that the recipe brings along."""
    file = recipe.directory / HIDDEN_TEST
    return {"test_hidden.py": file.read_bytes()} if file.is_file() else {}


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
    known |= {f"{p}::{n}" for tests in files for p, c in tests.items() for n in known_tests(recipe, p, c)}
    for place, ids in (("leave_out", _left_out(recipe)), ("hidden", recipe.tests.hidden)):
        for name in ids:
            if name not in known and not any(k.startswith((f"{name}::", f"{name}{SEPARATOR}")) for k in known):
                raise RecipeError(f"{recipe.file}: tests.{place}: no test {name!r} in {recipe.tests.directory}/")
