import json

import pytest

from footfall import FootfallError, Store, import_logs, report


def test_events_are_counted(log, tmp_path):
    store = Store(tmp_path / "store")
    logs = [log("north", range(3)), log("south", lines=["0 2024-05-06T21:59:00Z in", "1 2024-05-06T22:00:00Z out"])]
    assert [str(done) for done in import_logs(store, logs)] == [
        "north.log: 3 events, 3 new",
        "south.log: 2 events, 2 new",
    ]
    assert report(store) == [
        "2024-05-06 north: 3 in, 0 out",
        "2024-05-06 south: 1 in, 0 out",
        "2024-05-07 south: 0 in, 1 out",
    ]


def test_what_is_sent_twice_counts_once(log, tmp_path):
    first, again = log("north", [1, 2, 3, 2]), log("north", [2, 3, 4], name="again")
    store = Store(tmp_path / "store")
    assert [done.new for done in import_logs(store, [first, again])] == [3, 1]
    assert str(import_logs(Store(tmp_path / "store"), [first])[0]) == "north.log: 4 events, 0 new, 4 sent before"
    assert report(Store(tmp_path / "store")) == ["2024-05-06 north: 4 in, 0 out"]


def test_hours_of_a_gate(log, tmp_path):
    store = Store(tmp_path / "store")
    import_logs(store, [log("north", range(70)), log("south", range(5))])
    assert report(store, hours=True, gate="north") == [
        "2024-05-06 north 09h: 60 in, 0 out",
        "2024-05-06 north 10h: 10 in, 0 out",
    ]


def test_nothing_is_imported_of_logs_that_cannot_all_be_read(log, tmp_path):
    bad = log("south", [1])
    bad.write_text("#gate south\n")
    with pytest.raises(FootfallError):
        import_logs(Store(tmp_path / "store"), [log("north", [1]), bad])
    assert report(Store(tmp_path / "store")) == []


def test_the_store_stays_small(log, tmp_path):
    import_logs(Store(tmp_path / "store"), [log("north", range(100, 400))])
    assert len((tmp_path / "store" / "seen.json").read_text()) < 100


def test_a_damaged_store_is_refused(log, tmp_path):
    import_logs(Store(tmp_path / "store"), [log("north", [1])])
    (tmp_path / "store" / "seen.json").write_text(json.dumps([])[:1])
    with pytest.raises(FootfallError, match="make the store anew"):
        Store(tmp_path / "store")
