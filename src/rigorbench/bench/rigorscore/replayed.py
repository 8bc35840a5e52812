"""The replayed sub-metrics, each a pure function of a :class:`ReplayResult`: BH, TS, TCR, dC and RT."""

from __future__ import annotations

from ...base.text import count
from ...evidence.replayed import BuiltTree, ReplayResult
from ...review.pillars import Method
from ...review.result import SubMetric, not_applicable, scored, unscorable
from ..replay.compare import split

# With fewer snapshots than this the reason says that the evidence is weak.
_FEW = 3


def build_health(result: ReplayResult) -> SubMetric:
    """BH: share of distinct post-burst snapshots and commits that build.

    With a broken start tree they count from the first that builds on, and with an empty one likewise, except commits:
    files are written before their build file, but nobody has to commit them without it.
    """
    nothing = _nothing_replayed(result)
    if nothing is not None:
        return nothing
    start, after = _split(result)
    judged = [c for c in after if c.build.ok is not None]
    if not judged:
        return unscorable(after[0].build.problem if after else "no snapshot was built")
    remark = ""
    if start is not None and (start.build.ok is False or result.from_nothing):
        first = next((i for i, c in enumerate(judged) if c.build.ok or (c.committed and result.from_nothing)), None)
        if first is None:
            reason = "neither the start tree nor any later snapshot builds"
            return scored(0.0, "replayed", len(judged), _edits(judged), reason)
        left_out = judged[:first]
        judged = judged[first:]
        if left_out and result.from_nothing:
            remark = "; counted from the first snapshot that builds, because nothing was there at the start"
        elif start.build.ok is False and not result.from_nothing:
            remark = "; counted from the first snapshot that builds, because the start tree does not"
    good = [c for c in judged if c.build.ok]
    bad = [c for c in judged if not c.build.ok]
    reason = f"{len(good)} of {count(len(judged), 'snapshot')} built ({result.build_command})"
    if bad:
        reason += f"; first failure: {bad[0].build.problem}"
    reason += remark + _merged(result) + _few(len(judged))
    value = len(good) / (len(judged) + (result.merged_stages or 0))
    return scored(value, "replayed", len(judged), _edits(bad or judged), reason)


def test_stability(result: ReplayResult) -> SubMetric:
    """TS: share of distinct post-burst snapshots and commits on which every test that had passed still does."""
    nothing = _nothing_replayed(result)
    if nothing is not None:
        return nothing
    start, after = _split(result)
    runs = [c.tests for c in (start, *after) if c is not None and c.tests is not None]
    if not any(run.outcomes or run.broken for run in runs):
        problem = next((run.problem for run in runs if run.problem is not None and run.exit_status != 5), None)
        if problem is not None:
            return unscorable(f"the tests cannot be run: {problem}")
        return not_applicable("no test was found to run")
    if not any(run.passing() for run in runs):
        why = next((m for run in runs for m in run.broken.values()), None) or next(
            (run.problem for run in runs if run.problem), "every test fails"
        )
        return unscorable(f"no test passes on any snapshot here: {' '.join(why.split())[-200:]}")
    bad = [c for c in after if c.regressions]
    reason = f"{len(after) - len(bad)} of {count(len(after), 'snapshot')} without a regression"
    if bad:
        first = bad[0].regressions[0]
        reason += f"; first regression: {first.test} {first.kind}"
    if result.flaky:
        reason += f"; {count(len(result.flaky), 'flaky test')} left out"
    value = (len(after) - len(bad)) / (len(after) + (result.merged_stages or 0))
    return scored(value, "replayed", len(after), _edits(bad or after), reason + _merged(result) + _few(len(after)))


test_stability.__test__ = False  # type: ignore[attr-defined]


def test_creation_rate(result: ReplayResult) -> SubMetric:
    """TCR: share of the changed units for which a test of the agent fails when they are reverted or mutated."""
    nothing = _nothing_replayed(result, of_change=True)
    if nothing is not None:
        return nothing
    if result.missing_task is not None:
        return unscorable(f"replayed without the task of the run, {result.missing_task}")
    if result.units is None:
        return unscorable(result.units_reason or "the changed units were not examined")
    if not result.units:
        return not_applicable(result.units_reason or "no unit of the production code changed")
    total = len(result.units)
    missed = [u for u in result.units if u.killed_by is None]
    covered = total - len(missed)
    reason = f"of {count(total, 'changed unit')}, put back or (new ones) emptied, the agent's tests fail for {covered}"
    if missed:
        reason += f"; none of these for {missed[0].unit} in {missed[0].path} (tests of others are not counted)"
    evidence = list(dict.fromkeys(e for u in [*missed, *result.units] for e in u.edits))
    return scored(covered / total, "replayed", total, evidence, reason)


test_creation_rate.__test__ = False  # type: ignore[attr-defined]


def coverage_delta(result: ReplayResult) -> SubMetric:
    """dC = [cov(T0 + Ta) - cov(T0)] / [1 - cov(T0)] over the lines and branches that the agent changed."""
    nothing = _nothing_replayed(result, of_change=True)
    if nothing is not None:
        return nothing
    found = result.coverage
    if found is None:
        if not result.production_changed:
            return not_applicable("no production code changed")
        return unscorable(result.coverage_reason or "coverage was not measured")
    if found.points == 0:
        return not_applicable("no executable line of the production code changed")
    if found.start_tests == found.points:
        return not_applicable("the start tests already cover everything that changed")
    value = (found.all_tests - found.start_tests) / (found.points - found.start_tests)
    reason = (
        f"the start tests cover {found.start_tests} of {found.points} changed lines and branches, "
        f"together with the agent's tests {found.all_tests}"
    )
    delta = scored(value, "replayed", found.points, found.edits, reason)
    # The paper's difference is not divided by the headroom that the start tests leave.
    delta.paper = (found.all_tests - found.start_tests) / found.points
    return delta


def requirements_traceability(result: ReplayResult) -> SubMetric | None:
    """RT: share of the requirements whose violation a test of the agent notices, on the task's own solutions.

    None: the task has no faulty implementations, or they were not run.
    """
    if result.requirements is None:
        return None
    nothing = _nothing_replayed(result, of_change=True)
    if nothing is not None:
        return nothing
    judged = [r for r in result.requirements if r.judged is not None]
    missed = [r for r in result.requirements if r.killed_by is None and (r.judged is False or r.undecided is None)]
    undecided = [r for r in result.requirements if r.undecided is not None and r.judged is None]
    total = len(result.requirements) - len(undecided)
    left_out = f"{undecided[0].undecided} does not run or pass on the reference solution" if undecided else ""
    if not total:
        return unscorable(f"no requirement is decided: {left_out}")
    traced = total - len(missed)
    off = result.off_reference if missed else 0
    reason = (
        f"for {'at least ' if off else ''}{traced} of {count(total, 'requirement')} a test of the agent passes on the "
        "reference solution and fails on the variant that violates only that one"
    )
    if off:
        reason += f"; of {count(off, 'more test')} that cannot run or pass there nobody knows what they notice"
    elif missed:
        reason += f"; none that passes there fails on the one that violates {missed[0].id}"
    if judged:
        reason += f"; {len(judged)} of them by a reader, since the tests do not run or pass on the reference solution"
    if undecided:
        reason += f"; {count(len(undecided), 'more requirement')} undecided ({left_out})"
    files = {split(r.killed_by)[0] for r in result.requirements if r.killed_by is not None}
    evidence = [e for e, path in result.edit_paths.items() if path in files]
    # A lower bound is an estimate.
    method: Method = "judged" if judged else "estimated" if off else "replayed"
    return scored(traced / total, method, total, evidence, reason)


def _nothing_replayed(result: ReplayResult, *, of_change: bool = False) -> SubMetric | None:
    """The sub-metric where a replay has nothing to look at; None where it has.

    ``of_change``: a metric of the change itself, which is 0 if the task asks for one and there is none.
    """
    if result.unavailable is not None:
        return unscorable(result.unavailable)
    if result.snapshots is None:
        return unscorable("no snapshots")
    if not result.snapshots.states:
        if of_change and result.change_asked:
            return scored(0.0, "replayed", 0, [], "the task asks for a change and the agent made none")
        return not_applicable("no edits in the repository")
    return None


def _split(result: ReplayResult) -> tuple[BuiltTree | None, list[BuiltTree]]:
    """The start tree, and the trees after edit bursts (with the start tree if a burst led back to it)."""
    start = next((c for c in result.checked if c.is_start), None)
    return start, [c for c in result.checked if c.edits]


def _edits(checked: list[BuiltTree]) -> list[str]:
    return list(dict.fromkeys(e for c in checked for e in c.edits))


def _merged(result: ReplayResult) -> str:
    """Stages of a long change that were not states of their own count as states that nobody could build or test."""
    merged = result.merged_stages or 0
    return f"; {count(merged, 'stage')} of the change never stood alone" if merged else ""


def _few(n: int) -> str:
    return f"; weak evidence (fewer than {_FEW} snapshots)" if n < _FEW else ""
