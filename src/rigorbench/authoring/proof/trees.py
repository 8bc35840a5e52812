"""The trees on which a task is proved: its starter, and the starter with patches applied."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from ...bench.tasks.hidden_tests import copy_tests
from ...bench.tasks.suite import SuiteTask
from ...bench.tasks.workspace import apply_change, build_repository

_NAMES = re.compile(r"^(?:\+\+\+ b/|--- a/|rename (?:from|to) )(.+?)\s*$", re.MULTILINE)


class PatchError(ValueError):
    """A patch does not apply. ``file`` names it; ``why`` is one line."""

    def __init__(self, file: str, why: str) -> None:
        super().__init__(f"{file}: {why}")
        self.file, self.why = file, why


class Trees:
    """The trees of one task, below ``directory``.

    Attributes:
        tests: a copy of the hidden tests that every user of a sandbox can read.
    """

    def __init__(self, task: SuiteTask, directory: Path) -> None:
        """Raises: rigorbench.bench.tasks.build_repo.RepositoryError when the starter cannot be built."""
        self.task, self.directory, self._count = task, directory, 0
        self.starter = directory / "starter"
        build_repository(task.directory, self.starter)
        self.tests = copy_tests(task.hidden, directory / "hidden")

    def make(self, *changes: str, history: bool = False) -> Path:
        """A new directory whose ``work`` is the starter with changes (patches, directories) applied.

        Raises:
            PatchError: a change does not apply.
        """
        self._count += 1
        tree = self.directory / f"tree{self._count}"
        ignore = None if history else shutil.ignore_patterns(".git")
        shutil.copytree(self.starter, tree / "work", ignore=ignore)
        for number, change in enumerate(changes):
            why = apply_change(Path(change), tree / "work")
            if why is not None:
                base = "the golden solution" if number else "the starter"
                raise PatchError(self.name(change), f"does not apply to {base} ({why[:240]})")
        return tree

    def with_starter_tests(self, reference: str, files: list[str]) -> Path:
        """The golden tree with the starter's version of these files."""
        tree = self.make(reference, history=True)
        for name in files:
            target = tree / "work" / name
            if (self.starter / name).is_file():
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(self.starter / name, target)
            else:
                target.unlink(missing_ok=True)
        return tree

    def name(self, path: str) -> str:
        """A file of the task in messages: relative to the task's directory."""
        file = Path(path)
        return file.relative_to(self.task.directory).as_posix() if file.is_relative_to(self.task.directory) else path


def touched(change: str) -> list[str]:
    """The paths that a patch or a directory of files changes."""
    path = Path(change)
    if path.is_dir():
        return sorted(f.relative_to(path).as_posix() for f in path.rglob("*") if f.is_file())
    names = _NAMES.findall(path.read_text(encoding="utf-8", errors="replace"))
    return sorted({name.strip('"').split("\t")[0] for name in names})
