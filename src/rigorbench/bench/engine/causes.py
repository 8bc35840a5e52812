"""The cause of an error in one line: what the provider answered, not the request that it was sent."""

from __future__ import annotations

import re

# The engine puts the whole request in front of what went wrong, and providers' clients put a document around it.
_REQUEST = re.compile(r"\\?\s*Request:\s*(?:\\n)*\s*\{.*\}(?:\\n|\s)*(?=\w)", re.DOTALL)
_MESSAGE = re.compile(r"""(['"])(?:message|detail)\1\s*:\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")""")
_STATUS = re.compile(r"\b(?:Error code|status(?: code)?)\W{1,3}([45]\d\d)\b", re.IGNORECASE)
_LENGTH = 300


def cause_of(error: BaseException) -> str:
    """Type and message of an error, or of the provider's error that it stands for."""
    answered = getattr(error, "provider_message", None)
    if isinstance(answered, str) and answered.strip():
        error, text = error.__cause__ or error, answered
    else:
        text = str(error)
    said = cause(text)
    return f"{type(error).__name__}: {said}" if said else type(error).__name__


def cause(text: str) -> str:
    """The message of an error without requests and documents, in one line of at most 300 characters."""
    text = _REQUEST.sub("", text)
    message = _MESSAGE.search(text)
    if message is not None:
        status = _STATUS.search(text)
        text = (f"{status[1]}: " if status else "") + (message[2] or message[3] or "")
    return " ".join(text.split())[:_LENGTH]
