import json

from gaugeline.cli import main

PIPELINE = '[[stage]]\nname = "units"\n'


def test_a_run_by_command(place, tmp_path, capsys):
    (tmp_path / "p.toml").write_text(PIPELINE)
    words = ["run", str(place.source), str(place.target), "--pipeline", str(tmp_path / "p.toml")]
    assert main([*words, "--report", str(tmp_path / "report.json")]) == 0
    assert capsys.readouterr().out.endswith("finished after 6 lines: 5 written, 1 rejected\n")
    assert json.loads((tmp_path / "report.json").read_text())["written"] == 5


def test_the_stages(capsys):
    assert main(["stages"]) == 0
    assert "units     Turns every level into metres." in capsys.readouterr().out


def test_errors_are_one_line(place, tmp_path, capsys):
    assert main(["run", str(place.source), str(place.target), "--pipeline", str(tmp_path / "none.toml")]) == 2
    assert capsys.readouterr().err == f"gaugeline: {tmp_path}/none.toml: No such file or directory\n"
