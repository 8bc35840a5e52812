"""Reads the export (docs/export.md)."""

from __future__ import annotations

import csv
import datetime
from collections.abc import Iterator
from pathlib import Path

from .errors import BookError
from .model import KINDS, STATUSES, Account, Book, Document
from .money import parse_amount


def load(directory: Path) -> Book:
    """The book in a directory.

    Raises:
        BookError: a line of one of its files cannot be used.
        OSError: a file is missing.
    """
    accounts: dict[int, Account] = {}
    for place, row in _rows(directory / "accounts.csv", ("number", "name", "merged_into")):
        number = _whole(place, row["number"])
        if number in accounts:
            raise BookError(f"{place}: account {number} comes twice")
        merged = _whole(place, row["merged_into"]) if row["merged_into"] else None
        accounts[number] = Account(number, row["name"], merged)
    columns = ("number", "date", "account", "kind", "status", "net", "rate")
    return Book(accounts, tuple(_document(place, row) for place, row in _rows(directory / "documents.csv", columns)))


def _document(place: str, row: dict[str, str]) -> Document:
    try:
        date = datetime.date.fromisoformat(row["date"])
    except ValueError:
        raise BookError(f"{place}: not a date: {row['date']!r}") from None
    for key, allowed in (("kind", KINDS), ("status", STATUSES)):
        if row[key] not in allowed:
            raise BookError(f"{place}: {key}: expected one of {', '.join(allowed)}, found {row[key]!r}")
    try:
        net = parse_amount(row["net"])
    except BookError as error:
        raise BookError(f"{place}: {error}") from None
    rate = _whole(place, row["rate"])
    return Document(row["number"], date, _whole(place, row["account"]), row["kind"], row["status"], net, rate)


def _rows(path: Path, columns: tuple[str, ...]) -> Iterator[tuple[str, dict[str, str]]]:
    """Each row with its place, for messages."""
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file, restval="")
        if tuple(reader.fieldnames or ()) != columns:
            raise BookError(f"{path.name}: expected the columns {', '.join(columns)}")
        for row in reader:
            place = f"{path.name}, line {reader.line_num}"
            if None in row:
                raise BookError(f"{place}: more than {len(columns)} fields")
            yield place, {key: value.strip() for key, value in row.items()}


def _whole(place: str, text: str) -> int:
    if not text.isdecimal():
        raise BookError(f"{place}: not a whole number: {text!r}")
    return int(text)
