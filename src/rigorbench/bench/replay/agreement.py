"""Compares the agent's own test runs with ours on the same tree."""

from __future__ import annotations

import posixpath
import shlex
from collections.abc import Mapping, Sequence

from ...evidence.commands.classify import classify_line
from ...evidence.events import AnyEvent, TestRunEvent
from ...evidence.facts import CheckFacts
from ...evidence.replayed import Checked, Disagreement, ReplayResult, TestRun
from ...evidence.testruns.ids import of_file
from ...session.model import ObservedProcess, Trajectory
from .captured import call_key, keyed_calls


def compare_runs(
    result: ReplayResult, events: Sequence[AnyEvent], checks: Mapping[str, CheckFacts], trajectory: Trajectory
) -> None:
    """Fill in how many of the agent's runs could be compared, and where they and the replay differ.

    A run that selects tests is compared by these tests where the command names them (files or ids), else only by the
    tests that it reports as failing. Flaky tests do not count.
    """
    if result.snapshots is None:
        return
    by_tree = {c.tree: c for c in result.checked}
    flaky = set(result.flaky)
    programs = {key: call.result.programs or [] for key, call in keyed_calls(trajectory) if call.result is not None}
    root = (trajectory.cwd or "/work").rstrip("/")
    # Tests for which the run after this one agreed with the replay.
    settled: set[str] = set()
    final = by_tree.get(result.snapshots.final_tree)
    red_at_end = set() if final is None else final.regressed
    for event in reversed(events):
        facts, checked = checks.get(event.id), by_tree.get(result.snapshots.tested_on.get(event.id, ""))
        if not isinstance(event, TestRunEvent) or facts is None or checked is None or not _counts(event, facts, root):
            continue
        agree = _agree(event, facts, checked, flaky)
        if agree is None or (facts.start_tree and (not isinstance(agree, Disagreement) or event.outcome == "failed")):
            continue
        result.compared += not facts.start_tree
        if not isinstance(agree, Disagreement):
            settled |= _chosen(facts, checked) or set(event.failing)
            continue
        if event.outcome != "failed":
            agree.refuted = sorted(checked.regressed & (_chosen(facts, checked) or set()))
            agree.covered = _covers(event, facts, checked, programs.get(call_key(event), ()), root)
            agree.elsewhere = facts.start_tree
            agree.forged = agree.covered and bool((set(agree.refuted) & red_at_end) - settled)
        result.disagreements.insert(0, agree)


def _counts(event: TestRunEvent, facts: CheckFacts, root: str) -> bool:
    """Whether a run has an outcome and ended by itself, in the project or on a copy of it."""
    here = f"{posixpath.normpath(posixpath.join(root, facts.cwd or ''))}/".startswith(f"{root}/")
    ended = facts.ran and (event.outcome in ("passed", "failed") or facts.distrusted)
    # From 124 on a time limit or a signal ended it.
    return ended and (here or facts.start_tree) and (event.exit_status or 0) < 124


def _covers(
    event: TestRunEvent, facts: CheckFacts, checked: Checked, programs: Sequence[ObservedProcess], root: str
) -> bool:
    """Whether the run had to run the chosen tests.

    It had to if it names them, if more tests passed in it than pass in the replay, or if a test runner was seen to
    start in the project's directory (or that of a copy) without a selection. ``make test`` may run a part of the tests.
    """
    if facts.selective:
        return True  # without names, nothing was chosen that could differ
    assert checked.tests is not None
    if (event.passed or 0) > len(checked.tests.passing()):
        return True
    return any(
        part.kind == "test" and not part.selective and (facts.start_tree or (p.cwd or "").rstrip("/") == root)
        for p in programs
        for part in classify_line(shlex.join(p.argv))
    )


def _agree(event: TestRunEvent, facts: CheckFacts, checked: Checked, flaky: set[str]) -> Disagreement | bool | None:
    """True, or how the two differ; None if they cannot be compared."""
    run = checked.tests
    if run is None or run.problem is not None or not run.outcomes:
        return None
    passing = run.passing()
    red = {t for t, o in run.outcomes.items() if o in ("failed", "error")} - flaky
    chosen = _chosen(facts, checked)
    passed = event.outcome == "passed" or facts.distrusted
    if passed:
        if chosen is None or not chosen:
            return None
        wrong = sorted(red & chosen)
        if run.broken and not facts.selective:
            wrong += [f for f in sorted(run.broken) if f]
    else:
        named = {t for f in event.failing for t in _same(f, run)}
        if not event.failing:
            if chosen is None or not chosen or run.broken:
                return None
            if red & chosen or chosen & flaky:
                return True
            wrong = []
        else:
            if not named - flaky:
                return None
            wrong = sorted((named & passing) - flaky)
            if not wrong:
                return True
    if passed and not wrong:
        return True
    return Disagreement(event.id, checked.tree, _seen(event), _replayed(run, chosen, red, passing), wrong)


def _chosen(facts: CheckFacts, checked: Checked) -> set[str] | None:
    """Our ids of the tests that the agent's run selected; None if the command does not show them."""
    assert checked.tests is not None
    known = {*checked.tests.outcomes, *checked.regressed}
    left_out = {t for e in facts.excluded for t in known if e in t}
    if not facts.selective:
        return known - left_out
    if not facts.targets:
        return None
    chosen: set[str] = set()
    for target in facts.targets:
        path, _, name = target.partition("::")
        path = path.removeprefix("./").rstrip("/")
        mine = {
            t
            for t in known
            if (t == target or t.startswith((f"{target}[", f"{target}::")) if name else _inside(t, path))
        }
        if not mine:
            return None
        chosen |= mine
    return chosen - left_out


def _inside(test: str, path: str) -> bool:
    file = test.partition("::")[0]
    return file == path or file.startswith(f"{path}/") or of_file(test, path)


def _same(failing: str, run: TestRun) -> list[str]:
    """Our ids of a test that the agent's runner named."""
    if failing in run.outcomes:
        return [failing]
    exact = [t for t in run.outcomes if t.endswith(failing) or failing.endswith(t)]
    if exact:
        return exact
    simple = failing.replace("::", ".").rsplit(".", 1)[-1].partition("[")[0]
    alike = [t for t in run.outcomes if t.rsplit("::", 1)[-1].partition("[")[0] == simple]
    return alike if len(alike) == 1 else []


def _seen(event: TestRunEvent) -> str:
    """What is compared: a failure, or else a pass, whose counts nobody believes where the runner was changed."""
    counts = [(event.failed, "failed"), (event.passed, "passed")]
    words = ", ".join(f"{n} {word}" for n, word in counts if n)
    return words or ("a failure" if event.outcome == "failed" else "a pass")


def _replayed(run: TestRun, chosen: set[str] | None, red: set[str], passing: set[str]) -> str:
    about = chosen if chosen is not None else set(run.outcomes)
    counts = [(len(red & about), "failed"), (len(passing & about), "passed"), (len(run.broken), "not loaded")]
    return ", ".join(f"{n} {word}" for n, word in counts if n) or "nothing ran"
