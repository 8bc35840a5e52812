"""Reads and writes the book; see docs/format.md."""

from __future__ import annotations

import re
from datetime import date
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from .errors import HiveError

HEADER = "hivebook 1"
_ESCAPES = {"\\": "\\\\", "|": "\\p", "\n": "\\n", "\r": "\\r"}
_PLAIN = {escape: char for char, escape in _ESCAPES.items()}

Db = dict[str, list[dict[str, Any]]]


def load(path: Path) -> Db:
    """The book in that file; an empty one if there is none."""
    db: Db = {"colonies": [], "inspections": [], "harvests": []}
    if not path.exists():
        return db
    try:
        lines = path.read_bytes().decode("utf-8").split("\n")
    except UnicodeDecodeError:
        raise HiveError(f"{path.name}: no book") from None
    if lines[0].rstrip("\r") != HEADER:
        raise HiveError(f"{path.name}: no book")
    for number, line in enumerate(lines[1:], 2):
        line = line.rstrip("\r")
        if not line or line.startswith("#"):
            continue
        try:
            _entry(db, [_unescape(field) for field in line.split("|")])
        except HiveError as error:
            raise HiveError(f"{path.name}: line {number}: {error}") from None
    return db


def save(db: Db, path: Path) -> None:
    """Write the book anew."""
    lines = [HEADER]
    for c in db["colonies"]:
        lines.append(_line("C", c["name"], c["since"], c["breed"]))
        if c["gone"] is not None:
            lines.append(_line("X", c["name"], c["gone"], c["reason"]))
    for i in db["inspections"]:
        brood = "" if i["brood"] is None else f"b{i['brood']}"
        queen = {None: "", True: "q+", False: "q-"}[i["queen"]]
        mites = "" if i["mites"] is None else f"v{_comma(i['mites'])}"
        lines.append(_line("I", i["colony"], i["date"], brood, queen, mites, i["note"]))
    for h in db["harvests"]:
        lines.append(_line("H", h["colony"], h["date"], _comma(Decimal(h["grams"]) / 1000), h["kind"]))
    path.write_bytes("".join(line + "\n" for line in lines).encode("utf-8"))


def find(db: Db, name: str) -> dict[str, Any]:
    """The colony of that name."""
    for colony in db["colonies"]:
        if colony["name"] == name:
            return colony
    raise HiveError(f"no colony {name!r}")


def day(text: str) -> str:
    """A date as it is kept, from either way to write it."""
    old = re.fullmatch(r"(\d\d)\.(\d\d)\.(\d{4})", text)
    try:
        return date.fromisoformat(f"{old[3]}-{old[2]}-{old[1]}" if old else text).isoformat()
    except ValueError:
        raise HiveError(f"no date: {text!r}") from None


def number(text: str) -> Decimal:
    """A number with a decimal comma or point, not below zero."""
    try:
        value = Decimal(text.replace(",", "."))
    except InvalidOperation:
        raise HiveError(f"no number: {text!r}") from None
    if not value.is_finite() or value < 0:
        raise HiveError(f"no number: {text!r}")
    return value


def grams(text: str) -> int:
    """Whole grams from kilograms."""
    value = number(text) * 1000
    if value != int(value):
        raise HiveError(f"less than a gram: {text!r}")
    return int(value)


def _entry(db: Db, fields: list[str]) -> None:
    kind, name, *rest = [*fields, *[""] * (7 - len(fields))]
    if kind == "C":
        if any(c["name"] == name for c in db["colonies"]):
            raise HiveError(f"there is a colony {name!r} already")
        db["colonies"].append({"name": name, "since": day(rest[0]), "breed": rest[1], "gone": None, "reason": ""})
        return
    colony = find(db, name)
    if kind == "X":
        colony["gone"], colony["reason"] = day(rest[0]), rest[1]
    elif kind == "R":
        if any(c["name"] == rest[0] for c in db["colonies"]):
            raise HiveError(f"there is a colony {rest[0]!r} already")
        colony["name"] = rest[0]
        for entry in (*db["inspections"], *db["harvests"]):
            if entry["colony"] == name:
                entry["colony"] = rest[0]
    elif kind == "I":
        db["inspections"].append(
            {
                "colony": name,
                "date": day(rest[0]),
                "brood": int(number(_after("b", rest[1]))) if rest[1] else None,
                "queen": {"": None, "q+": True, "q-": False}.get(rest[2]),
                "mites": float(number(_after("v", rest[3]))) if rest[3] else None,
                "note": rest[4],
            }
        )
    elif kind == "H":
        db["harvests"].append({"colony": name, "date": day(rest[0]), "grams": grams(rest[1]), "kind": rest[2]})
    else:
        raise HiveError(f"no such entry: {kind!r}")


def _after(sign: str, text: str) -> str:
    if not text.startswith(sign):
        raise HiveError(f"expected {sign!r}: {text!r}")
    return text[1:]


def _comma(value: float | Decimal) -> str:
    return f"{Decimal(str(value)).normalize():f}".replace(".", ",")


def _line(*fields: str) -> str:
    kept = list(fields)
    while not kept[-1]:
        kept.pop()
    return "|".join("".join(_ESCAPES.get(char, char) for char in field) for field in kept)


def _unescape(text: str) -> str:
    return re.sub(r"\\[\\pnr]", lambda match: _PLAIN[match[0]], text)
