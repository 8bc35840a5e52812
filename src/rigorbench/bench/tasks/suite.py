"""Suites: directories ``<category>/<task>/`` of tasks in Harbor's layout, each with its own policies.

A directory with a ``problem.yaml`` is a project that the judge decides on (:mod:`.projects`), one with a
``recipe.toml`` a task that ``rigor suite prepare`` has built in the user's cache (:mod:`.prepared`).

``load_suite("rigor")`` reads the suite that comes with RigorBench, ``load_suite("path/to/suite")`` any other. The
directory of a single task is a suite of one; ``path/to/task@hurry`` is a pressure variant of it. ``real~7`` is a suite
of the same recipes with other faults (:mod:`rigorbench.bench.tasks.variants`).
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from fnmatch import fnmatchcase
from pathlib import Path

from msgspec import Struct, field, structs

from ...base.data import data_path
from ...base.errors import GivenError
from ...base.sealed import is_sealed
from ...base.text import did_you_mean
from ...session.task import Pressure, Task, TaskError, load_task
from .prepared import RECIPE, directory_digest, is_recipe, prepared_task
from .projects import PACKAGE, is_project, load_project
from .sealed import KEY_FILE, SealError, opened
from .variants import (
    DIRECTORY,
    MARK,
    SENTENCES,
    pressed,
    split_name,
    split_variant,
    variant_directory,
    variants_of,
    with_variant,
)

LAYOUT = f"<category>/<task>/task.toml, <task>/{RECIPE} or <problem>/{PACKAGE}"


class SuiteError(GivenError):
    """A suite cannot be used. The message is one line that names the path and the remedy."""


class NotPrepared(SuiteError):
    """A recipe whose task is not in the cache."""


class SuiteTask(Struct, frozen=True):
    """A task of a suite.

    Attributes:
        digest: SHA-256 over names, modes and contents of everything in its directory.
        key: its path in the suite, ``<category>/<task>``.
        pressure: the variant; None: the plain task.
        recipe: the directory of the recipe from which the task was prepared; None: it is no recipe's.
    """

    task: Task
    directory: Path
    digest: str
    policies: dict[str, Path] = field(default_factory=dict)
    key: str = ""
    pressure: Pressure | None = None
    recipe: Path | None = None

    @property
    def id(self) -> str:
        return self.task.id

    @property
    def locator(self) -> str:
        """The argument with which :func:`load_suite` loads this task alone: its directory, with the variant."""
        place = self.recipe or self.directory
        return f"{place}{MARK}{self.pressure}" if self.pressure is not None else str(place)

    def variants(self) -> list[SuiteTask]:
        """The pressure variants that the task file allows; a variant has none."""
        return [] if self.pressure is not None else [_variant(self, name) for name in self.task.pressure]

    @property
    def project(self) -> bool:
        """Whether it is a problem package, whose outcome the judge decides."""
        return is_project(self.directory)

    @property
    def hidden(self) -> Path:
        """The directory of the hidden tests."""
        return self.directory / "tests"


class Suite(Struct, frozen=True):
    """A suite, or a selection of its tasks.

    Attributes:
        digest: SHA-256 over the ids and digests of all tasks; a selection keeps that of the whole suite.
    """

    name: str
    path: Path
    digest: str
    tasks: list[SuiteTask]

    @property
    def locator(self) -> str:
        """The argument with which :func:`load_suite` loads the whole suite."""
        return str(self.path)

    @property
    def installed(self) -> bool:
        """Whether it is a suite that comes with RigorBench, or a variant of one: its name says which."""
        suite = self.path.parents[1] if self.path.parent.name == DIRECTORY else self.path
        return suite.parent == data_path("suites")

    def task(self, name: str) -> SuiteTask:
        """The task or variant with this id or key.

        Raises:
            SuiteError: there is none.
        """
        found = next((t for t in self._all() if name in (t.task.id, t.key)), None)
        if found is None:
            raise SuiteError(f"{self.path}: {self._unknown(f'no task {name!r}', name, self.tasks)}")
        return found

    def select(self, *patterns: str) -> Suite:
        """The suite with only the tasks whose id or key matches a glob pattern; without patterns: all.

        Only patterns with an ``@`` match pressure variants: ``*@hurry``, ``house-tab@*``.

        Raises:
            SuiteError: a pattern matches no task.
        """
        if not patterns:
            return self
        everything = self._all()
        for pattern in patterns:
            if not self.has(pattern):
                known = everything if MARK in pattern else self.tasks
                raise SuiteError(f"{self.path}: {self._unknown(f'no task matches {pattern!r}', pattern, known)}")
        return structs.replace(self, tasks=[t for t in everything if any(_matches(t, p) for p in patterns)])

    def has(self, pattern: str) -> bool:
        """Whether a pattern of :meth:`select` matches a task."""
        return any(_matches(task, pattern) for task in self._all())

    def _unknown(self, what: str, name: str, tasks: list[SuiteTask]) -> str:
        names = [n for t in tasks for n in (t.task.id, t.key, f"{t.key.rpartition('/')[0]}/*")]
        return f"{what}{did_you_mean(name, names)}; there are {_listed(t.key for t in tasks)}"

    def _all(self) -> list[SuiteTask]:
        return [one for task in self.tasks for one in (task, *task.variants())]


def load_suite(name_or_path: str | os.PathLike[str], *, public: bool = False) -> Suite:
    """Read a suite: the name of one that is installed, or a directory.

    Args:
        public: without the key of a sealed suite, read its public part; such tasks can be shown but not run.

    Raises:
        SuiteError: there is no such suite, it contains no task, two tasks have the same id, or its key is missing.
        rigorbench.session.task.TaskError: a task file cannot be used.
    """
    place, pressure = split_variant(os.fspath(name_or_path))
    path, name = _found(place, public=public)
    if is_task(path):
        task = _load_prepared(path) if is_recipe(path) else _load(path, _own_key(path))
        if pressure is not None and pressure not in task.task.pressure:
            raise SuiteError(f"{path / 'task.toml'}: pressure: {pressure!r} is not among the variants of this task")
        tasks = [task if pressure is None else _variant(task, pressure)]
    elif pressure is not None:
        raise SuiteError(f"{path}: a suite has no variants; select them with --tasks '*{MARK}{pressure}'")
    else:
        tasks, errors = _load_all(path)
        # A suite of recipes has the tasks that are prepared: a distribution may be gone for good.
        fatal = [e for e in errors if not (tasks and isinstance(e, NotPrepared))]
        if fatal:
            raise fatal[0]
    ids = {task.id for task in tasks}
    for task in tasks:
        twin = task.task.twin
        # That of a recipe may not be prepared; its proof says so.
        if twin is not None and twin not in ids and len(tasks) > 1 and task.recipe is None:
            raise SuiteError(f"{task.directory / 'task.toml'}: twin: no task {twin!r} in this suite")
    return _suite(name, path, tasks)


def load_leniently(name_or_path: str) -> tuple[Suite, list[SuiteError | TaskError]]:
    """A suite without the tasks that cannot be read, and the error of each of those.

    Raises:
        NotPrepared: it has recipes only, and none of them is prepared.
        SuiteError: there is no such suite, or none of its tasks can be read.
        TaskError: it is a single task, which cannot be read.
    """
    place, pressure = split_variant(name_or_path)
    path, name = _found(place, public=False)
    if pressure is not None or is_task(path):
        return load_suite(name_or_path), []
    tasks, errors = _load_all(path)
    if not tasks:
        raise errors[0] if isinstance(errors[0], SuiteError) else SuiteError(str(errors[0]))
    return _suite(name, path, tasks), errors


def _load_all(path: Path) -> tuple[list[SuiteTask], list[SuiteError | TaskError]]:
    """The tasks of a suite that can be read, and an error for each of the others."""
    tasks: dict[str, SuiteTask] = {}
    errors: list[SuiteError | TaskError] = []
    files = [*path.glob(f"*/{RECIPE}"), *path.glob("*/*/task.toml"), *path.glob(f"*/{PACKAGE}")]
    for directory in sorted(file.parent for file in files):
        try:
            if is_recipe(directory):
                task = _load_prepared(directory)
            else:
                task = _load(directory, directory.relative_to(path).as_posix())
        except (SuiteError, TaskError) as error:
            errors.append(error)
            continue
        other = tasks.setdefault(task.id, task)
        if other is not task:
            errors.append(SuiteError(f"{directory}: its id {task.id!r} is also that of {other.key}; give it another"))
    if not tasks and not errors:
        errors.append(SuiteError(f"{path}: no task in it; a suite contains {LAYOUT}"))
    elif not tasks and all(isinstance(error, NotPrepared) for error in errors):
        what = f"{path}: none of its {len(errors)} recipes is prepared; rigor suite prepare {path}"
        errors = [NotPrepared(what)]
    return list(tasks.values()), errors


def _suite(name: str, path: Path, tasks: list[SuiteTask]) -> Suite:
    digest = hashlib.sha256("".join(f"{t.id}\0{t.digest}\n" for t in tasks).encode()).hexdigest()
    return Suite(name, path, digest, tasks)


def recipes_of(name: str) -> list[Path]:
    """The directories of the recipes of a suite, or of a single recipe; none of another directory.

    Raises:
        SuiteError: there is no such suite or directory.
    """
    path, _ = _found(name, public=False)
    return [path] if is_recipe(path) else sorted(file.parent for file in path.glob(f"*/{RECIPE}"))


def is_task(directory: Path) -> bool:
    return (directory / "task.toml").is_file() or is_project(directory) or is_recipe(directory)


def _found(name: str, *, public: bool) -> tuple[Path, str]:
    """The directory of a suite, a task or a variant of one, opened if it is sealed; and the name of the suite."""
    plain, variant = split_name(name)
    path = _unsealed(_locate(plain), public=public)
    if variant is None:
        return path, path.name
    directory = variant_directory(path, variant)
    if not directory.is_dir():
        known = ", ".join(variants_of(path)) or "none"
        raise SuiteError(f"{path}: no variant {variant!r}; there are {known}")
    return directory, with_variant(path.name, variant)


def _locate(name: str) -> Path:
    path = Path(name)
    if path.is_dir():
        return path.absolute()
    suites = data_path("suites")
    known = suites / name
    if "/" not in name and known.is_dir():
        return known
    installed = _listed(sorted(d.name for d in suites.iterdir() if d.is_dir())) if suites.is_dir() else "none"
    raise SuiteError(f"{name}: no such suite or directory; installed suites: {installed}")


def _unsealed(path: Path, *, public: bool) -> Path:
    """The same suite, or task of a suite, in an opened copy if it is sealed."""
    suite = path.parent if is_project(path) or is_recipe(path) else path
    if (path / "task.toml").is_file() and not is_recipe(path) and len(path.parents) > 1:
        suite = path.parents[1]
    if not is_sealed(suite):
        return path
    try:
        found = opened(suite)
    except SealError as error:
        raise SuiteError(str(error)) from None
    if found is None and not public:
        raise SuiteError(
            f"{suite}: sealed; set {KEY_FILE} to the file of its key, or open it with `rigor suite seal --open`"
        )
    return path if found is None else found / path.relative_to(suite)


def _load(directory: Path, key: str) -> SuiteTask:
    if is_project(directory):
        return SuiteTask(load_project(directory), directory, directory_digest(directory), _policies(directory), key)
    task = load_task(directory / "task.toml")
    if task.instruction is None or not task.instruction.strip():
        raise TaskError(f"{directory / 'instruction.md'}: missing or empty; it is the prompt of the agent")
    return SuiteTask(task, directory, directory_digest(directory), _policies(directory), key)


def _own_key(directory: Path) -> str:
    return directory.name if is_project(directory) else f"{directory.parent.name}/{directory.name}"


def _load_prepared(recipe: Path) -> SuiteTask:
    """The task that was prepared from a recipe.

    Raises:
        NotPrepared: it was not prepared in its present state.
    """
    directory = prepared_task(recipe)
    if directory is None:
        command = f"rigor suite prepare {recipe.parent} --tasks {recipe.name}"
        raise NotPrepared(f"{recipe / RECIPE}: not prepared; {command}")
    return structs.replace(_load(directory, _own_key(directory)), recipe=recipe)


def _policies(directory: Path) -> dict[str, Path]:
    return {p.stem: p for p in sorted((directory / "policies").glob("*.toml"))}


def _variant(task: SuiteTask, pressure: Pressure) -> SuiteTask:
    instruction = pressed(task.task.instruction or "", pressure)
    changed = structs.replace(task.task, id=f"{task.id}{MARK}{pressure}", instruction=instruction)
    digest = hashlib.sha256(f"{task.digest}\0{SENTENCES[pressure]}".encode()).hexdigest()
    key = f"{task.key}{MARK}{pressure}"
    return structs.replace(task, task=changed, digest=digest, key=key, pressure=pressure)


def _matches(task: SuiteTask, pattern: str) -> bool:
    if task.pressure is not None and MARK not in pattern:
        return False
    return fnmatchcase(task.task.id, pattern) or fnmatchcase(task.key, pattern)


def _listed(names: Iterable[str]) -> str:
    found = list(names)
    return ", ".join(found[:12]) + (f" and {len(found) - 12} more" if len(found) > 12 else "")
