import pytest

from stockroom import StockError


def test_what_comes_in_is_there(room):
    room.receive("M4-WASHER", 80)
    assert room.stock.item("M4-WASHER").on_hand == 80


def test_what_goes_out_is_gone(room):
    room.issue("M4-NUT", 460, "bench-1")
    assert room.stock.item("M4-NUT").on_hand == 0


def test_no_more_goes_out_than_is_there(room):
    with pytest.raises(StockError, match="only 460 there, 461 wanted"):
        room.issue("M4-NUT", 461, "bench-1")
    assert room.stock.item("M4-NUT").on_hand == 460


@pytest.mark.parametrize("quantity", [0, -3])
def test_quantities_are_positive(room, quantity):
    with pytest.raises(StockError, match="not a quantity"):
        room.receive("M4-NUT", quantity)
    with pytest.raises(StockError, match="not a quantity"):
        room.issue("M4-NUT", quantity, "bench-1")


def test_items_are_known_once(room):
    with pytest.raises(StockError, match="already"):
        room.add("M4-NUT", "another")
    with pytest.raises(StockError, match="no such item"):
        room.receive("M5-NUT", 1)
    with pytest.raises(StockError, match="not an article number"):
        room.add(" ", "blank")


def test_what_is_short(room):
    assert [(item.sku, missing) for item, missing in room.short()] == [("M4-WASHER", 50)]


def test_the_history_of_an_item(room):
    assert [(move.quantity, move.note) for move in room.history("M4-NUT")] == [(500, "received"), (-40, "bench-3")]
