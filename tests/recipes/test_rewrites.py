"""Lines of a package that give way to our own."""

from __future__ import annotations

import pytest

from rigorbench.recipes.rewrites import Rewrite, rewritten
from rigorbench.recipes.trees import TreeError

_TREE = {"a.py": b"one\ntwo\nthree\n", "b.py": b"x\n"}


@pytest.mark.parametrize(
    ("rewrites", "expected"),
    [
        ([Rewrite("a.py", (2, 2), "TWO\n")], b"one\nTWO\nthree\n"),
        ([Rewrite("a.py", (1, 2))], b"three\n"),
        ([Rewrite("a.py", (1, 0), "zero\n")], b"zero\none\ntwo\nthree\n"),
        ([Rewrite("a.py", (4, 3), "four\n")], b"one\ntwo\nthree\nfour\n"),
        ([Rewrite("a.py", (1, 1), "1\n1\n"), Rewrite("a.py", (3, 3), "3\n")], b"1\n1\ntwo\n3\n"),
    ],
)
def test_lines_are_those_of_the_given_tree(rewrites: list[Rewrite], expected: bytes) -> None:
    assert rewritten(_TREE, rewrites) == {**_TREE, "a.py": expected}


def test_a_new_file() -> None:
    assert rewritten(_TREE, [Rewrite("c.py", (1, 0), "new\n")])["c.py"] == b"new\n"


@pytest.mark.parametrize(
    "rewrites",
    [
        [Rewrite("a.py", (3, 4))],
        [Rewrite("a.py", (0, 1))],
        [Rewrite("a.py", (3, 1))],
        [Rewrite("c.py", (1, 1))],
        [Rewrite("a.py", (1, 2)), Rewrite("a.py", (2, 3))],
    ],
)
def test_lines_that_are_not_there_are_named(rewrites: list[Rewrite]) -> None:
    with pytest.raises(TreeError, match=r"lines \d to \d are not among 1 to \d"):
        rewritten(_TREE, rewrites)
