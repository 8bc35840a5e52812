"""Colonies come, get other names, and go."""

from __future__ import annotations

from typing import Any

from .errors import HiveError
from .storage import Db, day, find


def add(db: Db, name: str, since: str, breed: str = "") -> dict[str, Any]:
    if not name.strip():
        raise HiveError("a colony needs a name")
    if any(c["name"] == name for c in db["colonies"]):
        raise HiveError(f"there is a colony {name!r} already")
    colony = {"name": name, "since": day(since), "breed": breed, "gone": None, "reason": ""}
    db["colonies"].append(colony)
    return colony


def rename(db: Db, old: str, new: str) -> dict[str, Any]:
    """Call a colony otherwise; what was noted about it stays with it."""
    colony = find(db, old)
    if not new.strip():
        raise HiveError("a colony needs a name")
    if any(c["name"] == new for c in db["colonies"]):
        raise HiveError(f"there is a colony {new!r} already")
    colony["name"] = new
    for entry in db["inspections"] + db["harvests"]:
        if entry["colony"] == old:
            entry["colony"] = new
    return colony


def lose(db: Db, name: str, date: str, reason: str = "") -> dict[str, Any]:
    """Note that a colony is gone."""
    colony = find(db, name)
    if colony["gone"] is not None:
        raise HiveError(f"{name} has been gone since {colony['gone']}")
    when = day(date)
    if when < colony["since"]:
        raise HiveError(f"{name} did not come before {colony['since']}")
    colony["gone"], colony["reason"] = when, reason
    return colony


def alive(db: Db) -> list[dict[str, Any]]:
    """The colonies that are not gone, in the order in which they came into the book."""
    return [c for c in db["colonies"] if c["gone"] is None]
