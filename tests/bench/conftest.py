"""Tests that need bubblewrap are skipped where it does not work."""

from __future__ import annotations

from pathlib import Path

import pytest

from rigorbench.bench.replay.sandbox import unavailable


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    marked = [item for item in items if here in item.path.parents and item.get_closest_marker("bwrap")]
    if marked and (reason := unavailable()):
        for item in marked:
            item.add_marker(pytest.mark.skip(reason=reason))
