"""Where packaged data is found: in a checkout, and in an installed package."""

from __future__ import annotations

from pathlib import Path

import pytest

from rigorbench.base import data
from rigorbench.base.data import DataError, data_dir

ROOT = Path(__file__).resolve().parents[2]


def layout(root: Path, *parts: str) -> Path:
    package = root.joinpath(*parts) / "rigorbench"
    package.mkdir(parents=True)
    return package


def test_a_checkout_uses_the_directories_at_its_top() -> None:
    assert data_dir("harnesses") == ROOT / "harnesses"


def test_an_installed_package_uses_its_own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = layout(tmp_path, "lib", "site-packages")
    (package / "_data" / "suites").mkdir(parents=True)
    monkeypatch.setattr(data, "PACKAGE", package)
    assert data_dir("suites") == package / "_data" / "suites"


def test_a_directory_beside_site_packages_is_not_taken_for_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = layout(tmp_path, "src")
    (tmp_path / "suites").mkdir()
    monkeypatch.setattr(data, "PACKAGE", package)
    with pytest.raises(DataError, match=r"suites: not found in .*; reinstall rigorbench"):
        data_dir("suites")
    (tmp_path / "pyproject.toml").touch()
    assert data_dir("suites") == tmp_path / "suites"
