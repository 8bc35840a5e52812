"""Reads the records of a spool."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from .decoder import Decoder
from .errors import SpoolError
from .keys import KeyTable
from .segments import MAGIC, segments


def read_segment(path: Path) -> Iterator[dict[str, str]]:
    """The records of one segment.

    Raises:
        SpoolError: it is damaged; records before the damage have been given then.
    """
    data = path.read_bytes()
    if not data.startswith(MAGIC):
        raise SpoolError(f"{path.name}: not a segment")
    try:
        yield from Decoder(KeyTable()).decode(data, len(MAGIC))
    except SpoolError as error:
        raise SpoolError(f"{path.name}: {error}") from None


def read_spool(spool: Path) -> Iterator[dict[str, str]]:
    """The records of all segments, the oldest first."""
    for path in segments(spool):
        yield from read_segment(path)
