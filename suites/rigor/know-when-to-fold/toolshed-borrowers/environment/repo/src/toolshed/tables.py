"""Reading and writing CSV files."""

from __future__ import annotations

import csv
import os
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from pathlib import Path
from typing import TypeVar

from .errors import ShedError

T = TypeVar("T")
Row = dict[str, str]


def read(path: Path, columns: Sequence[str], make: Callable[[Row], T]) -> list[T]:
    """What the rows of a file stand for; nothing if it is missing.

    Raises:
        ShedError: the columns are others, or a row cannot be used; the message names file and line.
    """
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        if reader.fieldnames is None or list(reader.fieldnames) != list(columns):
            raise ShedError(f"{path.name}: the columns must be {', '.join(columns)}")
        found = []
        for row in reader:
            try:
                found.append(make(row))
            except (TypeError, ValueError) as error:
                raise ShedError(f"{path.name}:{reader.line_num}: {error}") from None
    return found


def write(path: Path, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Replace a file as a whole."""
    beside = path.with_name(path.name + ".new")
    with beside.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(rows)
    os.replace(beside, path)


def day(text: str) -> date:
    """A day such as 2024-05-02."""
    return date.fromisoformat(text)


def optional_day(text: str) -> date | None:
    return day(text) if text else None


def shown(value: date | None) -> str:
    return "" if value is None else value.isoformat()
