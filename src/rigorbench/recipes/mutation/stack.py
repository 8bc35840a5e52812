"""Several mutants at once: after the first right fix the tests are still red."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from random import Random

from .model import MutationError
from .mutate import apply
from .search import Kill, Outcomes, Run, language_of, red_tests

Stack = tuple[Kill, ...]


def stack(kills: Sequence[Kill], size: int, rng: Random) -> list[Stack]:
    """All sets of `size` mutants in different modules that one test notices each of, in an order drawn by chance.

    That test is red until the last of them is fixed, unless two mutants hide each other: `stays_red` shows it.

    Raises:
        MutationError: a size other than two or three.
    """
    if size not in (2, 3):
        raise MutationError(f"a stack has two or three mutants, not {size}")
    ordered = sorted(
        kills, key=lambda kill: (kill.file, kill.mutation.line, kill.mutation.operator, kill.mutation.index)
    )
    found = [
        chosen
        for chosen in combinations(ordered, size)
        if len({kill.file for kill in chosen}) == size and set.intersection(*(set(kill.tests) for kill in chosen))
    ]
    rng.shuffle(found)
    return found


def broken_tree(tree: Mapping[str, str], stack: Sequence[Kill]) -> dict[str, str]:
    """The tree with the mutants of a stack in it. They are in different files.

    Raises:
        MutationError: a file does not have its mutation.
    """
    changed = {kill.file: apply(tree[kill.file], kill.mutation, language_of(kill.file)) for kill in stack}
    return {**tree, **changed}


def stays_red(tree: Mapping[str, str], stack: Stack, baseline: Outcomes, run: Run) -> tuple[str, ...] | None:
    """The tests that are red with all mutants and with every part of them, or None if there is no such test.

    Runs the tests once for every set of mutants that is not empty: three times for two, seven times for three.
    A run that is incomplete is no proof either.
    """
    always: set[str] | None = None
    for size in range(len(stack), 0, -1):
        for left in combinations(stack, size):
            red = red_tests(baseline, run(broken_tree(tree, left)))
            always = set(red or ()) if always is None else always & set(red or ())
            if not always:
                return None
    return tuple(sorted(always or ()))
