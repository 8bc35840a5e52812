"""Fixtures of the tests of recipes."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tiny_recipes import Index


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Index:
    """A suite of recipes, an empty cache, and a directory of distributions that is all that pip and npm know."""
    found = Index(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(found.files))
    monkeypatch.setenv("PATH", f"{found.files}{os.pathsep}{os.environ['PATH']}")
    return found


@pytest.fixture
def cached(index: Index, tmp_path: Path) -> Index:
    """The same, and the Python distributions have been fetched."""
    index.fetched(tmp_path / "cache")
    return index
