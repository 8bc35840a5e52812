"""Replay: build and test every distinct state of a session, measure coverage, and revert its changed units."""

from __future__ import annotations

import posixpath
import re
import shlex
import tempfile
import time
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from ...evidence.commands.classify import classify_line
from ...evidence.events import AnyEvent, TestRunEvent
from ...evidence.facts import CheckFacts
from ...evidence.paths import role
from ...evidence.replayed import BuiltTree, Disagreement, ReplayedBuild, ReplayResult, TestRun
from ...evidence.testruns.ids import of_file
from ...sandbox.kit.errors import SandboxError
from ...session.model import Trajectory
from ...session.task import NOTHING_TO_BUILD, Checkpoint, Task
from . import sandbox
from .captured import call_key, captured_snapshots, keyed_calls, open_store
from .final import measure_session
from .project import compiled, describe, packages
from .requirements import outdated
from .runner import NO_PROGRAM, ReplayRunner
from .sandbox import CommandLimits
from .session import Cache, HiddenTests, Progress, ReplaySession, default_directory
from .store import ObjectStoreError

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
    hidden: HiddenTests | None = None,
    cache_dir: Path | None = None,
    jobs: int = 2,
    timeout: float = 600.0,
    progress: Progress | None = None,
) -> ReplayResult:
    """Re-run builds, tests, coverage and mutants on the states of a recorded run.

    Never raises: the result says why nothing was replayed (``unavailable``).

    Args:
        checks: facts of the agent's own test runs by event id, to compare them with ours.
        hidden: the hidden tests that pass on a tree; None: not known, so that each changed unit is taken for needed.
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
                limits = CommandLimits(timeout=timeout)
                session = ReplaySession(
                    result, found, events, store, task, cache, limits, jobs, Path(directory), progress, hidden
                )
                try:
                    _check_trees(session)
                    session.result.merged_stages = _merged_stages(session)
                    measure_session(session)
                finally:
                    session.close()
                session.result.executed = session.cache.misses
                compare_runs(result, events, checks or {}, trajectory)
    except (ObjectStoreError, SandboxError) as error:
        result.unavailable = str(error)
    result.seconds = time.monotonic() - started
    return result


def _check_trees(session: ReplaySession) -> None:
    """Build and test every tree, and compare its tests with those that passed before."""
    builder = Builder(session)
    start, trees = session.snapshots.start_tree, session.snapshots.trees()
    files = session.tests(session.snapshots.final_tree).files
    session.result.from_nothing = all(role(path) in ("document", "config") for path in session.tests(start).files)
    session.project = describe(session.store, {**files, **session.tests(start).files}, session.task)
    session.result.build_command = session.project.build_described
    session.result.test_command = session.project.test_described
    builds: dict[str, ReplayedBuild] = {start: builder.build(start, is_start=True)}
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
    flaky = {t for r in start_runs for t in r.outcomes if any(o.outcomes.get(t) != r.outcomes[t] for o in start_runs)}
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
        session.result.checked.append(
            BuiltTree(tree, edits, builds[tree], runs[tree], regressions, is_start, committed)
        )
    # The history is a sequence of its own: a test must pass at each commit after the first at which it did.
    history = session.baseline(runs, flaky)
    for commit in session.snapshots.commits:
        tree = commit.tree
        regressions = history.regressions(session.tests(tree), runs[tree])
        if tree not in states and tree != start:
            states.add(tree)
            checked = BuiltTree(tree, commit.edits, builds[tree], runs[tree], regressions, committed=True)
            session.result.checked.append(checked)
    session.result.flaky = sorted(flaky)
    if any(c.regressions for c in session.result.checked):
        gone = outdated(session)
        for checked in session.result.checked:
            checked.regressions = [r for r in checked.regressions if r.test not in gone]


def _merged_stages(session: ReplaySession) -> int | None:
    """How many of the task's checkpoints no state and no commit reaches without another one; None: it has none."""
    points = [c for c in session.task.checkpoints if c.check] if session.task is not None else []
    if len(points) < 2:
        return None
    found, reached = session.snapshots, [c for c in points if _is_reached(session, c, session.snapshots.final_tree)]
    groups = [reached]
    for tree in dict.fromkeys(s.tree for s in (*found.states, *found.commits)):
        for group in [g for g in groups if len(g) > 1]:
            there = [c for c in group if _is_reached(session, c, tree)]
            if 0 < len(there) < len(group):
                groups.remove(group)
                groups += [there, [c for c in group if c not in there]]
    return max(0, len(reached) - len(groups))


def _is_reached(session: ReplaySession, checkpoint: Checkpoint, tree: str) -> bool:
    check = checkpoint.check or ""

    def work(runner: ReplayRunner) -> bool:
        return runner.command(check, _STAGE_SECONDS).exit_status == 0

    return session.cached(session.key("stage", tree, check), bool, tree, work)


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
            # Whether the run had to run the chosen tests: it names them, more passed in it than pass in the replay, or
            # a runner was seen to start in the project (or a copy) without a selection. `make test` may run a part.
            assert checked.tests is not None
            agree.covered = (
                facts.selective
                or (event.passed or 0) > len(checked.tests.passing())
                or any(
                    part.kind == "test"
                    and not part.selective
                    and (facts.start_tree or (p.cwd or "").rstrip("/") == root)
                    for p in programs.get(call_key(event), ())
                    for part in classify_line(shlex.join(p.argv))
                )
            )
            agree.elsewhere = facts.start_tree
            agree.forged = agree.covered and bool((set(agree.refuted) & red_at_end) - settled)
        result.disagreements.insert(0, agree)


def _counts(event: TestRunEvent, facts: CheckFacts, root: str) -> bool:
    """Whether a run has an outcome and ended by itself, in the project or on a copy of it."""
    here = f"{posixpath.normpath(posixpath.join(root, facts.cwd or ''))}/".startswith(f"{root}/")
    ended = facts.ran and (event.outcome in ("passed", "failed") or facts.distrusted)
    # From 124 on a time limit or a signal ended it.
    return ended and (here or facts.start_tree) and (event.exit_status or 0) < 124


def _agree(event: TestRunEvent, facts: CheckFacts, checked: BuiltTree, flaky: set[str]) -> Disagreement | bool | None:
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
    about = chosen if chosen is not None else set(run.outcomes)
    counts = [(len(red & about), "failed"), (len(passing & about), "passed"), (len(run.broken), "not loaded")]
    return Disagreement(
        event.id,
        checked.tree,
        _seen(event),
        ", ".join(f"{n} {word}" for n, word in counts if n) or "nothing ran",
        wrong,
    )


def _chosen(facts: CheckFacts, checked: BuiltTree) -> set[str] | None:
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


# What CMake and make say of a source that a build file names and that is not there.
_ABSENT = re.compile(
    r"Cannot find source file:\s+(?P<cmake>\S+)|No rule to make target [`'](?P<make>[^'\n]+)', needed by"
)


class Builder:
    """Builds the trees of a session."""

    def __init__(self, session: ReplaySession) -> None:
        self.session = session
        self.compile_errors: dict[str, str | None] = {}
        """By blob, the error of a file that was compiled before (None: none)."""
        self.start_missing: frozenset[str] = frozenset()
        """Foreign modules, or the build's program, that were not there for the start tree either."""

    def build(self, tree: str, *, is_start: bool = False) -> ReplayedBuild:
        command = self.session.project.build
        key = self.session.key("build", tree, command or "python", *sorted(self.start_missing))

        def work(runner: ReplayRunner) -> ReplayedBuild:
            if command is not None:
                done = runner.command(command)
                if done.exit_status == NOTHING_TO_BUILD:
                    return ReplayedBuild(None, "there is nothing to build yet", done.seconds)
                problem = "timed out" if done.timed_out else " ".join(done.output.split())[-300:]
                if done.exit_status == 0:
                    return ReplayedBuild(True, "", done.seconds)
                if done.exit_status == NO_PROGRAM and (is_start or command in self.start_missing):
                    # The start tree could not be built either: that is this machine, and not the agent's change.
                    return ReplayedBuild(None, f"the build cannot be run here: {problem}", done.seconds, [command])
                return ReplayedBuild(
                    False,
                    problem,
                    done.seconds,
                    absent=list(dict.fromkeys(m["cmake"] or m["make"] for m in _ABSENT.finditer(done.output))),
                )
            if self.session.project.python:
                return self.build_python(runner, tree, is_start=is_start)
            return ReplayedBuild(None, "no build command is known for this project")

        build = self.session.cached(key, ReplayedBuild, tree, work)
        if is_start:
            self.start_missing = frozenset(build.missing)
        return build

    def build_python(self, runner: ReplayRunner, tree: str, *, is_start: bool) -> ReplayedBuild:
        """Compile what was not compiled before, and import the packages. Missing foreign modules are no problem."""
        files = self.session.tests(tree).files
        sources = {p: files[p].sha for p in compiled(files)}
        with self.session.lock:
            known = dict(self.compile_errors)
        names, roots = packages(files)
        started = time.monotonic()
        answer = runner.build_python([p for p, sha in sources.items() if sha not in known], names, roots)
        seconds = time.monotonic() - started
        if answer is None:
            return ReplayedBuild(False, "the build did not end in time", seconds)
        broken = {p: str(m) for p, m in answer["broken"].items()}
        with self.session.lock:
            for path, sha in sources.items():
                if sha not in known:
                    self.compile_errors[sha] = broken.get(path)
        for path, sha in sources.items():
            if known.get(sha) is not None:
                broken[path] = str(known[sha])
        failed = {p: v for p, v in answer["imports"].items() if v is not None}
        own = {path.split("/")[0] for path in files} | {path.split("/")[1] for path in files if path.startswith("src/")}
        own |= {name.removesuffix(".py") for name in own}
        missing = {v["missing"] for v in failed.values() if v["missing"] and v["missing"] not in own}
        accepted = missing if is_start else self.start_missing
        problems = [f"{p}: {m}" for p, m in sorted(broken.items())]
        # Modules that were already missing for the start tree are not the agent's fault.
        problems += [f"import {p}: {v['error']}" for p, v in failed.items() if v["missing"] not in accepted]
        return ReplayedBuild(not problems, "; ".join(problems)[:500], seconds, sorted(missing))


def set_up_later(
    builds: Mapping[str, ReplayedBuild], trees: Sequence[str], files: Mapping[str, Collection[str]]
) -> dict[str, ReplayedBuild]:
    """The builds, without those of states in which a project is being set up.

    Its build file names sources that were never there before and come later: that breaks nothing. A source that was
    there and is gone, or that never comes, is a broken build.

    Args:
        trees: in the order of their states, the start first.
        files: paths in each tree.
    """
    judged = dict(builds)
    for number, tree in enumerate(trees):
        absent = builds[tree].absent
        if not absent or builds[tree].ok is not False:
            continue
        new = all(not any(_has(files[t], path) for t in trees[:number]) for path in absent)
        come = all(any(_has(files[t], path) for t in trees[number + 1 :]) for path in absent)
        if new and come:
            judged[tree] = ReplayedBuild(None, f"the build file names {absent[0]}, which is written later")
    return judged


def _has(files: Collection[str], path: str) -> bool:
    """Whether a path that a build tool names, perhaps absolute, is one of the files."""
    return path in files or any(path.endswith("/" + name) for name in files)
