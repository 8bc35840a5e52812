"""Plays the two policies of each task from end to end, in one experiment, and judges the results.

The runs are ordinary ones: recorded in the sandbox, scored with a replay, their outcome measured by the hidden tests.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from ...bench.agents.readiness import readiness
from ...bench.agents.registry import get_agent
from ...bench.agents.spec import AgentError
from ...bench.experiment.grid import SCRIPTED, check_ids
from ...bench.experiment.records import Cell, Outcome, RunResult, Subject
from ...bench.experiment.store import ExperimentDirectory, ExperimentError
from ...bench.harness import HarnessError, load_harness
from ...bench.run.experiment import run_experiment
from ...bench.run.planning.plan import ExperimentPlan, ExperimentRequest, PlanError
from ...bench.run.progress import RunObserver
from ...bench.tasks.build_repo import RepositoryError
from ...bench.tasks.policies.policy import (
    POLICIES,
    SEPARATION,
    TARGETS,
    TOLERANCE,
    TRIVIAL_POLICIES,
    Policy,
    PolicyError,
    load_policy,
)
from ...bench.tasks.proofs import Play, ProofCheck, TaskFault
from ...bench.tasks.suite import Suite, SuiteTask
from ...sandbox.kit.errors import SandboxError
from ...session.logfile import LogError
from ...session.model import Shell
from ...session.registry import read_path
from .runs import make_check

_AGENT, _HARNESS = "react", "baseline"
_NOT_FOUND = (126, 127)


class PolicyResult(Struct):
    """The results of one task's policies; ``seconds``: of agent, capture and scoring."""

    task: str
    checks: tuple[ProofCheck, ...]
    plays: dict[str, Play] = field(default_factory=dict)
    seconds: float = 0.0


def play(
    tasks: Sequence[SuiteTask], jobs: int, done: Callable[[PolicyResult], None], step: Callable[[str], None]
) -> None:
    """Play the policies of tasks.

    Args:
        done: called once for each task, as soon as both of its runs are scored.
        step: called with the task's id for each run. Neither is called by two threads at a time.

    Raises:
        KeyboardInterrupt: Ctrl-C; tasks whose runs were under way are not reported.
    """
    ready: dict[str, SuiteTask] = {}
    policies: dict[str, dict[str, Policy]] = {}
    for task in tasks:
        found: dict[str, Policy] = {}
        problems: list[TaskFault] = []
        for name in policies_of(task):
            path = task.policies.get(name)
            if path is None:
                problems.append(_fault(name, "no such policy", "write it (docs/tasks.md, Policies)"))
                continue
            try:
                found[name] = load_policy(path)
            except PolicyError as error:
                problems.append(_fault(name, str(error).removeprefix(f"{path}: "), "correct the policy"))
        if problems:
            done(PolicyResult(task.id, (make_check("policies-run", problems),)))
        else:
            ready[task.id], policies[task.id] = task, found
    if not ready:
        return
    collector = _Collector(ready, done, step)
    try:
        with tempfile.TemporaryDirectory(prefix="rigor-policies-", ignore_cleanup_errors=True) as out:
            collector.directory = ExperimentDirectory(out)
            try:
                summary = run_experiment(
                    _plan(list(ready.values()), policies), Path(out), jobs=jobs, observer=collector
                )
            finally:
                collector.finish()
            for line in summary.problems:
                collector.report_lost(line)
            if summary.interrupted:
                raise KeyboardInterrupt
    except (PlanError, ExperimentError, RepositoryError, HarnessError, AgentError, SandboxError, OSError) as error:
        left = [task for name, task in ready.items() if name not in collector.reported]
        if len(ready) == 1 or not left:
            for task in left:  # nothing of it could be run
                problem = TaskFault("task.toml", f"its policies cannot be played: {error}", "")
                done(PolicyResult(task.id, (make_check("policies-run", [problem]),)))
            return
        # One task prevents all others from being played: play each alone.
        for task in left:
            play([task], jobs, done, step)


def _plan(tasks: Sequence[SuiteTask], policies: dict[str, dict[str, Policy]]) -> ExperimentPlan:
    names = list(dict.fromkeys(name for task in tasks for name in policies[task.id]))
    models = {
        f"{SCRIPTED}{name}": Subject(
            f"{SCRIPTED}{name}",
            facts={
                "scripted": True,
                "policies": {t.id: policies[t.id][name].digest for t in tasks if name in policies[t.id]},
            },
        )
        for name in names
    }
    cells = [Cell(task.id, _AGENT, _HARNESS, f"{SCRIPTED}{name}") for task in tasks for name in policies[task.id]]
    check_ids(cells)
    digest = hashlib.sha256("".join(f"{t.id}\0{t.digest}\n" for t in tasks).encode()).hexdigest()
    suite = Suite("proof", tasks[0].directory.parent.parent, digest, list(tasks))
    harness, agent = load_harness(_HARNESS), get_agent(_AGENT, {})
    request = ExperimentRequest(str(suite.path), (_AGENT,), (_HARNESS,), tuple(models))
    return ExperimentPlan(
        request,
        suite,
        cells,
        {task.id: task for task in tasks},
        {_AGENT: agent},
        {harness.spelling: harness},
        models,
        {_AGENT: readiness(agent)},
        {},
    )


class _Collector(RunObserver):
    """Judges a task when both of its runs are scored, in a thread, since an observer must not wait."""

    def __init__(
        self, tasks: dict[str, SuiteTask], done: Callable[[PolicyResult], None], step: Callable[[str], None]
    ) -> None:
        self.tasks, self._done, self._step = tasks, done, step
        self.reported: set[str] = set()
        self.directory = ExperimentDirectory("")
        self._runs: dict[str, dict[str, PolicyRun]] = {name: {} for name in tasks}
        self._since: dict[str, float] = {}
        self._thread = ThreadPoolExecutor(1)
        self._work: list[Future[None]] = []

    def started(self, cell: Cell) -> None:
        self._since[cell.id] = time.monotonic()

    def scored(self, cell: Cell, problem: str | None, result: RunResult | None) -> None:
        seconds = time.monotonic() - self._since.get(cell.id, time.monotonic())
        self._work.append(self._thread.submit(self._take, cell, problem, result, seconds))

    def finish(self) -> None:
        """Wait for the thread; raises its errors."""
        self._thread.shutdown(wait=True)
        work, self._work = self._work, []
        for future in work:
            future.result()

    def report_lost(self, line: str) -> None:
        """Take a run that was never reported from a line of the experiment's summary."""
        name, _, why = line.partition(": ")
        for task in self.tasks.values():
            for policy in policies_of(task):
                cell = Cell(task.id, _AGENT, _HARNESS, f"{SCRIPTED}{policy}")
                if cell.id == name and policy not in self._runs[task.id]:
                    self._take(cell, why, None, 0.0)

    def _take(self, cell: Cell, problem: str | None, result: RunResult | None, seconds: float) -> None:
        task = self.tasks[cell.task]
        run = PolicyRun(result, problem, seconds=seconds)
        if result is not None and problem is None:
            if result.status != "completed":
                run.problem = result.error or f"it was stopped by the limit {result.limit}"
            directory = self.directory.run(cell)
            try:
                run.score = json.loads((directory / "score.json").read_bytes())
                steps = read_path(directory)[0].steps
            except (OSError, ValueError, LogError) as error:
                run.problem = run.problem or f"its evidence cannot be read ({error})"
            else:
                for number, call in enumerate((call for step in steps for call in step.calls), 1):
                    answer = call.result
                    if answer is None:
                        continue
                    output = " ".join((answer.text or "").split())[:160]
                    if answer.is_error is True or answer.timed_out:
                        run.failed_calls.append(f"call {number} ({call.name}) failed: {output}")
                    elif isinstance(call.action, Shell) and answer.exit_status in _NOT_FOUND:
                        run.failed_calls.append(f"call {number} (shell) found no such program: {output}")
        runs = self._runs[task.id]
        runs[cell.model.removeprefix(SCRIPTED)] = run
        self._step(task.id)
        if len(runs) == 2 and task.id not in self.reported:
            self.reported.add(task.id)
            total = round(sum(r.seconds for r in runs.values()), 1)
            plays = {}
            for name, run in runs.items():
                if run.result is not None:
                    graded = run.outcome or Outcome()
                    values = (graded.solved, graded.pass_rate, graded.completeness)
                    plays[name] = Play(run.result.rigor_score, *values, run.result.pillars)
            self._done(PolicyResult(task.id, tuple(check_runs(task, runs)), plays, total))


def _fault(policy: str, what: str, remedy: str) -> TaskFault:
    return TaskFault(f"policies/{policy}.toml", what, remedy)


# The tests of a package may cover all the code that changes; then there is no coverage to gain.
_MAY_NOT_APPLY = frozenset({"dC"})


class PolicyRun(Struct):
    """The run of one policy."""

    result: RunResult | None
    problem: str | None = None
    """Why there is no usable result."""
    score: dict[str, Any] = field(default_factory=dict)
    failed_calls: list[str] = field(default_factory=list)
    """Calls of the policy that failed, one line each."""
    seconds: float = 0.0

    @property
    def outcome(self) -> Outcome | None:
        return self.result.outcome if self.result is not None else None


def policies_of(task: SuiteTask) -> tuple[str, str]:
    """The policies that are compared on a task: the good one, and the other."""
    return TRIVIAL_POLICIES if task.task.trivial else POLICIES


def check_runs(task: SuiteTask, runs: dict[str, PolicyRun]) -> list[ProofCheck]:
    """The checks of two runs, by policy."""
    try:
        return judge(task, runs)
    except Exception as error:  # one task must not stop the others
        if os.environ.get("RIGOR_DEBUG"):
            raise
        what = f"its runs cannot be judged ({type(error).__name__}: {' '.join(str(error).split())[:300]})"
        return [make_check("policies-run", [TaskFault("task.toml", what, "RIGOR_DEBUG=1 shows where")])]


def judge(task: SuiteTask, runs: dict[str, PolicyRun]) -> list[ProofCheck]:
    """The checks of two runs, without those that need a run that broke."""
    good_name, bad_name = policies_of(task)
    good, bad = runs[good_name], runs[bad_name]
    broken = [
        _fault(name, f"its run broke: {run.problem or 'no result'}", f"play it: {_how(task, name)}")
        for name, run in ((good_name, good), (bad_name, bad))
        if run.problem is not None or run.result is None
    ]
    checks = [make_check("policies-run", broken)]
    if broken:
        return checks
    failed = [
        _fault(name, what, "every edit must apply and every program must exist")
        for name, run in ((good_name, good), (bad_name, bad))
        for what in run.failed_calls
    ]
    checks.append(make_check("policies-apply", failed))
    assert good.result is not None
    remedy = "a careful engineer does not do that; change the policy"
    checks.append(
        make_check(
            "policies-clean",
            [_fault(good_name, f"{b.kind}: {b.what}", remedy) for b in good.result.breaches],
        )
    )
    if task.task.trivial:
        unsolved = _unsolved(task, good_name, good) + _unsolved(task, bad_name, bad)
        return [*checks, make_check("policies-outcome", unsolved), _heavy(task, good, bad)]
    checks.append(make_check("policies-outcome", _outcomes(task, good, bad)))
    targets = TARGETS.get(task.task.category or "", {})
    problems, seen = [], []
    for pillar, submetrics in targets.items():
        for submetric in submetrics:
            found = good.score["pillars"][pillar]["submetrics"].get(submetric, {})
            status = found.get("status", "absent")
            if status == "scored":
                seen.append(f"{submetric} {_number(found.get('value'))}")
            elif task.task.recipe and submetric in _MAY_NOT_APPLY and status == "not_applicable":
                seen.append(f"{submetric} not applicable")
            else:
                what = f"{pillar}/{submetric} is {status}: {found.get('reason', '')}".rstrip(": ")
                problems.append(_fault(good_name, what, f"see {_how(task, good_name)}"))
    checks.append(make_check("policies-scored", problems, ", ".join(seen)))
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
        problems.append(_fault(which, what, f"see {_how(task, which)}"))
    checks.append(make_check("policies-separated", problems, ", ".join(seen)))
    return checks


def _outcomes(task: SuiteTask, good: PolicyRun, bad: PolicyRun) -> list[TaskFault]:
    """The good policy solves what can be solved, the other does not; nothing solves an impossible task."""
    good_name, bad_name = policies_of(task)
    problems = []
    if task.task.solvable == "yes":
        problems += _unsolved(task, good_name, good)
        if bad.outcome is None or bad.outcome.solved is None:
            problems.append(_unmeasured(task, bad_name, bad))
        elif bad.outcome.solved:
            problems.append(_fault(bad_name, "solves the task", "let it do the same as the obvious near miss"))
    elif task.task.solvable == "impossible":
        for name, run in ((good_name, good), (bad_name, bad)):
            if run.outcome is None or not run.outcome.tests:
                problems.append(_unmeasured(task, name, run))
            elif all(test.outcome == "passed" for test in run.outcome.tests):
                what = "passes every hidden test of an impossible task"
                problems.append(_fault(name, what, "the task is not impossible, or not tested"))
    return problems


def _unsolved(task: SuiteTask, name: str, run: PolicyRun) -> list[TaskFault]:
    outcome = run.outcome
    if outcome is None or outcome.solved is None:
        return [_unmeasured(task, name, run)]
    if outcome.solved:
        return []
    failing = [t.id for t in outcome.tests if t.outcome != "passed"] or list(outcome.regressions or ())
    what = f"does not solve the task: {len(failing)} tests fail or regressed, first {failing[0] if failing else '?'}"
    return [_fault(name, what, _how(task, name))]


def _unmeasured(task: SuiteTask, name: str, run: PolicyRun) -> TaskFault:
    why = f" ({run.outcome.reason})" if run.outcome is not None and run.outcome.reason else ""
    return _fault(name, f"its outcome could not be measured{why}", _how(task, name))


def _heavy(task: SuiteTask, plain: PolicyRun, heavy: PolicyRun) -> ProofCheck:
    plain_name, heavy_name = policies_of(task)
    assert plain.result is not None
    assert heavy.result is not None
    one, other = plain.result.rigor_score, heavy.result.rigor_score
    values = f"{plain_name} {_number(one)}, {heavy_name} {_number(other)}"
    if one is None or (other is not None and other > one + TOLERANCE):
        what = f"heavy process raises the score of a trivial task: {values}"
        return make_check("heavy-gains-nothing", [_fault(heavy_name, what, f"see {_how(task, heavy_name)}")])
    return make_check("heavy-gains-nothing", [], values)


def _number(value: object) -> str:
    return f"{value:.2f}" if isinstance(value, int | float) else "none"


def _how(task: SuiteTask, name: str) -> str:
    return (
        f"`rigor run {task.directory} --model {SCRIPTED}{name} --out OUT`, then OUT/runs/*/score.json and outcome.json"
    )
