"""Near misses: wrong patches that turn the visible tests green and leave a hidden one red."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations
from random import Random

from msgspec import Struct

from .model import Mutation, spliced
from .mutate import line_at, place_of, places
from .search import Kill, Outcomes, Run, language_of, red_tests
from .special import special_cases
from .stack import broken_tree

# How many lines around the place are near it, besides the function that holds it.
REACH = 6


class Patch(Struct, frozen=True):
    """One edit that somebody may take for the fix: the file with the edit made, and what was done."""

    file: str
    text: str
    what: str


class NearMiss(Struct, frozen=True):
    """A patch with the hidden tests that it leaves red."""

    patch: Patch
    red: tuple[str, ...]


class NearMisses(Struct, frozen=True):
    """The near misses of a task.

    Attributes:
        found: those that leave the fewest hidden tests red first.
        tried: patches whose run was complete.
        incomplete: patches whose run was not.
    """

    found: tuple[NearMiss, ...]
    tried: int
    incomplete: int

    @property
    def share(self) -> float | None:
        """The measured difficulty: near misses among the patches tried. None if none was tried."""
        return len(self.found) / self.tried if self.tried else None


def near_misses(
    golden: Mapping[str, str],
    stack: Sequence[Kill],
    baseline: Outcomes,
    hidden: Collection[str],
    run: Run,
    rng: Random,
    runs: int = 40,
) -> NearMisses:
    """Tries wrong patches of a task.

    Args:
        golden: the texts of the right tree by path.
        stack: the mutants of the task, one or several.
        baseline: the outcome of every test on the right tree.
        hidden: the tests that the agent does not see.
        run: runs the tests on a tree; None if the run did not end.
        rng: draws the patches if there are more than `runs`.
        runs: how many patches are tried.

    Raises:
        MutationError: a file does not have its mutation.
    """
    patches = list(candidates(golden, stack))
    rng.shuffle(patches)
    found, tried, incomplete = list[NearMiss](), 0, 0
    for patch in patches[:runs]:
        # The other faults of the task are fixed: what is tried is the last fix.
        red = red_tests(baseline, run({**golden, patch.file: patch.text}))
        if red is None:
            incomplete += 1
            continue
        tried += 1
        if red and set(red) <= set(hidden):
            found.append(NearMiss(patch, red))
    found.sort(key=lambda near: len(near.red))
    return NearMisses(tuple(found), tried, incomplete)


def candidates(golden: Mapping[str, str], stack: Sequence[Kill]) -> Iterator[Patch]:
    """Every patch that may be tried: each other than the right text, the broken text, and the patches before it.

    Raises:
        MutationError: a file does not have its mutation.
    """
    broken = broken_tree(golden, stack)
    seen = {golden[kill.file] for kill in stack} | {broken[kill.file] for kill in stack}
    for kill in stack:
        for patch in _of_one(golden[kill.file], broken[kill.file], kill):
            if patch.text not in seen:
                seen.add(patch.text)
                yield patch


def _of_one(golden: str, broken: str, kill: Kill) -> Iterator[Patch]:
    file, mutation, language = kill.file, kill.mutation, language_of(kill.file)
    place = place_of(golden, mutation, language)
    for size in range(1, len(place.splices)):
        for some in combinations(place.splices, size):
            yield Patch(file, spliced(golden, some), "one of two places is fixed")
    for text, what in _nearby(golden, mutation, language):
        yield Patch(file, text, f"the fault is fixed, and: {what}")
    for text, what in _nearby(broken, mutation, language):
        yield Patch(file, text, f"the fault stays, and: {what}")
    if language == "python":
        for text, condition in special_cases(golden, place):
            yield Patch(file, text, f"the fault is fixed only if `{condition}`")


def _nearby(source: str, mutation: Mutation, language: str) -> Iterator[tuple[str, str]]:
    """The source with one further mutation in the same function or near the place."""
    data = source.encode()
    for place in places(source, language):
        line = line_at(data, place.splices[0].start)
        is_near = abs(line - mutation.line) <= REACH
        if is_near or (place.mutation.qualname == mutation.qualname != "<module>"):
            yield spliced(source, place.splices), place.mutation.description
