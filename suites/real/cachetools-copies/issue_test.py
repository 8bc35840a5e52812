import copy
import pickle

import pytest

from cachetools import Cache, FIFOCache, LFUCache, LRUCache, RRCache, TLRUCache, TTLCache


class Clock:
    def __init__(self):
        self.now = 0

    def __call__(self):
        return self.now


def made(kind, maxsize=3):
    clock = Clock()
    if kind is RRCache:
        return RRCache(maxsize, choice=min), clock
    if kind is TTLCache:
        return TTLCache(maxsize, ttl=5, timer=clock), clock
    if kind is TLRUCache:
        return TLRUCache(maxsize, ttu=lambda key, value, now: now + 5, timer=clock), clock
    return kind(maxsize), clock


KINDS = [Cache, FIFOCache, LFUCache, LRUCache, RRCache, TLRUCache, TTLCache]


@pytest.mark.parametrize("kind", KINDS)
def test_neither_notices_the_other(kind):
    source, _ = made(kind)
    source.update({1: "a", 2: "b", 3: "c"})
    other = copy.copy(source)
    assert type(other) is kind
    assert dict(other) == dict(source)
    other[4] = "d"
    del other[4]
    assert sorted(source) == [1, 2, 3]
    assert source.currsize == 3
    source.clear()
    assert len(other) == 2


@pytest.mark.parametrize("kind", KINDS)
def test_both_drop_the_same_items(kind):
    source, _ = made(kind)
    source.update({1: "a", 2: "b", 3: "c"})
    for key in (1, 1, 3):
        source[key]
    other = copy.copy(source)
    dropped = [other.popitem() for _ in range(3)]
    assert [source.popitem() for _ in range(3)] == dropped


@pytest.mark.parametrize("kind", [TTLCache, TLRUCache])
def test_items_expire_in_both_and_the_time_is_held_in_one(kind):
    source, clock = made(kind)
    source[1] = "a"
    clock.now = 3
    source[2] = "b"
    other = copy.copy(source)
    with source.timer:
        clock.now = 6
        assert 1 in source
        assert 1 not in other
    other[2] = "c"
    clock.now = 9
    assert list(source) == []
    assert list(other) == [2]


def test_many_use_counts():
    source = LFUCache(maxsize=1000)
    for key in range(600):
        source[key] = key
        for _ in range(key):
            source[key]
    for other in (copy.copy(source), copy.deepcopy(source), pickle.loads(pickle.dumps(source))):
        assert [other.popitem()[0] for _ in range(600)] == list(range(600))
    assert len(source) == 600
