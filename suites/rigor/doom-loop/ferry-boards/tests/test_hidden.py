# rigorbench-canary a5cf1f82-3377-432f-8c58-e0875a78bd9f
"""Hidden tests: every statement of a settings file counts, whatever its comments and texts hold."""

import pytest

from strata import SettingsError, load
from strata.cli import main


@pytest.fixture
def read(tmp_path):
    """Writes files, of which the first is the board's own, and gives what its settings are in the end."""

    def one(board, **texts):
        for name, text in {"board": board, **texts}.items():
            (tmp_path / f"{name}.conf").write_text(text)
        return load(tmp_path / "board.conf").resolved()

    return one


def refused(read, *texts, **more):
    with pytest.raises(SettingsError) as caught:
        read(*texts, **more)
    return str(caught.value)


def test_brackets_in_comments(read):
    line = """
a = 1      # see [2
b = 2      # {not the other one
c = 3      # ]} and [[
d = 4      # ask "Hanne [about it
e = true   # it's "{
f = 6
"""
    found = read('t = "${f}"\ninclude "line.conf"\n', line=line)
    assert found == {"a": 1, "b": 2, "c": 3, "d": 4, "e": True, "f": 6, "t": "6"}
    assert read("a = 1 # [\nb = 2 # {\nc = 3 # ]\nd = 4 # }") == {"a": 1, "b": 2, "c": 3, "d": 4}


def test_brackets_in_texts(read):
    board = r"""
left = "["
right = "]"
smile = ":-{"
sign = "#[1"
quote = "\"["
slash = "\\"   # "[
both = "}"  # "{"
last = "${left}${right} $${"
"""
    assert read(board) == {
        "left": "[",
        "right": "]",
        "smile": ":-{",
        "sign": "#[1",
        "quote": '"[',
        "slash": "\\",
        "both": "}",
        "last": "[] ${",
    }


def test_comments_and_texts_within_statements_of_several_lines(read):
    board = """
signs = [      # all of them ]
  "[",         # the left one [
  "#]",        # no comment before this one
  # {a line of its own

  {key = "}",  # a table ]]
   "wide" = 1},
]
after = 1
"""
    fixed = board.replace('"wide"', "wide")
    assert read(fixed) == {"signs": ["[", "#]", {"key": "}", "wide": 1}], "after": 1}
    # The places of what follows, and of a word within, are those of the file.
    assert refused(read, board).startswith("board.conf:8: ")
    assert refused(read, f'{fixed}\ntitle = "no ${{none}}"') == "board.conf:12: ${none} is not set"
    assert refused(read, 'list = [  # [\n  1,\n  "no ${none}",\n]\n') == "board.conf:3: ${none} is not set"


def test_a_bracket_that_is_never_closed_is_reported_where_its_statement_begins(read):
    assert refused(read, "a = 1\n\nb = [1,\n  2,\n").startswith("board.conf:3: ")
    line = "# the line\nx = 1\ny = {a = 1,\n  b = [2,\n  3]\nz = 4\n"
    assert refused(read, 'include "line.conf"\na = 1\n', line=line).startswith("line.conf:3: ")
    assert refused(read, "a = [  # ]\n").startswith("board.conf:1: ")
    assert refused(read, 'a = 1\nb = ["]"\n').startswith("board.conf:2: ")


def test_a_name_that_is_never_set_is_refused(read, tmp_path, capsys):
    message = refused(read, 'a = 1\ninclude "line.conf"\n', line='b = "x [${a}"\nc = "${gone}"\n')
    assert message == "line.conf:2: ${gone} is not set"
    assert main(["show", str(tmp_path / "board.conf")]) == 1
    assert capsys.readouterr().err == "strata: line.conf:2: ${gone} is not set\n"


def test_what_is_no_statement_is_refused_in_its_line(read):
    assert refused(read, 'a = 1  # [\nb = "open [\nc = 3\n') == "board.conf:2: the text is not closed"
    assert refused(read, "a = 1\nb = 2]\nc = 3\n").startswith("board.conf:2: ")
    assert refused(read, "a = 1  # [\nb == 2\n").startswith("board.conf:2: ")
    assert refused(read, "a = [1]\nb = 2 [  # ]\nc = 1]\n").startswith("board.conf:2: ")
