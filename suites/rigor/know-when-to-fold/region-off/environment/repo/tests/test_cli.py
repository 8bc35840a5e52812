from pathlib import Path

import pytest
from fleets import FLEET

from edgeplan.cli import main

EXAMPLE = str(Path(__file__).parents[1] / "examples" / "fleet.toml")


@pytest.mark.parametrize(
    ("command", "words"), [("check", "enough"), ("status", "Madrid"), ("balancer", "drain"), ("names", "198")]
)
def test_the_example_can_be_used(command, words, capsys):
    assert main([command, EXAMPLE]) == 0
    assert words in capsys.readouterr().out


def test_a_client_is_routed(capsys):
    assert main(["route", EXAMPLE, "chat", "client-4711", "--on", "fra-b"]) == 0
    assert capsys.readouterr().out == "fra-b\n"


def test_a_shortage_is_a_failure(tmp_path, capsys):
    path = tmp_path / "fleet.toml"
    path.write_text(FLEET.replace("minimum = 30", "minimum = 300"))
    assert main(["check", str(path)]) == 1
    assert "300 needed" in capsys.readouterr().out


def test_errors_name_the_file(tmp_path, capsys):
    path = tmp_path / "fleet.toml"
    path.write_text("[regions.fra]\n")
    assert main(["status", str(path)]) == 2
    assert "region fra: entry: expected a text" in capsys.readouterr().err
    assert main(["status", str(tmp_path / "none.toml")]) == 2
