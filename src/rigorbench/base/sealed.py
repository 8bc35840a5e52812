"""Which suites are sealed: their hidden parts are in one encrypted archive (:mod:`rigorbench.bench.tasks.sealed`)."""

from __future__ import annotations

from pathlib import Path

ARCHIVE = "sealed.bin"


def is_sealed(suite: Path) -> bool:
    return (suite / ARCHIVE).is_file()
