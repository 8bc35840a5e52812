"""Compares the test outcomes of successive trees: which tests passed before and no longer do.

A test counts as deleted only if it is not found under another name: its file was renamed, or a new test has the same
body, the same name in another place, or its place between its neighbours and most of its words.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cached_property

from rapidfuzz import fuzz

from ...base.code.assertions import assertions, effective
from ...base.code.testcode import TestFunction
from ...evidence.code.units import Unit, is_source, test_functions, units
from ...evidence.paths import role
from ...evidence.replayed import Regression, TestRun
from .store import Entry, ObjectStore, ObjectStoreError

# A test that was renamed and edited at once still shares this much (in %) of its text with the former version.
_SAME_TEST = 85.0
# A test that stands in the place of another is that one, rewritten, if it has this share of its words.
_SAME_WORDS = 0.8
_WORD = re.compile(r"\w+")
_CALLED = re.compile(r"\b(\w+)\(")
_IMPORT_FAILS = (
    "ImportError", "ModuleNotFoundError", "AttributeError", "cannot import name", "NameError",
    "does not provide an export named", "Cannot find module",
)  # fmt: skip


class TreeTests:
    """The tests of one tree: where each is defined, and the text of its function."""

    def __init__(self, store: ObjectStore, tree: str) -> None:
        self.store, self.tree = store, tree
        self._units: dict[str, dict[str, Unit]] = {}
        self._texts: dict[str, str | None] = {}
        self._blocks: dict[str, dict[str, str]] = {}

    @cached_property
    def files(self) -> dict[str, Entry]:
        return self.store.files(self.tree)

    def text(self, path: str) -> str | None:
        if path not in self._texts:
            entry = self.files.get(path)
            try:
                self._texts[path] = None if entry is None else self.store.blob(entry.sha).decode("utf-8", "replace")
            except ObjectStoreError:
                self._texts[path] = None
        return self._texts[path]

    @cached_property
    def helpers(self) -> frozenset[str]:
        """The names of the functions in test files that assert something, or call one that does."""
        bodies: dict[str, str] = {}
        for path in self.files:
            if role(path) == "test" and is_source(path):
                lines = (text := self.text(path) or "").splitlines()
                for name, unit in units(path, text).items():
                    body = "\n".join(lines[unit.start_line - 1 : unit.end_line])
                    bodies[name.rpartition(".")[2]] = effective(path, body)
        found = {name for name, body in bodies.items() if assertions(body)}
        while more := {n for n, b in bodies.items() if n not in found and not found.isdisjoint(_CALLED.findall(b))}:
            found |= more
        return frozenset(found)

    def can_fail(self, test: TestFunction) -> bool:
        """Whether a test is not skipped and asserts, itself or by a helper, what is not always true."""
        return not test.skipped and (test.has_assertion or not self.helpers.isdisjoint(test.references))

    def unit(self, test: str) -> Unit | None:
        """The function of a test id; None when its file does not define it (inherited, generated)."""
        path, name = split(test)
        if path not in self._units:
            text = self.text(path)
            self._units[path] = {} if text is None else units(path, text)
        return self._units[path].get(name)

    def block(self, test: str) -> str | None:
        """The text of a test that is a call with a title and no function of that name (``test("title", ...)``)."""
        path, _, name = test.partition("::")
        if path not in self._blocks:
            text = self.text(path) or ""
            lines, found = text.splitlines(), () if path.endswith(".py") else test_functions(path, text)
            self._blocks[path] = {t.name: "\n".join(lines[t.start_line - 1 : t.end_line]) for t in found}
        return self._blocks[path].get(name)

    def order(self, path: str) -> list[str]:
        """The names of a file's tests, from top to bottom."""
        return [t.name.replace("::", ".") for t in test_functions(path, self.text(path) or "")]

    def words(self, test: str) -> set[str]:
        """The names, words and numbers of a test, without those of its own name."""
        return set(_WORD.findall((self.source(test) or self.block(test) or "").replace(split(test)[1], "", 1)))

    def source(self, test: str) -> str:
        unit = self.unit(test)
        text = self.text(split(test)[0])
        if unit is None or text is None:
            return ""
        return text.encode("utf-8", "replace")[unit.start : unit.end].decode("utf-8", "replace")


def split(test: str) -> tuple[str, str]:
    """``tests/test_a.py::TestX::test_y[1]`` as its file and ``TestX.test_y``."""
    path, _, rest = test.partition("::")
    return path, rest.partition("[")[0].replace("::", ".")


def changed(test: str, before: TreeTests, after: TreeTests) -> bool:
    """Whether a test's own function differs between two trees (or exists only in the later one)."""
    new = after.unit(test)
    if new is None:
        block = after.block(test)
        if block is not None:
            return before.block(test) != block
        path = split(test)[0]
        return before.files.get(path) != after.files.get(path)
    old = before.unit(test)
    return old is None or old.own != new.own


class Baseline:
    """Which tests have passed so far, and on which tree each passed last."""

    def __init__(self, store: ObjectStore, start: TreeTests, run: TestRun, flaky: frozenset[str]) -> None:
        self.store, self.flaky = store, flaky
        self.first = {t for t, outcome in run.outcomes.items() if outcome not in ("skipped", "xfailed")} - flaky
        """The tests of the start tree. They must stay, also failed ones: deleting a failing test repairs nothing."""
        self.red = self.first - run.passing()
        """Those of them that did not pass."""
        self.passed: dict[str, TreeTests] = dict.fromkeys(sorted(run.passing() - flaky), start)
        """The tree on which each test passed last."""
        self.start = start

    def regressions(self, tests: TreeTests, run: TestRun) -> list[Regression]:
        """The tests that passed before and not on this tree; its passing tests are then added to the baseline."""
        passing = run.passing()
        found: list[Regression] = []
        missing: list[str] = []
        for test, before in self.passed.items():
            outcome = run.outcomes.get(test)
            if test in passing or test in self.flaky:
                continue
            if outcome in ("failed", "error"):
                # A test that was edited since it passed is a new test, which may fail at first.
                if not changed(test, before, tests):
                    found.append(Regression(test, "failed"))
            elif outcome in ("skipped", "xfailed"):
                if test in self.first:
                    found.append(Regression(test, "skipped"))
            else:
                missing.append(test)
        for test in sorted(self.red - set(self.passed)):
            outcome = run.outcomes.get(test)
            if outcome in ("skipped", "xfailed"):
                found.append(Regression(test, "skipped"))
            elif outcome is None and run.problem is None and not run.broken:
                missing.append(test)
        found += self._missing(missing, tests, run)
        for test in sorted(passing - self.flaky):
            self.passed[test] = tests
        return found

    def _missing(self, missing: list[str], tests: TreeTests, run: TestRun) -> list[Regression]:
        found: list[Regression] = []
        added = sorted(t for t in run.outcomes if t not in self.first)
        new = [t for t in added if t not in self.passed]
        renamed_files = None
        for test in missing:
            path, name = split(test)
            before = self.passed.get(test, self.start)
            broken = next(
                (m for f, m in run.broken.items() if f == path or (f and path.startswith(f.rstrip("/") + "/"))), None
            )
            if broken is None and run.problem is not None and path in tests.files:
                found.append(Regression(test, "failed"))
            elif broken is not None:
                # An edited test file may import what is still to be written, and then cannot be loaded: no regression.
                edited = before.files.get(path) != tests.files.get(path)
                if not (edited and any(word in broken for word in _IMPORT_FAILS)):
                    found.append(Regression(test, "failed"))
            elif test in self.first:
                if renamed_files is None:
                    renamed_files = self.store.renamed(self.start.tree, tests.tree)
                again = self._found_again(test, path, name, before, tests, new, renamed_files)
                # Its copy may have been there on an earlier tree.
                unit = before.unit(test)
                again = again or [t for t in added if unit and (u := tests.unit(t)) and u.own == unit.own][:1]
                if again:
                    # From now on the test has its new name, which is not new on the next tree.
                    self.first = self.first - {test} | set(again)
                    self.red -= {test}
                    self.passed.pop(test, None)
                else:
                    found.append(Regression(test, "deleted"))
        return found

    @staticmethod
    def _found_again(
        test: str, path: str, name: str, before: TreeTests, tests: TreeTests, new: list[str], renamed: Mapping[str, str]
    ) -> list[str]:
        """The ids under which a missing test is found again; []: it was deleted."""
        old = before.unit(test)
        same_function = [t for t in new if split(t) == (path, name)]
        if same_function:
            return same_function  # other parameters of a test that is still there
        simple = name.rsplit(".", 1)[-1]
        for candidate in new:
            other_path, other_name = split(candidate)
            if other_name.rsplit(".", 1)[-1] == simple and (other_path != path or other_name != name):
                return [candidate]
            if renamed.get(path) == other_path and other_name == name:
                return [candidate]
            unit = tests.unit(candidate)
            if old is None or unit is None:
                continue
            if unit.own == old.own:
                return [candidate]
            if other_path == path and fuzz.ratio(before.source(test), tests.source(candidate)) >= _SAME_TEST:
                return [candidate]
        there = _in_place_of(name, before.order(path), tests.order(path))
        words = before.words(test)
        beside = [t for t in new if split(t)[0] == path and split(t)[1] in there]
        return [t for t in beside if words and len(words & tests.words(t)) >= _SAME_WORDS * len(words)]


def _in_place_of(name: str, before: Sequence[str], after: Sequence[str]) -> list[str]:
    """The new tests that stand where a test stood: between the nearest tests around it that are still there."""
    if name not in before:
        return []
    at, kept = before.index(name), set(before) & set(after)
    above = next((n for n in reversed(before[:at]) if n in kept), None)
    below = next((n for n in before[at + 1 :] if n in kept), None)
    start = 0 if above is None else after.index(above) + 1
    end = len(after) if below is None else after.index(below)
    return [n for n in after[start:end] if n not in before]


def agent_tests(start: TreeTests, final: TreeTests, run: TestRun) -> list[str]:
    """The tests of the final tree that the agent made or edited."""
    return [test for test in run.outcomes if changed(test, start, final)]
