from tinydb import TinyDB, where
from tinydb.storages import MemoryStorage
from tinydb.utils import LRUCache


def counting(calls):
    def predicate(value):
        calls.append(value)
        return value > 0

    return where("n").test(predicate)


def test_a_query_that_is_used_again_and_again_stays_in_the_cache():
    table = TinyDB(storage=MemoryStorage).table("t", cache_size=2)
    table.insert({"n": 1})
    calls = []
    hot = counting(calls)
    for other in (counting([]), counting([]), counting([])):
        assert [doc["n"] for doc in table.search(hot)] == [1]
        table.search(other)
    table.search(hot)
    assert len(calls) == 1


def test_an_entry_that_is_set_again_stays():
    cache = LRUCache(capacity=2)
    cache["old"] = 0
    cache["other"] = 0
    cache["old"] = 1
    cache["new"] = 2
    assert cache.lru == ["old", "new"]


def test_the_oldest_entry_leaves():
    cache = LRUCache(capacity=2)
    for key in "abc":
        cache[key] = key
    assert cache.lru == ["b", "c"]
