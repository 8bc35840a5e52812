from datetime import date
from fractions import Fraction

from regatta import Race, Result
from regatta.cup import cup
from regatta.points import award, show


def race(**times):
    results = tuple(Result(name, f"RC {name}", time) for name, time in times.items())
    return Race("test", "Test", date(2024, 6, 8), results)


def test_points_of_places():
    assert award(race(a=100_00, b=90_00, c=None)) == {"a": 8, "b": 10, "c": 0}


def test_shared_places_share_points():
    assert award(race(a=90_00, b=90_00, c=95_00)) == {"a": 9, "b": 9, "c": 6}
    assert award(race(a=80_00, b=90_00, c=90_00, d=90_00))["c"] == Fraction(19, 3)


def test_places_after_the_eighth_bring_nothing():
    times = {f"c{number}": 9000 + 100 * number for number in range(10)}
    assert award(race(**times))["c8"] == 0


def test_points_are_shown_with_two_digits():
    assert show(Fraction(19, 3)) == "6.33"
    assert show(Fraction(1, 200)) == "0.01"


def test_the_cup_adds_up_all_races():
    assert cup([race(a=9000, b=9100), race(a=9200, b=9100), race(b=9000, c=9500)]) == [
        ("RC b", Fraction(28)),
        ("RC a", Fraction(18)),
        ("RC c", Fraction(8)),
    ]
