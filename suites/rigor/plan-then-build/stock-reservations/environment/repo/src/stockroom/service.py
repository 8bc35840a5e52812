"""What one can do with the stock."""

from __future__ import annotations

import datetime
from collections.abc import Callable

from .model import Item, Movement, Stock, StockError


class Stockroom:
    """The actions on a stock. ``today`` tells the date of what is done."""

    def __init__(self, stock: Stock, today: Callable[[], datetime.date] = datetime.date.today) -> None:
        self.stock, self.today = stock, today

    def add(self, sku: str, name: str, minimum: int = 0) -> Item:
        """A new item, of which there is nothing yet."""
        if sku in self.stock.items:
            raise StockError(f"there is an item {sku} already")
        item = Item(sku, name, minimum)
        self.stock.items[sku] = item
        return item

    def receive(self, sku: str, quantity: int, note: str = "received") -> None:
        """Something came in."""
        item = self.stock.item(sku)
        _positive(quantity)
        item.on_hand += quantity
        self._move(sku, quantity, note)

    def issue(self, sku: str, quantity: int, to: str) -> None:
        """Something goes out.

        Raises:
            StockError: there is not so much.
        """
        item = self.stock.item(sku)
        _positive(quantity)
        if quantity > item.on_hand:
            raise StockError(f"{sku}: only {item.on_hand} there, {quantity} wanted")
        item.on_hand -= quantity
        self._move(sku, -quantity, to)

    def short(self) -> list[tuple[Item, int]]:
        """Items of which there is less than the minimum, with what is missing."""
        return [
            (item, item.minimum - item.on_hand) for item in self.stock.items.values() if item.on_hand < item.minimum
        ]

    def history(self, sku: str) -> list[Movement]:
        self.stock.item(sku)
        return [move for move in self.stock.movements if move.sku == sku]

    def _move(self, sku: str, quantity: int, note: str) -> None:
        self.stock.movements.append(Movement(self.today(), sku, quantity, note))


def _positive(quantity: int) -> None:
    if quantity <= 0:
        raise StockError(f"not a quantity: {quantity}")
