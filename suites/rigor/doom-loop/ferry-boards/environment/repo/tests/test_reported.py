"""What the piers have reported."""

from pathlib import Path

import pytest

from strata import SettingsError, load

COASTAL = Path(__file__).parents[1] / "examples" / "coastal"


@pytest.fixture
def board(tmp_path):
    """The settings of a board with these lines, which may include line.conf."""

    def read(text, line=""):
        (tmp_path / "line.conf").write_text(line)
        (tmp_path / "board.conf").write_text(text)
        return load(tmp_path / "board.conf").resolved()

    return read


def test_the_coast_terminal_has_its_winter_settings():
    found = load(COASTAL / "board.conf").resolved()
    assert found["help"] == "Questions? 0100 55 50"
    assert found["island.note"] == "No trips in a gale."
    assert found["island.trips"] == 6


def test_the_ferry_pier_shows_its_arrow(board):
    assert board('arrow = "<["  # to the left\nrows = 3\n') == {"arrow": "<[", "rows": 3}


def test_the_ferry_pier_hears_of_its_mistake(board):
    with pytest.raises(SettingsError, match=r"^line\.conf:2: "):
        board('include "line.conf"\nrows = 3\n', line="gates = 4\ncolours = [\n  1,\n")


def test_a_name_with_a_typing_error_is_told(board):
    with pytest.raises(SettingsError, match=r"^board\.conf:1: \$\{line\.fone\} is not set$"):
        board('help = "Questions? ${line.fone}"\nline.phone = "0100"\n')


def test_the_harbour_office_has_tables_over_many_lines(board):
    text = "signs = [\n{side = 1,\nwide = 2},\n]\nrows = 3\n"
    assert board(text) == {"signs": [{"side": 1, "wide": 2}], "rows": 3}
