"""Properties of trees and of test functions: what is taken apart comes together again."""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rigorbench.recipes.edits import calls_between
from rigorbench.recipes.test_functions import TestFunctionError as FunctionError
from rigorbench.recipes.test_functions import names, only, without
from rigorbench.recipes.trees import Tree, TreeError, changes, matches, patch, with_changes, write_tree

# Few lines, so that they repeat; a carriage return and a form feed end no line for git.
_LINES = st.sampled_from(["a\n", "b\n", "\n", "  c\r\n", "d\x0ce\n", "ü\n"])
_CONTENT = st.tuples(st.lists(_LINES, max_size=8), st.sampled_from(["", "no end"])).map(
    lambda parts: ("".join(parts[0]) + parts[1]).encode()
)
_TREES = st.dictionaries(st.sampled_from(["one.py", "pack/two.py", "pack/three.txt"]), _CONTENT, max_size=3)


@given(_TREES, _TREES)
def test_all_changes_undone_give_the_old_tree(old: Tree, new: Tree) -> None:
    names_of_changes = [f"{c.file}#{c.number}" for c in changes(old, new)]
    assert with_changes(old, new, names_of_changes) == old
    assert with_changes(old, new, {c.file for c in changes(old, new)}) == old
    assert with_changes(old, new, []) == new


@given(_TREES, _TREES)
@settings(max_examples=40)
def test_git_applies_the_patch(old: Tree, new: Tree) -> None:
    # Git does not write empty files by such a patch, nor do libraries change them.
    old, new = ({p: c for p, c in tree.items() if c} for tree in (old, new))
    text = patch(old, new)
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        write_tree(old, directory)
        if text:
            command = ["git", "apply", "--whitespace=nowarn", "-p1", "-"]
            subprocess.run(command, cwd=directory, input=text.encode(), check=True, capture_output=True)
        assert {p.relative_to(directory).as_posix(): p.read_bytes() for p in directory.rglob("*") if p.is_file()} == new


@given(_TREES, _TREES)
def test_the_calls_of_a_policy_lead_from_tree_to_tree(old: Tree, new: Tree) -> None:
    now = {path: content.decode() for path, content in old.items()}
    for file, calls in calls_between(old, new):
        for call in calls:
            if call["tool"] == "shell":
                del now[file]
            elif call["tool"] == "write":
                now[file] = call["content"]
            else:
                assert now[file].count(call["old"]) == 1
                now[file] = now[file].replace(call["old"], call["new"])
    assert {path: content.encode() for path, content in now.items()} == new


def test_a_change_that_does_not_exist_names_those_that_do() -> None:
    with pytest.raises(TreeError, match=r"no change 'a#2' between the trees; there are a#1"):
        with_changes({"a": b"1\n"}, {"a": b"2\n"}, ["a#2"])


def test_a_file_that_is_no_text_has_no_patch() -> None:
    with pytest.raises(TreeError, match=r"leave it out by package\.drop"):
        patch({}, {"a": b"\0"})


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("docs", "docs/a/b.txt", True),
        ("docs", "docs2/a", False),
        ("*.py", "a.py", True),
        ("*.py", "pack/a.py", False),
        ("**/*.py", "a.py", True),
        ("pack/**", "pack/a/b.py", True),
        ("a.py", "aXpy", False),
    ],
)
def test_patterns(pattern: str, path: str, expected: bool) -> None:
    assert matches(path, [pattern]) is expected


# -- test functions ----------------------------------------------------------------------------------------------------

_FUNCTION = st.sampled_from(["def test_{n}():\n    pass\n", "@mark\ndef test_{n}(a):\n    '''x'''\n    return 1\n"])


@st.composite
def _files(draw: st.DrawFn) -> bytes:
    parts = ["import mark\n"]
    for number in range(draw(st.integers(0, 4))):
        parts.append(draw(_FUNCTION).format(n=number))
    for number in range(draw(st.integers(0, 2))):
        methods = [draw(_FUNCTION).format(n=n) for n in range(draw(st.integers(1, 3)))]
        body = "".join(f"    {line}\n" for method in methods for line in method.splitlines())
        parts.append(f"class Test{number}:\n    'Text.'\n\n{body}")
    return "\n\n".join(parts).encode()


@given(_files(), st.data())
def test_a_file_is_divided_without_remainder(content: bytes, data: st.DataObject) -> None:
    known = names(content)
    chosen = data.draw(st.sets(st.sampled_from(known))) if known else set()
    assert names(without(content, chosen)) == [n for n in known if n not in chosen]
    assert names(only(content, chosen)) == [n for n in known if n in chosen]
    assert b"import mark" in only(content, chosen)
    assert without(content, []) == content


def test_a_class_is_one_name() -> None:
    content = b"class TestA:\n    def test_a(self): ...\n\n\nclass TestAB:\n    def test_b(self): ...\n"
    assert names(without(content, ["TestA"])) == ["TestAB::test_b"]
    assert b"class TestA:" not in without(content, ["TestA"])


def test_a_fixture_with_the_name_of_a_test_is_none_and_stays_with_those_that_ask_for_it() -> None:
    content = (
        b"import pytest\n\n\n@pytest.fixture(params=[1, 2])\ndef test_url(request):\n    return request.param\n\n\n"
        b"def test_a(test_url):\n    assert test_url\n\n\ndef test_b():\n    pass\n"
    )
    assert names(content) == ["test_a", "test_b"]
    assert b"def test_url" in only(content, ["test_a"])
    assert b"def test_url" not in only(content, ["test_b"])
    assert b"def test_url" in without(content, ["test_a"])


def test_a_file_that_does_not_parse() -> None:
    with pytest.raises(FunctionError, match="does not parse"):
        names(b"def test(:\n")
