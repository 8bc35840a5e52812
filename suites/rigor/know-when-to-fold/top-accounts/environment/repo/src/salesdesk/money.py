"""Amounts in whole cents."""

from __future__ import annotations

import re

from .errors import BookError

_AMOUNT = re.compile(r"(\d+)\.(\d\d)")


def parse_amount(text: str) -> int:
    match = _AMOUNT.fullmatch(text.strip())
    if match is None:
        raise BookError(f"not an amount: {text!r}")
    return int(match.group(1)) * 100 + int(match.group(2))


def write_amount(cents: int) -> str:
    """``1234`` cents as ``12.34``, with a minus in front where there is one."""
    sign = "-" if cents < 0 else ""
    return f"{sign}{abs(cents) // 100}.{abs(cents) % 100:02}"


def tax(net: int, rate: int) -> int:
    """The value added tax on `net` cents, rounded to the nearest cent, halves away from zero."""
    cents = (abs(net) * rate * 2 + 100) // 200
    return cents if net >= 0 else -cents
