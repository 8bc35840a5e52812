"""What is judged: the files of one submission."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from msgspec import Struct


class Submission(Struct, frozen=True):
    """``root``: the directory of its files: regular files and directories only (a symbolic link to a file of its own is
    a copy of that; others are refused). ``language``: a name of the language table, or "cmake", "make", "header",
    "auto". ``digest``: SHA-256 over names, modes and contents. ``revision``: the commit it was taken from. ``history``:
    a bare git repository that was made from what was submitted, for the review (None: there is none). ``notes``: what
    was left out of it, one line each.
    """

    root: Path
    language: str
    digest: str
    kind: Literal["file", "tree", "revision"] = "tree"
    revision: str | None = None
    history: Path | None = None
    notes: tuple[str, ...] = ()
