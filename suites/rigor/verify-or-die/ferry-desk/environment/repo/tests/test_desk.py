import pytest

from ferrydesk import Desk, DeskError, MemoryStore, NotFound


@pytest.fixture
def desk():
    desk = Desk(MemoryStore())
    desk.open("sat-0830", 2)
    desk.open("sat-1015", 2)
    return desk


def plates(desk, crossing):
    manifest = desk.manifest(crossing)
    return [b.plate for b in manifest.booked], [b.plate for b in manifest.waiting]


def test_vehicles_are_booked_until_it_is_full(desk):
    assert [desk.book("sat-0830", plate).waiting for plate in ("A-1", "B-2", "C-3")] == [False, False, True]
    assert plates(desk, "sat-0830") == (["A-1", "B-2"], ["C-3"])


def test_numbers_count_over_all_crossings(desk):
    assert [desk.book(crossing, "A-1").number for crossing in ("sat-0830", "sat-1015", "sat-0830")] == [1, 2, 3]


def test_numbers_go_on_after_a_restart():
    store = MemoryStore()
    desk = Desk(store)
    desk.open("sat-0830", 2)
    assert desk.book("sat-0830", "A-1").number == 1
    assert Desk(store).book("sat-0830", "B-2").number == 2


def test_whoever_waits_gets_the_space_of_a_cancelled_booking(desk):
    for plate in ("A-1", "B-2", "C-3", "D-4"):
        desk.book("sat-0830", plate)
    desk.cancel("sat-0830", 1)
    assert plates(desk, "sat-0830") == (["B-2", "C-3"], ["D-4"])


def test_more_spaces_are_for_those_who_wait(desk):
    for plate in ("A-1", "B-2", "C-3", "D-4"):
        desk.book("sat-0830", plate)
    desk.resize("sat-0830", 3)
    assert plates(desk, "sat-0830") == (["A-1", "B-2", "C-3"], ["D-4"])
    desk.resize("sat-0830", 1)
    assert plates(desk, "sat-0830") == (["A-1", "B-2", "C-3"], ["D-4"])


def test_a_booking_moves(desk):
    for plate in ("A-1", "B-2", "C-3"):
        desk.book("sat-0830", plate)
    assert desk.move(1, "sat-0830", "sat-1015").crossing == "sat-1015"
    assert plates(desk, "sat-0830") == (["B-2", "C-3"], [])
    assert plates(desk, "sat-1015") == (["A-1"], [])


def test_listeners_are_told(desk):
    events = []
    desk.listen(lambda event: events.append((event.kind, event.booking.plate)))
    for plate in ("A-1", "B-2", "C-3"):
        desk.book("sat-0830", plate)
    desk.cancel("sat-0830", 2)
    assert events == [
        ("booked", "A-1"),
        ("booked", "B-2"),
        ("waiting", "C-3"),
        ("cancelled", "B-2"),
        ("promoted", "C-3"),
    ]


def test_what_cannot_be_done(desk):
    with pytest.raises(NotFound, match="no crossing sun-0830"):
        desk.book("sun-0830", "A-1")
    with pytest.raises(NotFound, match="no booking 7"):
        desk.cancel("sat-0830", 7)
    with pytest.raises(DeskError, match="open already"):
        desk.open("sat-0830", 5)
    with pytest.raises(DeskError, match="-1 spaces"):
        desk.resize("sat-0830", -1)
    with pytest.raises(DeskError, match="not a name"):
        desk.open("numbers", 3)
