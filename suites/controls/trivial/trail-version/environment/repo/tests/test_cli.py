from pathlib import Path

from trailbook.cli import clock, main

RIDGE = str(Path(__file__).parents[1] / "examples" / "ridge.trk")


def test_a_clock():
    assert clock(3725.4) == "1:02:05"


def test_every_command_prints(capsys):
    for words in (["stats", RIDGE], ["splits", RIDGE, "--every", "500"], ["thin", RIDGE], ["near", RIDGE, "46.504", "8.0"]):
        assert main(words) == 0
        assert capsys.readouterr().out


def test_the_stats_of_the_example(capsys):
    main(["stats", RIDGE])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("1.9")
    assert "0:28:45" in lines[0]
    assert lines[2].startswith("from 46.5000 8.0000 to 46.5161")


def test_errors_are_one_line(capsys, tmp_path):
    assert main(["stats", str(tmp_path / "gone.trk")]) == 1
    assert capsys.readouterr().err.count("\n") == 1
