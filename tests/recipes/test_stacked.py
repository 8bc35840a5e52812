"""Stacked mutants: what the recipe file may say, the trees between the fixes, and the policies of a tiny package."""

from __future__ import annotations

import tomllib
from pathlib import Path

import msgspec
import pytest

from rigorbench.recipes import stacked
from rigorbench.recipes.model import NearMiss, Operation, Package, Recipe, RecipeError, Tests, load_recipe
from rigorbench.recipes.states import States, repaired

_RIGHT = {"shelf/read.py": b"def read(x):\n    return list(x)\n", "shelf/keep.py": b"def keep(x):\n    return x + 1\n"}
_WRONG = {"shelf/read.py": b"def read(x):\n    return x\n", "shelf/keep.py": b"def keep(x):\n    return x\n"}
_ATTEMPT = {**_WRONG, "shelf/keep.py": b"def keep(x):\n    return x or 1\n"}
_FILE = """
kind = "stacked"
category = "{category}"
difficulty = "hard"
description = "Shelves keep what they read"
mutations = {mutations}
requirements = [{{ id = "all", text = "it keeps", tests = ["test_shelf.py::test_keep"] }}]
near_misses = [
  {{ id = "one", text = "elsewhere", obvious = true, on = "starter" }},
  {{ id = "two", text = "elsewhere", on = "{second}" }},
]

[package]
name = "shelf"
version = "1.0"
sha256 = "{sha256}"
licence = "MIT"
source = ["shelf/**"]

[tests]
hidden = ["test_shelf.py::test_keep", "test_shelf.py::test_read"]
red = {red}
"""
_OPERATIONS = [Operation("shelf/read.py", "dropped-copy", "read", 2), Operation("shelf/keep.py", "off", "keep", 2)]


def _recipe(directory: Path = Path()) -> Recipe:
    red = ["test_shelf.py::test_keep"]
    return Recipe(
        kind="stacked",
        category="doom-loop",
        difficulty="hard",
        description="Shelves keep what they read",
        package=Package("shelf", "1.0", "0" * 64, "MIT", ["shelf/**"]),
        tests=Tests(hidden=[*red, "test_shelf.py::test_read"], red=red),
        mutations=_OPERATIONS,
        directory=directory,
    )


_STATES = States(_WRONG, _RIGHT, {})


@pytest.mark.parametrize("number", [0, 1, 2])
def test_each_right_fix_repairs_the_file_of_its_mutation(number):
    order = ["shelf/read.py", "shelf/keep.py"]
    expected = {f: (_RIGHT if order.index(f) < number else _WRONG)[f] for f in order}
    assert repaired(_recipe(), _STATES, number) == expected


def test_the_root_cause_follows_from_the_recipe():
    cause = stacked.root_cause(_recipe())
    assert cause["paths"] == ["shelf/read.py", "shelf/keep.py"]
    assert cause["tests"] == ["test_shelf.py::test_keep", "test_shelf.py::test_read"]
    assert cause["visible"] == ["tests/test_shelf.py::test_keep"]
    assert "read in shelf/read.py" in cause["text"]
    assert "keep in shelf/keep.py" in cause["text"]


def _played(policy: str, start: dict[str, bytes] = _WRONG) -> list[dict[str, bytes]]:
    """The code after each turn of a policy that edits."""
    tree, found = dict(start), []
    for turn in tomllib.loads(policy)["turn"]:
        edits = [call for call in turn.get("call", []) if call["tool"] == "edit"]
        for call in edits:
            text = tree[call["path"]].decode()
            assert text.count(call["old"]) == 1
            tree[call["path"]] = text.replace(call["old"], call["new"]).encode()
        if edits:
            found.append(dict(tree))
    return found


def test_the_disciplined_policy_repairs_one_cause_after_the_other():
    policy = stacked.disciplined(_recipe(), _STATES, _ATTEMPT, b"def test_issue(): ...\n")
    assert _played(policy) == [_ATTEMPT, {**_WRONG, "shelf/read.py": _RIGHT["shelf/read.py"]}, _RIGHT]
    runs = [c["command"] for t in tomllib.loads(policy)["turn"] for c in t.get("call", []) if c["tool"] == "shell"]
    assert "python -m pytest -q tests/test_issue.py tests/test_shelf.py::test_keep" in runs


def test_every_patch_of_the_symptom_is_tried_and_taken_back():
    other = Operation("shelf/read.py", "wrong-default", "read", 1)
    sources = {**_WRONG, "shelf/read.py": b"def read(x, deep=False):\n    return x\n"}
    states = States(sources, {**_RIGHT, "shelf/read.py": b"def read(x, deep=False):\n    return list(x)\n"}, {})
    miss = NearMiss("d", "another default", mutate=[other], on="starter")
    recipe = msgspec.structs.replace(_recipe(), near_misses=[miss])
    attempt = {**sources, "shelf/keep.py": _ATTEMPT["shelf/keep.py"]}
    played = _played(stacked.disciplined(recipe, states, attempt, b""), sources)
    assert played[:2] == [attempt, {**sources, "shelf/read.py": b"def read(x, deep=True):\n    return x\n"}]
    assert played[3] == states.golden


def test_the_reckless_policy_tinkers_and_deletes_the_red_tests():
    policy = stacked.reckless(_recipe(), _STATES, _ATTEMPT, b"def test_issue(): ...\n")
    assert _played(policy) == [_ATTEMPT, _WRONG, _ATTEMPT, _WRONG, _ATTEMPT]
    assert "git rm -q tests/test_shelf.py" in policy


_TWO = (
    '[{ file = "a.py", operator = "x", function = "f", line = 1 }, '
    '{ file = "%s", operator = "x", function = "g", line = 9 }]'
)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({}, None),
        ({"mutations": _TWO % "a.py"}, "each in a file of its own"),
        ({"mutations": '[{ file = "a.py", operator = "x", function = "f", line = 1 }]'}, "a stack has 2 or 3"),
        ({"second": "golden"}, "at least 4 patches"),
        ({"red": "[]"}, "tests.red: empty"),
        ({"red": '["test_shelf.py::test_other"]'}, "is not among tests.hidden"),
        ({"category": "verify-or-die"}, "doom-loop is that of the kind stacked"),
    ],
)
def test_what_a_stack_must_have(tmp_path, changed, message):
    values = {
        "category": "doom-loop",
        "mutations": _TWO % "b.py",
        "red": '["test_shelf.py::test_keep"]',
        "second": "starter",
    }
    text = _FILE.format(**{**values, **changed}, sha256="0" * 64)
    (tmp_path / "recipe.toml").write_text(text, encoding="utf-8")
    for name in ("instruction.md", "issue_test.py"):
        (tmp_path / name).write_text("x\n", encoding="utf-8")
    if message is None:
        assert load_recipe(tmp_path).kind == "stacked"
        return
    with pytest.raises(RecipeError, match=message):
        load_recipe(tmp_path)


def test_only_a_stack_has_red_tests(tmp_path):
    text = _FILE.format(category="verify-or-die", mutations="[]", red='["x.py"]', second="golden", sha256="0" * 64)
    (tmp_path / "recipe.toml").write_text(text.replace('"stacked"', '"mutant"'), encoding="utf-8")
    with pytest.raises(RecipeError, match=r"tests\.red: used only by the kind stacked"):
        load_recipe(tmp_path)
