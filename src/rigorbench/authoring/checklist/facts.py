"""A task as the checks of the checklist see it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath
from typing import Any

from ...base.strict import DocumentError, read_toml
from ...bench.tasks.build_repo import LITTER_DIRECTORIES, LITTER_FILES
from ...bench.tasks.hidden_tests import declared_tests, pytest_files
from ...bench.tasks.proofs import TaskFault
from ...bench.tasks.suite import SuiteTask

# Nobody has to read the lines of data.
_DATA = frozenset((".csv", ".tsv", ".json", ".jsonl", ".ndjson", ".lock", ".svg", ".xml"))


class TwinFacts:
    """A task and its twin (None: it has none, or none was found)."""

    def __init__(self, task: SuiteTask, twin: SuiteTask | None) -> None:
        self.suite_task, self.twin, self.trivial = task, twin, task.task.trivial
        self.metadata, self.files = metadata(task.directory), starter_files(task.directory)
        self.declared = declared_tests(task.hidden, pytest_files(task.hidden))
        """Functions of the hidden tests."""
        self.instruction = task.task.instruction or ""

    def name(self, path: str | Path) -> str:
        """A file of the task in messages: relative to the task's directory."""
        file, directory = Path(path), self.suite_task.directory
        return file.relative_to(directory).as_posix() if file.is_relative_to(directory) else str(path)


Problems = Iterator[TaskFault]
Condition = Callable[[TwinFacts], bool]


class Checklist:
    """The checks, in the order of their reports."""

    def __init__(self) -> None:
        self.checks: list[tuple[str, Callable[[TwinFacts], Problems], Condition]] = []

    def check(
        self, name: str, applies: Condition = lambda facts: True
    ) -> Callable[[Callable[[TwinFacts], Problems]], Callable[[TwinFacts], Problems]]:
        """Decorator: adds a function that yields the problems of a task."""

        def add(function: Callable[[TwinFacts], Problems]) -> Callable[[TwinFacts], Problems]:
            self.checks.append((name, function, applies))
            return function

        return add


def not_trivial(facts: TwinFacts) -> bool:
    return not facts.trivial


def is_ours(facts: TwinFacts) -> bool:
    """Whether we wrote the starter and the hidden tests. Those of a recipe are a published package's: its size, its
    README, the names of its tests and what its tests require are as they are."""
    return not facts.suite_task.task.recipe


def in_category(category: str) -> Condition:
    return lambda facts: facts.suite_task.task.category == category and not facts.trivial


def starter_lines(directory: Path) -> int:
    """The number of lines of the starter: code, tests, documents and configuration, without data."""
    return count_lines(starter_files(directory))


def count_lines(files: dict[str, bytes]) -> int:
    return sum(
        len(content.splitlines())
        for name, content in files.items()
        if PurePosixPath(name).suffix not in _DATA and b"\0" not in content
    )


def starter_files(directory: Path) -> dict[str, bytes]:
    repo = directory / "environment" / "repo"
    found = {}
    for path in sorted(repo.rglob("*")):
        inside = path.relative_to(repo)
        litter = LITTER_DIRECTORIES & set(inside.parts) or path.name in LITTER_FILES or path.suffix == ".pyc"
        if not litter and path.is_file():
            found[inside.as_posix()] = path.read_bytes()
    return found


def metadata(directory: Path) -> dict[str, Any]:
    """The table ``[metadata]`` of a task file: language, difficulty, license."""
    try:
        table = read_toml(directory / "task.toml").get("metadata")
    except DocumentError:
        return {}
    return table if isinstance(table, dict) else {}


def below(test: str, ids: list[str]) -> bool:
    """Whether an id names a test: itself, its file or class, or one case of it."""
    return any(test == i or test.startswith(f"{i}::") or i.startswith(f"{test}[") for i in ids)
