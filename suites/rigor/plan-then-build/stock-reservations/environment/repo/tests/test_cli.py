from stockroom.cli import main


def run(capsys, tmp_path, *words):
    status = main(["--file", str(tmp_path / "stock.json"), *words])
    return status, capsys.readouterr()


def test_a_day_in_the_workshop(capsys, tmp_path):
    assert run(capsys, tmp_path, "add", "M4-NUT", "M4 nut, steel", "--minimum", "200")[0] == 0
    assert run(capsys, tmp_path, "receive", "M4-NUT", "500")[0] == 0
    assert run(capsys, tmp_path, "issue", "M4-NUT", "40", "--to", "bench-3")[0] == 0
    assert "460" in run(capsys, tmp_path, "report")[1].out
    assert run(capsys, tmp_path, "order")[1].out == "nothing to order\n"
    assert "bench-3" in run(capsys, tmp_path, "history", "M4-NUT")[1].out


def test_errors_are_one_line(capsys, tmp_path):
    status, printed = run(capsys, tmp_path, "issue", "M4-NUT", "1", "--to", "bench-3")
    assert status == 1
    assert printed.err == "stockroom: no such item: M4-NUT\n"
