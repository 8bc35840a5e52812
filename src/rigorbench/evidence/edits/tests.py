"""What an edit does to tests: which tests it makes, changes, removes and weakens."""

from __future__ import annotations

import builtins
import re
from collections.abc import Iterable, Sequence

from ...base.code.assertions import assertions, at_word, effective, either, skips
from ...base.code.parsing import legible
from ...base.code.testcode import TestFunction, test_functions
from ...base.code.words import referenced_names
from ..code.python_tests import look_closely
from ..code.units import changed_units
from ..facts import EditFacts, TestFunctionFacts
from ..testruns.ids import short

# The words of the language and of testing itself.
VOCABULARY = frozenset(dir(builtins)) | frozenset(
    "it test describe context expect assert should t b testing T Test require toBe toEqual toBeTruthy toStrictEqual eq "
    "equal equals ok is assertEqual assertTrue assertFalse assertEquals assertThat self cls this pytest unittest be to "
    "TestCase Equal assert_eq should_eq".split()
)


# A top-level definition in a Python file: a change that contains one is not inside a test.
_DEFINITION = re.compile(r"^(?:async )?def |^class ", re.MULTILINE)


def drop_moved(edits: Iterable[EditFacts]) -> None:
    """Take tests that another file has now, with assertions, off the tests that an edit removed: they were moved."""
    made: dict[str, set[str]] = {}
    known = [f for f in edits if f.in_root and not f.scratch]
    for facts in known:
        for test in facts.tests:
            if test.name and not test.edited and test.has_assertion and not test.skipped:
                made.setdefault(short(test.name), set()).add(test.path)
    for facts in known:
        facts.removed_tests = [n for n in facts.removed_tests if not made.get(short(n), set()) - {facts.change.path}]


def test_facts(facts: EditFacts, path: str, added: str, removed: str) -> None:
    """Fill in what a change of a test file did to its tests.

    Args:
        added: the changed regions after the change, or the whole file if it was written as a whole.
        removed: the changed regions before the change, or the known former text of the file.
    """
    added, removed = legible(added), legible(removed)
    new = look_closely(path, added, test_functions(path, added)) if added else ()
    old = test_functions(path, removed) if removed else ()
    new_names, old_names = {t.name for t in new}, {t.name for t in old}
    changed = set(changed_units(path, removed, added)) if new_names & old_names else set()
    for test in new:
        known = test.name in old_names
        if known and test.name not in changed:
            continue
        # What names nothing but words of testing, no code of the project can make fail.
        asserts = test.has_assertion and bool(test.references - VOCABULARY - {test.name, test.name.rsplit(".", 1)[-1]})
        facts.tests.append(TestFunctionFacts(path, test.name, asserts, test.skipped, test.references, edited=known))
    if not new and not old and facts.change.hunks and not _DEFINITION.search(added) and added.strip():
        # A change inside a test body: the fragment does not name the test, but shows the names that it uses.
        asserts, skipped = assertions(effective(path, added)) > 0, skips(added) > 0
        facts.tests.append(
            TestFunctionFacts(
                path, None, asserts, skipped, frozenset(referenced_names(path, added)), edited=bool(removed)
            )
        )
    facts.removed_tests = sorted(old_names - new_names)
    # A test that only got another name is the same otherwise, or no assertion of it was touched.
    if len(new) == len(old) == 1 and (
        removed.replace(old[0].name, new[0].name) == added or assertions(effective(path, removed)) == 0
    ):
        facts.removed_tests = []
    if facts.change.operation == "delete":
        facts.removed_tests = ["*"]
    elif removed:
        facts.weakened_tests = _weakened(path, new, old, added, removed)


def _weakened(
    path: str, new: Sequence[TestFunction], old: Sequence[TestFunction], added: str, removed: str
) -> list[str]:
    """Tests with fewer real assertions than before, or skipped since; ["*"] where the fragment names none."""
    former = {t.name: t for t in old}
    both = [t for t in new if t.name in former]
    if not both:
        if old:
            return []  # its tests are gone: removed, not weakened
        # The change is inside a test.
        fewer = _strength(path, added) < _strength(path, removed)
        return ["*"] if fewer or skips(added) > skips(removed) else []
    weak: list[str] = []
    new_lines, old_lines = added.splitlines(), removed.splitlines()
    for test in both:
        before = former[test.name]
        skipped = test.skipped and not before.skipped
        now, then = _text(test, new_lines), _text(before, old_lines)
        if skipped or (now != then and _strength(path, now) < _strength(path, then)):
            weak.append(test.name)
    return sorted(weak)


# Assertions that name an expected value, rather than any true or present one.
_EXACT = either(
    at_word(r"assert\b[^\n]*?(?:[=!<>]=| in | is |[<>])"),
    at_word(r"assert\w*(?:Equal|Raises|In|Is|Regex|Greater|Less)\w*\("),
    r"\.to(?:Be|Equal|StrictEqual|Throw|Match|Have|Contain)\w*\([^)\s]",
    at_word(r"EXPECT_(?:EQ|NE|LT|LE|GT|GE)\b"), at_word(r"ASSERT_(?:EQ|NE|LT|LE|GT|GE)\b"),
    at_word(r"assert_(?:eq|ne|matches)!"), at_word(r"assert\.(?:Equal|Contains|Len|ErrorIs)\w*\("),
    at_word(r"require\.(?:Equal|Contains|Len|ErrorIs)\w*\("),
)  # fmt: skip


def _strength(path: str, text: str) -> int:
    code = effective(path, text)
    return assertions(code) + len(_EXACT.findall(code))


def _text(test: TestFunction, lines: Sequence[str]) -> str:
    return "\n".join(lines[test.start_line - 1 : test.end_line])
