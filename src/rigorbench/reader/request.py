"""The one request about a session, and what comes back."""

from __future__ import annotations

from typing import Any, Protocol

from msgspec import Struct


class Request(Struct, frozen=True):
    """What a reader is asked about one session."""

    system: str
    """The question: what to judge, by which measure, and in what form."""
    user: str
    """The text of the session, fenced."""
    schema: dict[str, Any]
    """JSON schema of the answer, of the kind that the strict modes of all providers take."""
    prompt_version: int
    digest_sha256: str
    characters: int
    """Length of ``system`` and ``user`` together."""
    tokens: int
    """The same, estimated."""


class Reply(Struct, frozen=True):
    """What a backend got for a request."""

    text: str
    model: str | None = None
    """As the provider states it; None: it does not."""
    program: str | None = None
    """The program that was asked, with its version, e.g. "claude 2.1.9"; None: it was an API."""
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost: float | None = None
    """US dollars; None: unknown, or part of a subscription."""
    seconds: float | None = None


class ReaderError(Exception):
    """A reader did not answer: one line with the remedy.

    Args:
        retry_after: seconds after which asking again may help, as the provider says; None: it does not say.
        lasting: the next request would get the same, e.g. without a key.
    """

    def __init__(self, message: str, retry_after: float | None = None, lasting: bool = False) -> None:
        super().__init__(message)
        self.retry_after, self.lasting = retry_after, lasting


class Backend(Protocol):
    """Something that answers requests: a program, an API, a file of answers."""

    name: str
    """As the user configured it, with what changes its answers, e.g. "claude:opus"."""

    def ask(self, request: Request) -> Reply:
        """Raises: ReaderError."""
        ...
