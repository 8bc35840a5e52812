"""Labels: what is printed on a parcel."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from pathlib import Path

from .code import PARTS, encode
from .errors import CodeError
from .parcel import RANGES, Parcel


def label(parcel: Parcel) -> str:
    """The code with its parts set apart."""
    code, parts = encode(parcel), []
    for _, width in PARTS:
        parts.append(code[:width])
        code = code[width:]
    return "-".join([*parts, code])


def read_parcels(path: Path) -> Iterator[Parcel]:
    """The parcels of a CSV file with a column for each of their numbers."""
    with path.open(newline="", encoding="utf-8") as file:
        for number, row in enumerate(csv.DictReader(file), 2):
            try:
                yield Parcel(**{name: int(row[name]) for name in RANGES})
            except KeyError as error:
                raise CodeError(f"{path}: no column {error}") from None
            except (TypeError, ValueError) as error:
                raise CodeError(f"{path}: line {number}: {error}") from None


def sheet(parcels: Iterable[Parcel]) -> str:
    """One label per line, with the locker in front."""
    return "\n".join(f"{parcel.locker:>3}  {label(parcel)}" for parcel in parcels)
