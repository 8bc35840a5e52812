"""Fixtures shared by the tests."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings

# How long an example takes says how busy the machine is, not whether the code is right.
settings.register_profile("rigor", deadline=None)
settings.load_profile("rigor")

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared" / "data"


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The corpus of real logs that lies beside a development checkout; tests that need it are skipped elsewhere."""
    if not SHARED.is_dir():
        pytest.skip("the corpus of real logs is not beside this checkout")
    return SHARED
