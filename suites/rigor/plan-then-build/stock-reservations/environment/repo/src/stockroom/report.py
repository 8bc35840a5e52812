"""Lists for people."""

from __future__ import annotations

from .service import Stockroom


def stock_report(room: Stockroom) -> str:
    """A line for each item, in the order of the article numbers."""
    lines = [f"{'item':<12}{'name':<24}{'on hand':>8}"]
    for _, item in sorted(room.stock.items.items()):
        mark = "  *" if item.on_hand < item.minimum else ""
        lines.append(f"{item.sku:<12}{item.name:<24}{item.on_hand:>8}{mark}")
    return "\n".join(lines)


def order_list(room: Stockroom) -> str:
    """What has to be ordered."""
    short = room.short()
    if not short:
        return "nothing to order"
    return "\n".join(f"{missing:>6} x {item.sku} ({item.name})" for item, missing in short)


def history(room: Stockroom, sku: str) -> str:
    return "\n".join(f"{move.date} {move.quantity:>+7} {move.note}" for move in room.history(sku))
