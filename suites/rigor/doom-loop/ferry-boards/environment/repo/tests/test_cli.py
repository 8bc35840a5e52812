import pytest

from strata.cli import main


@pytest.fixture
def board(tmp_path):
    path = tmp_path / "board.conf"
    path.write_text('rows = 8\ntitle = "Pier ${rows}"\nlit = true\n')
    return str(path)


def test_show(board, capsys):
    assert main(["show", board]) == 0
    assert capsys.readouterr().out == 'lit = true\nrows = 8\ntitle = "Pier 8"\n'


def test_get(board, capsys):
    assert main(["get", board, "title"]) == 0
    assert main(["get", board, "none"]) == 1
    found = capsys.readouterr()
    assert (found.out, found.err) == ('"Pier 8"\n', "strata: none is not set\n")


def test_origin(board, capsys):
    assert main(["origin", board, "title"]) == 0
    assert capsys.readouterr().out == "board.conf:2\n"


def test_an_error_is_one_line(tmp_path, capsys):
    (tmp_path / "bad.conf").write_text("rows == 8\n")
    assert main(["show", str(tmp_path / "bad.conf")]) == 1
    assert capsys.readouterr().err == "strata: bad.conf:1: expected a value, found '='\n"
