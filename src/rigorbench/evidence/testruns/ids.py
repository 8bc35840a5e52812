"""Ids of tests and keys of checks: which file, selection or edit a test belongs to."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from ..events import EditEvent
from ..facts import CheckFacts, EditFacts
from ..patterns import lazy

_SEPARATORS = lazy(r"::|\s>\s|\s›\s")
_SELECTOR_WORDS = lazy(r"[^\w./:\[\]-]+")


@lru_cache(8192)
def short(test: str) -> str:
    """The bare name of a test id: ``tests/a.py::TestX::test_y[1]`` -> ``test_y``."""
    name = _SEPARATORS.split(test)[-1]
    name = name.split("[", 1)[0].split("(", 1)[0].strip()
    if "." in name and " " not in name:
        name = name.rsplit(".", 1)[-1]
    return name.rsplit("/", 1)[-1]


def selected(test: str, targets: Iterable[str]) -> bool:
    """Whether a selection (paths, node ids, names, ``-k`` expressions) includes a test."""
    lowered = test.lower()
    for target in targets:
        for word in _SELECTOR_WORDS.split(target):
            if word and word not in ("or", "and", "not"):
                word = word.lower().rstrip("/")
                if word in lowered or lowered in word:
                    return True
    return False


def of_file(test: str, path: str) -> bool:
    """Whether a test id names a test of this file (or of a file in this directory)."""
    stem = path.rsplit("/", 1)[-1].rsplit(".", 1)[0]
    return any(word and word in test and re.search(rf"(?<!\w){re.escape(word)}(?!\w)", test) for word in (path, stem))


_COLLECTED = lazy(r"^test|tests?\.py$|^conftest\.py$|(?:^|_)(?:unittest|spec)", re.IGNORECASE)


def collectable(path: str) -> bool:
    """Whether a runner finds this test file by itself: Python's runners look at the name, others may find any."""
    return not path.endswith(".py") or _COLLECTED.search(path.rsplit("/", 1)[-1]) is not None


def weakens_test(test: str, edit: EditEvent, facts: EditFacts) -> bool:
    """Whether an edit deletes, skips or weakens this test."""
    gone = {*facts.removed_tests, *facts.weakened_tests}
    if not gone:
        return False
    if "*" in gone and facts.weakened_tests and edit.symbols:
        # The inside of a test was changed; the text of the file showed which one.
        gone = {*gone, *edit.symbols} - {"*"}
    if "*" in gone and of_file(test, edit.path):
        return True
    return short(test) in {short(n) for n in gone}


def writes_test(test: str, edit: EditEvent, facts: EditFacts) -> bool:
    """Whether an edit of a test file created or changed this test."""
    names = {short(t.name) for t in facts.tests if t.name}
    if short(test) in names:
        return True
    return of_file(test, edit.path) and (not names or edit.operation == "create")


def same_check(a: str, b: str) -> bool:
    """Whether two keys mean one check: any two test runs do; a build or program must be the same one."""
    return a.split(" ", 1)[0] == b.split(" ", 1)[0] == "test" or a == b


def failure_names(facts: CheckFacts, ids: set[str]) -> set[str]:
    """The names of what failed: the failing tests, and where the log does not name them, what was run."""
    return ids if facts.failing_known else {*ids, f"{facts.family} {' '.join(facts.targets)}"}


def base_names(paths: Iterable[str]) -> set[str]:
    return {p.rsplit("/", 1)[-1] for p in paths}
