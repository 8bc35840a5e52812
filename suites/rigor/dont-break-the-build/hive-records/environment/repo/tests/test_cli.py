import pytest

from hivebook.cli import main


@pytest.fixture
def book(tmp_path):
    path = tmp_path / "my.hive"
    assert main([str(path), "add", "Brook", "2024-05-02", "--breed", "carnica"]) == 0
    return path


def test_an_inspection_is_written(book):
    assert main([str(book), "inspect", "Brook", "2024-05-12", "--queen", "no", "--mites", "1.50", "--note", "a|b"]) == 0
    assert book.read_text() == "hivebook 1\nC|Brook|2024-05-02|carnica\nI|Brook|2024-05-12||q-|v1,5|a\\pb\n"


def test_a_refused_command_changes_nothing(book, capsys):
    before = book.read_bytes()
    assert main([str(book), "harvest", "Stream", "2024-07-01", "3"]) == 1
    assert capsys.readouterr().err == "hivebook: no colony 'Stream'\n"
    assert book.read_bytes() == before


def test_looking_makes_no_book(tmp_path, capsys):
    path = tmp_path / "none.hive"
    assert main([str(path), "list"]) == 0
    assert capsys.readouterr().out == ""
    assert not path.exists()


def test_a_colony_is_shown(book, capsys):
    assert main([str(book), "lose", "Brook", "2024-12-01"]) == 0
    assert main([str(book), "show", "Brook"]) == 0
    assert capsys.readouterr().out == "Brook, since 2024-05-02\n  2024-12-01 gone: nobody knows why\n"
