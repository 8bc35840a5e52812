"""Fixtures of the tests of recipes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tiny_distribution import Index


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Index:
    """A suite of recipes, an empty cache, and a directory of distributions that is all that pip knows."""
    found = Index(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(found.files))
    return found


@pytest.fixture
def cached(index: Index, tmp_path: Path) -> Index:
    """The same, and its distributions have been fetched."""
    index.fetched(tmp_path / "cache")
    return index
