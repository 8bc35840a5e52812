"""Resolves a user's request: every name, and everything that is missing, before anything starts.

No engine is imported here, so a wrong name is reported within a tenth of a second.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, get_args

from msgspec import Struct, field
from msgspec.structs import replace

from ....base.cache import cache_directory
from ....base.data import DataError
from ....base.errors import GivenError
from ....judge.problems.problem import Difficulty
from ....session.task import TaskError
from ...agents.readiness import Readiness, readiness
from ...agents.registry import AGENTS, get_agent
from ...agents.spec import AgentError, AgentSpec
from ...experiment.grid import GridError, check_names, is_scripted, make_cells
from ...experiment.records import BUDGET, PROJECT_BUDGET, Budget, Cell, Subject
from ...experiment.store import ExperimentDirectory
from ...harness import Harness, HarnessError, list_harnesses, load_harness, prepare
from ...harness.harness import LIMITS, HarnessWorkspace
from ...tasks.build_repo import RepositoryError
from ...tasks.policies.gaming import resolve_policy
from ...tasks.policies.policy import Policy, PolicyError
from ...tasks.projects import problem_of, with_hints
from ...tasks.suite import Suite, SuiteError, SuiteTask, load_suite
from .prerequisites import missing_for_run, missing_prices, missing_tools

SANDBOXES = ("bwrap", "docker", "podman", "k8s", "local")


class PlanError(GivenError):
    """A request cannot be planned: a wrong name, a file that cannot be used. One line with the remedy."""


class ExperimentRequest(Struct, frozen=True):
    """What the user requested."""

    suite: str
    agents: tuple[str, ...] = ("react",)
    harnesses: tuple[str, ...] = ("baseline",)
    models: tuple[str, ...] = ()
    tasks: tuple[str, ...] = ()
    repeats: int = 1
    sandbox: str = "bwrap"
    limits: dict[str, Any] = field(default_factory=dict)
    """The fields of the :class:`Budget` that the user set."""
    agent_paths: dict[str, Path] = field(default_factory=dict)
    harness_sources: dict[str, str] = field(default_factory=dict)
    network: bool = False
    generation: dict[str, Any] = field(default_factory=dict)
    """Options for all models, by the engine's names (``temperature``)."""


class ExperimentPlan(Struct):
    """A request with every name resolved."""

    request: ExperimentRequest
    suite: Suite
    cells: list[Cell]
    tasks: dict[str, SuiteTask]
    agents: dict[str, AgentSpec]
    harnesses: dict[str, Harness]
    models: dict[str, Subject]
    readiness: dict[str, Readiness]
    facts: dict[str, dict[str, Any]]
    """Harness -> agent -> what the harness places for that agent."""
    missing: list[str] = field(default_factory=list)
    """What this machine lacks, each with its remedy; a run needs an empty list."""
    budget: Budget = BUDGET
    left_out: list[str] = field(default_factory=list)
    """Projects that are not run because this machine lacks a compiler, one line for each program."""


def make_plan(request: ExperimentRequest) -> ExperimentPlan:
    """Resolve every name of a request and check its prerequisites.

    Raises:
        PlanError: a name is wrong, or a file that it stands for cannot be used.
    """
    try:
        suite = load_suite(request.suite)
        tasks, left_out = _with_tools({task.id: task for task in suite.select(*expanded(suite, request.tasks)).tasks})
        agents = {spec.name: spec for spec in (get_agent(name, request.agent_paths) for name in request.agents)}
        check_names("agent", list(agents), list(AGENTS))
        if not request.harnesses:
            check_names("harness", [], [h.name for h in list_harnesses()])
        found = [load_harness(name) for name in request.harnesses]
        harnesses = {harness.spelling: harness for harness in found}
        if not request.models:
            raise PlanError("no --model given: one of the engine's, such as openai/gpt-5, or scripted/disciplined")
        models = {name: _model(name, tasks) for name in request.models}
        # A policy that an agent cannot play would be scored as an agent that does nothing.
        policies = [name for name in models if is_scripted(name)]
        for spec in agents.values() if policies else ():
            if spec.unscripted:
                raise PlanError(
                    f"agent {spec.name} cannot play {policies[0]}: {spec.unscripted}; give it a real --model"
                )
        kind, config = split_sandbox(request.sandbox)
        check_names("sandbox", [kind], SANDBOXES)
        if config is not None and kind in ("bwrap", "local"):
            raise PlanError(f"--sandbox {request.sandbox}: {kind} takes no file")
        if config is not None and not Path(config).is_file():
            raise PlanError(f"--sandbox {request.sandbox}: {config}: no such file")
        cells = make_cells(list(tasks), list(agents), list(harnesses), list(models), request.repeats)
    except (SuiteError, TaskError, AgentError, HarnessError, PolicyError, GridError, DataError) as error:
        raise PlanError(str(error)) from None
    budget = _budget(request, list(tasks.values()))
    plan = ExperimentPlan(
        request, suite, cells, tasks, agents, harnesses, models, {}, {}, budget=budget, left_out=left_out
    )
    if budget.hints:
        for name, task in tasks.items():
            told = with_hints(task.task.instruction or "", budget.hints)
            plan.tasks[name] = replace(task, task=replace(task.task, instruction=told))
    plan.readiness = {name: readiness(spec) for name, spec in agents.items()}
    plan.missing = missing_for_run(
        list(agents.values()), plan.readiness, list(models), list(tasks.values()), kind, network=request.network
    )
    if budget.cost is not None:
        plan.missing += missing_prices(list(models))
    return plan


def _with_tools(tasks: dict[str, SuiteTask]) -> tuple[dict[str, SuiteTask], list[str]]:
    """The tasks without projects whose compiler is missing, and what is missing. The last one is kept: it is an error.

    Projects need different compilers, and each is a result of its own; the same command adds them later.
    """
    without = {name for name, task in tasks.items() if task.project and missing_tools([task])}
    if not without or len(without) == len(tasks):
        return tasks, []
    lines = missing_tools([tasks[name] for name in tasks if name in without])
    return {name: task for name, task in tasks.items() if name not in without}, lines


def _budget(request: ExperimentRequest, tasks: Sequence[SuiteTask]) -> Budget:
    """The budget of each run: a project has a larger one."""
    projects = sum(task.project for task in tasks)
    if request.limits.get("hints") and projects < len(tasks):
        raise PlanError("--hints: only projects have hints; choose the projects by --tasks")
    if 0 < projects < len(tasks) and not {"seconds", "tokens"} <= request.limits.keys():
        raise PlanError(
            "projects and other tasks have different budgets: run them apart, or give --time-limit and --token-limit"
        )
    return replace(PROJECT_BUDGET if projects else BUDGET, **request.limits)


def split_sandbox(spelling: str) -> tuple[str, str | None]:
    """(kind, file or None) of a sandbox as Inspect spells it: ``k8s:values.yaml``, ``docker:compose.yaml``."""
    kind, _, config = spelling.partition(":")
    return kind, config or None


def _model(name: str, tasks: Mapping[str, SuiteTask]) -> Subject:
    """A model, or the policies that play it, one for each task."""
    if not is_scripted(name):
        provider, slash, rest = name.partition("/")
        if not slash or not provider or not rest:
            raise PlanError(f"model {name!r}: expected PROVIDER/NAME, such as openai/gpt-5 or scripted/disciplined")
        return Subject(name)
    policies: dict[str, Policy] = {t.id: resolve_policy(name.partition("/")[2], t) for t in tasks.values()}
    digests = {task: policy.digest for task, policy in policies.items()}
    facts: dict[str, Any] = {"scripted": True, "policies": digests}
    descriptions = {policy.description for policy in policies.values()}
    if len(descriptions) == 1:
        facts["description"] = descriptions.pop()
    return Subject(name, facts=facts)


def resolve_harnesses(plan: ExperimentPlan) -> None:
    """Build one workspace of each harness for each agent: for its content hashes, and to see that it can be built.

    Raises:
        PlanError: a harness cannot be laid over a task.
    """
    task = next(iter(plan.tasks.values()))
    with tempfile.TemporaryDirectory(prefix="rigor-plan-") as target:
        for number, (name, harness) in enumerate(plan.harnesses.items()):
            for agent in plan.agents:
                workspace = build_workspace(plan, task, harness, agent, Path(target) / f"{number}-{agent}")
                plan.facts.setdefault(name, {})[agent] = workspace.facts


def build_workspace(
    plan: ExperimentPlan, task: SuiteTask, harness: Harness, agent: str, dest: Path
) -> HarnessWorkspace:
    """Raises: PlanError when the starter cannot be built or the harness cannot be laid over it."""
    try:
        workspace = prepare(
            task, harness, agent, dest, sources=plan.request.harness_sources, cache=cache_directory() / "harnesses"
        )
    except (HarnessError, RepositoryError) as error:
        raise PlanError(str(error)) from None
    if LIMITS not in harness.prompt_prefix:
        return workspace
    return replace(workspace, prompt=workspace.prompt.replace(LIMITS, plan.budget.text(), 1))


_EASIEST = re.compile(r"easiest:(\d+)(?:=(.+))?")


def expanded(suite: Suite, patterns: Sequence[str]) -> list[str]:
    """The patterns, with the ids of projects instead of ``easiest:N`` and ``easiest:N=OUT``.

    ``easiest:N`` goes by the difficulty that packages state, equal ones by name; ``easiest:N=OUT`` by the mean
    execution over the conditions of an experiment, highest first.

    Raises:
        SuiteError: there are not so many projects, or their difficulty is not known.
    """
    found: list[str] = []
    for pattern in patterns:
        match = _EASIEST.fullmatch(pattern)
        if match is None:
            found.append(pattern)
            continue
        ranked = _by_statement(suite, pattern) if match[2] is None else _by_results(suite, pattern, Path(match[2]))
        number = int(match[1])
        if not 0 < number <= len(ranked):
            raise SuiteError(f"--tasks {pattern}: choose 1 to {len(ranked)} projects")
        found += ranked[:number]
    return found


def _by_statement(suite: Suite, pattern: str) -> list[str]:
    grades: dict[str | None, int] = {name: n for n, name in enumerate(get_args(Difficulty))}
    stated = {task.id: problem_of(task.directory).difficulty for task in suite.tasks if task.project}
    unknown = [name for name, difficulty in stated.items() if difficulty is None]
    if unknown or not stated:
        what = f"{unknown[0]} states no difficulty" if unknown else f"{suite.name} has no projects"
        raise SuiteError(f"--tasks {pattern}: {what}; name the tasks")
    return sorted(stated, key=lambda name: (grades[stated[name]], name))


def _by_results(suite: Suite, pattern: str, out: Path) -> list[str]:
    from ...projects.scores.documents import read_paths
    from ...projects.scores.runs import by_ease, score_all

    documents = read_paths([str(out)])
    if documents.problems or not documents:
        why = documents.problems[0] if documents.problems else f"{out}: no results of projects"
        raise SuiteError(f"--tasks {pattern}: {why}")
    runs = score_all(documents).runs
    measured = {run.problem for run in runs}
    return by_ease(runs, [task.id for task in suite.tasks if task.project and task.id in measured])


class CellStates(Struct):
    """The cells of a plan by their state."""

    done: list[Cell] = field(default_factory=list)
    unscored: list[Cell] = field(default_factory=list)
    to_run: list[Cell] = field(default_factory=list)


def survey(plan: ExperimentPlan, directory: ExperimentDirectory, *, retry_errors: bool = False) -> CellStates:
    """The state of each cell of a plan, without changing anything; ``retry_errors``: broken runs are to run again."""
    states = CellStates()
    for cell in plan.cells:
        state = directory.state(cell)
        if state == "done":
            result = directory.result(cell)
            again = retry_errors and result is not None and result.status == "error"
            (states.to_run if again else states.done).append(cell)
        else:
            (states.unscored if state == "unscored" else states.to_run).append(cell)
    return states
