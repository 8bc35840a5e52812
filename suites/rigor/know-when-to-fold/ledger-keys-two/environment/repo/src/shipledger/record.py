"""A record of the ledger, and its text on disk."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass, fields

from .errors import LedgerError

_VERSION = re.compile(r"\d+\.\d+\.\d+")
_IMAGE = re.compile(r"sha256:[0-9a-f]{64}")
_RELEASED = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")


@dataclass(frozen=True)
class Record:
    """One release; the fields are in the order in which they are written."""

    id: int
    service: str
    version: str
    image: str
    released: str
    by: str
    key: str = ""
    seal: str = ""

    def __post_init__(self) -> None:
        for name, pattern in (("version", _VERSION), ("image", _IMAGE), ("released", _RELEASED)):
            value = getattr(self, name)
            if not isinstance(value, str) or not pattern.fullmatch(value):
                raise LedgerError(f"record {self.id}: {name} {value!r} is not in the form of docs/format.md")

    @property
    def year(self) -> str:
        return self.released[:4]

    def line(self) -> str:
        """The record as it stands in a segment, without the end of the line."""
        return _text(asdict(self))

    def sealed_text(self) -> str:
        """What the seal is made of: the line without ``key`` and ``seal``."""
        return _text({name: value for name, value in asdict(self).items() if name not in ("key", "seal")})


def read_line(line: str) -> Record:
    """The record of a line.

    Raises:
        LedgerError: it is none.
    """
    try:
        document = json.loads(line)
    except ValueError as error:
        raise LedgerError(f"no JSON: {error}") from None
    names = [field.name for field in fields(Record)]
    if not isinstance(document, dict) or list(document) != names:
        raise LedgerError(f"a record has the keys {', '.join(names)}")
    return Record(**document)


def _text(document: dict[str, object]) -> str:
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"))
