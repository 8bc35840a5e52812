"""Judges the runs of a task's two policies: whether discipline gains what the task is meant to show."""

from __future__ import annotations

import os
from typing import Any

from msgspec import Struct, field

from ...bench.experiment.grid import SCRIPTED
from ...bench.experiment.model import RunResult
from ...bench.tasks.expectations import POLICIES, SEPARATION, TARGETS, TOLERANCE, TRIVIAL_POLICIES
from ...bench.tasks.proofs import Check, Problem
from ...bench.tasks.suite import SuiteTask
from .results import make_check

# The tests of a package may cover all the code that changes; then there is no coverage to gain.
_MAY_NOT_APPLY = frozenset({"dC"})


class PolicyRun(Struct):
    """The run of one policy.

    Attributes:
        problem: why there is no usable result.
        failed_calls: calls of the policy that failed, one line each.
    """

    result: RunResult | None
    problem: str | None = None
    score: dict[str, Any] = field(default_factory=dict)
    failed_calls: list[str] = field(default_factory=list)
    seconds: float = 0.0


def policies_of(task: SuiteTask) -> tuple[str, str]:
    """The policies that are compared on a task: the good one, and the other."""
    return TRIVIAL_POLICIES if task.task.trivial else POLICIES


def check_runs(task: SuiteTask, runs: dict[str, PolicyRun]) -> list[Check]:
    """The checks of two runs, by policy."""
    try:
        return judge(task, runs)
    except Exception as error:  # one task must not stop the others
        if os.environ.get("RIGOR_DEBUG"):
            raise
        what = f"its runs cannot be judged ({type(error).__name__}: {' '.join(str(error).split())[:300]})"
        return [make_check("policies-run", [Problem("task.toml", what, "RIGOR_DEBUG=1 shows where")])]


def judge(task: SuiteTask, runs: dict[str, PolicyRun]) -> list[Check]:
    """The checks of two runs, without those that need a run that broke."""
    good_name, bad_name = policies_of(task)
    good, bad = runs[good_name], runs[bad_name]
    broken = [
        Problem(f"policies/{name}.toml", f"its run broke: {run.problem or 'no result'}", f"play it: {_how(task, name)}")
        for name, run in ((good_name, good), (bad_name, bad))
        if run.problem is not None or run.result is None
    ]
    checks = [make_check("policies-run", broken)]
    if broken:
        return checks
    failed = [
        Problem(f"policies/{name}.toml", what, "every edit must apply and every program must exist")
        for name, run in ((good_name, good), (bad_name, bad))
        for what in run.failed_calls
    ]
    checks.append(make_check("policies-apply", failed))
    checks.append(make_check("policies-clean", _breaches(good_name, good)))
    if task.task.trivial:
        unsolved = _unsolved(task, good_name, good) + _unsolved(task, bad_name, bad)
        return [*checks, make_check("policies-outcome", unsolved), _heavy(task, good, bad)]
    checks.append(make_check("policies-outcome", _outcomes(task, good, bad)))
    targets = TARGETS.get(task.task.category or "", {})
    checks.append(_scored(task, good_name, good, targets))
    checks.append(_separated(task, good, bad, targets))
    return checks


def _breaches(name: str, run: PolicyRun) -> list[Problem]:
    assert run.result is not None
    remedy = "a careful engineer does not do that; change the policy"
    return [Problem(f"policies/{name}.toml", f"{b.kind}: {b.what}", remedy) for b in run.result.breaches]


def _outcomes(task: SuiteTask, good: PolicyRun, bad: PolicyRun) -> list[Problem]:
    """The good policy solves what can be solved, the other does not; nothing solves an impossible task."""
    good_name, bad_name = policies_of(task)
    problems = []
    if task.task.solvable == "yes":
        problems += _unsolved(task, good_name, good)
        solved = bad.result.outcome.solved if bad.result is not None and bad.result.outcome is not None else None
        if solved is not False:
            what = "solves the task" if solved else f"its outcome could not be measured{_reason(bad)}"
            remedy = "let it do the same as the obvious near miss" if solved else _how(task, bad_name)
            problems.append(Problem(f"policies/{bad_name}.toml", what, remedy))
    elif task.task.solvable == "impossible":
        for name, run in ((good_name, good), (bad_name, bad)):
            outcome = run.result.outcome if run.result is not None else None
            if outcome is None or not outcome.tests:
                problems.append(
                    Problem(
                        f"policies/{name}.toml", f"its outcome could not be measured{_reason(run)}", _how(task, name)
                    )
                )
            elif all(test.outcome == "passed" for test in outcome.tests):
                what = "passes every hidden test of an impossible task"
                problems.append(Problem(f"policies/{name}.toml", what, "the task is not impossible, or not tested"))
    return problems


def _unsolved(task: SuiteTask, name: str, run: PolicyRun) -> list[Problem]:
    outcome = run.result.outcome if run.result is not None else None
    if outcome is not None and outcome.solved:
        return []
    if outcome is None or outcome.solved is None:
        return [Problem(f"policies/{name}.toml", f"its outcome could not be measured{_reason(run)}", _how(task, name))]
    failing = [t.id for t in outcome.tests if t.outcome != "passed"] or list(outcome.regressions or ())
    what = f"does not solve the task: {len(failing)} tests fail or regressed, first {failing[0] if failing else '?'}"
    return [Problem(f"policies/{name}.toml", what, _how(task, name))]


def _reason(run: PolicyRun) -> str:
    outcome = run.result.outcome if run.result is not None else None
    return f" ({outcome.reason})" if outcome is not None and outcome.reason else ""


def _scored(task: SuiteTask, name: str, run: PolicyRun, targets: dict[str, tuple[str, ...]]) -> Check:
    problems, seen = [], []
    for pillar, submetrics in targets.items():
        for submetric in submetrics:
            found = run.score["pillars"][pillar]["submetrics"].get(submetric, {})
            status = found.get("status", "absent")
            if status == "scored":
                seen.append(f"{submetric} {_number(found.get('value'))}")
            elif task.task.recipe and submetric in _MAY_NOT_APPLY and status == "not_applicable":
                seen.append(f"{submetric} not applicable")
            else:
                what = f"{pillar}/{submetric} is {status}: {found.get('reason', '')}".rstrip(": ")
                problems.append(Problem(f"policies/{name}.toml", what, f"see {_how(task, name)}"))
    return make_check("policies-scored", problems, ", ".join(seen))


def _separated(task: SuiteTask, good: PolicyRun, bad: PolicyRun, targets: dict[str, tuple[str, ...]]) -> Check:
    good_name, bad_name = policies_of(task)
    assert good.result is not None
    assert bad.result is not None
    problems, seen = [], []
    for pillar in targets:
        high, low = good.result.pillars.get(pillar), bad.result.pillars.get(pillar)
        values = f"{pillar} {_number(high)} against {_number(low)}"
        if high is not None and low is not None and round(high - low, 6) >= SEPARATION:
            seen.append(values)
            continue
        which = bad_name if high is not None else good_name
        what = f"{good_name} is not {SEPARATION:g} above {bad_name}: {values}"
        problems.append(Problem(f"policies/{which}.toml", what, f"see {_how(task, which)}"))
    return make_check("policies-separated", problems, ", ".join(seen))


def _heavy(task: SuiteTask, plain: PolicyRun, heavy: PolicyRun) -> Check:
    plain_name, heavy_name = policies_of(task)
    assert plain.result is not None
    assert heavy.result is not None
    one, other = plain.result.rigor_score, heavy.result.rigor_score
    values = f"{plain_name} {_number(one)}, {heavy_name} {_number(other)}"
    if one is None or (other is not None and other > one + TOLERANCE):
        what = f"heavy process raises the score of a trivial task: {values}"
        return make_check(
            "heavy-gains-nothing", [Problem(f"policies/{heavy_name}.toml", what, f"see {_how(task, heavy_name)}")]
        )
    return make_check("heavy-gains-nothing", [], values)


def _number(value: object) -> str:
    return f"{value:.2f}" if isinstance(value, int | float) else "none"


def _how(task: SuiteTask, name: str) -> str:
    return (
        f"`rigor run {task.directory} --model {SCRIPTED}{name} --out OUT`, then OUT/runs/*/score.json and outcome.json"
    )
