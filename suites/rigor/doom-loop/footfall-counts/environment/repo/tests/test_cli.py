from footfall.cli import main


def test_import_and_report(log, tmp_path, capsys):
    store = str(tmp_path / "store")
    assert main(["import", store, str(log("north", [1, 2])), str(log("south", [9]))]) == 0
    assert main(["import", store, str(log("north", [2, 3]))]) == 0
    assert main(["report", store, "--gate", "north"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "north.log: 2 events, 2 new",
        "south.log: 1 events, 1 new",
        "north.log: 2 events, 1 new, 1 sent before",
        "2024-05-06 north: 3 in, 0 out",
    ]


def test_an_error_is_one_line(tmp_path, capsys):
    assert main(["import", str(tmp_path / "store"), str(tmp_path / "none.log")]) == 1
    assert capsys.readouterr().err == "footfall: none.log: No such file or directory\n"
