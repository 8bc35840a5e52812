"""What asking costs, and the limit on it.

Before a request is sent, its highest possible cost is reserved; afterwards the actual cost replaces the reservation.
Both are on disk and shared by all processes that use the same votes directory, so the limit also covers several
processes and those that were killed. A request of unknown cost (the reply never came) keeps its reservation.
"""

from __future__ import annotations

import asyncio
import math
import uuid
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from ...base.jsonl import Lines
from .seat import Price

# Tokens that a provider may add to a request by its own template, for its three messages and the schema.
_TEMPLATE = 500


class Entry(Struct, omit_defaults=True):
    """``reserved`` dollars under an id, or the ``spent`` ones that replace them."""

    id: str
    reserved: float | None = None
    spent: float | None = None


class Ledger:
    """The spending of one votes directory (``spending.jsonl``). ``limit``: dollars; None: no limit."""

    def __init__(self, directory: Path, limit: float | None) -> None:
        self.limit = limit
        self._lines = Lines(directory / "spending.jsonl", Entry)
        self._amounts: dict[str, float] = {}
        self._settled: set[str] = set()
        self._generation, self._seen = -1, 0
        self._open: set[str] = set()
        self._waiting: list[asyncio.Future[None]] = []

    async def reserved(self, dollars: float) -> str | None:
        """Like :meth:`reserve`, but waits for what this process's open requests leave over."""
        while (reservation := self.reserve(dollars)) is None and self._open:
            settled = asyncio.get_running_loop().create_future()
            self._waiting.append(settled)
            await settled
        return reservation

    def reserve(self, dollars: float) -> str | None:
        """The id of the reservation; None: the limit would be exceeded, and nothing is reserved.

        Raises: OSError when the file cannot be written.
        """
        with self._lines.locked() as descriptor:
            self._lines.take_in(descriptor)
            if self.limit is not None and self._total() + dollars > self.limit:
                return None
            entry = Entry(uuid.uuid4().hex[:16], reserved=dollars)
            self._lines.write(descriptor, entry)
            self._open.add(entry.id)
            return entry.id

    def settle(self, reservation: str, dollars: float | None) -> None:
        """Replace a reservation by the actual cost. None: unknown; the reservation stays."""
        if dollars is not None:
            self._lines.append(Entry(reservation, spent=dollars))
        self._open.discard(reservation)
        waiting, self._waiting = self._waiting, []
        for settled in waiting:
            if not settled.done():
                settled.set_result(None)

    def spent(self) -> float:
        """Dollars spent, or reserved and not settled."""
        self._lines.records()
        return self._total()

    def _total(self) -> float:
        entries = self._lines.taken()
        if self._generation != self._lines.generation or self._seen > len(entries):
            self._generation, self._seen = self._lines.generation, 0
            self._amounts.clear()
            self._settled.clear()
        for entry in entries[self._seen :]:
            if entry.spent is not None:
                self._amounts[entry.id] = entry.spent
                self._settled.add(entry.id)
            elif entry.reserved is not None and entry.id not in self._settled:
                self._amounts[entry.id] = entry.reserved
        self._seen = len(entries)
        # An exact sum, so that the order of the entries does not change the last digits.
        return math.fsum(self._amounts.values())


def cost(price: Price | None, input_tokens: int | None, output_tokens: int | None) -> float | None:
    """Dollars; None where the price or the usage is unknown."""
    if price is None or input_tokens is None or output_tokens is None:
        return None
    return (price.input * input_tokens + price.output * output_tokens) / 1e6


def highest(price: Price, texts: Sequence[str], max_output_tokens: int) -> float:
    """The highest possible cost of a request in dollars: no known tokenizer makes more tokens than a text has bytes."""
    tokens = sum(len(text.encode("utf-8", "backslashreplace")) for text in texts) + _TEMPLATE
    return (price.input * tokens + price.output * max_output_tokens) / 1e6
