from itertools import islice

import pytest

from hexland import WorldError, chronicle, dice, generate
from hexland.weather import forecast


def test_weather_belongs_to_its_season():
    dice.seed(1)
    assert set(islice(forecast("summer"), 60)) <= {"sun", "rain", "thunder", "wind"}
    with pytest.raises(WorldError, match="no season 'monsoon'"):
        forecast("monsoon")


def test_a_chronicle_has_a_line_for_each_day():
    lines = list(chronicle(generate(5, 8, 8), 12, "autumn"))
    assert [line.split(":")[0] for line in lines] == [f"day {n}" for n in range(1, 13)]


def test_the_same_seed_tells_the_same_story():
    first = list(chronicle(generate(5, 8, 8), 12, "autumn"))
    assert list(chronicle(generate(5, 8, 8), 12, "autumn")) == first
    assert list(chronicle(generate(6, 8, 8), 12, "autumn")) != first
