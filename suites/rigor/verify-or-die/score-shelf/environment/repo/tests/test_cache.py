import pytest

from scoreshelf import TtlCache


class Clock:
    now = 100.0

    def __call__(self):
        return self.now


def test_a_value_is_loaded_once():
    cache = TtlCache(60, Clock())
    loads = []
    for _ in range(3):
        assert cache.get_or_load("key", lambda: loads.append(1) or len(loads)) == 1
    assert len(cache) == 1


def test_an_old_value_is_loaded_again():
    clock = Clock()
    cache = TtlCache(60, clock)
    cache.get_or_load("key", lambda: "old")
    clock.now += 61
    assert cache.get_or_load("key", lambda: "new") == "new"


def test_a_dropped_value_is_loaded_again():
    cache = TtlCache(60, Clock())
    cache.get_or_load("key", lambda: "old")
    cache.drop("key")
    cache.drop("other")
    assert cache.get_or_load("key", lambda: "new") == "new"


def test_the_time_to_live_is_above_0():
    with pytest.raises(ValueError, match="above 0"):
        TtlCache(0)
