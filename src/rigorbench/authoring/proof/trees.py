"""The trees on which a task is proved: its starter, and what comes of laying its patches over it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

from ...tasks.suite import SuiteTask
from ...tasks.workspace import build_repository

_NAMES = re.compile(r"^(?:\+\+\+ b/|--- a/|rename (?:from|to) )(.+?)\s*$", re.MULTILINE)


class PatchError(ValueError):
    """A patch cannot be laid over its tree. ``file``: which one; the message says why, in one line."""

    def __init__(self, file: str, why: str) -> None:
        super().__init__(f"{file}: {why}")
        self.file, self.why = file, why


class Trees:
    """Trees of one task, below ``directory``. ``starter``: its repository, with the history."""

    def __init__(self, task: SuiteTask, directory: Path) -> None:
        """Raises: rigorbench.tasks.build_repo.RepositoryError when the starter cannot be built."""
        self.task, self.directory, self._count = task, directory, 0
        self.starter = directory / "starter"
        build_repository(task.directory, self.starter)
        self.tests = directory / "hidden"
        self.tests.mkdir()
        if task.hidden.is_dir():
            ignore = shutil.ignore_patterns("__pycache__", "test.sh")
            shutil.copytree(task.hidden, self.tests, ignore=ignore, dirs_exist_ok=True)
        _open_to_all(self.tests)

    def make(self, *changes: str, history: bool = False) -> Path:
        """A new directory with a tree in its ``work``: the starter with changes (patches, directories) laid over it.

        Raises:
            PatchError: a change does not apply.
        """
        self._count += 1
        place = self.directory / f"tree{self._count}"
        ignore = None if history else shutil.ignore_patterns(".git")
        shutil.copytree(self.starter, place / "work", ignore=ignore)
        for number, change in enumerate(changes):
            self._apply(Path(change), place / "work", "the golden solution" if number else "the starter")
        return place

    def with_starter_tests(self, reference: str, files: list[str]) -> Path:
        """The golden tree in which these files are as the starter has them."""
        place = self.make(reference, history=True)
        for name in files:
            target = place / "work" / name
            if (self.starter / name).is_file():
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(self.starter / name, target)
            else:
                target.unlink(missing_ok=True)
        return place

    def name(self, path: str) -> str:
        """A file of the task, as it is named in messages."""
        return relative(self.task, path)

    def _apply(self, change: Path, work: Path, what: str) -> None:
        if change.is_dir():
            shutil.copytree(change, work, dirs_exist_ok=True)
            return
        done = subprocess.run(
            ["git", "apply", "--whitespace=nowarn", "-p1", str(change)],
            cwd=work,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            # Where the tree has no history, no repository above it may be taken for its own.
            env={"PATH": os.environ.get("PATH", os.defpath), "GIT_CEILING_DIRECTORIES": str(work.parent)},
        )
        if done.returncode != 0:
            why = " ".join(done.stderr.split())[:240]
            raise PatchError(self.name(str(change)), f"does not apply to {what} ({why})")


def relative(task: SuiteTask, path: str) -> str:
    """A path of the task's directory from there; any other as it is."""
    place = Path(path)
    return place.relative_to(task.directory).as_posix() if place.is_relative_to(task.directory) else path


def touched(change: str) -> list[str]:
    """Paths that a patch, or a directory of files, changes."""
    path = Path(change)
    if path.is_dir():
        return sorted(f.relative_to(path).as_posix() for f in path.rglob("*") if f.is_file())
    names = _NAMES.findall(path.read_text(encoding="utf-8", errors="replace"))
    return sorted({name.strip('"').split("\t")[0] for name in names})


def _open_to_all(directory: Path) -> None:
    """Whoever runs tests in a sandbox must be able to read them, whatever the modes here are."""
    for path in (directory, *directory.rglob("*")):
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() else 0o644)
