"""Wrong fixes of a task, tried one by one: which of them only a hidden test notices."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from random import Random

from msgspec import Struct

from .draft import TIMES, Runs, run_tests
from .model import NearMiss, Operation, Recipe, RecipeError
from .mutation import WrongFix
from .mutation.between import draw
from .mutation.search import LANGUAGES
from .states import States, build_states, near_miss
from .trees import Tree


class Tried(Struct, frozen=True):
    """How a wrong fix did.

    Attributes:
        near_miss: as it is written in the recipe; None: a recipe cannot name it.
        visible: tests of the visible suite that fail on it.
        hidden: hidden tests that fail on it; empty as well if visible ones do, since they are not run then.
        stopped: why a run did not finish.
    """

    what: str
    near_miss: NearMiss | None
    visible: list[str]
    hidden: list[str]
    stopped: str | None = None

    @property
    def deceives(self) -> bool:
        return self.stopped is None and not self.visible and bool(self.hidden)


def single_edits(starter: Path, golden: Path, seed: str) -> Iterator[tuple[str, str]]:
    """Wrong fixes of a prepared task in an order drawn by the seed: a file of the golden tree, and its text."""
    after = {f.relative_to(golden).as_posix(): f.read_bytes() for f in _sources(golden)}
    before = {name: (starter / name).read_bytes() for name in after if (starter / name).is_file()}
    for fix in _drawn(before, after, seed):
        yield fix.file, fix.text


def _sources(directory: Path) -> list[Path]:
    return [f for f in directory.rglob("*") if f.suffix in LANGUAGES and f.is_file() and not f.is_symlink()]


def try_wrong_fixes(recipe: Recipe, most: int) -> Iterator[Tried]:
    """Run the tests of a recipe on up to ``most`` wrong fixes, drawn by its name; not on those that change nothing.

    Raises:
        DistributionError: a distribution cannot be had.
        RecipeError: the recipe does not fit its distributions, or its tests do not run.
    """
    states = build_states(recipe)
    prefix = f"{recipe.tests.directory}/"
    hidden_tests = {f"{prefix}{path}": content for path, content in states.hidden.items()}
    if not states.hidden:
        raise RecipeError(f"{recipe.file}: tests.hidden: empty; fill it in first, then a near miss can be seen")

    def with_hidden(tree: Tree) -> Tree:
        return {p: c for p, c in tree.items() if not p.startswith(prefix)} | hidden_tests

    started = time.monotonic()
    visible, hidden = _passing(recipe, states.golden), _passing(recipe, with_hidden(states.golden))
    # Whatever takes that much longer does not end.
    seconds = 10.0 + 4.0 * (time.monotonic() - started) / TIMES
    for number, fix in enumerate(_drawn(states.starter, states.golden, recipe.id)[:most], 1):
        tree = {**states.golden, fix.file: fix.text.encode("utf-8", "surrogateescape")}
        runs = run_tests(recipe, tree, seconds=seconds)
        failed = sorted(visible - runs.passed)
        left: list[str] = []
        if runs.stopped is None and not failed:
            runs = run_tests(recipe, with_hidden(tree), seconds=seconds)
            left = sorted(hidden - runs.passed)
        yield Tried(fix.what, _as_near_miss(recipe, states, tree, fix, number), failed, left, runs.stopped)


def _passing(recipe: Recipe, tree: Tree) -> set[str]:
    runs: Runs = run_tests(recipe, tree, TIMES)
    if runs.stopped is not None or not runs.passed:
        why = runs.stopped or next(iter(runs.others.values()), "no test was found")
        raise RecipeError(f"{recipe.file}: the tests do not run on the golden solution ({why})")
    return runs.passed


def _drawn(starter: Tree, golden: Tree, seed: str) -> list[WrongFix]:
    changed = [p for p in golden if PurePosixPath(p).suffix in LANGUAGES and starter.get(p, golden[p]) != golden[p]]
    after, before = ({p: tree[p].decode("utf-8", "surrogateescape") for p in changed} for tree in (golden, starter))
    return draw(after, before, Random(seed))


def _as_near_miss(recipe: Recipe, states: States, tree: Tree, fix: WrongFix, number: int) -> NearMiss | None:
    """The entry of a recipe that gives this tree."""
    mutation = fix.mutation
    operations = []
    if mutation is not None:
        operations = [Operation(fix.file, mutation.operator, mutation.qualname, mutation.line, mutation.index)]
    undo = [fix.undo] if fix.undo is not None else []
    miss = NearMiss(f"edit-{number}", fix.what, undo=undo, mutate=operations, only_if=fix.only_if)
    try:
        return miss if near_miss(recipe, states, miss) == tree else None
    except RecipeError:
        return None
