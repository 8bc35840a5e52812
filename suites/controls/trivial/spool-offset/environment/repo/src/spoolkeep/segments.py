"""The segments of a spool."""

from __future__ import annotations

from pathlib import Path

MAGIC = b"SPK1\n"
SUFFIX = ".seg"


def segments(spool: Path) -> list[Path]:
    """All segments, the oldest first."""
    return sorted(path for path in spool.glob(f"*{SUFFIX}") if path.stem.isdecimal())


def path_of(spool: Path, number: int) -> Path:
    return spool / f"{number:08d}{SUFFIX}"


def last_number(spool: Path) -> int:
    """The number of the newest segment, 0 if there is none."""
    found = segments(spool)
    return int(found[-1].stem) if found else 0
