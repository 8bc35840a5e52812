from datetime import date

from regatta import Race, Result, places


def race(*times):
    results = tuple(Result(f"crew {number}", "club", time) for number, time in enumerate(times, 1))
    return Race("test", "Test", date(2024, 6, 8), results)


def numbers(*times):
    return [placed.place for placed in places(race(*times))]


def test_places_follow_the_times():
    assert numbers(40300, 40100, 40900) == [1, 2, 3]
    assert [placed.result.crew for placed in places(race(40300, 40100))] == ["crew 2", "crew 1"]


def test_equal_times_are_equal_places():
    assert numbers(40100, 40300, 40300, 40900) == [1, 2, 2, 4]


def test_a_crew_that_did_not_finish_has_no_place():
    assert numbers(None, 40300, None, 40100) == [1, 2, None, None]


def test_a_race_without_crews():
    assert numbers() == []
