"""What can be checked of a task without running anything."""

from __future__ import annotations

from .proofs import Check
from .suite import SuiteTask


def check_task(task: SuiteTask, twin: SuiteTask | None) -> list[Check]:
    return []
