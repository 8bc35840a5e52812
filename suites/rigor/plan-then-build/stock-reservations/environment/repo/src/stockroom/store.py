"""The stock as a JSON file."""

from __future__ import annotations

import datetime
import json
import os
from pathlib import Path
from typing import Any

from .model import Item, Movement, Stock, StockError

VERSION = 1


def load(path: Path) -> Stock:
    """The stock of a file; an empty one if there is no file yet.

    Raises:
        StockError: it is no stock file, or one of a later version.
    """
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Stock()
    except ValueError:
        raise StockError(f"{path}: not a stock file") from None
    if not isinstance(document, dict) or not isinstance(document.get("version"), int):
        raise StockError(f"{path}: not a stock file")
    if document["version"] > VERSION:
        raise StockError(f"{path}: version {document['version']} is later than {VERSION}")
    try:
        return _stock(document)
    except (KeyError, TypeError, ValueError) as error:
        raise StockError(f"{path}: damaged: {error}") from None


def save(stock: Stock, path: Path) -> None:
    """Write the stock in such a way that the file is either the old or the new one, never half of it."""
    scratch = path.with_name(path.name + ".new")
    scratch.write_text(json.dumps(_document(stock), indent=1) + "\n", encoding="utf-8")
    os.replace(scratch, path)


def _stock(document: dict[str, Any]) -> Stock:
    stock = Stock()
    for entry in document["items"]:
        stock.items[entry["sku"]] = Item(entry["sku"], entry["name"], entry["minimum"], entry["on_hand"])
    for entry in document["movements"]:
        date = datetime.date.fromisoformat(entry["date"])
        stock.movements.append(Movement(date, entry["sku"], entry["quantity"], entry["note"]))
    return stock


def _document(stock: Stock) -> dict[str, Any]:
    return {
        "version": VERSION,
        "items": [
            {"sku": item.sku, "name": item.name, "minimum": item.minimum, "on_hand": item.on_hand}
            for item in stock.items.values()
        ],
        "movements": [
            {"date": move.date.isoformat(), "sku": move.sku, "quantity": move.quantity, "note": move.note}
            for move in stock.movements
        ],
    }
