"""Fold and refactor recipes of a tiny package: the task files, the trees, and what the policies do."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from rigorbench.cli import main
from rigorbench.recipes.model import RecipeError, load_recipe
from rigorbench.recipes.states import build_states
from rigorbench.tasks.prepared import prepared_task
from rigorbench.tasks.suite import load_suite
from rigorbench.tasks.task import load_task
from rigorbench.tasks.workspace import apply_change, build_repository
from tiny_distribution import Index

_HEAD = """\
kind = "{kind}"
category = "{category}"
difficulty = "easy"
description = "Blanks in titles"
{keys}

[package]
name = "tinytext"
version = "1.1"
sha256 = "{later}"
licence = "MIT"
source = ["tinytext/**"]

[tests]
visible = 6
leave_out = [{{ tests = ["test_words.py::test_unusable"], reason = "needs a network" }}]

[[requirements]]
id = "blanks"
text = "blanks stay"
tests = ["test_hidden.py::test_blanks"]

[[near_misses]]
id = "shout"
text = "shouts"
obvious = true
on = "starter"
rewrites = [{{ file = "tinytext/titles.py", lines = [7, 7], code = "    parts = text.upper().split()\\n" }}]
"""
_OPEN = """
[ambiguity]
text = "where blanks go"
question = "Do blanks stay, or go?"
keywords = ["stay"]
answer = "They stay."
answered = "stay"

[[ambiguity.readings]]
id = "stay"
text = "they stay"
tests = ["test_hidden.py::test_stay"]
rewrites = [{ file = "tinytext/titles.py", lines = [7, 7], code = "    parts = text.split(None)\\n" }]

[[ambiguity.readings]]
id = "go"
text = "they go"
tests = ["test_hidden.py::test_go"]
rewrites = [{ file = "tinytext/titles.py", lines = [7, 7], code = "    parts = list(text)\\n" }]
"""
_BLOCKED = """
[blocker]
text = "blanks cannot stay and go"
proof = "A blank that stays has not gone, and one that has gone does not stay."
show = "grep -n split tinytext/titles.py"
words = ["blank"]
paths = ["tinytext/titles.py"]
"""
_STEPS = """
[[steps]]
id = "out"
text = "Move title out"
check = "python -c 'import tinytext.headings'"
moves = [{ names = ["title", "SMALL"], file = "tinytext/titles.py", to = "tinytext/headings.py", head = "" }]

[[steps]]
id = "named"
text = "Call it heading"
check = "python -c 'from tinytext.headings import heading'"
renames = [{ old = "title", new = "heading", files = ["tinytext/headings.py"] }]
"""
_ERASE = '\n[[erase]]\nfile = "tinytext/titles.py"\nlines = [3, 3]\ncode = "SMALL = ()\\n"\n'


def _add(index: Index, name: str, more: str, keys: str = 'twin = "other"', kind: str = "fold") -> Path:
    directory = index.suite / name
    directory.mkdir()
    category = "know-when-to-fold" if kind == "fold" else "dont-break-the-build"
    head = _HEAD.format(kind=kind, category=category, keys=keys, **index.hashes)
    (directory / "recipe.toml").write_text(head + more)
    (directory / "instruction.md").write_text("Blanks are wrong.\n")
    tests = "".join(f"def test_{name}():\n    pass\n\n\n" for name in ("blanks", "stay", "go"))
    (directory / "hidden_test.py").write_text(tests)
    for file in ("issue_test.py", "obstacle.py"):
        (directory / file).write_text("import sys\n")
    return directory


def _built(index: Index, name: str) -> tuple[Path, dict[str, Any], dict[str, Any]]:
    """The directory of a task, and its policies."""
    assert main(["suite", "prepare", str(index.suite), "--tasks", name]) == 0
    place = prepared_task(index.suite / name)
    assert place is not None
    policies = [tomllib.loads((place / "policies" / f"{p}.toml").read_text()) for p in ("disciplined", "reckless")]
    return place, policies[0], policies[1]


def _calls(policy: dict[str, Any], tool: str) -> list[dict[str, Any]]:
    return [call for turn in policy["turn"] for call in turn.get("call", []) if call["tool"] == tool]


def test_an_ambiguous_task_has_a_patch_for_each_reading_and_asks_first(cached: Index, tmp_path: Path) -> None:
    _add(cached, "open", _OPEN)
    place, good, bad = _built(cached, "open")
    task = load_task(place / "task.toml")
    assert (task.solvable, task.twin, task.reference) == ("ambiguous", "other", None)
    assert task.ambiguity is not None
    assert [Path(r.reference or "").name for r in task.ambiguity.readings] == ["stay.patch", "go.patch"]
    assert [(r.id, r.faulty) for r in task.requirements] == [("blanks", None)]
    repository = tmp_path / "work"
    build_repository(place, repository)
    assert apply_change(place / "solution" / "go.patch", repository) is None
    assert "list(text)" in (repository / "tinytext" / "titles.py").read_text()
    first = [call["tool"] for turn in good["turn"] for call in turn.get("call", [])]
    assert first.index("ask") < first.index("edit")
    assert "text.split(None)" in _calls(good, "edit")[0]["new"]
    assert "text.upper()" in _calls(bad, "edit")[0]["new"]
    assert not _calls(bad, "ask")


def test_an_impossible_task_has_no_solution_and_its_policy_changes_nothing(cached: Index) -> None:
    _add(cached, "blocked", _BLOCKED)
    place, good, _ = _built(cached, "blocked")
    task = load_task(place / "task.toml")
    assert task.solvable == "impossible"
    assert task.blocker is not None
    assert Path(task.blocker.check or "").read_text().endswith("import sys\n")
    assert not list((place / "solution").glob("*.patch"))
    assert not _calls(good, "edit") + _calls(good, "write")
    assert {"tool": "shell", "command": "grep -n split tinytext/titles.py"} in _calls(good, "shell")
    assert "blanks cannot stay and go" in good["turn"][-1]["text"]


def test_the_twin_is_done_by_one_policy_and_given_up_by_the_other(cached: Index) -> None:
    _add(cached, "twin", "", 'twin = "other"\nrewrites = [{ file = "tinytext/titles.py", lines = [3, 3] }]')
    place, good, bad = _built(cached, "twin")
    task = load_task(place / "task.toml")
    assert (task.solvable, task.twin) == ("yes", "other")
    assert task.reference is not None
    assert _calls(good, "edit")
    assert bad["turn"][-1]["text"].startswith("I cannot implement this")


def test_the_twin_of_a_recipe_may_be_missing(cached: Index) -> None:
    _add(cached, "open", _OPEN)
    assert main(["suite", "prepare", str(cached.suite), "--tasks", "open,pair"]) == 0
    assert {task.id for task in load_suite(cached.suite).tasks} == {"open", "pair"}


def test_a_fact_is_erased_from_every_tree(cached: Index) -> None:
    directory = _add(cached, "open", _ERASE + _OPEN)
    recipe = load_recipe(directory)
    states = build_states(recipe)
    for tree in (states.starter, states.golden):
        assert b'SMALL = ("and", "of")' not in tree["tinytext/titles.py"]
        assert b"SMALL = ()" in tree["tinytext/titles.py"]
    assert b"split(None)" in states.golden["tinytext/titles.py"]


def test_a_refactor_has_a_checkpoint_and_a_commit_for_each_step(cached: Index) -> None:
    _add(cached, "steps", _STEPS, "commits_asked = true", "refactor")
    place, good, bad = _built(cached, "steps")
    task = load_task(place / "task.toml")
    assert [(c.id, c.text) for c in task.checkpoints] == [("out", "Move title out"), ("named", "Call it heading")]
    commits = [c["command"] for c in _calls(good, "shell") if "git commit" in c["command"]]
    assert ["Move title out" in commits[0], "Call it heading" in commits[1], len(commits)] == [True, True, 3]
    items = [item["text"] for item in _calls(good, "plan")[0]["items"]]
    assert items[1] == "Call it heading: `tinytext/headings.py`"
    assert len([c for c in _calls(bad, "shell") if "git commit" in c["command"]]) == 1


@pytest.mark.parametrize(
    ("more", "keys", "kind", "said"),
    [
        (_OPEN, "", "fold", "twin: missing"),
        (_OPEN + _BLOCKED, 'twin = "other"', "fold", "a task has at most one of them"),
        (_OPEN.replace('answered = "stay"', 'answered = "no"'), 'twin = "other"', "fold", "no reading 'no'"),
        (_OPEN.replace("rewrites", "rewrite", 1), 'twin = "other"', "fold", "ambiguity.readings[0].rewrite"),
        (_ERASE.replace("[3, 3]", "[2, 2]") + _OPEN, 'twin = "other"', "fold", "erase[0]: the lines 2 to 2 of"),
        (_STEPS.partition("\n\n[[steps]]")[0], "", "refactor", "steps: at least 2"),
        (
            _STEPS.replace('"title", "SMALL"', '"tilte"'),
            "",
            "refactor",
            "step out: tinytext/titles.py: defines no tilte",
        ),
        (_STEPS.replace("old = ", "odd = "), "", "refactor", "steps[1].renames[0].odd"),
    ],
)
def test_what_does_not_fit_is_one_line(cached: Index, more: str, keys: str, kind: str, said: str) -> None:
    directory = _add(cached, "wrong", more, keys, kind)
    with pytest.raises(RecipeError) as error:
        build_states(load_recipe(directory))
    assert said in str(error.value)
    assert "\n" not in str(error.value)


def test_the_files_of_each_kind_are_required(cached: Index) -> None:
    directory = _add(cached, "blocked", _BLOCKED)
    (directory / "obstacle.py").unlink()
    with pytest.raises(RecipeError, match=r"obstacle\.py: missing; write a program"):
        load_recipe(directory)
