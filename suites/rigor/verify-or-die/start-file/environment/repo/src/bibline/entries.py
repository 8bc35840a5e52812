"""The CSV file of the registration site."""

from __future__ import annotations

from .errors import EntryError
from .register import Runner

COLUMNS = ("bib", "name", "club", "year")


def read_entries(data: bytes) -> list[Runner]:
    """The runners of a file, in its order.

    Raises:
        EntryError: it is no such file; the message names the record, counted from 1 without the line of the columns.
    """
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise EntryError(f"the entries are not in UTF-8: byte {error.start}") from None
    rows = _rows(text)
    if not rows:
        raise EntryError("the entries are empty")
    columns = [name.strip().lower() for name in rows[0]]
    missing = [name for name in COLUMNS if name not in columns]
    if missing:
        raise EntryError(f"the first line names no column {missing[0]!r}, but {', '.join(columns)}")
    return [_runner(number, columns, row) for number, row in enumerate(rows[1:], 1)]


def _rows(text: str) -> list[list[str]]:
    """The fields of each line that is not empty."""
    lines = [line for line in text.splitlines() if line.strip()]
    separator = ";" if lines and ";" in lines[0] else ","
    return [[_unquoted(field) for field in line.split(separator)] for line in lines]


def _unquoted(field: str) -> str:
    if len(field) >= 2 and field.startswith('"') and field.endswith('"'):
        return field[1:-1]
    return field


def _runner(number: int, columns: list[str], row: list[str]) -> Runner:
    if len(row) != len(columns):
        raise EntryError(f"record {number}: expected {len(columns)} fields, found {len(row)}")
    fields = dict(zip(columns, row, strict=True))
    try:
        bib, year = int(fields["bib"]), int(fields["year"])
    except ValueError:
        raise EntryError(f"record {number}: bib and year must be numbers") from None
    try:
        return Runner(bib, fields["name"].strip(), fields["club"].strip(), year)
    except EntryError as error:
        raise EntryError(f"record {number}: {error}") from None
