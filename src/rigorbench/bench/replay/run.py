"""Replay: build and test every distinct state of a session, measure coverage, and revert its changed units."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from ...evidence.events import AnyEvent
from ...evidence.facts import CheckFacts
from ...evidence.paths import role
from ...evidence.replayed import Build, Checked, ReplayResult, TestRun
from ...sandbox.kit.errors import SandboxError
from ...session.model import Trajectory
from ...session.task import Checkpoint, Task
from . import sandbox
from .agreement import compare_runs
from .builds import Builder, set_up_later
from .cache import Cache, default_directory
from .captured import captured_snapshots, open_store
from .final import measure_session
from .project import describe
from .requirements import outdated
from .runner import Runner
from .sandbox import Limits
from .session import Progress, ReplaySession
from .store import StoreError

# How often the start tree is tested, to find tests whose outcome changes by itself.
START_RUNS = 3
# For the check of one checkpoint on one tree.
_STAGE_SECONDS = 120.0


def replay(
    trajectory: Trajectory,
    events: Sequence[AnyEvent],
    task: Task | None = None,
    *,
    checks: Mapping[str, CheckFacts] | None = None,
    cache_dir: Path | None = None,
    jobs: int = 2,
    timeout: float = 600.0,
    progress: Progress | None = None,
) -> ReplayResult:
    """Re-run builds, tests, coverage and mutants on the states of a recorded run.

    Never raises: the result says why nothing was replayed (``unavailable``).

    Args:
        checks: facts of the agent's own test runs by event id, to compare them with ours.
        cache_dir: where results are kept between calls (default: the user's cache directory).
        progress: called with the name of the phase, the number done, and the total.
    """
    started = time.monotonic()
    asked = None if task is None else task.change_asked and task.solvable != "impossible"
    named = trajectory.extra.get("capture", {}).get("task") or {}
    result = ReplayResult(change_asked=asked, missing_task=named.get("name") if task is None else None)
    try:
        with (
            tempfile.TemporaryDirectory(prefix="rigor-replay-") as directory,
            open_store(trajectory, Path(directory)) as store,
        ):
            found = result.snapshots = captured_snapshots(trajectory, events, store)
            result.unavailable = sandbox.unavailable()
            if result.unavailable is None and found.states:
                cache = Cache(cache_dir or default_directory())
                limits = Limits(timeout=timeout)
                session = ReplaySession(
                    result, found, events, store, task, cache, limits, jobs, Path(directory), progress
                )
                _run(session)
                compare_runs(result, events, checks or {}, trajectory)
    except (StoreError, SandboxError) as error:
        result.unavailable = str(error)
    result.seconds = time.monotonic() - started
    return result


def _run(session: ReplaySession) -> None:
    try:
        _check_trees(session)
        session.result.merged_stages = _merged_stages(session)
        measure_session(session)
    finally:
        session.close()
    session.result.executed = session.cache.misses


def _check_trees(session: ReplaySession) -> None:
    """Build and test every tree, and compare its tests with those that passed before."""
    builder = Builder(session)
    start, trees = session.snapshots.start_tree, session.snapshots.trees()
    files = session.tests(session.snapshots.final_tree).files
    session.result.from_nothing = all(role(path) in ("document", "config") for path in session.tests(start).files)
    session.project = describe(session.store, {**files, **session.tests(start).files}, session.task)
    session.result.build_command = session.project.build_described
    session.result.test_command = session.project.test_described
    builds: dict[str, Build] = {start: builder.build(start, is_start=True)}
    # The second run of the start tree runs beside the first: there is nothing else to do yet.
    ahead = session.pool.submit(session.test, start, attempt=1) if session.jobs > 1 else None
    described = list(session.project.args)
    runs: dict[str, TestRun] = {start: session.test(start)}
    start_runs = [runs[start]]
    session.run_timeout = min(session.limits.timeout, max(60.0, 10 * runs[start].seconds))
    rest = trees[1:]
    done = 0

    def one(work: tuple[str, int]) -> None:
        nonlocal done
        tree, attempt = work
        if attempt:
            start_runs.append(session.test(tree, attempt=attempt))
            return
        builds[tree], runs[tree] = builder.build(tree), session.test(tree)
        with session.lock:
            done += 1
            session.report("trees", done, len(rest))

    session.report("trees", 0, len(rest))
    # Without any outcome on the start tree, nothing can be flaky.
    again = [(start, n) for n in range(1, START_RUNS)] if runs[start].outcomes else []
    if ahead is not None:
        second = ahead.result()
        if again and session.project.args == described:
            start_runs.append(second)
            del again[0]
    session.each(one, [*again, *((tree, 0) for tree in rest)])
    flaky = _differing(start_runs)
    # What does not even compile will certainly fail again.
    doubtful = [t for t in rest if builds[t].ok is not False or not runs[t].broken]
    flaky |= session.confirm(doubtful, runs, flaky)
    baseline = session.baseline(runs, flaky)
    states = {s.tree for s in session.snapshots.states}
    in_order = [t for t in trees if t == start or t in states]
    builds = set_up_later(builds, in_order, {t: session.tests(t).files for t in in_order})
    commits = {s.tree for s in session.snapshots.commits}
    for tree in trees:
        edits = [e for s in session.snapshots.states if s.tree == tree for e in s.edits]
        is_start = tree == start
        if not is_start and tree not in states:
            continue
        regressions = [] if is_start and not edits else baseline.regressions(session.tests(tree), runs[tree])
        committed = tree in commits
        session.result.checked.append(Checked(tree, edits, builds[tree], runs[tree], regressions, is_start, committed))
    # The history is a sequence of its own: a test must pass at each commit after the first at which it did.
    history = session.baseline(runs, flaky)
    for commit in session.snapshots.commits:
        tree = commit.tree
        regressions = history.regressions(session.tests(tree), runs[tree])
        if tree not in states and tree != start:
            states.add(tree)
            checked = Checked(tree, commit.edits, builds[tree], runs[tree], regressions, committed=True)
            session.result.checked.append(checked)
    session.result.flaky = sorted(flaky)
    if any(c.regressions for c in session.result.checked):
        gone = outdated(session)
        for checked in session.result.checked:
            checked.regressions = [r for r in checked.regressions if r.test not in gone]


def _differing(runs: list[TestRun]) -> set[str]:
    """Tests whose outcome differs between runs of one tree."""
    return {t for run in runs for t in run.outcomes if any(r.outcomes.get(t) != run.outcomes[t] for r in runs)}


def _merged_stages(session: ReplaySession) -> int | None:
    """Number of checkpoints that were reached together with another one; None: the task has none.

    A refactoring that is done as one state reaches all of them at once, and nobody could have built, tested or shipped
    what lies between.
    """
    task = session.task
    open_points = [c for c in task.checkpoints if c.check] if task is not None else []
    if len(open_points) < 2:
        return None
    found = {c.id: _is_reached(session, c, session.snapshots.final_tree) for c in open_points}
    open_points = [c for c in open_points if found[c.id]]
    reached, apart = len(open_points), 0
    for tree in dict.fromkeys(s.tree for s in (*session.snapshots.states, *session.snapshots.commits)):
        new = [c for c in open_points if _is_reached(session, c, tree)]
        apart += bool(new)
        open_points = [c for c in open_points if c not in new]
    return reached - apart


def _is_reached(session: ReplaySession, checkpoint: Checkpoint, tree: str) -> bool:
    check = checkpoint.check or ""

    def work(runner: Runner) -> bool:
        return runner.command(check, _STAGE_SECONDS).exit_status == 0

    return session.cached(session.key("stage", tree, check), bool, tree, work)
