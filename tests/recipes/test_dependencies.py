"""Packages that the code or the tests of a Python package import: their wheels become part of the repository."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from rigorbench.cli import main
from rigorbench.recipes.draft import run_tests
from rigorbench.recipes.model import load_recipe
from rigorbench.recipes.states import build_states
from rigorbench.recipes.trees import write_tree
from tiny_distribution import SECOND, Index, distribution, wheel

NEEDS = {
    **SECOND,
    "tinytext/words.py": "from tinysigns import BLANK\n" + SECOND["tinytext/words.py"],
    "tests/test_signs.py": "from tinysigns import BLANK\n\n\ndef test_blank():\n    assert BLANK == ' '\n",
}
SIGNS = {"tinysigns/__init__.py": "BLANK = ' '\n"}


def needing(index: Index, files: dict[str, str], *, name: str = "tinysigns", platform: str = "any") -> Path:
    """The recipe ``mutant`` of a package that imports another one, which has these files."""
    later = distribution(index.files, "1.1", NEEDS)
    index.change("mutant", index.hashes["later"], later)
    index.change("mutant", "line = 11", "line = 12")
    index.change("mutant", 'function = "longest", line = 11', 'function = "longest", line = 12')
    digest = wheel(index.files, name, files, platform=platform)
    entry = f'[[package.dependencies]]\nname = "{name}"\nversion = "2.0"\nsha256 = "{digest}"\n\n[tests]'
    return index.change("mutant", "[tests]", entry)


def failure(index: Index, capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["suite", "prepare", str(index.suite), "--tasks", "mutant"]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"mutant: left out: {index.suite / 'mutant' / 'recipe.toml'}: ")
    return line


def test_a_wheel_is_in_the_root_of_the_repository(index: Index, tmp_path: Path) -> None:
    needing(index, SIGNS)
    states = build_states(load_recipe(index.suite / "mutant"))
    for tree in (states.starter, states.golden):
        assert tree["tinysigns/__init__.py"] == b"BLANK = ' '\n"
        assert "tinysigns-2.0.dist-info/METADATA" in tree
    assert "tinysigns/__init__.py" not in states.hidden
    write_tree(states.golden, tmp_path / "work")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"],
        cwd=tmp_path / "work",
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


def test_the_root_is_a_place_to_import_from(index: Index) -> None:
    needing(index, SIGNS)
    index.change("mutant", "visible = 6", 'visible = 6\npath = ["src"]')
    states = build_states(load_recipe(index.suite / "mutant"))
    assert b"pythonpath = src .\n" in states.starter["pytest.ini"]


def test_a_package_without_dependencies_has_its_own_places_only(cached: Index) -> None:
    cached.change("mutant", "visible = 6", 'visible = 6\npath = ["src"]')
    states = build_states(load_recipe(cached.suite / "mutant"))
    assert b"pythonpath = src\n" in states.starter["pytest.ini"]


@pytest.mark.bwrap
def test_a_draft_runs_the_tests_with_what_they_import(index: Index) -> None:
    needing(index, SIGNS)
    recipe = load_recipe(index.suite / "mutant")
    runs = run_tests(recipe, {path: text.encode() for path, text in NEEDS.items()})
    assert "test_signs.py::test_blank" in runs.passed
    assert set(runs.others) == {"test_words.py::test_unusable"}


def test_a_wheel_of_one_platform_is_refused(index: Index, capsys: pytest.CaptureFixture[str]) -> None:
    machine = subprocess.run(
        [sys.executable, "-c", "import sysconfig; print(sysconfig.get_platform())"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    platform = machine.replace("-", "_").replace(".", "_")
    needing(index, SIGNS, platform=platform)
    assert f"package.dependencies[0]: tinysigns-2.0-py3-none-{platform}.whl: is no wheel for every platform" in failure(
        index, capsys
    )


def test_a_package_without_a_wheel(index: Index, capsys: pytest.CaptureFixture[str]) -> None:
    needing(index, SIGNS)
    (index.files / "tinysigns-2.0-py3-none-any.whl").unlink()
    assert "package.dependencies[0]: tinysigns 2.0: its wheel cannot be fetched (" in failure(index, capsys)


def test_a_wheel_with_another_hash_is_refused(index: Index, capsys: pytest.CaptureFixture[str]) -> None:
    needing(index, SIGNS)
    wheel(index.files, "tinysigns", {"tinysigns/__init__.py": ""})
    line = failure(index, capsys)
    assert "package.dependencies[0]: tinysigns 2.0: its hash is " in line
    assert "trust only what you have checked" in line


def test_two_packages_with_the_same_file(index: Index, capsys: pytest.CaptureFixture[str]) -> None:
    needing(index, {**SIGNS, "README.md": "# tinysigns\n"})
    line = failure(index, capsys)
    assert "package.dependencies[0]: README.md is in another package as well; choose another package" in line


def test_the_code_of_the_task_is_none_of_another_package(index: Index, capsys: pytest.CaptureFixture[str]) -> None:
    needing(index, SIGNS)
    index.change("mutant", 'source = ["tinytext/**"]', 'source = ["tinytext/**", "tinysigns/**"]')
    assert "package.dependencies[0]: tinysigns/__init__.py is among package.source" in failure(index, capsys)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('name = "tinysigns"', 'name = "@tiny/signs"', "package.dependencies @tiny/signs: name or version is none of"),
        ('version = "2.0"', 'version = "two point"', "package.dependencies tinysigns: name or version is none of"),
        ('version = "2.0"', 'version = "2.0"\nlicence = "MIT"', "package.dependencies[0].licence: unknown key"),
        ('version = "2.0"\nsha256 = "', 'version = "2.0"\nsha256 = "x', "package.dependencies tinysigns: sha256: "),
        ("visible = 6", 'visible = 6\nfiles = ["*.js"]', "tests.files: used only by npm packages"),
    ],
)
def test_a_fault_of_an_entry_is_one_line(
    index: Index, capsys: pytest.CaptureFixture[str], old: str, new: str, said: str
) -> None:
    needing(index, SIGNS)
    index.change("mutant", old, new)
    assert said in failure(index, capsys)
