"""Which tests a task's own states pass: found once per task on its starter and on its reference solution.

So a test that vanishes from a final tree counts as failed. Hidden tests are always pytest's. The visible tests of a
starter in another language are run by the task's ``test`` command; a test then has the name by which the command's
output lists it. That output is trusted although it comes from the code under test and from a runner that is part of
the repository: a final tree that prints the lines of its tests instead of running them shows no regression. The hidden
tests, which are not run that way, must detect it.
"""

from __future__ import annotations

import hashlib
import shutil
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct, field

from ...base.cache import cache_directory
from ...base.files import read_json, write_json
from ...evidence.paths import role
from ...sandbox.box.box import Box
from ...sandbox.kit.toolchain import Toolchain
from ..tasks.hidden_tests import copy_tests, declared_tests, files_below, pytest_files
from ..tasks.suite import SuiteTask
from ..tasks.workspace import ROOT, apply_change, build_repository
from .hidden import (
    PROGRAMS,
    FileReport,
    HiddenSeconds,
    new_directory,
    run_command,
    run_files,
    run_isolated,
    run_together,
    sandbox,
)

# Files in which pytest looks for its settings, in its order, each with the text that makes the file pytest's.
INI_FILES = (
    ("pytest.ini", None),
    (".pytest.ini", None),
    ("pyproject.toml", "[tool.pytest"),
    ("tox.ini", "[pytest]"),
    ("setup.cfg", "[tool:pytest]"),
)
_TEST_DIRECTORIES = frozenset({"tests", "test"})


class ExpectedError(Exception):
    """A task's own states cannot be tested here. One line."""


class Expected(Struct):
    """The tests of a task, and those that a good final tree passes. Ids of hidden tests are relative to ``tests/``."""

    files: list[str]
    visible_files: list[str]
    visible: list[str]
    """Tests of the starter that pass on it and on the reference solution."""
    isolated: list[str] = field(default_factory=list)
    """Those that give the same on the reference solution when it runs in another process than they do, and are
    therefore always run so. Not so: tests of threads, and those that look into objects from outside."""
    hidden: dict[str, str] | None = None
    """Outcomes on the reference solution; None: there is none."""
    at_start: dict[str, str] = field(default_factory=dict)
    """Outcomes of the hidden tests on the starter; a test that is not listed did not even start there."""
    declared: list[str] = field(default_factory=list)
    """Functions in the files of hidden tests, for a task without a reference solution."""
    command: str | None = None
    """Runs the visible tests if they are not pytest's."""


def of_tests(path: str) -> bool:
    """Whether a file belongs to the tests of a repository."""
    parts = path.split("/")
    return parts[-1] == "conftest.py" or role(path, None) == "test" or bool(_TEST_DIRECTORIES & set(parts[:-1]))


async def find_expected(task: SuiteTask, tools: Toolchain, budget: HiddenSeconds) -> Expected:
    """The expected tests of a task, from the cache if they are known for this task, these tools and this grader.

    Raises:
        ExpectedError: a run of the tests did not finish.
    """
    # An ambiguous task has the reference of the reading that its user chose.
    reference = Path(task.task.reference).name if task.task.reference is not None else ""
    parts = [task.digest, reference, sys.version, *tools.packages]
    parts += [*map(_digest, PROGRAMS), _digest(Path(__file__))]
    key = hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]
    cached = cache_directory() / "standards" / f"{key}.json"
    known = read_json(cached, Expected)
    if known is not None:
        return known
    expected = await _find(task, tools, budget)
    cached.parent.mkdir(parents=True, exist_ok=True)
    write_json(cached, expected)
    return expected


class VisibleTests(Struct, frozen=True):
    """How to run the tests of a starter: its files for pytest, or its own command."""

    files: list[str]
    ini: str | None
    """The file of pytest's settings."""
    command: str | None


def visible_tests(task: SuiteTask, repository: Path) -> VisibleTests:
    """How to run the visible tests of a work tree."""
    files = pytest_files(repository)
    found = {n: repository / n for n, _ in INI_FILES if (repository / n).is_file()}
    ini = ini_file({n: path.read_text(encoding="utf-8", errors="replace") for n, path in found.items()})
    # pytest as the task's command runs files of tests, and there are none.
    own = task.task.test if not files and "pytest" not in (task.task.test or "") else None
    return VisibleTests(files, ini, own)


def ini_file(texts: Mapping[str, str]) -> str | None:
    """The file, of these, that has pytest's settings."""
    return next((n for n, mark in INI_FILES if n in texts and (mark is None or mark in texts[n])), None)


async def _find(task: SuiteTask, tools: Toolchain, budget: HiddenSeconds) -> Expected:
    with _starter(task) as directory:
        repository = directory / "work"
        visible = visible_tests(task, repository)
        ini, command = visible.ini, visible.command
        async with sandbox(directory, tools) as box:
            reports = await run_visible(box, visible, budget)
        passing = [t for t in _passing(_finished(reports)) if command is None or _is_restored(t)]
    files = pytest_files(task.hidden)
    expected = Expected(files, visible.files, passing, declared=declared_tests(task.hidden, files), command=command)
    with _starter(task) as directory:
        async with sandbox(directory, tools, copy_tests(task.hidden, directory / "hidden")) as box:
            # Tests of what is still missing may hang: a file that does not end has only failing tests.
            reports = await run_files(box, files, budget)
        expected.at_start = {t: o for r in reports.values() if r.finished for t, o in r.outcomes.items()}
    if task.task.reference is None:
        return expected
    with _starter(task) as directory:
        repository = directory / "work"
        starter_tests = {f: (repository / f).read_bytes() for f in files_below(repository) if f == ini or of_tests(f)}
        if apply_change(Path(task.task.reference), repository) is not None:
            return expected
        async with sandbox(directory, tools, copy_tests(task.hidden, directory / "hidden")) as box:
            reports = _finished(await run_files(box, files, budget))
        expected.hidden = {t: o for r in reports.values() for t, o in r.outcomes.items()}
        for file in files:
            async with sandbox(directory, tools) as box:
                alone = await run_isolated(box, task.hidden, file, budget.file)
            if alone.finished and not alone.tampering and alone.outcomes == reports[file].outcomes:
                expected.isolated.append(file)
        for path, content in starter_tests.items():
            (repository / path).parent.mkdir(parents=True, exist_ok=True)
            (repository / path).write_bytes(content)
        again = directory / "again"
        again.mkdir()
        repository.rename(again / "work")
        async with sandbox(again, tools) as box:
            now = set(_passing(await run_visible(box, visible, budget)))
        expected.visible = [t for t in expected.visible if t in now]
    return expected


@contextmanager
def _starter(task: SuiteTask) -> Iterator[Path]:
    """A new directory with the starter, without its history, in ``work``."""
    with new_directory("rigor-standard-") as name:
        repository = Path(name) / "work"
        build_repository(task.directory, repository)
        shutil.rmtree(repository / ".git", ignore_errors=True)
        yield Path(name)


def _is_restored(test: str) -> bool:
    """Whether the starter's version of a test's file is restored in a final tree. Only cargo's ids begin with a file.

    A test of Rust may be in a file of the code, and change with it.
    """
    file = test.partition("::")[0]
    return file != "Doc-tests" and (not file.endswith(".rs") or of_tests(file))


async def run_visible(box: Box, tests: VisibleTests, budget: HiddenSeconds) -> dict[str, FileReport]:
    """Run the visible tests of the work tree in a sandbox: all files in one process, which is several times quicker.

    A file of which a test fails, or none runs, gets a process of its own; all of them do if the common one breaks off.
    """
    if tests.command is not None:
        return {tests.command: await run_command(box, tests.command, budget.total)}
    ini = None if tests.ini is None else f"{ROOT}/{tests.ini}"
    together = await run_together(box, tests.files, budget.total, tests=ROOT, ini=ini)
    if not together.finished or together.tampering:
        return await run_files(box, tests.files, budget, tests=ROOT, ini=ini)
    found: dict[str, dict[str, str]] = {file: {} for file in tests.files}
    for test, outcome in together.outcomes.items():
        found.setdefault(test.partition("::")[0], {})[test] = outcome
    again = [f for f, o in found.items() if not o or set(o.values()) - {"passed", "skipped"}]
    reports = {f: FileReport(o, finished=True) for f, o in found.items()}
    return reports | await run_files(box, again, budget, tests=ROOT, ini=ini)


def _passing(reports: dict[str, FileReport]) -> list[str]:
    return [t for r in reports.values() if not r.tampering for t, o in r.outcomes.items() if o == "passed"]


def _finished(reports: dict[str, FileReport]) -> dict[str, FileReport]:
    """Raises: ExpectedError when a run did not finish: tests that it did not reach must not be taken for missing."""
    for file, report in reports.items():
        if not report.finished:
            raise ExpectedError(f"{file}: does not run to its end on the task's own states ({report.stopped})")
    return reports


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
