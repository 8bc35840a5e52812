from rosters import roster

from wardhours import short_rests
from wardhours.rest import write_rests


def test_eleven_hours_are_enough():
    shifts = roster("2024-05-13 | mia | 08:00-19:00 | in_central", "2024-05-14 | mia | 06:00-14:00 | in_central")
    assert short_rests(shifts) == []
    assert write_rests([]) == "enough rest for everybody"


def test_less_is_not():
    late, early = roster("2024-05-13 | mia | 12:00-20:00 | in_central", "2024-05-14 | mia | 06:30-14:00 | in_central")
    assert short_rests([early, late]) == [(late, early, 630)]
    assert write_rests([(late, early, 630)]).startswith("mia: 10:30 between 2024-05-13 12:00-20:00")


def test_shifts_that_overlap():
    first, second = roster("2024-05-13 | mia | 08:00-16:00 | in_central", "2024-05-13 | mia | 15:00-20:00 | in_central")
    assert short_rests([first, second]) == [(first, second, -60)]
    assert "overlap of 1:00" in write_rests(short_rests([first, second]))


def test_the_rest_of_others_does_not_matter():
    shifts = roster("2024-05-13 | mia | 08:00-19:00 | in_central", "2024-05-13 | jon | 20:00-23:00 | in_central")
    assert short_rests(shifts) == []
