"""Tests of a JavaScript file by title."""

from __future__ import annotations

import pytest

from rigorbench.recipes.node_functions import is_one_of, names, only, without
from rigorbench.recipes.test_functions import TestFunctionError as FunctionError

FILE = b"""\
#!/usr/bin/env node
const { test, describe, it, suite } = require('node:test')

test('first', () => {})

// Of the second.
test.skip("it's \\"second\\"", async (t) => {
  await t.test('inner', () => {})
})

describe('a  group', () => {
  const shared = 1
  it(`third`, { timeout: 10 }, function () { shared() })
  describe('below', () => { it('fourth', () => {}) })
})
await suite('other', () => { test('fifth', () => {}) }); helper()
for (const n of [1, 2]) test(`made ${n}`, () => {})
t.test('not of the file', () => {})
test(name, () => {})
"""
EVERY = ["first", 'it\'s "second"', "a group > third", "a group > below > fourth", "other > fifth"]


def test_titles_with_those_of_their_groups() -> None:
    assert names(FILE) == EVERY


@pytest.mark.parametrize("gone", [*EVERY, "a group", "other"])
def test_a_file_without_some_of_its_tests(gone: str) -> None:
    found = without(FILE, [gone])
    assert names(found) == [name for name in EVERY if not is_one_of(name, [gone])]
    assert b"helper()" in found
    assert b"const shared = 1" in found


def test_a_file_with_some_of_its_tests() -> None:
    found = only(FILE, ["a group > below"])
    assert names(found) == ["a group > below > fourth"]
    assert b"made ${n}" in found


def test_nothing_to_do() -> None:
    assert without(FILE, ["sixth"]) == FILE
    assert only(FILE, EVERY) == FILE


def test_a_file_that_does_not_parse() -> None:
    with pytest.raises(FunctionError, match="does not parse"):
        names(b"test('a', () => {")


@pytest.mark.parametrize(
    ("test", "ids", "expected"),
    [
        ("a", ["a"], True),
        ("a > b", ["a"], True),
        ("ab", ["a"], False),
        ("a", ["a > b"], False),
        ("a", [], False),
    ],
)
def test_a_test_belongs_to_its_group(test: str, ids: list[str], expected: bool) -> None:
    assert is_one_of(test, ids) is expected
