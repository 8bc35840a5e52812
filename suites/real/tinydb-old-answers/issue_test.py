from tinydb import TinyDB, where
from tinydb.storages import MemoryStorage


def answers(change):
    db = TinyDB(storage=MemoryStorage)
    db.insert({"name": "a", "count": 1})
    query = where("count") == 1
    assert len(db.search(query)) == 1
    change(db)
    return db.search(query)


def test_a_removed_document_is_not_found():
    assert answers(lambda db: db.remove(where("name") == "a")) == []


def test_a_changed_document_is_not_found_as_it_was():
    assert answers(lambda db: db.update({"count": 2})) == []


def test_a_new_document_is_found():
    assert len(answers(lambda db: db.insert({"name": "b", "count": 1}))) == 2


def test_a_query_that_is_asked_twice_reads_once():
    reads = []

    class Storage(MemoryStorage):
        def read(self):
            reads.append(1)
            return super().read()

    db = TinyDB(storage=Storage)
    db.insert({"name": "a"})
    query = where("name") == "a"
    assert db.search(query) == db.search(query)
    before = len(reads)
    db.search(query)
    assert len(reads) == before
