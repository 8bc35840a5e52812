"""Who brought a run to its end.

What an agent brings about counts as its result and is named: a limit that it exceeded, a program that crashed, a bridge
or a sandbox that it killed. What the provider of the model or this machine brings about says nothing of the agent: the
run is an error, is repeated and never counts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from inspect_ai.util._sandbox.environment import SandboxUnavailableError
from msgspec import Struct

from ...sandbox.errors import SandboxError
from .causes import cause, cause_of

Ending = Literal["completed", "limit", "crashed", "error", "interrupted"]

# What a provider, or the way to it, answers when it does not serve anybody.
_REFUSED = re.compile(
    r"\b(?:401|402|403|408|409|429|5\d\d)\b|rate.?limit|overloaded|quota|credit|api.?key|authenticat|permission|"
    r"time.?d?.?out|connect|network|unavailable|internal server error",
    re.IGNORECASE,
)
_CONTEXT = re.compile(r"context|too long|too many tokens|maximum.{0,40}tokens", re.IGNORECASE)


class Ended(Struct, frozen=True):
    """The end of a run.

    Attributes:
        status: "completed": the agent itself stopped. "crashed": it did not, by its own doing. "error": not its doing.
        limit: that ended the run.
        why: in one line; None: the agent itself stopped.
    """

    status: Ending
    limit: str | None = None
    why: str | None = None


class Evidence(Struct, frozen=True):
    """What is known when a run has ended.

    Attributes:
        answers: completed model calls; None: the calls of this agent are not recorded.
        last_failure: the error of the last model call; None: it was answered.
        gone: why the sandbox has ended; None: it is up.
        limits: kinds of the limits of the sandbox that were exceeded.
    """

    answers: int | None = None
    last_failure: str | None = None
    gone: str | None = None
    limits: Sequence[str] = ()


def settle(error: BaseException | None, limit: str | None, evidence: Evidence) -> Ended:
    """The end of a run that raised ``error``, or exceeded ``limit`` of the engine's, or did neither."""
    what = cause_of(error) if error is not None else None
    failure = cause(evidence.last_failure) if evidence.last_failure is not None else None
    if evidence.answers == 0:
        reason = failure or what or (f"the limit {limit}" if limit else "its agent ended")
        return Ended("error", limit, f"no model call was completed: {reason}")
    if limit is not None:
        return Ended("limit", limit)
    # Only these end the sandbox, or kill the largest process in it, which may be the agent's own.
    for kind in ("disk", "recording", "memory"):
        if kind in evidence.limits and (evidence.gone is not None or error is not None):
            return Ended("limit", kind, evidence.gone or what)
    if failure is not None and not _CONTEXT.search(failure) and _REFUSED.search(failure):
        return Ended("error", None, f"the model did not answer to the end: {failure}")
    if evidence.gone is not None:
        return Ended("crashed", None, f"its sandbox ended: {evidence.gone}")
    if failure is not None:
        return Ended("crashed", None, f"its last model call was refused: {failure}")
    if error is None:
        return Ended("completed")
    if isinstance(error, RuntimeError | SandboxError | SandboxUnavailableError):
        return Ended("crashed", None, what)
    return Ended("error", None, what)
