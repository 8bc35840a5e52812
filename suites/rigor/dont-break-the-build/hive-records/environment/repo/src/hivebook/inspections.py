"""What was seen in the colonies, and when."""

from __future__ import annotations

from datetime import date as Date
from typing import Any

from .colonies import alive
from .errors import HiveError
from .storage import Db, day, find, number


def add(
    db: Db, name: str, date: str, brood: int | None = None, queen: bool | None = None, mites: str = "", note: str = ""
) -> dict[str, Any]:
    """Note an inspection; None and an empty text mean that nobody looked."""
    colony = find(db, name)
    when = day(date)
    if colony["gone"] is not None and when > colony["gone"]:
        raise HiveError(f"{name} has been gone since {colony['gone']}")
    if brood is not None and brood < 0:
        raise HiveError(f"no number: '{brood}'")
    inspection = {
        "colony": name,
        "date": when,
        "brood": brood,
        "queen": queen,
        "mites": float(number(mites)) if mites else None,
        "note": note,
    }
    db["inspections"].append(inspection)
    return inspection


def of(db: Db, name: str) -> list[dict[str, Any]]:
    """The inspections of a colony by date; those of one day in the order in which they were noted."""
    return sorted((i for i in db["inspections"] if i["colony"] == name), key=lambda i: i["date"])


def overdue(db: Db, today: str, days: int) -> list[tuple[str, int]]:
    """Colonies that nobody has looked into for more than so many days, and for how many; the longest first."""
    found = []
    for colony in alive(db):
        last = max((i["date"] for i in of(db, colony["name"])), default=colony["since"])
        ago = (Date.fromisoformat(today) - Date.fromisoformat(last)).days
        if ago > days:
            found.append((colony["name"], ago))
    return sorted(found, key=lambda pair: -pair[1])
