"""The replayed sub-metrics, each a pure function of a :class:`ReplayResult`: BH, TS, TCR, dC and RT."""

from __future__ import annotations

from ..replay.compare import split
from ..replay.model import Checked, ReplayResult
from .result import Status, SubMetric

# Fewer snapshots than this say little; the reason says so.
FEW = 3


def build_health(result: ReplayResult) -> SubMetric:
    """BH: share of distinct post-burst snapshots that build; with a broken start tree, from the first green one on."""
    stopped = _stopped(result)
    if stopped is not None:
        return stopped
    start, after = _split(result)
    judged = [c for c in after if c.build.ok is not None]
    if not judged:
        return _none("unscorable", after[0].build.problem if after else "no snapshot was built")
    remark = ""
    if start is not None and start.build.ok is False:
        first = next((i for i, c in enumerate(judged) if c.build.ok), None)
        if first is None:
            evidence = _edits(judged)
            return SubMetric(
                0.0, "scored", "replayed", len(judged), evidence, "the start tree does not build, and no later one does"
            )
        judged = judged[first:]
        remark = "; the start tree does not build, so counted from the first that does"
    good = [c for c in judged if c.build.ok]
    bad = [c for c in judged if not c.build.ok]
    reason = f"{len(good)} of {len(judged)} snapshots build ({result.build_command})"
    if bad:
        reason += f"; first broken: {bad[0].build.problem}"
    return SubMetric(
        len(good) / len(judged),
        "scored",
        "replayed",
        len(judged),
        _edits(bad or judged),
        reason + remark + _few(len(judged)),
    )


def test_stability(result: ReplayResult) -> SubMetric:
    """TS: share of distinct post-burst snapshots on which every test that had passed still does."""
    stopped = _stopped(result)
    if stopped is not None:
        return stopped
    start, after = _split(result)
    runs = [c.tests for c in (start, *after) if c is not None and c.tests is not None]
    if not any(run.outcomes or run.broken for run in runs):
        problem = next((run.problem for run in runs if run.problem is not None and run.exit_status != 5), None)
        if problem is not None:
            return _none("unscorable", f"the tests cannot be run: {problem}")
        return _none("not_applicable", "the project has no tests")
    if not any(run.passing() for run in runs):
        why = next((m for run in runs for m in run.broken.values()), None) or next(
            (run.problem for run in runs if run.problem), "every test fails"
        )
        return _none("unscorable", f"no test passes on any snapshot here: {' '.join(why.split())[-200:]}")
    bad = [c for c in after if c.regressions]
    reason = f"{len(after) - len(bad)} of {len(after)} snapshots keep every test passing that had passed"
    if bad:
        first = bad[0].regressions[0]
        reason += f"; first regression: {first.test} {first.kind}"
    if result.flaky:
        reason += f"; {len(result.flaky)} flaky tests left out"
    value = (len(after) - len(bad)) / len(after)
    return SubMetric(value, "scored", "replayed", len(after), _edits(bad or after), reason + _few(len(after)))


test_stability.__test__ = False  # type: ignore[attr-defined]


def test_creation_rate(result: ReplayResult) -> SubMetric:
    """TCR: share of the changed units that a test of the agent notices when they are reverted or mutated."""
    stopped = _stopped(result, of_change=True)
    if stopped is not None:
        return stopped
    if result.units is None:
        return _none("unscorable", result.units_reason or "the changed units were not examined")
    if not result.units:
        return _none("not_applicable", "no function, method or class of the production code changed")
    covered = [u for u in result.units if u.killed_by is not None]
    missed = [u for u in result.units if u.killed_by is None]
    reason = f"{len(covered)} of {len(result.units)} changed units fail a test of the agent when taken back"
    if missed:
        reason += f"; not noticed: {missed[0].unit} in {missed[0].path}"
    evidence = list(dict.fromkeys(e for u in result.units for e in u.edits))
    value = len(covered) / len(result.units)
    return SubMetric(value, "scored", "replayed", len(result.units), evidence, reason)


test_creation_rate.__test__ = False  # type: ignore[attr-defined]


def coverage_delta(result: ReplayResult) -> SubMetric:
    """dC = [cov(T0 + Ta) - cov(T0)] / [1 - cov(T0)] over the lines and branches that the agent changed."""
    stopped = _stopped(result, of_change=True)
    if stopped is not None:
        return stopped
    found = result.coverage
    if found is None:
        if not result.production_changed:
            return _none("not_applicable", "no production code changed")
        return _none("unscorable", result.coverage_reason or "coverage was not measured")
    if found.points == 0:
        return _none("not_applicable", "no executable line of the production code changed")
    if found.start_tests == found.points:
        return _none("not_applicable", "the start tests already cover everything that changed")
    value = (found.all_tests - found.start_tests) / (found.points - found.start_tests)
    reason = (
        f"of {found.points} changed lines and branches the start tests cover {found.start_tests}, "
        f"with the agent's tests {found.all_tests}"
    )
    return SubMetric(value, "scored", "replayed", found.points, found.edits, reason)


def requirements_traceability(result: ReplayResult) -> SubMetric:
    """RT: share of the requirements whose violation a test of the agent notices, on the task's own solutions."""
    stopped = _stopped(result, of_change=True)
    if stopped is not None:
        return stopped
    if result.requirements is None:
        return _none("unscorable", result.requirements_reason or "requirements were not traced")
    total = len(result.requirements)
    traced = [r for r in result.requirements if r.killed_by is not None]
    missed = [r for r in result.requirements if r.killed_by is None]
    reason = (
        f"{len(traced)} of {total} requirements: a test of the agent passes on the reference and fails where only this "
        "one is violated"
    )
    if missed:
        reason += f"; not noticed: {missed[0].id}"
    files = {split(r.killed_by)[0] for r in traced if r.killed_by is not None}
    evidence = [e for e, path in result.edit_paths.items() if path in files]
    return SubMetric(len(traced) / total, "scored", "replayed", total, evidence, reason)


def _none(status: Status, reason: str) -> SubMetric:
    return SubMetric(None, status, None, 0, [], reason)


def _stopped(result: ReplayResult, *, of_change: bool = False) -> SubMetric | None:
    """What every sub-metric says when there is nothing to look at.

    ``of_change``: a metric of the change itself, which is 0 when the task asked for one and there is none.
    """
    if result.unavailable is not None:
        return _none("unscorable", result.unavailable)
    if result.snapshots is None:
        return _none("unscorable", "no snapshots")
    if not result.snapshots.states:
        if of_change and result.change_asked:
            return SubMetric(0.0, "scored", "replayed", 0, [], "the task asks for a change and there is none")
        return _none("not_applicable", "no edits in the repository")
    if result.snapshots.inexact is not None:
        return _none("unscorable", f"the states cannot be rebuilt exactly: {result.snapshots.inexact}")
    return None


def _split(result: ReplayResult) -> tuple[Checked | None, list[Checked]]:
    """The start tree, and the trees that an edit burst left (the start tree among them if one led back to it)."""
    start = next((c for c in result.checked if c.is_start), None)
    return start, [c for c in result.checked if c.edits]


def _edits(checked: list[Checked]) -> list[str]:
    return list(dict.fromkeys(e for c in checked for e in c.edits))


def _few(n: int) -> str:
    return f" (only {n}: low evidence)" if n < FEW else ""
