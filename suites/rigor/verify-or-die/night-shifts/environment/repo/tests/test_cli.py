from pathlib import Path

import pytest
from rosters import roster

from wardhours.cli import main
from wardhours.feed import feed

EXAMPLE = str(Path(__file__).parents[1] / "examples" / "2024-05.roster")


def test_the_sheet_of_the_example(capsys):
    assert main(["sheet", EXAMPLE, "2024-05"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "person        hours    night   sunday",
        "ada           28:00     8:00    18:00",
        "jon           16:30     4:00     8:00",
        "mia           16:00    14:00     6:00",
    ]


@pytest.mark.parametrize(
    ("command", "words"), [("rest", "jon: 9:30 between"), ("feed", "20240503T2000Z 20240504T0400Z")]
)
def test_other_commands(command, words, capsys):
    assert main([command, EXAMPLE]) == 0
    assert words in capsys.readouterr().out


def test_the_feed_has_times_in_utc():
    shifts = roster("2024-01-13 | mia | 22:00-06:00 | in_eastern", "2024-07-13 | mia | 22:00-06:00 | in_azores")
    assert feed(shifts).splitlines() == [
        "20240113T2000Z 20240114T0400Z mia in_eastern",
        "20240713T2200Z 20240714T0600Z mia in_azores",
    ]


def test_errors_name_the_file(tmp_path, capsys):
    path = tmp_path / "x.roster"
    path.write_text("hello\n")
    assert main(["rest", str(path)]) == 1
    assert "x.roster: line 1: expected 4 fields" in capsys.readouterr().err
    assert main(["sheet", EXAMPLE, "May"]) == 1
    assert main(["rest", str(tmp_path / "none")]) == 1
