"""Measures the outcome of a run by tests that the agent never saw.

Hidden tests run on the captured final tree, in a sandbox of their own. The visible tests of the starter are restored in
the final tree and run on it too: one that passed at the start and does not pass now is a regression. Which tests are
expected to pass is found by :mod:`.expected`.
"""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

from msgspec.structs import replace

from ...base.cache import cache_directory
from ...sandbox.kit.errors import SandboxError
from ...sandbox.kit.toolchain import Toolchain, toolchain
from ...session.readers.capture.store import TreeEntry
from ..experiment.records import Outcome, TestOutcome
from ..tasks.hidden_tests import is_among
from ..tasks.suite import SuiteTask
from ..tasks.workspace import ROOT, RepositoryError
from .expected import INI_FILES, Expected, ExpectedError, find_expected, ini_file, of_tests
from .hidden import (
    FileReport,
    HiddenSeconds,
    new_directory,
    run_command,
    run_files,
    run_hidden,
    run_together,
    sandbox,
)
from .trees import TreeError, read_file, read_tree, write_files


def measure(
    task: SuiteTask,
    store: Path,
    final_tree: str,
    start_tree: str,
    budget: HiddenSeconds | None = None,
    *,
    reading: str | None = None,
) -> Outcome:
    """Measure the outcome of a run.

    Args:
        start_tree: the work tree at the start, with the harness overlay.
        reading: of an ambiguous task the one that its user has chosen; the tree is then graded by it alone.

    What cannot be measured is None, with the reason in the result; nothing is raised for it.
    """
    started = time.monotonic()
    try:
        graded = task if reading is None else as_answered(task, reading)
        outcome = asyncio.run(_measure(graded, store, final_tree, start_tree, budget or HiddenSeconds()))
    except (SandboxError, TreeError, RepositoryError, ExpectedError) as error:
        outcome = Outcome(None, None, None, None, reason=str(error))
    outcome.final_tree = final_tree
    outcome.seconds = round(time.monotonic() - started, 3)
    return outcome


def as_answered(task: SuiteTask, reading: str) -> SuiteTask:
    """An ambiguous task once its user has chosen a reading: it can be done, and the golden patch is that reading's."""
    ambiguity = task.task.ambiguity
    chosen = next((r for r in ambiguity.readings if r.id == reading), None) if ambiguity is not None else None
    if chosen is None:
        return task
    answered = replace(task.task, solvable="yes", ambiguity=None, reference=chosen.reference)
    return replace(task, task=answered)


async def _measure(task: SuiteTask, store: Path, final_tree: str, start_tree: str, budget: HiddenSeconds) -> Outcome:
    tools = toolchain(cache_directory(), task.task.tools)
    expected = await find_expected(task, tools, budget)
    final, start = read_tree(store, final_tree), read_tree(store, start_tree)
    hidden, (regressions, tampering) = await asyncio.gather(
        run_hidden(
            tools, task.hidden, expected.files, expected.isolated, budget, lambda work: write_files(store, final, work)
        ),
        _regressions(tools, expected, store, final, start, budget),
    )
    outcome = outcome_of(task, expected, hidden)
    outcome.regressions = regressions
    outcome.tampering += [t for t in tampering if t not in outcome.tampering]
    visible = len(expected.visible)
    # An impossible task has no score, nor a pass rate: no work can pass its tests.
    if task.task.solvable == "impossible":
        outcome.pass_rate = outcome.completeness = outcome.features = None
    elif outcome.pass_rate is not None:
        gain = [t.outcome == "passed" for t in outcome.tests if not t.at_start]
        keep = [t.outcome == "passed" for t in outcome.tests if t.at_start]
        if not gain:
            outcome.reason = "every hidden test passes on the starter: there is nothing to gain"
        else:
            kept, total = sum(keep) + visible - len(outcome.regressions or ()), len(keep) + visible
            outcome.fail_to_pass = round(sum(gain) / len(gain), 6)
            outcome.kept = round(kept / total, 6) if total else None
            outcome.score = outcome.worth()
    if task.task.solvable == "yes" and outcome.pass_rate is not None:
        outcome.solved = outcome.pass_rate == 1.0 and not outcome.regressions
    return outcome


def outcome_of(task: SuiteTask, expected: Expected, reports: dict[str, FileReport]) -> Outcome:
    """Pass rate and completeness; in a file whose run was tampered with, all tests count as failed."""
    outcomes = {t: o for r in reports.values() if not r.tampering for t, o in r.outcomes.items()}
    if expected.hidden is not None:
        passing = [t for t, o in expected.hidden.items() if o == "passed"]
        found = {t: outcomes.get(t, "failed") for t in passing}
    else:
        found = {t: _combined([o for n, o in outcomes.items() if n.split("[")[0] == t]) for t in expected.declared}
    found = _without_other_readings(task, found)
    tampering = _tampering(reports)
    if not found:
        reason = "the reference solution passes no hidden test" if expected.hidden else "the task has no hidden tests"
        return Outcome(None, None, None, None, reason=reason, tampering=tampering)
    requirements = {r.id: _is_met(r.tests, found) for r in task.task.requirements}
    known = [met for met in requirements.values() if met is not None]
    # Requirements met / those of which a test fails on the starter; None: there is none.
    at_start = {t: "passed" if _at_start(t, expected) else "failed" for t in found}
    missing = [requirements[r.id] for r in task.task.requirements if _is_met(r.tests, at_start) is False]
    return Outcome(
        pass_rate=round(sum(o == "passed" for o in found.values()) / len(found), 6),
        completeness=round(sum(known) / len(known), 6) if known else None,
        regressions=None,
        solved=None,
        tests=[TestOutcome(t, o, _at_start(t, expected)) for t, o in sorted(found.items())],
        requirements=requirements,
        tampering=tampering,
        features=(round(sum(met is True for met in missing) / len(missing), 6) if missing else None),
    )


def _at_start(test: str, expected: Expected) -> bool:
    """Whether a hidden test passes on the starter: then its passing is nothing that the work has gained."""
    cases = [o for t, o in expected.at_start.items() if t == test or t.split("[")[0] == test]
    return _combined(cases) == "passed"


def _tampering(reports: dict[str, FileReport]) -> list[str]:
    return [f"{file}: the code under test {what}" for file, r in reports.items() if file for what in r.tampering]


def _combined(outcomes: list[str]) -> str:
    """The outcome of a test function with cases: passed only if all of them are."""
    if not outcomes:
        return "failed"
    return next((o for o in ("error", "failed", "skipped") if o in outcomes), "passed")


def _is_met(tests: list[str], found: dict[str, str]) -> bool | None:
    """Whether all tests of a requirement pass; None: it has none."""
    hits = [o for n, o in found.items() if is_among(n, tests)]
    return all(o == "passed" for o in hits) if hits else None


def _without_other_readings(task: SuiteTask, found: dict[str, str]) -> dict[str, str]:
    """Of an ambiguous task: drop the tests of all readings but the one that fits best. Nobody can follow two."""
    ambiguity = task.task.ambiguity
    if task.task.solvable != "ambiguous" or ambiguity is None or not ambiguity.readings:
        return found

    def share(tests: list[str]) -> float:
        own = [o for t, o in found.items() if is_among(t, tests)]
        return sum(o == "passed" for o in own) / len(own) if own else 0.0

    best = max(ambiguity.readings, key=lambda reading: share(reading.tests))
    others = [t for reading in ambiguity.readings for t in reading.tests if t not in best.tests]
    return {t: o for t, o in found.items() if is_among(t, best.tests) or not is_among(t, others)}


# -- regressions ------------------------------------------------------------------------------------------------------


async def _regressions(
    tools: Toolchain,
    expected: Expected,
    store: Path,
    final: dict[str, TreeEntry],
    start: dict[str, TreeEntry],
    budget: HiddenSeconds,
) -> tuple[list[str], list[str]]:
    """(visible tests that no longer pass, tampering). A test that fails once by chance is no regression."""
    if not expected.visible:
        return [], []
    with new_directory("rigor-visible-") as name:
        directory = Path(name)
        work = directory / "work"
        work.mkdir()
        write_files(store, final, work)
        # The starter's tests and their settings. Removed are ``conftest.py`` files that the starter did not have, since
        # they could change what its tests do, and what Python would import instead of a module of its tests.
        texts = {n: read_file(store, start[n]).decode("utf-8", "replace") for n, _ in INI_FILES if n in start}
        ini = ini_file(texts)
        write_files(store, start, work, lambda extra: extra == ini or of_tests(extra))
        for extra in final:
            if extra not in start and (extra.rsplit("/", 1)[-1] == "conftest.py" or _replaces_tests(extra, start)):
                (work / extra).unlink(missing_ok=True)
        place = f"{ROOT}/{ini}" if ini is not None else None
        async with sandbox(directory, tools) as box:
            if expected.command is not None:
                failing = expected.visible
                for _ in range(2):
                    report = await run_command(box, expected.command, budget.total / 2)
                    failing = _not_passing(failing, {"": report})
                    if not failing:
                        break
                return failing, []
            together = await run_together(box, expected.visible_files, budget.total, tests=ROOT, ini=place)
            failing = _not_passing(expected.visible, {"": together})
            if not failing:
                return [], []
            # Again, each file in a process of its own: another file may have ended the common process.
            files = sorted({test.split("::")[0] for test in failing})
            reports = await run_files(box, files, budget, tests=ROOT, ini=place)
            return _not_passing(failing, reports), _tampering(reports)


def _not_passing(tests: list[str], reports: dict[str, FileReport]) -> list[str]:
    # Each has passed on the starter and on the reference, so one that is skipped now is no pass: the code can skip it.
    passing = {t for r in reports.values() if not r.tampering for t, o in r.outcomes.items() if o == "passed"}
    return [test for test in tests if test not in passing]


def _replaces_tests(path: str, start: dict[str, TreeEntry]) -> bool:
    """Whether Python takes a file for a module of the starter's tests: a package or an extension module goes first."""
    directory, _, name = path.rpartition("/")
    if name.startswith("__init__."):
        module = f"{directory}.py"
    elif name.endswith(".so"):
        module = f"{directory}/{name.partition('.')[0]}.py".removeprefix("/")
    else:
        return False
    return module in start and of_tests(module)
