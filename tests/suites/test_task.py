"""The task file: what is read from it, and how a bad one is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rigorbench.session.task import TaskError, load_task
from sources import text_file

FULL = text_file("task.full.toml")


def write(directory: Path, text: str, name: str = "task.toml") -> Path:
    path = directory / name
    path.write_text(text)
    return path


def test_a_harbor_task_is_read_with_its_instruction_and_absolute_paths(tmp_path: Path) -> None:
    (tmp_path / "faulty").mkdir()
    (tmp_path / "faulty" / "r1.patch").touch()
    (tmp_path / "golden.patch").touch()
    (tmp_path / "instruction.md").write_text("Fix it.\n")
    task = load_task(write(tmp_path, FULL))
    wanted = ("shop/discounts", "know-when-to-fold", "impossible", "discounts-solvable")
    assert (task.id, task.category, task.solvable, task.twin) == wanted
    assert (task.change_asked, task.commits_asked) == (False, True)
    assert (task.build, task.test, task.coverage) == ("make", "make check", "make coverage")
    assert task.instruction == "Fix it.\n"
    assert task.reference == str(tmp_path / "golden.patch")
    assert task.requirements[0].faulty == str(tmp_path / "faulty" / "r1.patch")
    assert task.requirements[0].tests == ["tests/test_round.py::test_half"]
    assert task.blocker.paths == ["vendor/*"]


def test_a_bare_file_in_toml_or_json_gives_the_same_task(tmp_path: Path) -> None:
    toml = load_task(write(tmp_path, 'category = "doom-loop"\ntest = "pytest"\n', "loop.toml"))
    other = load_task(write(tmp_path, json.dumps({"category": "doom-loop", "test": "pytest"}), "loop.json"))
    assert toml == other
    assert (toml.id, toml.solvable, toml.change_asked, toml.commits_asked) == ("loop", "yes", True, None)
    assert toml.instruction is None


def test_the_directory_names_a_task_without_id(tmp_path: Path) -> None:
    (tmp_path / "sum").mkdir()
    assert load_task(write(tmp_path / "sum", "[metadata.rigor]\n")).id == "sum"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("categry = 'doom-loop'", ["categry: unknown key", "category", "solvable"]),
        ("category = 'doom'", ["category:"]),
        ("solvable = true", ["solvable:"]),
        ("build = 3", ["build:", "str"]),
        ("test = ' '", ["test: empty command"]),
        ("solvable = 'impossible'", ["blocker: required"]),
        ("solvable = 'ambiguous'", ["ambiguity: required"]),
        ("blocker = { text = 'x' }", ["blocker: needs at least one of commands, paths, words"]),
        ("blocker = { text = 'x', commands = ['('] }", ["blocker.commands[0]: bad regular expression"]),
        ("blocker = { txt = 'x' }", ["blocker.txt: unknown key", "text"]),
        ("requirements = [{ text = 'x' }]", ["requirements[0]", "id"]),
        ("requirements = [{ id = 'a' }, { id = 'a' }]", ["requirements[1].id: repeated"]),
        ("requirements = [{ id = 'a', weight = 2 }]", ["requirements[0].weight: unknown key", "faulty"]),
        ("requirements = [{ id = 'a', faulty = 'gone.patch' }]", ["requirements[0].faulty: no such file: gone.patch"]),
        ("requirements = 'x'", ["requirements:"]),
        ("reference = 'gone.patch'", ["reference: no such file"]),
        ("near_misses = [{ path = 'gone.patch' }]", ["near_misses[0].path: no such file: gone.patch"]),
        ("near_misses = [{ text = 'x' }]", ["near_misses[0]", "path"]),
        ("pillars = ['PF', 'XX']", ["pillars[1]:"]),
        ("checkpoints = [{ id = 'a' }, { id = 'a' }]", ["checkpoints[1].id: repeated"]),
        ("checkpoints = [{ id = 'a', check = ' ' }]", ["checkpoints[0].check: empty command"]),
        ("checkpoints = [{ id = 'a', command = 'x' }]", ["checkpoints[0].command: unknown key", "check"]),
        ("root_cause = { text = 'x' }", ["root_cause: needs at least one of paths, tests"]),
        ("[metadata]\nx = 1\n[verifier]\n", ["without the table [metadata.rigor]"]),
        ("[metadata]\nrigor = 1", ["metadata.rigor: expected a table"]),
        ("[metadata.rigor]\ncategry = 1", ["metadata.rigor.categry: unknown key"]),
        ("a = = 1", ["line 1"]),
    ],
)
def test_a_bad_file_gives_one_line_with_file_and_key(tmp_path: Path, text: str, words: list[str]) -> None:
    path = write(tmp_path, text)
    with pytest.raises(TaskError) as caught:
        load_task(path)
    message = str(caught.value)
    assert message.startswith(f"{path}: ")
    assert "\n" not in message
    for word in words:
        assert word in message


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(TaskError, match=r"gone\.toml: No such file"):
        load_task(tmp_path / "gone.toml")


_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["id", "requirements", "blocker", "text", "metadata", "rigor", "x"]), inner)
    ),
    max_leaves=10,
)


@settings(max_examples=60)
@given(_json)
def test_any_json_is_a_task_or_a_task_error(tmp_path_factory: pytest.TempPathFactory, value: object) -> None:
    path = tmp_path_factory.mktemp("task") / "t.json"
    path.write_text(json.dumps(value))
    try:
        load_task(path)
    except TaskError as error:
        assert "\n" not in str(error)
