"""One-edit patches between a starter and its golden solution: fixes that are not whole or break something else."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from itertools import zip_longest
from pathlib import PurePosixPath
from random import Random

from msgspec import Struct

from ..trees import lines
from .model import Mutation, MutationError, spliced
from .mutate import line_at, places
from .near import REACH
from .search import LANGUAGES
from .special import special_cases


class WrongFix(Struct, frozen=True):
    """The golden solution with one file changed, and how a recipe writes that.

    Attributes:
        text: of the file.
        what: one line for the author of a task.
        undo: changes of the golden solution that are missing: FILE, or FILE#N for the Nth change of the file.
        mutation: an operation that is made afterwards.
        only_if: the condition under which the fault is fixed.
    """

    file: str
    text: str
    what: str
    undo: str | None = None
    mutation: Mutation | None = None
    only_if: str | None = None


def draw(golden: Mapping[str, str], starter: Mapping[str, str], rng: Random) -> list[WrongFix]:
    """All patches in an order drawn by chance; the kinds take turns, so that each is among the first.

    Args:
        golden: texts of the files that the golden solution changes; those without operators are left out.
        starter: the same files, as far as it has them.
    """
    kinds: dict[str, list[WrongFix]] = {}
    seen = {(file, text) for tree in (golden, starter) for file, text in tree.items()}
    for file in sorted(golden):
        language = LANGUAGES.get(PurePosixPath(file).suffix)
        if language is None or file not in starter or golden[file] == starter[file]:
            continue
        try:
            found = list(_of_file(file, golden[file], starter[file], language))
        except MutationError:
            continue  # one of the versions is for another release of the language
        for kind, fix in found:
            if (file, fix.text) not in seen:
                seen.add((file, fix.text))
                kinds.setdefault(kind, []).append(fix)
    for kind in sorted(kinds):
        rng.shuffle(kinds[kind])
    turns = zip_longest(*(kinds[kind] for kind in sorted(kinds)))
    return [fix for turn in turns for fix in turn if fix is not None]


def _of_file(file: str, golden: str, starter: str, language: str) -> Iterator[tuple[str, WrongFix]]:
    after, before = lines(golden.encode("utf-8", "surrogateescape")), lines(starter.encode("utf-8", "surrogateescape"))
    codes = difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    changes = [code for code in codes if code[0] != "equal"]
    if len(changes) > 1:
        for number, (_, start, end, first, last) in enumerate(changes, 1):
            text = "".join([*after[:first], *before[start:end], *after[last:]])
            yield "part", WrongFix(file, text, f"change {number} of {file} is missing", undo=f"{file}#{number}")
    right = {line for *_, first, last in changes for line in range(first + 1, max(last, first + 1) + 1)}
    wrong = {line for _, first, last, *_ in changes for line in range(first + 1, max(last, first + 1) + 1)}
    for mutation, text in _nearby(golden, right, language):
        what = f"the fault is fixed, and: {mutation.description}"
        yield "beside", WrongFix(file, text, what, mutation=mutation)
    for mutation, text in _nearby(starter, wrong, language):
        what = f"{file} stays as it is, and: {mutation.description}"
        yield "instead", WrongFix(file, text, what, undo=file, mutation=mutation)
    fault = next((p for p in places(golden, language) if spliced(golden, p.splices) == starter), None)
    if fault is not None and language == "python":
        for text, condition in special_cases(golden, fault):
            yield "case", WrongFix(file, text, f"the fault is fixed only if `{condition}`", only_if=condition)


def _nearby(source: str, changed: set[int], language: str) -> Iterator[tuple[Mutation, str]]:
    """The source with one mutation in a function that a change touches, or near a change."""
    data = source.encode()
    found = [(line_at(data, place.splices[0].start), place) for place in places(source, language)]
    touched = {place.mutation.qualname for line, place in found if line in changed} - {"<module>"}
    for line, place in found:
        if place.mutation.qualname in touched or any(abs(line - other) <= REACH for other in changed):
            yield place.mutation, spliced(source, place.splices)
