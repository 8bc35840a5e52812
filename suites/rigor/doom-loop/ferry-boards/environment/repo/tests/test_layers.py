import pytest

from strata import SettingsError, load


@pytest.fixture
def files(tmp_path):
    def write(**texts):
        for name, text in texts.items():
            path = tmp_path / (name.replace("__", "/") + ".conf")
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
        return tmp_path / "board.conf"

    return write


def test_what_is_said_later_wins(files):
    board = files(board='a = 1\ninclude "line.conf"\nb = 3\n', line="a = 2\nb = 2\nc = 2\n")
    assert load(board).resolved() == {"a": 2, "b": 3, "c": 2}
    assert str(load(board).origin("a")) == "line.conf:1"


def test_includes_are_in_the_order_of_names(files):
    board = files(board='include "s/*.conf"\n', s__b="a = 2\n", s__a="a = 1\n")
    assert load(board).resolved() == {"a": 2}
    assert str(load(board).origin("a")) == "s/b.conf:1"


def test_names_stand_for_their_last_value(files):
    board = files(board='t = "${a} and ${l.b}, $${a}"\na = "x"\ninclude "line.conf"\n', line='a = "${l.b}!"\nl.b = 7\n')
    assert load(board).resolved()["t"] == "7! and 7, ${a}"


def test_lists_grow(files):
    board = files(board='include "line.conf"\nc += ["d"]\n', line='c = [\n  "a",\n  "b",  # and so on\n]\n')
    assert load(board).resolved() == {"c": ["a", "b", "d"]}


@pytest.mark.parametrize(
    ("board", "line", "message"),
    [
        ('a = "${b}"\n', "", "board.conf:1: ${b} is not set"),
        ('\ninclude "l*.conf"\n', 'a = "${a}"', "line.conf:1: ${a} stands for a text that it is part of"),
        ('include "l*.conf"\n', '\n\ninclude "board.conf"', "line.conf:3: board.conf includes itself"),
        ('include "none.conf"', "", "board.conf:1: include: no file matches 'none.conf'"),
        ("a += [1]", "", "board.conf:1: a is not set yet; there is nothing to add to"),
        ('include "l*.conf"\na += [1]', "a = 1", "board.conf:2: a is no list"),
    ],
)
def test_errors_name_the_place(files, board, line, message):
    with pytest.raises(SettingsError) as caught:
        load(files(board=board, line=line)).resolved()
    assert str(caught.value) == message
