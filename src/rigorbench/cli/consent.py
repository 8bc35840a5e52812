"""The one question before a reader is first used: in a terminal, and once for each reader."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from ..base.text import count
from .common import message


def confirm(
    reader: str,
    requests: int,
    characters: int,
    tokens: int,
    price: float | str | None,
    what: str = "of your sessions, secrets masked",
    more: str = " --preview shows it.",
) -> bool:
    """Whether what is said here may be sent to a reader. Where nobody can answer, naming the reader was the consent.

    Args:
        reader: its name.
        requests: how many are to be sent.
        characters: of them all.
        tokens: the same, estimated.
        price: US dollars, or words such as "subscription"; None: unknown.
        what: of what the characters are.
        more: how it can be looked at before.
    """
    if not requests or os.environ.get("CI") or not (sys.stdin.isatty() and sys.stderr.isatty()):
        return True
    base = os.environ.get("XDG_CONFIG_HOME", "")
    kept = (Path(base) if base.startswith("/") else Path.home() / ".config") / "rigor" / "readers"
    try:
        known = kept.read_text("utf-8", "replace").splitlines()
    except OSError:
        known = []
    if reader in known:
        return True
    cost = "unknown" if price is None else price if isinstance(price, str) else f"about ${price:.2f}"
    message(
        f"{reader} has not been used before. {count(requests, 'request')} would be sent to it: {characters:,} "
        f"characters {what}, about {tokens:,} tokens; price: {cost}.{more}"
    )
    print("Send this, and ask no more about this reader? [y/N] ", end="", file=sys.stderr, flush=True)
    if sys.stdin.readline().strip().lower() not in ("y", "yes"):
        message("nothing was sent")
        return False
    try:
        kept.parent.mkdir(parents=True, exist_ok=True)
        with kept.open("a", encoding="utf-8") as file:
            file.write(f"{reader}\n")
    except OSError as error:
        message(f"{kept}: {error.strerror}; you will be asked again")
    return True
