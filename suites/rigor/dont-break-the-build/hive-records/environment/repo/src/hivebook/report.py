"""Texts about the book."""

from __future__ import annotations

from . import harvests, inspections
from .storage import Db, find


def listing(db: Db) -> str:
    """A line for each colony."""
    lines = []
    for c in db["colonies"]:
        line = f"{c['name']:<16} since {c['since']}"
        if c["breed"]:
            line += f", {c['breed']}"
        if c["gone"] is not None:
            line += f", gone {c['gone']}" + (f" ({c['reason']})" if c["reason"] else "")
        lines.append(line + "\n")
    return "".join(lines)


def show(db: Db, name: str) -> str:
    """All about one colony."""
    colony = find(db, name)
    lines = [f"{name}, since {colony['since']}"]
    for i in inspections.of(db, name):
        seen = []
        if i["brood"] is not None:
            seen.append(f"{i['brood']} frames of brood")
        if i["queen"] is not None:
            seen.append("queen seen" if i["queen"] else "queen not found")
        if i["mites"] is not None:
            seen.append(f"{i['mites']:g} mites a day")
        if i["note"]:
            seen.append(i["note"].replace("\n", " / "))
        lines.append(f"  {i['date']} {', '.join(seen) or 'looked in'}")
    for h in db["harvests"]:
        if h["colony"] == name:
            lines.append(f"  {h['date']} {_kilograms(h['grams'])}" + (f" of {h['kind']}" if h["kind"] else ""))
    if colony["gone"] is not None:
        lines.append(f"  {colony['gone']} gone: {colony['reason'] or 'nobody knows why'}")
    return "\n".join(lines) + "\n"


def year(db: Db, number: int) -> str:
    """What a year gave, by colony and by kind."""
    totals = harvests.totals(db, number)
    lines = [f"{number}: {_kilograms(sum(totals.values()))} from {len(totals)} of {_kept(db, number)} colonies"]
    for name, weight in totals.items():
        lines.append(f"  {name:<16} {_kilograms(weight)}")
    for kind, weight in harvests.kinds(db, number).items():
        lines.append(f"  {kind + ':':<16} {_kilograms(weight)}")
    return "\n".join(lines) + "\n"


def _kept(db: Db, number: int) -> int:
    """How many colonies there were at some time in a year."""
    first, last = f"{number:04d}-01-01", f"{number:04d}-12-31"
    return sum(c["since"] <= last and (c["gone"] is None or c["gone"] >= first) for c in db["colonies"])


def _kilograms(grams: int) -> str:
    return f"{grams / 1000:.3f} kg"
