"""Who brought a run to its end: the agent, a limit, or something that says nothing of the agent."""

from __future__ import annotations

import pytest

pytest.importorskip("inspect_ai", reason="Inspect is not installed")

from rigorbench.bench.engine.ending import Evidence, settle
from rigorbench.sandbox.errors import SandboxGoneError

BRIDGE = RuntimeError("Model proxy process terminated unexpectedly")
CRASH = RuntimeError("Claude Code ended with exit status 137: ")


@pytest.mark.parametrize(
    ("error", "limit", "evidence", "status"),
    [
        # Nothing of the agent was seen.
        (None, None, Evidence(answers=0), "error"),
        (CRASH, None, Evidence(answers=0), "error"),
        (None, "time", Evidence(answers=0), "error"),
        (RuntimeError("prompt is too long"), None, Evidence(0, "400: the context length is exceeded"), "error"),
        # The provider.
        (None, None, Evidence(7, "Error code: 429 - rate limited"), "error"),
        (CRASH, None, Evidence(7, "Error code: 500 - internal server error"), "error"),
        (CRASH, None, Evidence(7, "Request timed out."), "error"),
        # This machine.
        (OSError("no space left on device"), None, Evidence(7), "error"),
        (KeyError("x"), None, Evidence(7), "error"),
        # The agent.
        (None, None, Evidence(7), "completed"),
        (None, None, Evidence(None), "completed"),
        (CRASH, None, Evidence(7), "crashed"),
        (CRASH, None, Evidence(None), "crashed"),
        (BRIDGE, None, Evidence(7), "crashed"),
        (CRASH, None, Evidence(7, "400: prompt is too long: 250000 tokens > 200000 maximum"), "crashed"),
        (SandboxGoneError("gone"), None, Evidence(7, gone="the supervisor of the sandbox is gone"), "crashed"),
        (None, None, Evidence(7, gone="the sandbox ended by itself"), "crashed"),
        # Limits.
        (None, "time", Evidence(7), "limit"),
        (None, "token", Evidence(7, "Error code: 429"), "limit"),
        (SandboxGoneError("gone"), None, Evidence(7, gone="it wrote 9 GiB", limits=["disk"]), "limit"),
        (None, None, Evidence(7, gone="recording it took 3 GiB", limits=["recording"]), "limit"),
        (CRASH, None, Evidence(7, limits=["memory"]), "limit"),
        (None, None, Evidence(7, limits=["memory"]), "completed"),
    ],
)
def test_who_ended_it(error: BaseException | None, limit: str | None, evidence: Evidence, status: str) -> None:
    ended = settle(error, limit, evidence)
    assert ended.status == status
    assert (ended.limit is not None) == (status == "limit" or limit is not None)
    assert (ended.why is not None) == (status in ("error", "crashed") or ended.limit in ("disk", "recording", "memory"))
