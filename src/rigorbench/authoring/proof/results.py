"""The checks of a proof as its parts report them."""

from __future__ import annotations

from collections.abc import Sequence

from ...bench.tasks.proofs import Check, Problem
from .runs import HiddenResults

# The order of checks in a report; the parts of a proof end in any order.
ORDER = (
    "starter-builds",
    "starter-tests",
    "starter-red",
    "starter-fails",
    "verdict-outside",
    "golden-passes",
    "baseline",
    "golden-builds",
    "golden-keeps-tests",
    "near-misses-rejected",
    "near-misses-lower",
    "near-misses-red",
    "causes-stacked",
    "symptoms-turn-red",
    "obvious-passes-visible",
    "faults",
    "checkpoints-open",
    "checkpoints-reached",
    "root-cause-touched",
    "symptoms-caught",
    "difficulty",
    "obstacle",
    "obstacle-gone-on-twin",
    "readings",
)


def make_check(name: str, problems: Sequence[Problem], detail: str = "") -> Check:
    return Check(name, "failed", problems=tuple(problems)) if problems else Check(name, "ok", detail)


def stable(
    runs: Sequence[HiddenResults | Problem], what: str, file: str, *, skips: bool = False
) -> tuple[list[Problem], list[str]]:
    """Problems of a tree that must pass every test in each run, and all tests that any run contained.

    ``skips``: a test may be skipped instead.
    """
    fine = ("passed", "skipped") if skips else ("passed",)
    seen: dict[str, list[str]] = {}
    for number, run in enumerate(runs, 1):
        if isinstance(run, Problem):
            return [run], []
        if run.broken is not None:
            return [Problem(file, f"{what}, time {number}: {run.broken}", "correct it or the test")], []
        for test in run.outcomes:
            seen.setdefault(test, [])
    problems = []
    for test, whys in seen.items():
        for run in runs:
            if isinstance(run, HiddenResults) and run.outcomes.get(test) not in fine:
                whys.append(f"{run.outcomes.get(test, 'not run')}{run.why(test)}")
        if whys:
            times = len(runs) - len(whys)
            remedy = "make the test deterministic" if times else "correct the golden solution or the test"
            problems.append(Problem(file, f"{what} passes {test} in {times} of {len(runs)} runs: {whys[0]}", remedy))
    return problems, list(seen)
