"""Hints how to install an extra name a source that exists: RigorBench is on no registry."""

from __future__ import annotations

from importlib.metadata import distributions
from pathlib import Path

import pytest
from packaging.specifiers import SpecifierSet

from rigorbench.base import extras

ROOT = Path(extras.__file__).resolve().parents[3]


def test_in_a_checkout_it_is_the_current_directory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    assert extras.install("report") == "pip install '.[report]'"


def test_elsewhere_the_checkout_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    assert extras.install("report") == f"pip install '{ROOT}[report]'"


@pytest.mark.parametrize("there", [True, False])
def test_an_installed_wheel_names_the_file_it_came_from(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, there: bool
) -> None:
    wheel = tmp_path / "dist" / "rigorbench-0.1.0-py3-none-any.whl"
    if there:
        wheel.parent.mkdir()
        wheel.touch()

    class Installed:
        def read_text(self, name: str) -> str:
            assert name == "direct_url.json"
            return f'{{"url": "{wheel.as_uri()}", "archive_info": {{}}}}'

    monkeypatch.setattr(extras, "__file__", str(tmp_path / "site-packages" / "rigorbench" / "base" / "extras.py"))
    monkeypatch.setattr("importlib.metadata.distribution", lambda name: Installed())
    assert extras.install("bench") == f"pip install '{wheel if there else extras._WHEEL}[bench]'"


def test_no_text_of_ours_names_a_package_on_a_registry() -> None:
    texts = [*(ROOT / "src").rglob("*.py"), *(ROOT / "src").rglob("*.j2"), *(ROOT / "docs").rglob("*.md")]
    found = [
        path for path in [*texts, ROOT / "README.md"] if "install 'rigorbench[" in path.read_text().replace('"', "'")
    ]
    assert found == []


def test_debian_12_can_install_what_is_locked() -> None:
    wanted = {d.name: d.metadata.get("Requires-Python") or "" for d in distributions()}
    assert len(wanted) > 50
    assert [name for name, python in wanted.items() if "3.11.2" not in SpecifierSet(python)] == []
