"""Suites of tasks: a directory ``<category>/<task>/`` of tasks in Harbor's layout, each with its own policies.

``load_suite("rigor")`` finds the suite that comes with RigorBench, ``load_suite("path/to/suite")`` any other. A path
may also be a single task's directory: a suite of one.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from fnmatch import fnmatchcase
from pathlib import Path

from msgspec import Struct, field, structs

from .task import Task, TaskError, load_task

# What editors, interpreters and version control leave lying about: no part of a task's content.
_LITTER = frozenset({"__pycache__", ".pytest_cache", ".git", ".DS_Store", ".ruff_cache", ".mypy_cache"})


class SuiteError(ValueError):
    """A suite cannot be used. The message is one line that names the place and the remedy."""


class SuiteTask(Struct, frozen=True):
    """A task of a suite. ``digest``: SHA-256 over names, modes and contents of everything in its directory.

    ``key``: where it lies in the suite, ``<category>/<task>``. ``policies``: name -> file of ``policies/*.toml``.
    """

    task: Task
    directory: Path
    digest: str
    policies: dict[str, Path] = field(default_factory=dict)
    key: str = ""

    @property
    def id(self) -> str:
        return self.task.id

    @property
    def hidden(self) -> Path:
        """The directory of the hidden tests, which no agent ever sees."""
        return self.directory / "tests"


class Suite(Struct, frozen=True):
    """``digest``: SHA-256 over the ids and digests of all tasks of the suite; a selection keeps that of the whole."""

    name: str
    path: Path
    digest: str
    tasks: list[SuiteTask]

    def task(self, name: str) -> SuiteTask:
        """The task with this id or this place in the suite.

        Raises:
            SuiteError: there is none.
        """
        found = next((t for t in self.tasks if name in (t.task.id, t.key)), None)
        if found is None:
            raise SuiteError(f"{self.path}: no task {name!r}; there are {_listed(t.task.id for t in self.tasks)}")
        return found

    def select(self, *patterns: str) -> Suite:
        """The suite with only the tasks that a glob pattern fits, by id or by ``<category>/<task>``; none: all.

        Raises:
            SuiteError: a pattern fits no task.
        """
        if not patterns:
            return self
        for pattern in patterns:
            if not any(_fits(t, pattern) for t in self.tasks):
                known = _listed(t.key for t in self.tasks)
                raise SuiteError(f"{self.path}: no task fits {pattern!r}; there are {known}")
        return structs.replace(self, tasks=[t for t in self.tasks if any(_fits(t, p) for p in patterns)])


def load_suite(name_or_path: str | os.PathLike[str]) -> Suite:
    """Read a suite: the name of one that is installed, or a directory.

    Raises:
        SuiteError: there is no such suite, it holds no task, or two tasks have one id.
        rigorbench.suites.task.TaskError: a task file cannot be used.
    """
    path = _locate(os.fspath(name_or_path))
    if (path / "task.toml").is_file():
        tasks = [_load(path, f"{path.parent.name}/{path.name}")]
    else:
        files = sorted(path.glob("*/*/task.toml"))
        tasks = [_load(f.parent, f.parent.relative_to(path).as_posix()) for f in files]
    if not tasks:
        raise SuiteError(f"{path}: no task in it; a suite holds <category>/<task>/task.toml")
    seen: dict[str, SuiteTask] = {}
    for task in tasks:
        other = seen.setdefault(task.task.id, task)
        if other is not task:
            raise SuiteError(
                f"{task.directory}: its id {task.task.id!r} is that of {other.key} as well; give it another"
            )
    for task in tasks:
        twin = task.task.twin
        if twin is not None and twin not in seen and len(tasks) > 1:
            raise SuiteError(f"{task.directory / 'task.toml'}: twin: no task {twin!r} in this suite")
    total = hashlib.sha256("".join(f"{t.task.id}\0{t.digest}\n" for t in tasks).encode()).hexdigest()
    return Suite(path.name, path, total, tasks)


def _locate(name: str) -> Path:
    path = Path(name)
    if path.is_dir():
        return path.absolute()
    from ..data import data_dir

    suites = data_dir("suites")
    known = suites / name
    if "/" not in name and known.is_dir():
        return known
    installed = _listed(sorted(d.name for d in suites.iterdir() if d.is_dir())) if suites.is_dir() else "none"
    raise SuiteError(f"{name}: no such suite or directory; installed suites: {installed}")


def _load(directory: Path, key: str) -> SuiteTask:
    task = load_task(directory / "task.toml")
    if task.instruction is None or not task.instruction.strip():
        raise TaskError(f"{directory / 'instruction.md'}: missing or empty; it is what the agent is told")
    policies = {p.stem: p for p in sorted((directory / "policies").glob("*.toml"))}
    return SuiteTask(task, directory, directory_digest(directory), policies, key)


def directory_digest(directory: Path) -> str:
    """SHA-256 over relative names, kinds (file, executable, link) and contents of all files; litter left out."""
    total = hashlib.sha256()
    for root, names, files in os.walk(directory):
        names[:] = sorted(n for n in names if n not in _LITTER)
        for name in sorted([*files, *(n for n in names if os.path.islink(os.path.join(root, n)))]):
            if name in _LITTER or name.endswith((".pyc", ".pyo")):
                continue
            file = Path(root, name)
            if file.is_symlink():
                kind, data = "link", os.fsencode(os.readlink(file))
            else:
                kind, data = ("executable" if file.stat().st_mode & 0o111 else "file"), file.read_bytes()
            place = file.relative_to(directory).as_posix()
            total.update(f"{place}\0{kind}\0{hashlib.sha256(data).hexdigest()}\n".encode("utf-8", "surrogateescape"))
    return total.hexdigest()


def _fits(task: SuiteTask, pattern: str) -> bool:
    return fnmatchcase(task.task.id, pattern) or fnmatchcase(task.key, pattern)


def _listed(names: Iterable[str]) -> str:
    found = list(names)
    return ", ".join(found[:12]) + (f" and {len(found) - 12} more" if len(found) > 12 else "")
