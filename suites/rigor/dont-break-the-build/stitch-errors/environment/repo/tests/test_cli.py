from pathlib import Path

import pytest

from stitchcheck.cli import main

SCARF = str(Path(__file__).parents[1] / "examples" / "scarf.knit")


@pytest.fixture
def pattern(tmp_path):
    def write(text):
        path = tmp_path / "a.knit"
        path.write_text(text)
        return str(path)

    return write


def test_a_good_pattern(capsys):
    assert main(["check", SCARF]) == 0
    assert main(["count", SCARF]) == 0
    assert main(["yarn", SCARF]) == 0
    assert capsys.readouterr().out == f"{SCARF}: ok\n8 rows, 0 stitches at the end\n1.45 m\n"


@pytest.mark.parametrize(
    ("text", "status", "told"),
    [
        ("cast on: 4\nrow: k5\n", 1, ":2: takes 5 of 4 stitches: 1 too few"),
        ("cast on: 4\nrow: knit4\n", 2, ":2:6: no stitch 'knit4'"),
        ("cast on: 4\nrow: (k1 p1) x251\n", 4, ":2:6: more than 500 steps"),
    ],
)
def test_problems_and_statuses(pattern, capsys, text, status, told):
    path = pattern(text)
    for command in ("check", "yarn", "count"):
        assert main([command, path]) == status
        assert capsys.readouterr() == ("", path + told + "\n")


def test_a_pattern_that_is_too_long(pattern, capsys):
    path = pattern("cast on: 4\nrow: k4\nrepeat: 1-1 x9999\n")
    assert main(["count", path]) == 0
    assert capsys.readouterr().out == "more than 9999 rows\n"
    assert main(["yarn", path]) == 4
    assert capsys.readouterr().err == f"{path}:3: more than 9999 rows\n"
