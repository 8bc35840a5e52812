import json

import pytest

from stockroom import Stock, StockError, load, save


def test_a_stock_comes_back(room, tmp_path):
    path = tmp_path / "stock.json"
    save(room.stock, path)
    assert load(path) == room.stock
    assert [p.name for p in tmp_path.iterdir()] == ["stock.json"]


def test_no_file_is_an_empty_stock(tmp_path):
    assert load(tmp_path / "stock.json") == Stock()


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"version": "1"}', '{"version": 1}', '{"version": 99}'])
def test_other_files_are_refused(tmp_path, text):
    path = tmp_path / "stock.json"
    path.write_text(text)
    with pytest.raises(StockError, match=r"stock\.json"):
        load(path)


def test_a_file_of_version_1_is_read(tmp_path):
    path = tmp_path / "stock.json"
    item = {"sku": "A", "name": "a", "minimum": 1, "on_hand": 5}
    move = {"date": "2024-02-01", "sku": "A", "quantity": 5, "note": "received"}
    path.write_text(json.dumps({"version": 1, "items": [item], "movements": [move]}))
    stock = load(path)
    assert stock.item("A").on_hand == 5
    assert stock.movements[0].quantity == 5
