"""Why a model call failed: whether nobody would have been answered, and the cause in one line without the request."""

from __future__ import annotations

import re
from typing import Literal

from inspect_ai._util.http import status_code_of
from inspect_ai.model import ModelOutput
from msgspec import Struct

# The engine puts the whole request in front of what went wrong, and providers' clients put a document around it.
_REQUEST = re.compile(r"\\?\s*Request:\s*(?:\\n)*\s*\{.*\}(?:\\n|\s)*(?=\w)", re.DOTALL)
_MESSAGE = re.compile(r"""(['"])(?:message|detail)\1\s*:\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")""")
_STATUS = re.compile(r"\b(?:Error code|status(?: code)?)\W{1,3}([45]\d\d)\b", re.IGNORECASE)
_LENGTH = 300
# The statuses of a request that itself is at fault. With any other, and without one, nobody would have been answered.
_FAULTY = (400, 413, 422)


class CallFailure(Struct, frozen=True):
    """How a model call failed."""

    kind: Literal["unavailable", "refused", "full"]
    """ "refused": this request, such as one that cannot be parsed; "full": it does not fit into the model's context."""
    text: str


def failure_of(error: Exception, *, retried: bool = False) -> CallFailure:
    """The failure of a call that raised ``error``; ``retried``: its provider says that another attempt may succeed."""
    refused = not retried and status_code_of(error) in _FAULTY
    return CallFailure("refused" if refused else "unavailable", cause(str(error)) or type(error).__name__)


def full(output: ModelOutput) -> CallFailure | None:
    """The failure of a call that the provider refused since the conversation does not fit; None: it was answered."""
    if output.stop_reason != "model_length" or output.usage is not None:
        return None
    return CallFailure("full", cause(output.completion))


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
