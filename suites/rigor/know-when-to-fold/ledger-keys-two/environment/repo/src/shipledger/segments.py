"""The files of a ledger: one segment for each year."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from .errors import LedgerError
from .record import Record, read_line


def segment_files(directory: Path) -> list[Path]:
    """The segments of a ledger, in order of the years."""
    return sorted(directory.glob("*.jsonl"))


def read_segment(path: Path) -> list[Record]:
    """The records of a segment.

    Raises:
        LedgerError: a line is no record; the message names file and line.
    """
    records = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            records.append(read_line(line))
        except LedgerError as error:
            raise LedgerError(f"{path.name}:{number}: {error}") from None
    return records


def write_segment(path: Path, records: Iterable[Record]) -> None:
    """Replace a segment as a whole."""
    beside = path.with_name(path.name + ".tmp")
    with beside.open("w", encoding="utf-8", newline="\n") as out:
        for record in records:
            out.write(record.line() + "\n")
    os.replace(beside, path)
