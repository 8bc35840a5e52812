import random

from footfall.ranges import Ranges


def test_numbers_in_a_row_are_one_range():
    ranges = Ranges()
    assert [ranges.add(number) for number in (5, 6, 4, 8, 7, 6)] == [True, True, True, True, True, False]
    assert ranges.pairs() == [(4, 8)]
    assert len(ranges) == 5


def test_ranges_that_touch_are_one():
    ranges = Ranges([(8, 9), (1, 4), (5, 7), (3, 6)])
    assert ranges.pairs() == [(1, 9)]
    assert not ranges.add(5)


def test_like_a_set():
    ranges, numbers, chance = Ranges(), set(), random.Random(7)
    for _ in range(2000):
        number = chance.randrange(900)
        assert ranges.add(number) == (number not in numbers)
        numbers.add(number)
    assert {n for first, last in ranges.pairs() for n in range(first, last + 1)} == numbers
    assert all(before[1] + 1 < after[0] for before, after in zip(ranges.pairs(), ranges.pairs()[1:], strict=False))
