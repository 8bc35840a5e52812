"""The search for mutants that few tests of the library kill. It runs nothing itself: the caller gives the runner."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import zip_longest
from pathlib import PurePosixPath
from random import Random

from msgspec import Struct

from .model import Mutation, MutationError
from .mutate import apply, mutations

Outcomes = Mapping[str, str]
Run = Callable[[Mapping[str, str]], Outcomes | None]

PASSED = "passed"
LANGUAGES = {".py": "python", ".js": "javascript", ".mjs": "javascript", ".cjs": "javascript"}


class Limits(Struct, frozen=True):
    """What a search may do.

    Attributes:
        modules: the files of the tree that may be changed.
        kills: how many mutants are enough.
        runs: how many runs of the tests there may be.
        fewest: the least number of tests that kill a mutant.
        most: the greatest number of tests that kill a mutant.
        repeats: how often a kill must show the same tests; more than one leaves out tests that change by chance.
    """

    modules: tuple[str, ...]
    kills: int = 5
    runs: int = 100
    fewest: int = 1
    most: int = 5
    repeats: int = 2


class Kill(Struct, frozen=True):
    """A mutation of one file with the tests that fail because of it, in the order of their names."""

    file: str
    mutation: Mutation
    tests: tuple[str, ...]


class Search(Struct, frozen=True):
    """What a search found.

    Attributes:
        kills: the mutants that were asked for.
        runs: how often the tests ran.
        survived: mutants that no test noticed.
        too_many: mutants killed by a number of tests that was not asked for.
        incomplete: mutants whose run ended early, lost tests or found new ones; they say nothing.
        unsteady: mutants killed by other tests in a further run.
        refused: mutants that the caller did not accept.
    """

    kills: tuple[Kill, ...]
    runs: int
    survived: int
    too_many: int
    incomplete: int
    unsteady: int
    refused: int = 0


def search(
    tree: Mapping[str, str],
    baseline: Outcomes,
    run: Run,
    rng: Random,
    limits: Limits,
    accept: Callable[[Kill], bool] = lambda kill: True,
) -> Search:
    """Draws mutants of a tree until enough are killed by few tests.

    Args:
        tree: the texts of the files by path.
        baseline: the outcome of every test on this tree.
        run: runs the tests on a tree; None if the run did not end.
        rng: draws the mutants; the same seed gives the same ones.
        limits: where to look, and how long.
        accept: whether a mutant is of use; what it runs itself is not counted.

    Raises:
        MutationError: no test passes on the tree, or a module is missing or cannot be read.
    """
    if PASSED not in baseline.values():
        raise MutationError("no test passes on the unchanged tree; make its tests pass before the search")
    kills = list[Kill]()
    counts = dict.fromkeys(("runs", "survived", "too_many", "incomplete", "unsteady", "refused"), 0)
    for file, mutation in draw(tree, limits.modules, rng):
        if len(kills) >= limits.kills or counts["runs"] + limits.repeats > limits.runs:
            break
        changed = {**tree, file: apply(tree[file], mutation, language_of(file))}
        counts["runs"] += 1
        killed = red_tests(baseline, run(changed))
        if killed is None:
            counts["incomplete"] += 1
        elif not killed:
            counts["survived"] += 1
        elif not limits.fewest <= len(killed) <= limits.most:
            counts["too_many"] += 1
        else:
            counts["runs"] += limits.repeats - 1
            # A list, so that all repeats run: the number of runs must not depend on chance.
            again = [red_tests(baseline, run(changed)) for _ in range(limits.repeats - 1)]
            if any(each != killed for each in again):
                counts["unsteady"] += 1
            elif accept(kill := Kill(file, mutation, killed)):
                kills.append(kill)
            else:
                counts["refused"] += 1
    return Search(tuple(kills), **counts)


def draw(tree: Mapping[str, str], modules: tuple[str, ...], rng: Random) -> Iterator[tuple[str, Mutation]]:
    """All mutations of the modules in an order drawn by chance. The operators take turns, so that rare ones come early.

    Raises:
        MutationError: a module is missing, or cannot be read.
    """
    by_operator: dict[str, list[tuple[str, Mutation]]] = {}
    for file in sorted(set(modules)):
        if file not in tree:
            raise MutationError(f"{file}: not in the tree; correct the list of modules")
        try:
            found = mutations(tree[file], language_of(file))
        except MutationError as error:
            raise MutationError(f"{file}: {error}") from error
        for mutation in found:
            by_operator.setdefault(mutation.operator, []).append((file, mutation))
    operators = sorted(by_operator)
    rng.shuffle(operators)
    for operator in operators:
        rng.shuffle(by_operator[operator])
    for turn in zip_longest(*(by_operator[operator] for operator in operators)):
        yield from (one for one in turn if one is not None)


def red_tests(baseline: Outcomes, outcomes: Outcomes | None) -> tuple[str, ...] | None:
    """The tests that pass on the unchanged tree and no longer do.

    None if the run is incomplete: it did not end, has other tests, or a test has changed that did not pass before.
    """
    if outcomes is None or outcomes.keys() != baseline.keys():
        return None
    changed = sorted(test for test in baseline if outcomes[test] != baseline[test])
    if any(baseline[test] != PASSED for test in changed):
        return None
    return tuple(changed)


def language_of(file: str) -> str:
    """The language of a file by its ending.

    Raises:
        MutationError: there are no operators for it.
    """
    ending = PurePosixPath(file).suffix
    if ending not in LANGUAGES:
        raise MutationError(
            f"{file}: no operators for {ending or 'a file without ending'}; known: {', '.join(LANGUAGES)}"
        )
    return LANGUAGES[ending]
