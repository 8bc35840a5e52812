import pytest

from tinydb.utils import LRUCache, freeze, FrozenDict


def test_lru_cache_clear():
    cache = LRUCache(capacity=3)
    cache["a"] = 1
    cache["b"] = 2
    cache.clear()

    assert cache.lru == []
