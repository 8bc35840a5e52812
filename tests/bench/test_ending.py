"""Who brought a run to its end: the agent, a limit, or something that says nothing of the agent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

pytest.importorskip("inspect_ai", reason="Inspect is not installed")

from rigorbench.bench.recording.failures import CallFailure, failure_of
from rigorbench.bench.run.engine.live import settle
from rigorbench.sandbox.kit.errors import SandboxGoneError

BRIDGE = RuntimeError("Model proxy process terminated unexpectedly")
CRASH = RuntimeError("Claude Code ended with exit status 137: ")
RATE = CallFailure("unavailable", "429: rate limited")
FULL = CallFailure("full", "the request exceeds the available context size")
REFUSED = CallFailure("refused", "400: unknown field")


def seen(
    answers: int | None, failure: CallFailure | None = None, *, gone: str | None = None, limits: Sequence[str] = ()
) -> dict[str, Any]:
    return {"answers": answers, "failure": failure, "gone": gone, "limits": limits}


@pytest.mark.parametrize(
    ("error", "limit", "evidence", "status", "named"),
    [
        # Nothing of the agent was seen.
        (None, None, seen(answers=0), "error", None),
        (CRASH, None, seen(answers=0), "error", None),
        (None, "time", seen(answers=0), "error", None),
        (RuntimeError("prompt is too long"), None, seen(0, FULL), "error", None),
        # The provider, whatever else ended the run then.
        (None, None, seen(7, RATE), "error", None),
        (CRASH, None, seen(7, RATE), "error", None),
        (None, "time", seen(7, RATE), "error", None),
        (None, "token", seen(7, RATE), "error", None),
        (None, "time", seen(7, REFUSED), "error", None),
        (CRASH, None, seen(7, RATE, limits=["memory"]), "error", None),
        # This machine.
        (OSError("no space left on device"), None, seen(7), "error", None),
        (KeyError("x"), None, seen(7), "error", None),
        # The agent.
        (None, None, seen(7), "completed", None),
        (None, None, seen(None), "completed", None),
        (CRASH, None, seen(7), "crashed", None),
        (CRASH, None, seen(None), "crashed", None),
        (BRIDGE, None, seen(7), "crashed", None),
        (CRASH, None, seen(7, REFUSED), "crashed", None),
        (SandboxGoneError("gone"), None, seen(7, gone="the supervisor of the sandbox is gone"), "crashed", None),
        (None, None, seen(7, gone="the sandbox ended by itself"), "crashed", None),
        # Limits.
        (CRASH, None, seen(7, FULL), "limit", "context"),
        (None, "time", seen(7, FULL), "limit", "time"),
        (None, "time", seen(7), "limit", "time"),
        (None, "token", seen(7), "limit", "token"),
        (SandboxGoneError("gone"), None, seen(7, gone="it wrote 9 GiB", limits=["disk"]), "limit", "disk"),
        (None, None, seen(7, gone="recording it took 3 GiB", limits=["recording"]), "limit", "recording"),
        (CRASH, None, seen(7, limits=["memory"]), "limit", "memory"),
        (None, None, seen(7, limits=["memory"]), "completed", None),
    ],
)
def test_who_ended_it(
    error: BaseException | None, limit: str | None, evidence: dict[str, Any], status: str, named: str | None
) -> None:
    ending, exceeded, why = settle(error, limit, **evidence)
    assert (ending, exceeded) == (status, named)
    assert (why is None) == (status == "completed" or (named in ("time", "token") and evidence["failure"] is None))


class Refusal(Exception):
    """An error of a provider's client."""

    def __init__(self, status: int) -> None:
        super().__init__(f"Error code: {status}")
        self.status_code = status


@pytest.mark.parametrize(
    ("status", "kind"),
    [(400, "refused"), (413, "refused"), (401, "unavailable"), (404, "unavailable"), (529, "unavailable")],
)
def test_only_a_request_that_is_at_fault_is_refused(status: int, kind: str) -> None:
    assert failure_of(Refusal(status)).kind == kind
    assert failure_of(TypeError("'NoneType' object is not iterable")).kind == "unavailable"
    assert failure_of(Refusal(400), retried=True).kind == "unavailable", "its provider says so"
