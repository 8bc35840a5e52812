"""The outcome of a run: what its final tree is worth by tests that the agent never saw.

Hidden tests run on the final tree as it was captured, in a sandbox of their own. Visible tests of the starter are put
back as they were and run on the final tree too: one that passed at the start and does not pass now is a regression.
Which hidden tests there are, and which visible tests can be expected to pass, is found out once per task on its starter
and on its reference solution, so a test that vanishes counts as failed.

Hidden tests are always pytest's. The visible tests of a starter in another language are run by the task's ``test``
command, and a test is known by the name under which the command's output lists it. That output is believed: it comes
from the code under test and from a runner that is itself part of the repository, so a final tree that prints the lines
of its tests instead of running them shows no regression. The hidden tests, which are not run that way, must catch it.
"""

from __future__ import annotations

import ast
import asyncio
import hashlib
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import msgspec
from msgspec import Struct, field

from ..base.cache import cache_directory
from ..base.files import write_json
from ..evidence.paths import role
from ..experiment.model import Outcome, TestOutcome
from ..sandbox.box.box import Box
from ..sandbox.errors import SandboxError
from ..sandbox.toolchain import Toolchain, toolchain
from ..tasks.suite import SuiteTask
from ..tasks.workspace import RepositoryError, build_repository
from .hidden import (
    GRADER,
    HIDDEN,
    Budget,
    FileReport,
    Order,
    new_directory,
    run_command,
    run_files,
    run_together,
    sandbox,
)
from .trees import Entry, TreeError, read_file, read_tree, write_files

# Ini files in which pytest looks for its configuration, first come first served, each with what marks it as pytest's.
_INI = (
    ("pytest.ini", None),
    (".pytest.ini", None),
    ("pyproject.toml", "[tool.pytest"),
    ("tox.ini", "[pytest]"),
    ("setup.cfg", "[tool:pytest]"),
)
_TEST_DIRECTORIES = frozenset({"tests", "test"})


class StandardError(Exception):
    """A task's own states cannot be tested here. One line."""


class Standard(Struct):
    """What a task's own states give, found once. Test ids of hidden tests are relative to the task's ``tests/``.

    ``command``: what runs the visible tests, where they are not pytest's; then there are no ``visible_files``.
    ``hidden``: outcomes on the reference solution; None where there is none, then ``declared`` (functions read from the
    files of the tests) says which tests there are. ``visible``: tests of the starter that pass on it, and pass on the
    reference solution too.
    """

    files: list[str]
    visible_files: list[str]
    visible: list[str]
    hidden: dict[str, str] | None = None
    declared: list[str] = field(default_factory=list)
    command: str | None = None
    notes: list[str] = field(default_factory=list)


def measure(
    task: SuiteTask,
    store: Path,
    final_tree: str,
    start_tree: str,
    *,
    root: str = "/work",
    budget: Budget | None = None,
) -> Outcome:
    """Measure the outcome of a run.

    Args:
        store: the git object store that holds the trees (``store.git`` of the run).
        final_tree: the work tree at the end.
        start_tree: the work tree at the start, with the harness overlay.
        root: where the repository lay in the agent's sandbox; it lies there in ours as well.

    What cannot be measured is None, with the reason in the result; nothing is raised for it.
    """
    started = time.monotonic()
    try:
        outcome = asyncio.run(_measure(task, store, final_tree, start_tree, root, budget or Budget()))
    except (SandboxError, TreeError, RepositoryError, StandardError) as error:
        outcome = Outcome(None, None, None, None, reason=str(error))
    outcome.final_tree = final_tree
    outcome.seconds = round(time.monotonic() - started, 3)
    return outcome


async def _measure(
    task: SuiteTask, store: Path, final_tree: str, start_tree: str, root: str, budget: Budget
) -> Outcome:
    tools = toolchain(cache_directory(), task.task.tools)
    standard = await find_standard(task, tools, root, budget)
    final, start = read_tree(store, final_tree), read_tree(store, start_tree)
    with new_directory("rigor-outcome-") as one, new_directory("rigor-visible-") as other:
        hidden, (regressions, tampering) = await asyncio.gather(
            _hidden_tests(task, tools, store, final, standard, Path(one), root, budget),
            _regressions(tools, store, final, start, standard, Path(other), root, budget),
        )
    outcome = judged(task, standard, hidden)
    outcome.regressions = regressions
    outcome.tampering += [t for t in tampering if t not in outcome.tampering]
    if task.task.solvable == "yes" and outcome.pass_rate is not None:
        outcome.solved = outcome.pass_rate == 1.0 and not outcome.regressions
    return outcome


async def _hidden_tests(
    task: SuiteTask,
    tools: Toolchain,
    store: Path,
    final: dict[str, Entry],
    standard: Standard,
    directory: Path,
    root: str,
    budget: Budget,
) -> dict[str, FileReport]:
    work = _work(directory)
    write_files(store, final, work)
    async with sandbox(directory, root, tools, _copy_of_tests(task, directory)) as box:
        return await run_files(box, tools, Order(root, HIDDEN), standard.files, budget)


def judged(task: SuiteTask, standard: Standard, reports: dict[str, FileReport]) -> Outcome:
    """Pass rate and completeness; a file whose run was tampered with has only failed tests."""
    tampering = [f"{file}: the code under test {what}" for file, r in reports.items() for what in r.tampering]
    outcomes = {t: o for r in reports.values() if not r.tampering for t, o in r.outcomes.items()}
    if standard.hidden is not None:
        expected = [t for t, o in standard.hidden.items() if o == "passed"]
        found = {t: outcomes.get(t, "failed") for t in expected}
    else:
        found = {t: _combined([o for n, o in outcomes.items() if n.split("[")[0] == t]) for t in standard.declared}
    found = _of_one_reading(task, found)
    if not found:
        reason = "the reference solution passes no hidden test" if standard.hidden else "the task has no hidden tests"
        return Outcome(None, None, None, None, reason=reason, tampering=tampering)
    requirements = {r.id: met(r.tests, found) for r in task.task.requirements}
    known = [met for met in requirements.values() if met is not None]
    return Outcome(
        pass_rate=round(sum(o == "passed" for o in found.values()) / len(found), 6),
        completeness=round(sum(known) / len(known), 6) if known else None,
        regressions=None,
        solved=None,
        tests=[TestOutcome(test, outcome) for test, outcome in sorted(found.items())],
        requirements=requirements,
        tampering=tampering,
    )


def _combined(outcomes: list[str]) -> str:
    """Of the cases of one test function: passed only when all of them are."""
    if not outcomes:
        return "failed"
    return next((o for o in ("error", "failed", "skipped") if o in outcomes), "passed")


def met(tests: list[str], found: dict[str, str]) -> bool | None:
    """Whether all tests of a requirement pass; an id stands for all tests below it (a file, a class, all cases)."""
    hits = [o for n, o in found.items() if named(n, tests)]
    return all(o == "passed" for o in hits) if hits else None


def named(test: str, ids: list[str]) -> bool:
    """Whether a test is among these ids, or below one of them."""
    return any(test == i or test.startswith((f"{i}[", f"{i}::")) for i in ids)


def _of_one_reading(task: SuiteTask, found: dict[str, str]) -> dict[str, str]:
    """Of an ambiguous task: without the tests of readings other than the one that fits best. Nobody can follow two."""
    ambiguity = task.task.ambiguity
    if task.task.solvable != "ambiguous" or ambiguity is None or not ambiguity.readings:
        return found

    def share(tests: list[str]) -> float:
        own = [o for t, o in found.items() if named(t, tests)]
        return sum(o == "passed" for o in own) / len(own) if own else 0.0

    best = max(ambiguity.readings, key=lambda reading: share(reading.tests))
    others = [t for reading in ambiguity.readings for t in reading.tests if t not in best.tests]
    return {t: o for t, o in found.items() if named(t, best.tests) or not named(t, others)}


# -- regressions ------------------------------------------------------------------------------------------------------


async def _regressions(
    tools: Toolchain,
    store: Path,
    final: dict[str, Entry],
    start: dict[str, Entry],
    standard: Standard,
    directory: Path,
    root: str,
    budget: Budget,
) -> tuple[list[str], list[str]]:
    if not standard.visible:
        return [], []
    work = _work(directory)
    write_files(store, final, work)
    ini = restore_tests(store, final, start, work)
    order = Order(root, root, f"{root}/{ini}" if ini is not None else None)
    async with sandbox(directory, root, tools) as box:
        if standard.command is not None:
            failing = standard.visible
            for _ in range(2):  # a regression must reproduce: a test that fails by chance is none
                report = await run_command(box, standard.command, budget.total / 2)
                failing = _not_passing(failing, {"": report})
                if not failing:
                    break
            return failing, []
        reports = {"": await run_together(box, tools, order, standard.visible_files, budget.total)}
        failing = _not_passing(standard.visible, reports)
        if failing:
            # A regression must reproduce in a process of its own: a test that fails by chance, or because another
            # file ended the process, is none.
            files = sorted({test.split("::")[0] for test in failing})
            reports = await run_files(box, tools, order, files, budget)
            failing = _not_passing(failing, reports)
    tampering = [f"{file}: the code under test {what}" for file, r in reports.items() if file for what in r.tampering]
    return failing, tampering


def _not_passing(tests: list[str], reports: dict[str, FileReport]) -> list[str]:
    passing = {
        t for r in reports.values() if not r.tampering for t, o in r.outcomes.items() if o in ("passed", "skipped")
    }
    return [test for test in tests if test not in passing]


def restore_tests(store: Path, final: dict[str, Entry], start: dict[str, Entry], work: Path) -> str | None:
    """Put the starter's tests and their configuration back into a final tree; returns the ini file among them.

    ``conftest.py`` files that the starter did not have are removed: they would decide about its tests.
    """
    ini = _ini(store, start)
    write_files(store, start, work, lambda path: path == ini or of_tests(path))
    for path in final:
        if path.rsplit("/", 1)[-1] == "conftest.py" and path not in start:
            (work / path).unlink(missing_ok=True)
    return ini


def of_tests(path: str) -> bool:
    parts = path.split("/")
    return parts[-1] == "conftest.py" or role(path, None) == "test" or bool(_TEST_DIRECTORIES & set(parts[:-1]))


def _ini(store: Path, files: dict[str, Entry]) -> str | None:
    for name, mark in _INI:
        if name in files and (mark is None or mark in read_file(store, files[name]).decode("utf-8", "replace")):
            return name
    return None


# -- the standard of a task -------------------------------------------------------------------------------------------


async def find_standard(task: SuiteTask, tools: Toolchain, root: str, budget: Budget) -> Standard:
    """The standard of a task, from the cache where it was found before (same task, same tools, same grader)."""
    parts = [task.digest, sys.version, *tools.packages, root, _digest(GRADER), _digest(Path(__file__))]
    key = hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]
    place = cache_directory() / "standards" / f"{key}.json"
    try:
        return msgspec.json.decode(place.read_bytes(), type=Standard)
    except (OSError, msgspec.DecodeError):
        pass
    standard = await _make_standard(task, tools, root, budget)
    place.parent.mkdir(parents=True, exist_ok=True)
    write_json(place, standard)
    return standard


async def _make_standard(task: SuiteTask, tools: Toolchain, root: str, budget: Budget) -> Standard:
    hidden_files = test_files(task.hidden)
    with new_directory("rigor-standard-") as name:
        directory = Path(name)
        repository = directory / "work"
        build_repository(task.directory, repository)
        shutil.rmtree(repository / ".git", ignore_errors=True)
        visible_files = test_files(repository)
        ini = next((n for n, mark in _INI if _has(repository / n, mark)), None)
        visible = Order(root, root, f"{root}/{ini}" if ini is not None else None)
        command = _own_command(task.task.test) if not visible_files else None
        async with sandbox(directory, root, tools) as box:
            passing = _passing(_whole(await _visible(box, tools, visible, visible_files, command, budget)))
            passing = [t for t in passing if command is None or _put_back(t)]
    standard = Standard(
        hidden_files, visible_files, passing, declared=declared(task.hidden, hidden_files), command=command
    )
    if task.task.reference is None:
        return standard
    with new_directory("rigor-standard-") as name:
        directory = Path(name)
        repository = directory / "work"
        build_repository(task.directory, repository)
        shutil.rmtree(repository / ".git", ignore_errors=True)
        starter = {f: (repository / f).read_bytes() for f in _files(repository) if f == ini or of_tests(f)}
        problem = apply_reference(Path(task.task.reference), repository)
        if problem is not None:
            standard.notes.append(problem)
            return standard
        async with sandbox(directory, root, tools, _copy_of_tests(task, directory)) as box:
            reports = _whole(await run_files(box, tools, Order(root, HIDDEN), hidden_files, budget))
        standard.hidden = {t: o for r in reports.values() for t, o in r.outcomes.items()}
        for path, content in starter.items():
            (repository / path).parent.mkdir(parents=True, exist_ok=True)
            (repository / path).write_bytes(content)
        again = directory / "again"
        again.mkdir()
        (repository).rename(again / "work")
        async with sandbox(again, root, tools) as box:
            now = set(_passing(await _visible(box, tools, visible, visible_files, command, budget)))
        standard.visible = [t for t in standard.visible if t in now]
    return standard


def _own_command(test: str | None) -> str | None:
    """A task's test command, when it is not pytest (which runs files of tests, and there are none)."""
    return None if test is None or "pytest" in test else test


def _put_back(test: str) -> bool:
    """Whether a test stands in a file that is put back: Rust's may stand in the midst of the code, and change with it.

    Only cargo's ids begin with a file.
    """
    place = test.partition("::")[0]
    return place != "Doc-tests" and (not place.endswith(".rs") or of_tests(place))


async def _visible(
    box: Box, tools: Toolchain, order: Order, files: list[str], command: str | None, budget: Budget
) -> dict[str, FileReport]:
    if command is not None:
        return {command: await run_command(box, command, budget.total)}
    return await run_files(box, tools, order, files, budget)


def apply_reference(reference: Path, repository: Path) -> str | None:
    """Lay the reference solution (a patch, or a directory of files) over a repository; why that failed, or None."""
    if reference.is_dir():
        shutil.copytree(reference, repository, dirs_exist_ok=True)
        return None
    done = subprocess.run(
        ["git", "apply", "--whitespace=nowarn", "-p1", str(reference.absolute())],
        cwd=repository,
        capture_output=True,
        text=True,
        check=False,
        # The directory is no repository of its own, and none above it may be taken for it.
        env={"PATH": os.environ.get("PATH", os.defpath), "GIT_CEILING_DIRECTORIES": str(repository.parent)},
    )
    if done.returncode != 0:
        return f"{reference}: does not apply to the starter: {' '.join(done.stderr.split())[:200]}"
    return None


def test_files(directory: Path) -> list[str]:
    """Files of tests below a directory, by pytest's own naming rule."""
    found = [f for f in _files(directory) if f.endswith(".py")]
    return [f for f in found if (n := f.rsplit("/", 1)[-1]).startswith("test_") or n.endswith("_test.py")]


def _files(directory: Path) -> list[str]:
    found = []
    for root, names, files in os.walk(directory):
        names[:] = sorted(n for n in names if n not in ("__pycache__", ".git"))
        found += [Path(root, f).relative_to(directory).as_posix() for f in sorted(files)]
    return found


def declared(directory: Path, files: list[str]) -> list[str]:
    """Ids of the test functions that files declare, without the cases of parametrized ones."""
    found: list[str] = []
    for file in files:
        try:
            tree = ast.parse((directory / file).read_bytes())
        except (SyntaxError, ValueError):
            continue
        for node in tree.body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test"):
                found.append(f"{file}::{node.name}")
            elif isinstance(node, ast.ClassDef):
                found += [
                    f"{file}::{node.name}::{n.name}"
                    for n in node.body
                    if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef) and n.name.startswith("test")
                ]
    return found


def _passing(reports: dict[str, FileReport]) -> list[str]:
    return [t for r in reports.values() if not r.tampering for t, o in r.outcomes.items() if o == "passed"]


def _whole(reports: dict[str, FileReport]) -> dict[str, FileReport]:
    """Raises: StandardError when a run did not come to its end: what it did not reach must not be taken for missing."""
    for file, report in reports.items():
        if not report.finished:
            raise StandardError(f"{file}: does not run to its end on the task's own states ({report.stopped})")
    return reports


def _has(path: Path, mark: str | None) -> bool:
    return path.is_file() and (mark is None or mark in path.read_text(encoding="utf-8", errors="replace"))


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _work(directory: Path) -> Path:
    work = directory / "work"
    work.mkdir()
    return work


def _copy_of_tests(task: SuiteTask, directory: Path) -> Path:
    """The hidden tests, readable to whoever the tests run as, without anything else that lies beside them."""
    target = directory / "hidden"
    shutil.copytree(task.hidden, target, ignore=shutil.ignore_patterns("__pycache__", "test.sh"))
    for path in (target, *target.rglob("*")):
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() else 0o644)
    return target
