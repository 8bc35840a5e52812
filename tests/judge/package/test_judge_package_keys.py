"""What a package says of the kind of project it is: category, difficulty, and whether there is code to start from."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

pytest.importorskip("yaml", reason="PyYAML is not installed")

from rigorbench.problems.load import load_problem
from rigorbench.problems.model import CATEGORIES, PackageError, Problem
from rigorbench.tasks.projects import project_facts

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
    assert facts == {"category": "algorithm", "difficulty": "easy", "starter": False, "submissions": 5, "points": 100}


def test_without_the_keys_only_the_starter_is_known(tmp_path: Path) -> None:
    found = with_keys(tmp_path, "")
    assert (found.category, found.difficulty, found.starter) == (None, None, True)


@pytest.mark.parametrize("key", ["category: puzzle", "difficulty: extreme", "starter: 1"])
def test_other_values_are_refused(tmp_path: Path, key: str) -> None:
    with pytest.raises(PackageError, match=key.partition(":")[0]):
        with_keys(tmp_path, f"{key}\n")
    assert len(CATEGORIES) == 8
