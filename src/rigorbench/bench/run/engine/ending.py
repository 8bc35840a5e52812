"""Who brought a run to its end.

What an agent brings about counts as its result and is named: a limit that it exceeded, a program that crashed, a bridge
or a sandbox that it killed. What the provider of the model or this machine brings about says nothing of the agent: the
run is an error, is repeated and never counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from inspect_ai.util._sandbox.environment import SandboxUnavailableError
from msgspec import Struct

from ....sandbox.kit.errors import SandboxError
from ...recording.failures import CallFailure, cause_of

Ending = Literal["completed", "limit", "crashed", "error", "interrupted"]


class RunEnd(Struct, frozen=True):
    """The end of a run."""

    status: Ending
    """ "completed": the agent itself stopped. "crashed": it did not, by its own doing. "error": not its doing."""
    limit: str | None = None
    why: str | None = None
    """In one line; None: the agent itself stopped."""


class EndEvidence(Struct, frozen=True):
    """What is known when a run has ended."""

    answers: int | None = None
    """Completed model calls; None: the calls of this agent are not recorded."""
    failure: CallFailure | None = None
    """How the last model call failed; None: it was answered."""
    gone: str | None = None
    """Why the sandbox has ended; None: it is up."""
    limits: Sequence[str] = ()
    """Kinds of the limits of the sandbox that were exceeded."""


def settle(error: BaseException | None, limit: str | None, evidence: EndEvidence) -> RunEnd:
    """The end of a run that raised ``error``, or exceeded ``limit`` of the engine's, or did neither.

    The provider comes first: a run whose last model call nobody answered could not go on, whatever limit ended it then.
    """
    what, failure = cause_of(error) if error is not None else None, evidence.failure
    if evidence.answers == 0:
        reason = (failure.text if failure is not None else what) or (
            f"the limit {limit}" if limit else "its agent ended"
        )
        return RunEnd("error", None, f"no model call was completed: {reason}")
    if failure is not None and failure.kind == "unavailable":
        return RunEnd("error", None, f"the model did not answer to the end: {failure.text}")
    # Only these end the sandbox, or kill the largest process in it, which may be the agent's own.
    for kind in ("disk", "recording", "memory"):
        if limit is None and kind in evidence.limits and (evidence.gone is not None or error is not None):
            return RunEnd("limit", kind, evidence.gone or what)
    if failure is not None and failure.kind == "full":
        return RunEnd("limit", limit or "context", f"the conversation did not fit into the model: {failure.text}")
    if limit is not None and failure is not None:
        return RunEnd("error", None, f"the model calls were refused to the end: {failure.text}")
    if limit is not None:
        return RunEnd("limit", limit)
    if evidence.gone is not None:
        return RunEnd("crashed", None, f"its sandbox ended: {evidence.gone}")
    if failure is not None:
        return RunEnd("crashed", None, f"its last model call was refused: {failure.text}")
    if error is None:
        return RunEnd("completed")
    if isinstance(error, RuntimeError | SandboxError | SandboxUnavailableError):
        return RunEnd("crashed", None, what)
    return RunEnd("error", None, what)
