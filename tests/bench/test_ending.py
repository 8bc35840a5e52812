"""Who brought a run to its end: the agent, a limit, or something that says nothing of the agent."""

from __future__ import annotations

import pytest

pytest.importorskip("inspect_ai", reason="Inspect is not installed")

from rigorbench.bench.recording.failures import CallFailure, failure_of
from rigorbench.bench.run.engine.live import EndEvidence, settle
from rigorbench.sandbox.kit.errors import SandboxGoneError

BRIDGE = RuntimeError("Model proxy process terminated unexpectedly")
CRASH = RuntimeError("Claude Code ended with exit status 137: ")
RATE = CallFailure("unavailable", "429: rate limited")
FULL = CallFailure("full", "the request exceeds the available context size")
REFUSED = CallFailure("refused", "400: unknown field")


@pytest.mark.parametrize(
    ("error", "limit", "evidence", "status", "named"),
    [
        # Nothing of the agent was seen.
        (None, None, EndEvidence(answers=0), "error", None),
        (CRASH, None, EndEvidence(answers=0), "error", None),
        (None, "time", EndEvidence(answers=0), "error", None),
        (RuntimeError("prompt is too long"), None, EndEvidence(0, FULL), "error", None),
        # The provider, whatever else ended the run then.
        (None, None, EndEvidence(7, RATE), "error", None),
        (CRASH, None, EndEvidence(7, RATE), "error", None),
        (None, "time", EndEvidence(7, RATE), "error", None),
        (None, "token", EndEvidence(7, RATE), "error", None),
        (None, "time", EndEvidence(7, REFUSED), "error", None),
        (CRASH, None, EndEvidence(7, RATE, limits=["memory"]), "error", None),
        # This machine.
        (OSError("no space left on device"), None, EndEvidence(7), "error", None),
        (KeyError("x"), None, EndEvidence(7), "error", None),
        # The agent.
        (None, None, EndEvidence(7), "completed", None),
        (None, None, EndEvidence(None), "completed", None),
        (CRASH, None, EndEvidence(7), "crashed", None),
        (CRASH, None, EndEvidence(None), "crashed", None),
        (BRIDGE, None, EndEvidence(7), "crashed", None),
        (CRASH, None, EndEvidence(7, REFUSED), "crashed", None),
        (SandboxGoneError("gone"), None, EndEvidence(7, gone="the supervisor of the sandbox is gone"), "crashed", None),
        (None, None, EndEvidence(7, gone="the sandbox ended by itself"), "crashed", None),
        # Limits.
        (CRASH, None, EndEvidence(7, FULL), "limit", "context"),
        (None, "time", EndEvidence(7, FULL), "limit", "time"),
        (None, "time", EndEvidence(7), "limit", "time"),
        (None, "token", EndEvidence(7), "limit", "token"),
        (SandboxGoneError("gone"), None, EndEvidence(7, gone="it wrote 9 GiB", limits=["disk"]), "limit", "disk"),
        (None, None, EndEvidence(7, gone="recording it took 3 GiB", limits=["recording"]), "limit", "recording"),
        (CRASH, None, EndEvidence(7, limits=["memory"]), "limit", "memory"),
        (None, None, EndEvidence(7, limits=["memory"]), "completed", None),
    ],
)
def test_who_ended_it(
    error: BaseException | None, limit: str | None, evidence: EndEvidence, status: str, named: str | None
) -> None:
    ended = settle(error, limit, evidence)
    assert (ended.status, ended.limit) == (status, named)
    assert (ended.why is None) == (status == "completed" or (named in ("time", "token") and evidence.failure is None))


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
