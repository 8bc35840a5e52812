"""``--tasks easiest:5``: the easiest projects, by what their packages say or by what an experiment measured."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import get_args

from ....judge.problems.model import Difficulty
from ...tasks.projects import problem_of
from ...tasks.suite import Suite, SuiteError

_EASIEST = re.compile(r"easiest:(\d+)(?:=(.+))?")


def expanded(suite: Suite, patterns: Sequence[str]) -> list[str]:
    """The patterns, with the ids of projects instead of ``easiest:N`` and ``easiest:N=OUT``.

    ``easiest:N`` goes by the difficulty that packages state, equal ones by name; ``easiest:N=OUT`` by the mean
    execution over the conditions of an experiment, highest first.

    Raises:
        SuiteError: there are not so many projects, or their difficulty is not known.
    """
    found: list[str] = []
    for pattern in patterns:
        match = _EASIEST.fullmatch(pattern)
        if match is None:
            found.append(pattern)
            continue
        ranked = _by_statement(suite, pattern) if match[2] is None else _by_results(suite, pattern, Path(match[2]))
        number = int(match[1])
        if not 0 < number <= len(ranked):
            raise SuiteError(f"--tasks {pattern}: choose 1 to {len(ranked)} projects")
        found += ranked[:number]
    return found


def _by_statement(suite: Suite, pattern: str) -> list[str]:
    grades: dict[str | None, int] = {name: n for n, name in enumerate(get_args(Difficulty))}
    stated = {task.id: problem_of(task.directory).difficulty for task in suite.tasks if task.project}
    unknown = [name for name, difficulty in stated.items() if difficulty is None]
    if unknown or not stated:
        what = f"{unknown[0]} states no difficulty" if unknown else f"{suite.name} has no projects"
        raise SuiteError(f"--tasks {pattern}: {what}; name the tasks")
    return sorted(stated, key=lambda name: (grades[stated[name]], name))


def _by_results(suite: Suite, pattern: str, out: Path) -> list[str]:
    from ...projects.scores.documents import read_paths
    from ...projects.scores.runs import by_ease, score_all

    documents = read_paths([str(out)])
    if documents.problems or not documents:
        why = documents.problems[0] if documents.problems else f"{out}: no results of projects"
        raise SuiteError(f"--tasks {pattern}: {why}")
    runs = score_all(documents).runs
    measured = {run.problem for run in runs}
    return by_ease(runs, [task.id for task in suite.tasks if task.project and task.id in measured])
