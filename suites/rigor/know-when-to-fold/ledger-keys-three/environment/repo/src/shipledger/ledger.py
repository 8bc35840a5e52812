"""The ledger as a whole."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from .errors import LedgerError, UnknownKey
from .keyring import Keyring
from .record import Record
from .seal import is_right, seal
from .segments import read_segment, segment_files, write_segment


@dataclass(frozen=True)
class Finding:
    """A record that cannot be confirmed, and why."""

    record: Record
    why: str


class Ledger:
    """The records in a directory, and the keys of their seals."""

    def __init__(self, directory: Path, keyring: Keyring) -> None:
        if not directory.is_dir():
            raise LedgerError(f"{directory}: no such directory")
        self.directory, self.keyring = directory, keyring

    def records(self) -> list[Record]:
        """All records, in order of the id."""
        found = [record for path in segment_files(self.directory) for record in read_segment(path)]
        return sorted(found, key=lambda record: record.id)

    def append(self, service: str, version: str, image: str, released: str, by: str) -> Record:
        """Write a new record behind all others, sealed with the newest key."""
        number = max((record.id for record in self.records()), default=0) + 1
        record = seal(Record(number, service, version, image, released, by), self.keyring.newest)
        path = self.directory / f"{record.year}.jsonl"
        write_segment(path, [*(read_segment(path) if path.exists() else []), record])
        return record

    def verify(self) -> list[Finding]:
        """The records that cannot be confirmed, in order of the id."""
        found = []
        for record in self.records():
            try:
                if not is_right(record, self.keyring):
                    found.append(Finding(record, "the seal is not right"))
            except UnknownKey as error:
                found.append(Finding(record, str(error)))
        return found
