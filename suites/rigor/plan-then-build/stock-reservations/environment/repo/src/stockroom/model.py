"""What there is: items, movements, and the stock that holds them."""

from __future__ import annotations

import datetime
from dataclasses import dataclass, field


class StockError(Exception):
    """Something cannot be done with the stock; the message says why."""


@dataclass
class Item:
    sku: str
    name: str
    minimum: int = 0
    on_hand: int = 0

    def __post_init__(self) -> None:
        if not self.sku or self.sku != self.sku.strip():
            raise StockError(f"not an article number: {self.sku!r}")
        if self.minimum < 0 or self.on_hand < 0:
            raise StockError(f"{self.sku}: a quantity is negative")


@dataclass(frozen=True)
class Movement:
    """What came in (a positive quantity) or went out."""

    date: datetime.date
    sku: str
    quantity: int
    note: str = ""


@dataclass
class Stock:
    items: dict[str, Item] = field(default_factory=dict)
    movements: list[Movement] = field(default_factory=list)

    def item(self, sku: str) -> Item:
        """The item with this article number.

        Raises:
            StockError: there is none.
        """
        if sku not in self.items:
            raise StockError(f"no such item: {sku}")
        return self.items[sku]
