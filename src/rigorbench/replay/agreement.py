"""Compares the agent's own test runs with ours on the same tree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..evidence.events import AnyEvent, TestRunEvent
from ..evidence.facts import CheckFacts
from ..evidence.testruns.ids import of_file
from .model import Checked, Disagreement, ReplayResult, TestRun


def compare_runs(result: ReplayResult, events: Sequence[AnyEvent], checks: Mapping[str, CheckFacts]) -> None:
    """Fill in how many of the agent's runs could be compared, and where they and the replay differ.

    A run that selects tests is compared by these tests where the command names them (files or ids), else only by the
    tests that it reports as failing. Flaky tests do not count.
    """
    if result.snapshots is None:
        return
    by_tree = {c.tree: c for c in result.checked}
    flaky = set(result.flaky)
    for event in events:
        if not isinstance(event, TestRunEvent) or event.outcome not in ("passed", "failed"):
            continue
        checked = by_tree.get(result.snapshots.tested_on.get(event.id, ""))
        facts = checks.get(event.id)
        if checked is None or facts is None or not facts.ran or facts.start_tree:
            continue
        agree = _agree(event, facts, checked, flaky)
        if agree is not None:
            result.compared += 1
            if isinstance(agree, Disagreement):
                result.disagreements.append(agree)


def _agree(event: TestRunEvent, facts: CheckFacts, checked: Checked, flaky: set[str]) -> Disagreement | bool | None:
    """True, or how the two differ; None if they cannot be compared."""
    run = checked.tests
    if run is None or run.problem is not None or not run.outcomes:
        return None
    passing = run.passing()
    red = {t for t, o in run.outcomes.items() if o in ("failed", "error")} - flaky
    chosen = _chosen(facts, run)
    if event.outcome == "passed":
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
    if event.outcome == "passed" and not wrong:
        return True
    return Disagreement(event.id, checked.tree, _seen(event), _replayed(run, chosen, red, passing), wrong)


def _chosen(facts: CheckFacts, run: TestRun) -> set[str] | None:
    """Our ids of the tests that the agent's run selected; None if the command does not show them."""
    left_out = {t for e in facts.excluded for t in run.outcomes if e in t}
    if not facts.selective:
        return set(run.outcomes) - left_out
    if not facts.targets:
        return None
    chosen: set[str] = set()
    for target in facts.targets:
        path, _, name = target.partition("::")
        path = path.removeprefix("./").rstrip("/")
        mine = {
            t
            for t in run.outcomes
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
    counts = [(event.failed, "failed"), (event.passed, "passed")]
    words = ", ".join(f"{n} {word}" for n, word in counts if n)
    return words or event.outcome


def _replayed(run: TestRun, chosen: set[str] | None, red: set[str], passing: set[str]) -> str:
    about = chosen if chosen is not None else set(run.outcomes)
    counts = [(len(red & about), "failed"), (len(passing & about), "passed"), (len(run.broken), "not loaded")]
    return ", ".join(f"{n} {word}" for n, word in counts if n) or "nothing ran"
