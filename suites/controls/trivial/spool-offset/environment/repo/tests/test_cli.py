from spoolkeep.cli import main


def test_append_cat_stat_and_prune(tmp_path, capsys):
    spool = str(tmp_path / "spool")
    assert main(["append", spool, "temp=21.5", "room=attic"]) == 0
    assert main(["append", spool, "temp=19.0"]) == 0
    assert main(["cat", spool]) == 0
    assert capsys.readouterr().out == "temp=21.5 room=attic\ntemp=19.0\n"
    assert main(["stat", spool]) == 0
    assert "00000002.seg" in capsys.readouterr().out
    assert main(["prune", spool, "--keep", "1"]) == 0
    assert main(["cat", spool]) == 0
    assert capsys.readouterr().out.endswith("temp=19.0\n")


def test_errors_are_one_line(tmp_path, capsys):
    (tmp_path / "00000001.seg").write_bytes(b"nonsense")
    assert main(["cat", str(tmp_path)]) == 1
    assert capsys.readouterr().err == "spoolkeep: 00000001.seg: not a segment\n"
