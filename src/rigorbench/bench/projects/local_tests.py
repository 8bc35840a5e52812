"""What an agent knew by its own tests when it submitted."""

from __future__ import annotations

from typing import Literal

from ...base.agent_paths import CLIENT
from ...evidence.events import AnyEvent, EditEvent, ReproductionEvent, TestRunEvent
from ...evidence.walk.extract import extract
from ...session.model import Trajectory

Local = Literal["passed", "failed"]
_CLIENT = CLIENT.rpartition("/")[2]
_CODE = ("production", "test", "config")


def local_results(trajectory: Trajectory) -> list[Local | None]:
    """For each submission, in order: how the agent's own tests ended since its last edit of code.

    "failed" if the last run of any of them failed; None if none ran, or none said how it ended.
    """
    results: list[Local | None] = []
    last: dict[str, Local] = {}
    for event in extract(trajectory).events:
        if isinstance(event, EditEvent) and event.role in _CODE:
            last.clear()
        elif isinstance(event, TestRunEvent) and event.runner == "judge":
            # To ask for a verdict is no test of the agent's own.
            if _submits(event.command):
                results.append(None if not last else "failed" if "failed" in last.values() else "passed")
        elif isinstance(event, TestRunEvent | ReproductionEvent):
            ended = _ended(event)
            if ended is not None:
                last[event.command] = ended
    return results


def _submits(command: str) -> bool:
    words = command.split()
    client = next((n for n, word in enumerate(words) if word.rpartition("/")[2] == _CLIENT), None)
    return client is not None and "submit" in words[client + 1 :]


def _ended(event: AnyEvent) -> Local | None:
    outcome = getattr(event, "outcome", None)
    return "passed" if outcome == "passed" else "failed" if outcome in ("failed", "error") else None
