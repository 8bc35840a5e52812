import pytest

from tinydb import TinyDB, where
from tinydb.storages import MemoryStorage
from tinydb.table import Document
from tinydb.utils import LRUCache


@pytest.fixture
def numbers():
    db = TinyDB(storage=MemoryStorage)
    db.insert_multiple({"n": i} for i in range(3))
    return db


def test_remove_skips_an_id_that_is_gone(numbers):
    assert numbers.remove(doc_ids=[2, 17]) == [2]
    assert [document.doc_id for document in numbers] == [1, 3]


def test_update_skips_an_id_that_is_gone(numbers):
    assert numbers.update({"n": 9}, doc_ids=[17, 3]) == [3]
    assert [document["n"] for document in numbers] == [0, 1, 9]


def test_upsert_inserts_a_document_with_a_new_id(numbers):
    assert numbers.upsert(Document({"n": 5}, doc_id=17)) == [17]
    assert len(numbers) == 4


@pytest.mark.parametrize("allowed", [[1, 2], {1: "x", 2: "y"}, ([1], {2: "y"})])
def test_a_query_with_a_container_as_argument_is_searched(numbers, allowed):
    query = where("n").test(lambda n, wanted: n < len(wanted), allowed)
    assert len(numbers.search(query)) == 2
    assert query.is_cacheable()


def test_a_query_with_an_argument_without_hash_is_searched(numbers):
    class Bag:
        __hash__ = None

    query = where("n").test(lambda n, bag: True, Bag())
    assert len(numbers.search(query)) == 3
    assert not query.is_cacheable()


@pytest.mark.parametrize("old", [0, [], "", None])
def test_setting_a_key_again_makes_it_the_latest(old):
    cache = LRUCache(capacity=2)
    cache.set("x", old)
    cache.set("y", 1)
    cache.set("x", 2)
    assert cache.lru == ["y", "x"]
