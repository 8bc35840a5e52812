"""Near misses that a search finds, from the tests of a package to the entries of its recipe."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import msgspec
import pytest

from rigorbench.cli import main
from rigorbench.recipes import single_edits
from rigorbench.recipes.draft import Runs
from rigorbench.recipes.model import NearMiss, Recipe, RecipeError, load_recipe
from rigorbench.recipes.states import build_states, near_miss
from rigorbench.recipes.trees import Tree, write_tree
from tiny_distribution import Index


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch) -> None:
    """Run the tests of the tiny package by importing them, not in a sandbox."""

    def run_tests(recipe: Recipe, tree: Tree, times: int = 1, seconds: float = 0.0) -> Runs:
        outcomes = {}
        space: dict[str, object] = {}
        exec(tree["tinytext/words.py"].decode(), space)
        for name, expected in (("test_longest", "bcd"), ("test_numbers_are_no_words", "a")):
            if f"def {name}(".encode() not in tree["tests/test_words.py"]:
                continue
            try:
                found = space["longest"]("a bcd" if expected == "bcd" else "a 1234")  # type: ignore[operator]
            except Exception as error:
                found = str(error)
            outcomes[f"test_words.py::{name}"] = found == expected
        return Runs({t for t, ok in outcomes.items() if ok}, {t: "failed" for t, ok in outcomes.items() if not ok})

    monkeypatch.setattr(single_edits, "run_tests", run_tests)


@pytest.mark.usefixtures("ran")
def test_entries_of_near_misses_give_the_trees_that_deceived(cached: Index, capsys: pytest.CaptureFixture[str]) -> None:
    directory = cached.suite / "mutant"
    assert main(["suite", "draft", str(directory), "--near-misses", "--most", "40"]) == 0
    printed = capsys.readouterr()
    entries = tomllib.loads(printed.out)["near_misses"]
    recipe = load_recipe(directory)
    states = build_states(recipe)
    assert any("only_if" in entry for entry in entries)
    for entry in entries:
        tree = near_miss(recipe, states, msgspec.convert(entry, NearMiss))
        assert tree not in (states.golden, states.starter)
    assert printed.err.splitlines()[-1].startswith(f"{len(entries)} of ")
    assert main(["suite", "draft", str(directory), "--near-misses", "--most", "2", "--json"]) == 0
    documents = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [document["kind"] for document in documents] == ["wrong-fix"] * 2


def test_a_fix_that_works_under_a_condition(cached: Index) -> None:
    recipe = load_recipe(cached.suite / "mutant")
    states = build_states(recipe)
    tree = near_miss(recipe, states, NearMiss("case", "only for texts", only_if="isinstance(text, str)"))
    assert b"isinstance(text, str)" in tree["tinytext/words.py"]
    with pytest.raises(RecipeError, match=r"near_misses case.only_if: no such condition; known: 'text', 'not text'"):
        near_miss(recipe, states, NearMiss("case", "only for texts", only_if="len(text)"))
    pair = load_recipe(cached.suite / "pair")
    with pytest.raises(RecipeError, match="used only with one mutation"):
        near_miss(pair, build_states(pair), NearMiss("case", "only for texts", only_if="text"))
    cached.change("mutant", 'on = "starter"', 'on = "starter"\nonly_if = "text"')
    with pytest.raises(RecipeError, match="only_if is for the golden solution, without undo"):
        load_recipe(cached.suite / "mutant")


def test_wrong_fixes_of_a_prepared_task_are_those_of_its_recipe(cached: Index, tmp_path: Path) -> None:
    states = build_states(load_recipe(cached.suite / "mutant"))
    write_tree(states.starter, tmp_path / "starter")
    write_tree(states.golden, tmp_path / "golden")
    found = list(single_edits.single_edits(tmp_path / "starter", tmp_path / "golden", "seed"))
    assert found == list(single_edits.single_edits(tmp_path / "starter", tmp_path / "golden", "seed"))
    assert {file for file, _ in found} == {"tinytext/words.py"}
    assert states.golden["tinytext/words.py"].decode() not in [text for _, text in found]


@pytest.mark.usefixtures("ran")
def test_a_recipe_without_hidden_tests_says_what_is_missing(cached: Index, capsys: pytest.CaptureFixture[str]) -> None:
    cached.change("mutant", 'hidden = ["test_words.py::test_numbers_are_no_words"]', "hidden = []")
    assert main(["suite", "draft", str(cached.suite / "mutant"), "--near-misses"]) == 2
    assert "tests.hidden: empty" in capsys.readouterr().err
