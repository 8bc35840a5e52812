import sqlite3

import pytest

from belltower import Store, StoreError
from belltower.store import MIGRATIONS


def test_a_file_of_an_earlier_version_is_brought_up_to_date(tmp_path):
    path = tmp_path / "bell.db"
    db = sqlite3.connect(path)
    db.executescript(MIGRATIONS[0] + "INSERT INTO endpoints VALUES (5, 'https://a.example/', 'a', 's');")
    db.execute("PRAGMA user_version = 1")
    db.close()
    store = Store(path)
    assert [row["id"] for row in store.endpoints(0, 10)] == [5]
    store.add_event("shop", "a", "1", "2024-05-02T10:00:00Z")
    assert len(store.deliveries(1)) == 1
    store.close()


def test_a_file_of_a_later_version_is_refused(tmp_path):
    path = tmp_path / "bell.db"
    db = sqlite3.connect(path)
    db.execute("PRAGMA user_version = 99")
    db.close()
    with pytest.raises(StoreError, match="later version"):
        Store(path)


def test_a_transaction_is_all_or_nothing(bell):
    with pytest.raises(ZeroDivisionError), bell.store.transaction():
        bell.store.add_endpoint("https://a.example/", "a", "s")
        _ = 1 / 0
    assert bell.store.endpoints(0, 10) == []
