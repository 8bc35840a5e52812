# rigorbench-canary 01b51f9d-d486-40c2-b811-bf86f3ffa094
"""Hidden tests: every place has the new version."""

import tomllib
from pathlib import Path

import trailbook


def test_package_and_metadata_have_the_version():
    assert tomllib.loads(Path("pyproject.toml").read_text())["project"]["version"] == "0.6.0"
    assert trailbook.__version__ == "0.6.0"


def test_the_readme_names_the_version():
    text = Path("README.md").read_text()
    assert "trailbook 0.6.0" in text
    assert "0.5.0" not in text
