"""Colonies that need somebody."""

from __future__ import annotations

from . import inspections
from .colonies import alive
from .storage import Db

# Mites a day above which a colony has to be treated.
MITES = 3.0
DAYS = 14


def alerts(db: Db, today: str) -> list[str]:
    """A line for each thing to be done."""
    lines = []
    for colony in alive(db):
        name = colony["name"]
        seen = [i for i in inspections.of(db, name) if i["date"] <= today]
        counted = [i for i in seen if i["mites"] is not None]
        if counted and counted[-1]["mites"] > MITES:
            lines.append(f"{name}: {counted[-1]['mites']:g} mites a day on {counted[-1]['date']}")
        looked = [i for i in seen if i["queen"] is not None][-2:]
        if len(looked) == 2 and not any(i["queen"] for i in looked):
            lines.append(f"{name}: no queen on {looked[0]['date']} and {looked[1]['date']}")
        if seen and seen[-1]["brood"] == 0:
            lines.append(f"{name}: no brood on {seen[-1]['date']}")
    for name, ago in inspections.overdue(db, today, DAYS):
        lines.append(f"{name}: not looked into for {ago} days")
    return lines
