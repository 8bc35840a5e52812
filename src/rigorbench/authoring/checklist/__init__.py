"""What must be true of a task and can be seen without running anything: sizes, names, what is hidden and what is not.

docs/tasks.md lists the checks; each is a function in this package that yields the problems it finds.
"""

from __future__ import annotations

from ...bench.tasks.proofs import ProofCheck
from ...bench.tasks.suite import SuiteTask
from . import categories, starter, task_file
from .facts import TwinFacts, metadata, starter_lines
from .sentences import NAME as SENTENCES
from .sentences import check_sentences

__all__ = ["NAMES", "check_task", "metadata", "starter_lines"]

_CHECKS = (*starter.CHECKS.checks, *task_file.CHECKS.checks, *categories.CHECKS.checks)
NAMES = (*(name for name, _, _ in _CHECKS), SENTENCES)


def check_task(task: SuiteTask, twin: SuiteTask | None) -> list[ProofCheck]:
    """All checks that apply to a task, each ok or failed; ``twin`` None: it has none, or none was found."""
    facts = TwinFacts(task, twin)
    checks = []
    for name, check, applies in _CHECKS:
        if applies(facts):
            problems = tuple(check(facts))
            checks.append(ProofCheck(name, "failed" if problems else "ok", problems=problems))
    return [*checks, check_sentences(facts)]
