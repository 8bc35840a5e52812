"""Cuts a file into statements, of which some go over several lines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from .errors import Place


@dataclass(frozen=True)
class Statement:
    """The text of one statement, with its line breaks, and where it begins."""

    place: Place
    text: str


def statements(file: str, text: str) -> Iterator[Statement]:
    """The statements of a file; blank lines and lines with nothing but a comment between them are left out."""
    pending: list[str] = []
    depth, start = 0, 0
    for number, line in enumerate(text.splitlines(), 1):
        if not pending:
            if not line.strip() or line.lstrip().startswith("#"):
                continue
            start = number
        pending.append(line)
        depth += line.count("[") + line.count("{") - line.count("]") - line.count("}")
        if depth <= 0:
            yield Statement(Place(file, start), "\n".join(pending))
            pending, depth = [], 0
