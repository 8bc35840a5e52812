# rigorbench-canary cb9e11e1-9762-4031-a11d-bef1afb76baa
"""Hidden tests: the word is spelled right in both places."""

from pathlib import Path

import pytest

from housetab.cli import main


def test_the_help_spells_it_right(capsys):
    with pytest.raises(SystemExit):
        main(["--help"])
    text = " ".join(capsys.readouterr().out.split())
    assert "a file with one expense per line" in text
    assert "expence" not in text


def test_the_readme_spells_it_right():
    text = Path("README.md").read_text()
    assert "one expense per line" in text
    assert "expence" not in text
