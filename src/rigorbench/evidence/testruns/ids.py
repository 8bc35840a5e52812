"""Ids of tests and keys of checks: which file, selection or edit a test belongs to."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from ...base.code.grammars import is_source
from ...base.patterns import lazy
from ..events import EditEvent
from ..facts import CheckFacts, EditFacts

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


_GO_TEST = lazy(r"^(?:Test|Fuzz|Example|Benchmark)(?:[A-Z_]\w*)?(?:/|$)")
# The import path of a Go package, and behind it the test.
_GO = lazy(r"^((?:[^\s:>]*/)?[^\s/.:>]+)\.((?:Test|Fuzz|Example|Benchmark)\w*(?:/.*)?)$", re.DOTALL)


@lru_cache(8192)
def place_and_title(test: str) -> tuple[str, str]:
    """The file or package of a test id and the title of the test in it; "" for what the id does not contain.

    ``a/test_b.py::C::t`` is in ``a/test_b.py``, ``a/b.test.ts > suite > t`` in ``a/b.test.ts``, ``host/pkg.TestA/sub``
    in ``host/pkg``. jest prints ``suite > t`` without a file, and the path alone of a file that it could not load.
    """
    if (go := _GO.match(test)) is not None and "/" in go[1]:
        return go[1], go[2]
    parts = _SEPARATORS.split(test, maxsplit=1)
    if len(parts) == 2:
        return (parts[0], parts[1]) if is_place(parts[0]) else ("", test)
    return (test, "") if is_place(test) else ("", test)


def is_place(word: str) -> bool:
    """Whether a word of a test id or a selection is a path: of a file, a directory or a package."""
    if _GO_TEST.match(word) or any(c.isspace() for c in word):
        return False
    return "/" in word or is_source(word)


def same_place(a: str, b: str) -> bool:
    """Whether two paths can be the same file, one of them from further down than the other."""
    a, b = a.removeprefix("./").rstrip("/"), b.removeprefix("./").rstrip("/")
    return a == b or a.endswith("/" + b) or b.endswith("/" + a)


def same_test(a: str, b: str) -> bool:
    """Whether two ids can mean the same test, or the same file that does not load."""
    if a == b:
        return True
    (place, title), (other, other_title) = place_and_title(a), place_and_title(b)
    return title == other_title and (same_place(place, other) if place and other else bool(title))


def selected(test: str, targets: Iterable[str]) -> bool:
    """Whether a selection (paths, node ids, names, ``-k`` expressions) includes a test.

    Where it gives both places and names, the test must be of one of each, as far as its id shows the two.
    """
    place, title = place_and_title(test)
    lowered = test.lower()
    hits: dict[bool, bool] = {}
    for target in targets:
        for word in _words(target.lower()):
            by_place = "::" not in word and is_place(word)
            word = word.removeprefix("./").removesuffix("...").strip("/.")
            if word:
                hit = word in lowered or lowered in word or (not by_place and bool(title) and _plain(title) in word)
                hits[by_place] = hits.get(by_place, False) or hit or word in _plain(test)
    if len(hits) == 2:
        return (hits[True] or not place) and (hits[False] or not title)
    return any(hits.values())


def _words(target: str) -> list[str]:
    """The alternatives of a selection: of an expression its words, of a title (several words) the whole."""
    words = [w for w in _SELECTOR_WORDS.split(target) if w]
    if len(words) > 1 and " " in target and not {"or", "and", "not"} & set(words) and "|" not in target:
        return [_plain(target)]
    return [w for w in words if w not in ("or", "and", "not")]


def _plain(title: str) -> str:
    """A title as jest and vitest match it: the names of its groups and its own, with blanks between them."""
    return " ".join(_SEPARATORS.sub(" ", title).lower().split())


def of_file(test: str, path: str) -> bool:
    """Whether a test id names a test of this file (or of a file in this directory)."""
    stem = path.rsplit("/", 1)[-1].rsplit(".", 1)[0]
    return any(word and word in test and re.search(rf"(?<!\w){re.escape(word)}(?!\w)", test) for word in (path, stem))


_COLLECTED = lazy(r"^test|tests?\.py$|^conftest\.py$|(?:^|_)(?:unittest|spec)", re.IGNORECASE)


def collectable(path: str) -> bool:
    """Whether a runner finds this test file by itself: Python's runners look at the name, others may find any."""
    return not path.endswith(".py") or _COLLECTED.search(path.rsplit("/", 1)[-1]) is not None


def names_in_code(test: str) -> set[str]:
    """The names under which the code of a test file may define this test: a Go subtest belongs to its function."""
    _, title = place_and_title(test)
    function = title.split("/", 1)[0]
    return {short(test), function} if _GO_TEST.match(function) else {short(test)}


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
    return not names_in_code(test).isdisjoint(short(n) for n in gone)


def writes_test(test: str, edit: EditEvent, facts: EditFacts) -> bool:
    """Whether an edit of a test file created or changed this test."""
    names = {short(t.name) for t in facts.tests if t.name}
    # An edit inside a test does not name it, but the file as last seen does.
    inside = {s.rsplit(".", 1)[-1] for s in edit.symbols if edit.role == "test"}
    if not names_in_code(test).isdisjoint(names | inside):
        return True
    return of_file(test, edit.path) and (not names or edit.operation == "create")


def failure_names(facts: CheckFacts, ids: set[str]) -> set[str]:
    """The names of what failed: the failing tests, and where the log does not name them, what was run."""
    return ids if facts.failing_known else {*ids, f"{facts.family} {' '.join(facts.targets)}"}


def base_names(paths: Iterable[str]) -> set[str]:
    return {p.rsplit("/", 1)[-1] for p in paths}
