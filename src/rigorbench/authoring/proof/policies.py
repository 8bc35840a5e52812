"""Plays the two policies of each task from end to end, in one experiment, and judges what came of them.

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

from ...bench.agents import AgentError, get_agent
from ...bench.agents.readiness import readiness
from ...bench.observer import Observer
from ...bench.plan import Plan, PlanError, Request
from ...bench.run import run_experiment
from ...experiment.grid import SCRIPTED, check_ids
from ...experiment.model import Cell, RunResult, Subject
from ...experiment.store import ExperimentDirectory, StoreError
from ...sandbox.errors import SandboxError
from ...tasks.build_repo import RepositoryError
from ...tasks.expectations import POLICIES, SEPARATION, TARGETS, TOLERANCE, TRIVIAL_POLICIES
from ...tasks.harness import HarnessError, load_harness
from ...tasks.policies.policy import Policy, PolicyError, load_policy
from ...tasks.proofs import Check, Play, Problem
from ...tasks.suite import Suite, SuiteTask
from ...trajectory.logfile import LogError

_AGENT, _HARNESS = "react", "baseline"
_NOT_FOUND = (126, 127)


class PolicyResult(Struct):
    """What came of the policies of one task. ``plays``: by policy. ``seconds``: of agent, capture and scoring."""

    task: str
    checks: tuple[Check, ...]
    plays: dict[str, Play] = field(default_factory=dict)
    seconds: float = 0.0


class _Run(Struct):
    """One policy's run: its result or why there is none, its score with all sub-metrics, and calls that failed."""

    result: RunResult | None
    problem: str | None = None
    score: dict[str, Any] = field(default_factory=dict)
    failed_calls: list[str] = field(default_factory=list)
    seconds: float = 0.0


def policies_of(task: SuiteTask) -> tuple[str, str]:
    """The policies that are compared on a task: the good one, and the other."""
    return TRIVIAL_POLICIES if task.task.trivial else POLICIES


def play(
    tasks: Sequence[SuiteTask], jobs: int, done: Callable[[PolicyResult], None], step: Callable[[str], None]
) -> None:
    """Play the policies of tasks; ``done`` is called once for each task, as soon as both of its runs are scored, and
    ``step`` with its id for each run. Neither is called by two threads at a time.

    Raises:
        KeyboardInterrupt: Ctrl-C; what was done is told, what was under way is not.
    """
    ready: dict[str, SuiteTask] = {}
    policies: dict[str, dict[str, Policy]] = {}
    for task in tasks:
        found, problems = _policies(task)
        if problems:
            done(PolicyResult(task.id, (Check("policies-run", "failed", problems=tuple(problems)),)))
        else:
            ready[task.id], policies[task.id] = task, found
    if not ready:
        return
    collector = _Collector(ready, done, step)
    try:
        _experiment(list(ready.values()), policies, jobs, collector)
    except (PlanError, StoreError, RepositoryError, HarnessError, AgentError, SandboxError, OSError) as error:
        left = [task for name, task in ready.items() if name not in collector.told]
        if len(ready) == 1 or not left:
            for task in left:
                collector.broke(task, str(error))
            return
        # One of them keeps the others from being played: each for itself, then.
        for task in left:
            play([task], jobs, done, step)


def _policies(task: SuiteTask) -> tuple[dict[str, Policy], list[Problem]]:
    found: dict[str, Policy] = {}
    problems: list[Problem] = []
    for name in policies_of(task):
        path = task.policies.get(name)
        if path is None:
            problems.append(Problem(f"policies/{name}.toml", "no such policy", "write it (docs/tasks.md, Policies)"))
            continue
        try:
            found[name] = load_policy(path)
        except PolicyError as error:
            problems.append(Problem(f"policies/{name}.toml", str(error).removeprefix(f"{path}: "), "mend the policy"))
    return found, problems


def _experiment(
    tasks: Sequence[SuiteTask], policies: dict[str, dict[str, Policy]], jobs: int, collector: _Collector
) -> None:
    with tempfile.TemporaryDirectory(prefix="rigor-policies-", ignore_cleanup_errors=True) as out:
        collector.directory = ExperimentDirectory(out)
        try:
            summary = run_experiment(_plan(tasks, policies), Path(out), jobs=jobs, observer=collector)
        finally:
            collector.finish()
        for line in summary.problems:
            collector.lost(line)
        if summary.interrupted:
            raise KeyboardInterrupt


def _plan(tasks: Sequence[SuiteTask], policies: dict[str, dict[str, Policy]]) -> Plan:
    """All runs of all tasks, whatever their policies are called."""
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
    request = Request(str(suite.path), (_AGENT,), (_HARNESS,), tuple(models))
    return Plan(
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


class _Collector(Observer):
    """Hears of each run that is done, and judges a task when both of its runs are: in a thread, for nobody may wait."""

    def __init__(
        self, tasks: dict[str, SuiteTask], done: Callable[[PolicyResult], None], step: Callable[[str], None]
    ) -> None:
        self.tasks, self._done, self._step = tasks, done, step
        self.told: set[str] = set()
        self.directory = ExperimentDirectory("")
        self._runs: dict[str, dict[str, _Run]] = {name: {} for name in tasks}
        self._since: dict[str, float] = {}
        self._thread = ThreadPoolExecutor(1)
        self._work: list[Future[None]] = []

    def started(self, cell: Cell) -> None:
        self._since[cell.id] = time.monotonic()

    def scored(self, cell: Cell, problem: str | None, result: RunResult | None) -> None:
        seconds = time.monotonic() - self._since.get(cell.id, time.monotonic())
        self._work.append(self._thread.submit(self._take, cell, problem, result, seconds))

    def finish(self) -> None:
        """Wait for what is under way; raises what went wrong in it."""
        self._thread.shutdown(wait=True)
        work, self._work = self._work, []
        for future in work:
            future.result()

    def lost(self, line: str) -> None:
        """A run of which nothing was heard, as the experiment's summary tells of it."""
        name, _, why = line.partition(": ")
        for task in self.tasks.values():
            for policy in policies_of(task):
                cell = Cell(task.id, _AGENT, _HARNESS, f"{SCRIPTED}{policy}")
                if cell.id == name and policy not in self._runs[task.id]:
                    self._take(cell, why, None, 0.0)

    def broke(self, task: SuiteTask, why: str) -> None:
        """Nothing of the task could be run."""
        problem = Problem("task.toml", f"its policies cannot be played: {why}", "")
        self.told.add(task.id)
        self._done(PolicyResult(task.id, (Check("policies-run", "failed", problems=(problem,)),)))

    def _take(self, cell: Cell, problem: str | None, result: RunResult | None, seconds: float) -> None:
        task = self.tasks[cell.task]
        run = _Run(result, problem, seconds=seconds)
        if result is not None and problem is None:
            if result.status != "completed":
                run.problem = result.error or f"it was stopped by the limit {result.limit}"
            _read(self.directory.run(cell), run)
        runs = self._runs[task.id]
        runs[cell.model.removeprefix(SCRIPTED)] = run
        self._step(task.id)
        if len(runs) == 2 and task.id not in self.told:
            self.told.add(task.id)
            total = round(sum(r.seconds for r in runs.values()), 1)
            self._done(PolicyResult(task.id, tuple(_judged(task, runs)), _plays(runs), total))


def _read(directory: Path, run: _Run) -> None:
    """The score with its sub-metrics, and calls of the policy that did not do what they were to do."""
    from ...trajectory.model import Shell
    from ...trajectory.registry import read_path

    try:
        run.score = json.loads((directory / "score.json").read_bytes())
        steps = read_path(directory)[0].steps
    except (OSError, ValueError, LogError) as error:
        run.problem = run.problem or f"its evidence cannot be read ({error})"
        return
    for number, call in enumerate((call for step in steps for call in step.calls), 1):
        result = call.result
        if result is None:
            continue
        said = " ".join((result.text or "").split())[:160]
        if result.is_error is True or result.timed_out:
            run.failed_calls.append(f"call {number} ({call.name}) failed: {said}")
        elif isinstance(call.action, Shell) and result.exit_status in _NOT_FOUND:
            run.failed_calls.append(f"call {number} (shell) found no such program: {said}")


def _plays(runs: dict[str, _Run]) -> dict[str, Play]:
    plays = {}
    for name, run in runs.items():
        if run.result is not None:
            outcome = run.result.outcome
            plays[name] = Play(
                run.result.rigor_score,
                outcome.solved if outcome is not None else None,
                outcome.pass_rate if outcome is not None else None,
                outcome.completeness if outcome is not None else None,
                run.result.pillars,
            )
    return plays


# -- judging -------------------------------------------------------------------------------------------------------


def _judged(task: SuiteTask, runs: dict[str, _Run]) -> list[Check]:
    try:
        return judge(task, runs)
    except Exception as error:  # the boundary at which one task may not stop the others
        if os.environ.get("RIGOR_DEBUG"):
            raise
        what = f"its runs cannot be judged ({type(error).__name__}: {' '.join(str(error).split())[:300]})"
        return [_check("policies-run", [Problem("task.toml", what, "RIGOR_DEBUG=1 shows where")])]


def judge(task: SuiteTask, runs: dict[str, _Run]) -> list[Check]:
    """The checks of two runs. What cannot be compared because a run broke is left out."""
    good_name, bad_name = policies_of(task)
    good, bad = runs[good_name], runs[bad_name]
    broken = [
        Problem(f"policies/{name}.toml", f"its run broke: {run.problem or 'no result'}", f"play it: {_how(task, name)}")
        for name, run in ((good_name, good), (bad_name, bad))
        if run.problem is not None or run.result is None
    ]
    checks = [_check("policies-run", broken)]
    if broken:
        return checks
    failed = [
        Problem(f"policies/{name}.toml", what, "every edit must apply and every program be found")
        for name, run in ((good_name, good), (bad_name, bad))
        for what in run.failed_calls
    ]
    checks.append(_check("policies-apply", failed))
    checks.append(_check("policies-clean", _breaches(good_name, good)))
    if task.task.trivial:
        return [*checks, _check("policies-outcome", _both_solve(task, runs)), _heavy(task, good, bad)]
    checks.append(_check("policies-outcome", _outcomes(task, good, bad)))
    targets = TARGETS.get(task.task.category or "", {})
    checks.append(_scored(task, good_name, good, targets))
    checks.append(_separated(task, good, bad, targets))
    return checks


def _check(name: str, problems: Sequence[Problem], detail: str = "") -> Check:
    return Check(name, "failed", problems=tuple(problems)) if problems else Check(name, "ok", detail)


def _breaches(name: str, run: _Run) -> list[Problem]:
    assert run.result is not None
    remedy = "a careful engineer does not do that; let the policy keep what is there"
    return [Problem(f"policies/{name}.toml", f"{b.kind}: {b.what}", remedy) for b in run.result.breaches]


def _outcomes(task: SuiteTask, good: _Run, bad: _Run) -> list[Problem]:
    """Discipline solves what can be solved, carelessness does not; what is impossible nobody solves."""
    good_name, bad_name = policies_of(task)
    problems = []
    if task.task.solvable == "yes":
        problems += _unsolved(task, good_name, good)
        solved = bad.result.outcome.solved if bad.result is not None and bad.result.outcome is not None else None
        if solved is not False:
            what = "solves the task" if solved else f"its outcome could not be measured{_reason(bad)}"
            remedy = "let it do what the obvious near miss does" if solved else _how(task, bad_name)
            problems.append(Problem(f"policies/{bad_name}.toml", what, remedy))
    elif task.task.solvable == "impossible":
        for name, run in ((good_name, good), (bad_name, bad)):
            outcome = run.result.outcome if run.result is not None else None
            if outcome is None or outcome.pass_rate is None:
                problems.append(
                    Problem(
                        f"policies/{name}.toml", f"its outcome could not be measured{_reason(run)}", _how(task, name)
                    )
                )
            elif outcome.pass_rate >= 1.0:
                what = "passes every hidden test of an impossible task"
                problems.append(Problem(f"policies/{name}.toml", what, "the task is not impossible, or not tested"))
    return problems


def _unsolved(task: SuiteTask, name: str, run: _Run) -> list[Problem]:
    outcome = run.result.outcome if run.result is not None else None
    if outcome is not None and outcome.solved:
        return []
    if outcome is None or outcome.solved is None:
        return [Problem(f"policies/{name}.toml", f"its outcome could not be measured{_reason(run)}", _how(task, name))]
    failing = [t.id for t in outcome.tests if t.outcome != "passed"] or list(outcome.regressions or ())
    what = f"does not solve the task: {len(failing)} tests fail or regressed, first {failing[0] if failing else '?'}"
    return [Problem(f"policies/{name}.toml", what, _how(task, name))]


def _reason(run: _Run) -> str:
    outcome = run.result.outcome if run.result is not None else None
    return f" ({outcome.reason})" if outcome is not None and outcome.reason else ""


def _both_solve(task: SuiteTask, runs: dict[str, _Run]) -> list[Problem]:
    return [problem for name in policies_of(task) for problem in _unsolved(task, name, runs[name])]


def _scored(task: SuiteTask, name: str, run: _Run, targets: dict[str, tuple[str, ...]]) -> Check:
    problems, seen = [], []
    for pillar, submetrics in targets.items():
        for submetric in submetrics:
            found = run.score["pillars"][pillar]["submetrics"].get(submetric, {})
            status = found.get("status", "absent")
            if status == "scored":
                seen.append(f"{submetric} {_number(found.get('value'))}")
            else:
                what = f"{pillar}/{submetric} is {status}: {found.get('reason', '')}".rstrip(": ")
                problems.append(Problem(f"policies/{name}.toml", what, f"see {_how(task, name)}"))
    return _check("policies-scored", problems, ", ".join(seen))


def _separated(task: SuiteTask, good: _Run, bad: _Run, targets: dict[str, tuple[str, ...]]) -> Check:
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
        what = f"{good_name} and {bad_name} are not {SEPARATION:g} apart: {values}"
        problems.append(Problem(f"policies/{which}.toml", what, f"see {_how(task, which)}"))
    return _check("policies-separated", problems, ", ".join(seen))


def _heavy(task: SuiteTask, plain: _Run, heavy: _Run) -> Check:
    plain_name, heavy_name = policies_of(task)
    assert plain.result is not None
    assert heavy.result is not None
    one, other = plain.result.rigor_score, heavy.result.rigor_score
    values = f"{plain_name} {_number(one)}, {heavy_name} {_number(other)}"
    if one is None or (other is not None and other > one + TOLERANCE):
        what = f"heavy process raises the score of a trivial task: {values}"
        return _check(
            "heavy-gains-nothing", [Problem(f"policies/{heavy_name}.toml", what, f"see {_how(task, heavy_name)}")]
        )
    return _check("heavy-gains-nothing", [], values)


def _number(value: object) -> str:
    return f"{value:.2f}" if isinstance(value, int | float) else "none"


def _how(task: SuiteTask, name: str) -> str:
    return (
        f"`rigor run {task.directory} --model {SCRIPTED}{name} --out OUT`, then OUT/runs/*/score.json and outcome.json"
    )
