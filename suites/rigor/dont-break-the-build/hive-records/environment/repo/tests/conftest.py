from pathlib import Path

import pytest

from hivebook import load


@pytest.fixture
def orchard():
    """The book of the example."""
    return load(Path(__file__).parents[1] / "examples" / "orchard.hive")
