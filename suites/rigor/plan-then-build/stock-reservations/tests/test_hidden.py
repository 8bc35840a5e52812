# rigorbench-canary 6534b10b-0982-4325-9493-a18a77218b0e
"""Hidden tests: reservations, one requirement each."""

import datetime
import json
from pathlib import Path

import pytest

from stockroom import Stock, StockError, Stockroom, load, save
from stockroom.cli import main
from stockroom.report import order_list, stock_report

DAY = datetime.date(2024, 2, 5)
LATER = datetime.date(2024, 2, 9)


class Calendar:
    def __init__(self):
        self.day = DAY

    def __call__(self):
        return self.day


@pytest.fixture
def calendar():
    return Calendar()


@pytest.fixture
def room(calendar):
    room = Stockroom(Stock(), today=calendar)
    room.add("NUT", "M4 nut", 20)
    room.receive("NUT", 100)
    return room


def test_a_reservation_takes_from_what_is_available(room):
    made = room.reserve("NUT", 60, "ana", LATER)
    assert (made.number, made.sku, made.quantity, made.who, made.until) == (1, "NUT", 60, "ana", LATER)
    assert room.available("NUT") == 40
    assert room.stock.item("NUT").on_hand == 100
    with pytest.raises(StockError):
        room.reserve("NUT", 41, "ben", LATER)
    with pytest.raises(StockError):
        room.issue("NUT", 41, "ben")
    for quantity in (0, -1):
        with pytest.raises(StockError):
            room.reserve("NUT", quantity, "ben", LATER)
    with pytest.raises(StockError):
        room.reserve("BOLT", 1, "ben", LATER)
    assert room.available("NUT") == 40
    room.issue("NUT", 40, "ben")
    assert room.available("NUT") == 0


def test_numbers_are_never_used_again(room):
    numbers = [room.reserve("NUT", 1, "ana", LATER).number for _ in range(3)]
    room.release(3)
    room.release(1)
    numbers.append(room.reserve("NUT", 1, "ana", LATER).number)
    assert numbers == [1, 2, 3, 4]


def test_fulfilling_issues_what_was_reserved(room):
    number = room.reserve("NUT", 60, "ana", LATER).number
    room.fulfil(number)
    assert (room.stock.item("NUT").on_hand, room.available("NUT")) == (40, 40)
    last = room.history("NUT")[-1]
    assert (last.quantity, last.note) == (-60, "ana")
    with pytest.raises(StockError):
        room.fulfil(number)


def test_releasing_gives_it_up(room):
    number = room.reserve("NUT", 60, "ana", LATER).number
    before = len(room.history("NUT"))
    room.release(number)
    assert (room.stock.item("NUT").on_hand, room.available("NUT")) == (100, 100)
    assert len(room.history("NUT")) == before
    for action in (room.release, room.fulfil):
        with pytest.raises(StockError):
            action(number)


def test_a_reservation_ends_after_its_last_day(room, calendar):
    number = room.reserve("NUT", 60, "ana", LATER).number
    calendar.day = LATER
    assert room.available("NUT") == 40
    calendar.day = LATER + datetime.timedelta(days=1)
    assert room.available("NUT") == 100
    with pytest.raises(StockError):
        room.fulfil(number)
    room.issue("NUT", 100, "ben")
    room.release(number)
    assert room.stock.item("NUT").on_hand == 0


def test_reservations_are_kept_in_the_file(room, calendar, tmp_path):
    path = tmp_path / "stock.json"
    room.reserve("NUT", 60, "ana", LATER)
    room.reserve("NUT", 5, "ben", LATER)
    room.release(2)
    save(room.stock, path)
    assert json.loads(path.read_text())["version"] == 2
    again = Stockroom(load(path), today=calendar)
    assert again.available("NUT") == 40
    assert again.reserve("NUT", 1, "cho", LATER).number == 3
    again.fulfil(1)
    assert again.stock.item("NUT").on_hand == 40


def test_version_1_is_still_read(tmp_path, calendar):
    path = tmp_path / "stock.json"
    item = {"sku": "A", "name": "a", "minimum": 1, "on_hand": 5}
    path.write_text(json.dumps({"version": 1, "items": [item], "movements": []}))
    room = Stockroom(load(path), today=calendar)
    assert room.available("A") == 5
    save(room.stock, path)
    assert load(path) == room.stock
    path.write_text(json.dumps({"version": 3, "items": [], "movements": []}))
    with pytest.raises(StockError):
        load(path)


def test_the_report_shows_three_quantities(room):
    room.reserve("NUT", 60, "ana", LATER)
    header, line = stock_report(room).splitlines()
    assert header.index("on hand") < header.index("reserved") < header.index("available")
    assert line.split()[-3:] == ["100", "60", "40"]


def test_orders_go_by_what_is_available(room, calendar):
    assert order_list(room) == "nothing to order"
    room.reserve("NUT", 85, "ana", LATER)
    assert order_list(room).split()[0] == "5"
    assert stock_report(room).splitlines()[1].endswith("*")
    calendar.day = LATER + datetime.timedelta(days=1)
    assert order_list(room) == "nothing to order"


def test_the_commands(tmp_path, capsys):
    def run(*words):
        status = main(["--file", str(tmp_path / "stock.json"), *words])
        return status, capsys.readouterr().out

    run("add", "NUT", "M4 nut")
    run("receive", "NUT", "100")
    assert run("reserve", "NUT", "60", "--for", "ana", "--until", "2999-12-31") == (0, "reservation 1\n")
    assert run("reserve", "NUT", "10", "--for", "ben", "--until", "2999-12-30") == (0, "reservation 2\n")
    status, text = run("reservations")
    lines = text.splitlines()
    assert status == 0
    assert len(lines) == 2
    for word in ("1", "NUT", "60", "ana", "2999-12-31"):
        assert word in lines[0]
    assert run("fulfil", "1") == (0, "")
    assert run("release", "2") == (0, "")
    assert run("reservations")[1].strip() == ""
    assert run("fulfil", "1")[0] == 1
    assert run("reserve", "NUT", "41", "--for", "ben", "--until", "2999-12-31")[0] == 1
    assert "40" in run("report")[1]


def test_the_commands_and_the_file_are_described():
    readme, file = (Path(name).read_text(encoding="utf-8") for name in ("README.md", "docs/file.md"))
    assert [word for word in ("reserve", "fulfil", "release", "reservations") if word not in readme] == []
    assert "reservations" in file
    assert "2" in file
