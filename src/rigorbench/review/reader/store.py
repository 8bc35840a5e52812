"""The answers that were given and paid for: a directory with a file of JSON lines for each digest.

A record keeps the reply as it came; what it is worth is found out each time it is read. So a store that somebody
tampered with is no more than another untrusted reader.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

from msgspec import Struct

from ...base.cache import cache_directory
from ...base.jsonl import Lines
from .reading import Answer
from .request import AnswerError, Reply, parse

_SHA256 = re.compile(r"[0-9a-f]{64}")


class Stored(Struct, omit_defaults=True):
    """One answer."""

    digest: str
    """SHA-256 of the text that was read, with the further points if there were some."""
    prompt: int
    """Version of the request."""
    reader: str
    """Name of the reader as it was configured, with what changes its answers."""
    reply: Reply


class ReaderCheck(Struct):
    """What ``rigor reader check`` found of a reader, in one line."""

    reader: str
    prompt: int
    line: str


class AnswerStore:
    """A directory of answers (None: the user's), which the first write creates; several processes may use it at once.

    Lines that cannot be read do not count; ``damaged`` has a message for each.
    """

    def __init__(self, directory: str | os.PathLike[str] | None = None) -> None:
        self.directory = Path(cache_directory().with_name("readings") if directory is None else directory)
        self.damaged: list[str] = []

    def answers(
        self, digest: str, prompt: int, reader: str, parsed: Callable[[str], Answer] = parse
    ) -> list[tuple[Reply, Answer]]:
        """The usable answers of one reader to one request, in the order in which they were stored."""
        lines = Lines(self._file(digest), Stored)
        usable = []
        for record in lines.records():
            if (record.digest, record.prompt, record.reader) == (digest, prompt, reader):
                try:
                    usable.append((record.reply, parsed(record.reply.text)))
                except AnswerError as error:
                    self.damaged.append(f"{lines.path}: an answer of {reader} is not counted: {error}")
        self.damaged += lines.damaged
        return usable

    def readers(self, digest: str, prompt: int) -> list[str]:
        """Those of whom an answer is stored, usable or not."""
        records = Lines(self._file(digest), Stored).records()
        return list(dict.fromkeys(r.reader for r in records if (r.digest, r.prompt) == (digest, prompt)))

    def add(self, digest: str, prompt: int, reader: str, reply: Reply) -> None:
        """Raises: OSError when it cannot be written."""
        Lines(self._file(digest), Stored).append(Stored(digest, prompt, reader, reply))

    @contextlib.contextmanager
    def asking(self, digest: str) -> Iterator[None]:
        """Held while a reader is asked, so that no other process asks for the same. Raises: OSError."""
        directory = self._file(digest).parent
        directory.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            # Not every file system has locks; two processes may then pay twice.
            with contextlib.suppress(OSError):
                fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield
        finally:
            os.close(descriptor)

    def check_of(self, reader: str, prompt: int) -> str | None:
        """What the latest check of a reader found, in one line; None: it was not checked with this request."""
        lines = Lines(self.directory / "checks.jsonl", ReaderCheck)
        return next((c.line for c in reversed(lines.records()) if (c.reader, c.prompt) == (reader, prompt)), None)

    def add_check(self, reader: str, prompt: int, line: str) -> None:
        """Raises: OSError when it cannot be written."""
        Lines(self.directory / "checks.jsonl", ReaderCheck).append(ReaderCheck(reader, prompt, line))

    def _file(self, digest: str) -> Path:
        if _SHA256.fullmatch(digest) is None:
            raise ValueError(f"not the SHA-256 of a digest: {digest[:80]!r}")
        # One directory holds at most a few thousand files of a corpus of a million sessions.
        return self.directory / digest[:2] / f"{digest}.jsonl"
