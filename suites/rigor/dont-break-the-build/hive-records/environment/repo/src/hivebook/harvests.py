"""What the colonies gave."""

from __future__ import annotations

from typing import Any

from .errors import HiveError
from .storage import Db, day, find, grams


def add(db: Db, name: str, date: str, kilograms: str, kind: str = "") -> dict[str, Any]:
    colony = find(db, name)
    when = day(date)
    weight = grams(kilograms)
    if weight == 0:
        raise HiveError("a harvest of nothing")
    if when < colony["since"]:
        raise HiveError(f"{name} did not come before {colony['since']}")
    harvest = {"colony": name, "date": when, "grams": weight, "kind": kind}
    db["harvests"].append(harvest)
    return harvest


def totals(db: Db, year: int) -> dict[str, int]:
    """Grams by colony in a year, in the order of the book; colonies without a harvest are left out."""
    found: dict[str, int] = {}
    for colony in db["colonies"]:
        weights = [h["grams"] for h in db["harvests"] if h["colony"] == colony["name"] and h["date"][:4] == str(year)]
        if weights:
            found[colony["name"]] = sum(weights)
    return found


def kinds(db: Db, year: int) -> dict[str, int]:
    """Grams by kind of honey in a year, by name of the kind; what has none comes as 'mixed'."""
    found: dict[str, int] = {}
    for harvest in db["harvests"]:
        if harvest["date"].startswith(f"{year:04d}-"):
            kind = harvest["kind"] or "mixed"
            found[kind] = found.get(kind, 0) + harvest["grams"]
    return dict(sorted(found.items()))
