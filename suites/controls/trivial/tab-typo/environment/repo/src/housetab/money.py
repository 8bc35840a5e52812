"""Amounts: whole cents inside, text with two decimals outside."""

from __future__ import annotations

import re

from .model import TabError

_AMOUNT = re.compile(r"(-?)(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d{2}))?")


def parse_amount(text: str) -> int:
    """The cents of an amount such as ``12``, ``12.50``, ``-3.00`` or ``1,250.00``."""
    match = _AMOUNT.fullmatch(text.strip())
    if match is None:
        raise TabError(f"not an amount: {text.strip()!r}")
    sign, whole, part = match.groups()
    cents = int(whole.replace(",", "")) * 100 + int(part or 0)
    return -cents if sign else cents


def format_amount(cents: int) -> str:
    """``-123456`` -> ``-1,234.56``."""
    sign = "-" if cents < 0 else ""
    whole, part = divmod(abs(cents), 100)
    return f"{sign}{whole:,}.{part:02d}"
