"""What a package says of the kind of project it is: category, difficulty, and whether there is code to start from."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

pytest.importorskip("yaml", reason="PyYAML is not installed")

from rigorbench.bench.tasks.projects import project_facts
from rigorbench.judge.problems.load import load_problem
from rigorbench.judge.problems.problem import CATEGORIES, PackageError, Problem
from rigorbench.judge.verify.statement import check_classification

SUM = Path(__file__).parent.parent / "packages" / "sum"


def with_keys(tmp_path: Path, keys: str) -> Problem:
    shutil.copytree(SUM, tmp_path / "sum", dirs_exist_ok=True)
    text = (SUM / "problem.yaml").read_text(encoding="utf-8")
    (tmp_path / "sum" / "problem.yaml").write_text(text + keys, encoding="utf-8")
    return load_problem(tmp_path / "sum")


def test_the_keys_reach_the_manifest(tmp_path: Path) -> None:
    found = with_keys(tmp_path, "category: algorithm\ndifficulty: easy\nstarter: false\n")
    assert (found.category, found.difficulty, found.starter) == ("algorithm", "easy", False)
    facts = project_facts(tmp_path / "sum")
    assert facts == {
        "title": "Sum of a list",
        "category": "algorithm",
        "difficulty": "easy",
        "starter": False,
        "exercise": False,
        "submissions": 5,
        "points": 100,
    }


def test_without_the_keys_only_the_starter_is_known(tmp_path: Path) -> None:
    found = with_keys(tmp_path, "")
    assert (found.category, found.difficulty, found.starter) == (None, None, True)


@pytest.mark.parametrize("key", ["category: puzzle", "difficulty: extreme", "starter: 1"])
def test_other_values_are_refused(tmp_path: Path, key: str) -> None:
    with pytest.raises(PackageError, match=key.partition(":")[0]):
        with_keys(tmp_path, f"{key}\n")
    assert len(CATEGORIES) == 8


def test_hints_keep_their_order_and_name_groups_that_exist(tmp_path: Path) -> None:
    found = with_keys(tmp_path, "hints: {2-large: [use 64 bits, add in a loop], 1-small: read all numbers}\n")
    assert [(hint.group, hint.text) for hint in found.hints] == [
        ("2-large", "use 64 bits"),
        ("2-large", "add in a loop"),
        ("1-small", "read all numbers"),
    ]
    with pytest.raises(PackageError, match=r"hints\.3-huge: no such test group"):
        with_keys(tmp_path, "hints: {3-huge: [none]}\n")


def test_a_project_has_to_state_all_three_keys(tmp_path: Path) -> None:
    assert check_classification(with_keys(tmp_path, "")).status == "skipped"
    half = check_classification(with_keys(tmp_path, "category: game\n"))
    assert half.status == "failed"
    assert [problem.split(":")[1].strip() for problem in half.problems] == ["difficulty", "starter"]
    (tmp_path / "sum" / "review.toml").write_text("", encoding="utf-8")
    assert len(check_classification(with_keys(tmp_path, "")).problems) == 3
    stated = "category: game\ndifficulty: easy\nstarter: true\n"
    found = check_classification(with_keys(tmp_path, stated)).problems
    assert [problem.split(": ", 1)[1] for problem in found] == [
        "hints: none for 1-small",
        "hints: none for 2-large",
        "no criterion",
        "exercise: write true; the reference has 9 lines, under 600",
    ]
    levels = ", ".join(f'{level} = "x"' for level in (0, 3, 5, 7, 10))
    criterion = f'[[criterion]]\nid = "c"\ntext = "t"\nlevels = {{{levels}}}\n'
    (tmp_path / "sum" / "review.toml").write_text(criterion, encoding="utf-8")
    whole = check_classification(
        with_keys(tmp_path, stated + "exercise: true\nhints: {1-small: read all, 2-large: use 64 bits}\n")
    )
    assert (whole.status, whole.detail) == ("ok", "game, easy, exercise, with a starter, 9 lines")
