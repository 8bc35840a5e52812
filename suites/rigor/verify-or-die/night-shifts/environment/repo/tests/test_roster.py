from pathlib import Path

import pytest
from rosters import roster, shift

from wardhours import RosterError, load


def test_a_line_is_a_shift():
    found = shift("2024-05-10", "22:00-06:00")
    assert (found.person, found.site.name, found.site.zone.name) == ("mia", "in_central", "central")
    assert str(found) == "2024-05-10 22:00-06:00 at in_central"


def test_comments_and_blank_lines():
    assert roster("# May", "", "   ") == []


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("2024-05-10 | mia | 22:00-06:00", "line 6: expected 4 fields, found 3"),
        ("10.05.2024 | mia | 22:00-06:00 | in_central", "line 6: not a date"),
        ("2024-05-10 | | 22:00-06:00 | in_central", "line 6: nobody works"),
        ("2024-05-10 | mia | 22:00 | in_central", "line 6: expected a start and an end"),
        ("2024-05-10 | mia | 22:00-24:00 | in_central", "line 6: not a time: '24:00'"),
        ("2024-05-10 | mia | 22:00-6:00 | in_central", "line 6: not a time: '6:00'"),
        ("2024-05-10 | mia | 22:00-06:00 | at_home", "line 6: no site 'at_home'"),
        ("site in_central = central", "line 6: site in_central is named twice"),
        ("site lab = lunar", "line 6: no zone 'lunar'"),
    ],
)
def test_what_is_wrong_is_said(line, words):
    with pytest.raises(RosterError, match=words):
        roster(line)


def test_a_file_is_loaded():
    assert len(load(Path(__file__).parents[1] / "examples" / "2024-05.roster")) == 6
