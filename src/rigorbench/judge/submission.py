"""A submission: the files that are judged, unpacked where nothing of them can do harm."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from msgspec import Struct


class SubmissionError(ValueError):
    """What was submitted cannot be taken: too large, a bad archive, an unknown revision. One line for its author."""


class Submission(Struct, frozen=True):
    """``root``: the directory of its files (regular files and directories only; symbolic links are kept out or refused
    where they lead outside). ``language``: a name of the language table, or "cmake", "make", "header", "auto".
    ``digest``: SHA-256 over names, modes and contents. ``revision``: the commit it was taken from. ``history``: a bare
    git repository that was made from what was submitted, for the review (None: there is none)."""

    root: Path
    language: str
    digest: str
    kind: Literal["file", "tree", "revision"] = "tree"
    revision: str | None = None
    history: Path | None = None


def from_path(path: Path, place: Path, *, language: str | None = None, limit: int = 1 << 20) -> Submission:
    """A file or directory of the host, copied to ``place``. Raises: SubmissionError."""
    raise NotImplementedError


def from_bytes(name: str, data: bytes, place: Path, *, language: str, limit: int = 1 << 20) -> Submission:
    """One source file. Raises: SubmissionError."""
    raise NotImplementedError


def from_tar(data: bytes, place: Path, *, language: str, limit: int = 1 << 20) -> Submission:
    """A tar archive, plain or compressed. Raises: SubmissionError."""
    raise NotImplementedError


def from_git(repository: Path, revision: str, place: Path, *, language: str, limit: int = 1 << 20) -> Submission:
    """A revision of a bare repository (or a bundle file) that its author controls: read inside a sandbox, no hook, no
    configuration, no submodule and no filter of it takes effect. Raises: SubmissionError, JudgeError."""
    raise NotImplementedError
