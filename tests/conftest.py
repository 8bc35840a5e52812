"""Fixtures shared by the tests."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

# How long an example takes says how busy the machine is, not whether the code is right.
settings.register_profile("rigor", deadline=None)
settings.load_profile("rigor")

LIMIT = sys.getrecursionlimit()
ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared" / "data"


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The corpus of real logs that lies beside a development checkout; tests that need it are skipped elsewhere."""
    if not SHARED.is_dir():
        pytest.skip("the corpus of real logs is not beside this checkout")
    return SHARED


@pytest.fixture(autouse=True)
def _recursion_limit() -> Iterator[None]:
    """A test that leaves a higher limit lets a later one of the same worker die on deeply nested input."""
    yield
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(LIMIT)
    assert limit == LIMIT, f"this test, or a fixture of it, left the recursion limit at {limit}"
