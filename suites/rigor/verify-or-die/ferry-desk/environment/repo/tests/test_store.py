import pytest

from ferrydesk import DeskError, FileStore, MemoryStore


@pytest.fixture(params=["memory", "files"])
def store(request, tmp_path):
    return MemoryStore() if request.param == "memory" else FileStore(tmp_path / "state")


def test_what_is_saved_is_loaded(store):
    assert store.load("sat-0830") is None
    store.save("sat-0830", {"capacity": 3})
    store.save("sat-1015", {"capacity": 4})
    assert store.load("sat-0830") == {"capacity": 3}


def test_what_is_loaded_is_the_callers_own(store):
    store.save("sat-0830", {"booked": []})
    store.load("sat-0830")["booked"].append(1)
    assert store.load("sat-0830") == {"booked": []}


def test_names_of_files_are_checked(tmp_path):
    with pytest.raises(DeskError, match="not a name"):
        FileStore(tmp_path).load("../passwd")
