"""A cache of their own for the tests of compiling; they are skipped where there is no sandbox or no compiler."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from judge_build_tools import Compile, problem, submitted

from rigorbench.judge.build.compile import build
from rigorbench.judge.build.program import Built, Variant
from rigorbench.judge.problems.problem import Problem
from rigorbench.sandbox.cell.cell import JudgeCell
from rigorbench.sandbox.cell.spec import CellError, CellSpec


@pytest.fixture(scope="session")
def own_place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("judge-build")


@pytest.fixture(autouse=True)
def own_cache(own_place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of the user's cache is used, and nothing is left in it; the tests share one."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(own_place / "cache"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(own_place / "config"))
    monkeypatch.delenv("RIGOR_LANGUAGES", raising=False)


@pytest.fixture(scope="session")
def cells() -> None:
    """Skips what needs a sandbox where none can be had."""
    try:
        JudgeCell.start(CellSpec()).close()
    except CellError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def native(cells: None) -> None:
    if shutil.which("gcc") is None or shutil.which("g++") is None:
        pytest.skip("gcc and g++ are not installed")


@pytest.fixture
def compiled(cells: None, tmp_path: Path) -> Compile:
    """Build files ({name: text}) for a problem."""

    def compile_files(
        files: dict[str, str], *, language: str = "auto", variant: Variant = "plain", of: Problem | None = None
    ) -> Built:
        return build(of or problem(), submitted(tmp_path, files, language), variant=variant)

    return compile_files
