"""Letters: the first line is the title, the rest the text."""

from __future__ import annotations

from pathlib import PurePosixPath

from .context import Context
from .errors import PressError


def read_letter(context: Context, name: str) -> tuple[str, str]:
    """(title, text) of a letter."""
    title, _, text = context.read(name).partition("\n")
    if not title.strip():
        raise PressError(f"{name}: the first line must be the title")
    return title.strip(), text.strip()


def stem(name: str) -> str:
    """The name of a letter without directory and suffix."""
    return PurePosixPath(name).stem
