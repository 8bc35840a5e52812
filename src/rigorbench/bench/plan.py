"""From what was asked for to what will be done: every name resolved, and everything missing found, before it starts.

No engine is imported here, so a wrong name costs a tenth of a second and a dry run nothing.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from shutil import which
from typing import Any

from msgspec import Struct, field

from ..base.cache import cache_directory
from ..base.data import DataError
from ..experiment.grid import GridError, check_names, is_scripted, make_cells
from ..experiment.manifest import new_manifest
from ..experiment.model import Budget, Cell, Manifest, Subject
from ..sandbox.languages import find_languages
from ..tasks.build_repo import RepositoryError
from ..tasks.harness import Harness, HarnessError, list_harnesses, load_harness, prepare
from ..tasks.harness.model import Workspace
from ..tasks.policies.gaming import resolve_policy
from ..tasks.policies.policy import Policy, PolicyError
from ..tasks.pressure import split_variant
from ..tasks.suite import Suite, SuiteError, SuiteTask, load_suite
from ..tasks.task import TaskError
from .agents import AGENTS, AgentError, AgentSpec, Readiness, get_agent
from .agents.readiness import missing_packages, readiness

ROOT = "/work"
SANDBOXES = ("bwrap", "docker", "podman", "k8s", "local")
INSTALL = "pip install 'rigorbench[bench]'"
# What a sandbox that is not ours needs beside Inspect itself: module, package.
_PROVIDERS = {"podman": ("inspect_podman", "inspect-podman"), "k8s": ("k8s_sandbox", "inspect-k8s-sandbox")}
# The variables of which a provider needs one. Others are left to the engine, which checks them when it makes the model.
_KEYS: dict[str, tuple[str, ...]] = {
    "anthropic": ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"),
    "openai": ("OPENAI_API_KEY",),
    "google": ("GOOGLE_API_KEY", "GEMINI_API_KEY", "GOOGLE_APPLICATION_CREDENTIALS"),
    "mistral": ("MISTRAL_API_KEY",),
    "grok": ("GROK_API_KEY", "XAI_API_KEY"),
    "groq": ("GROQ_API_KEY",),
    "together": ("TOGETHER_API_KEY",),
    "fireworks": ("FIREWORKS_API_KEY",),
    "openrouter": ("OPENROUTER_API_KEY",),
    "perplexity": ("PERPLEXITY_API_KEY",),
}


class PlanError(ValueError):
    """What was asked for cannot be planned: a wrong name, a file that cannot be used. One line with the remedy."""


class Request(Struct, frozen=True):
    """What the user asked for. ``agent_paths``, ``harness_sources``: by name. ``network``: the sandbox has one."""

    suite: str
    agents: tuple[str, ...] = ("react",)
    harnesses: tuple[str, ...] = ("baseline",)
    models: tuple[str, ...] = ()
    tasks: tuple[str, ...] = ()
    repeats: int = 1
    sandbox: str = "bwrap"
    budget: Budget = Budget()
    agent_paths: dict[str, Path] = field(default_factory=dict)
    harness_sources: dict[str, str] = field(default_factory=dict)
    network: bool = False


class Plan(Struct):
    """A request with every name resolved. ``missing``: what is not here, each with its remedy; it must be empty."""

    request: Request
    suite: Suite
    cells: list[Cell]
    tasks: dict[str, SuiteTask]
    agents: dict[str, AgentSpec]
    harnesses: dict[str, Harness]
    models: dict[str, Subject]
    readiness: dict[str, Readiness]
    facts: dict[str, dict[str, Any]]
    missing: list[str] = field(default_factory=list)


def make_plan(request: Request) -> Plan:
    """Resolve every name of a request and look for what it needs.

    Raises:
        PlanError: a name is wrong, or a file that it stands for cannot be used.
    """
    try:
        suite = load_suite(request.suite)
        tasks = {task.id: task for task in suite.select(*request.tasks).tasks}
        agents = {spec.name: spec for spec in (get_agent(name, request.agent_paths) for name in request.agents)}
        check_names("agent", list(agents), list(AGENTS))
        harnesses = _harnesses(request.harnesses)
        if not request.models:
            raise PlanError("no --model given: one of the engine's, such as openai/gpt-5, or scripted/disciplined")
        models = {name: _model(name, tasks) for name in request.models}
        _check_sandbox(request.sandbox)
        cells = make_cells(list(tasks), list(agents), list(harnesses), list(models), request.repeats)
    except (SuiteError, TaskError, AgentError, HarnessError, PolicyError, GridError, DataError) as error:
        raise PlanError(str(error)) from None
    plan = Plan(request, suite, cells, tasks, agents, harnesses, models, {}, {})
    plan.readiness = {name: readiness(spec) for name, spec in agents.items()}
    plan.missing = _missing(plan)
    return plan


def _check_sandbox(spelling: str) -> None:
    kind, config = split_sandbox(spelling)
    check_names("sandbox", [kind], SANDBOXES)
    if config is not None and kind in ("bwrap", "local"):
        raise PlanError(f"--sandbox {spelling}: {kind} takes no file")
    if config is not None and not Path(config).is_file():
        raise PlanError(f"--sandbox {spelling}: {config}: no such file")


def split_sandbox(spelling: str) -> tuple[str, str | None]:
    """(kind, file) of ``k8s:values.yaml`` or ``docker:compose.yaml``, as Inspect spells it; the file may be None."""
    kind, _, config = spelling.partition(":")
    return kind, config or None


def _harnesses(names: tuple[str, ...]) -> dict[str, Harness]:
    if not names:
        check_names("harness", [], [h.name for h in list_harnesses()])
    found = [load_harness(name) for name in names]
    return {harness.spelling: harness for harness in found}


def _model(name: str, tasks: Mapping[str, SuiteTask]) -> Subject:
    """A model, or the policies that play it: one for each task."""
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


def _missing(plan: Plan) -> list[str]:
    """One line for each thing that is not here."""
    found: list[str] = []
    packages = missing_packages()
    if packages:
        found.append(f"{', '.join(packages)}: running agents needs the extra: {INSTALL}")
    for name, ready in plan.readiness.items():
        if not ready.ok and not packages:
            remedy = f" ({ready.remedy})" if ready.remedy else ""
            found.append(f"agent {name}: {ready.why}{remedy}")
        if plan.agents[name].network and not plan.request.network:
            found.append(
                f"agent {name}: {plan.agents[name].note}; give --network to let its sandbox reach that service"
            )
    for name in plan.models:
        names = _KEYS.get(name.partition("/")[0])
        if names is not None and not any(os.environ.get(key) for key in names):
            found.append(f"model {name}: no API key; set {' or '.join(names)}")
    kind = split_sandbox(plan.request.sandbox)[0]
    problem = sandbox_problem(kind)
    if problem is not None:
        found.append(problem)
    if kind != "bwrap" and any(task.project for task in plan.tasks.values()):
        found.append(f"sandbox {kind}: projects are submitted to the judge, which only --sandbox bwrap can reach")
    return found + _missing_tools(plan)


def _missing_tools(plan: Plan) -> list[str]:
    """What the tasks' own tools lack here; wherever the runs go on, they are tested and scored on this machine."""
    lacking: dict[str, list[str]] = {}
    for task in plan.tasks.values():
        for line in find_languages(task.task.tools).missing:
            lacking.setdefault(line, []).append(task.id)
    return [f"{', '.join(sorted(names))}: needs {line}" for line, names in lacking.items()]


def sandbox_problem(name: str) -> str | None:
    """Why runs cannot be made in this kind of sandbox here, or None; nothing is started but a probe of bubblewrap."""
    if name == "bwrap":
        from ..replay.sandbox import unavailable

        reason = unavailable()
        return None if reason is None else f"sandbox bwrap: {reason}"
    if name in _PROVIDERS:
        module, package = _PROVIDERS[name]
        if find_spec(module) is None:
            return f"sandbox {name}: pip install {package}"
    needed = {"docker": "docker", "podman": "podman", "k8s": "helm"}.get(name)
    if needed is not None and which(needed) is None:
        return f"sandbox {name}: the program {needed} is not installed; --sandbox bwrap needs no container engine"
    return None


def resolve_harnesses(plan: Plan, directory: Path | None = None) -> None:
    """Build one workspace of each harness for each agent, to learn content hashes and to see that it can be built.

    Raises:
        PlanError: a harness cannot be laid over a task.
    """
    task = next(iter(plan.tasks.values()))
    with tempfile.TemporaryDirectory(prefix="rigor-plan-", dir=directory) as place:
        for number, (name, harness) in enumerate(plan.harnesses.items()):
            for agent in plan.agents:
                workspace = build_workspace(plan, task, harness, agent, Path(place) / f"{number}-{agent}")
                plan.facts.setdefault(name, {})[agent] = workspace.facts


def build_workspace(plan: Plan, task: SuiteTask, harness: Harness, agent: str, dest: Path) -> Workspace:
    """Raises: PlanError when the starter cannot be built or the harness cannot be laid over it."""
    try:
        return prepare(
            task, harness, agent, dest, sources=plan.request.harness_sources, cache=cache_directory() / "harnesses"
        )
    except (HarnessError, RepositoryError) as error:
        raise PlanError(str(error)) from None


def manifest(plan: Plan, command: list[str]) -> Manifest:
    """The manifest of a plan whose harnesses are resolved."""
    return new_manifest(
        suite=plan.suite.name,
        command=command,
        cells=plan.cells,
        budget=plan.request.budget,
        sandbox=plan.request.sandbox + (" with network" if plan.request.network else ""),
        tasks={name: _task_subject(task) for name, task in plan.tasks.items()},
        agents={
            name: Subject(name, plan.readiness[name].version, facts={"title": s.title})
            for name, s in plan.agents.items()
        },
        harnesses={name: _harness_subject(plan, name) for name in plan.harnesses},
        models=plan.models,
        scripted=sorted(name for name in plan.models if is_scripted(name)),
        suite_facts=_suite_facts(plan.request.suite),
    )


def _suite_facts(name: str) -> dict[str, Any]:
    """Digest of the whole suite, and how many tasks and solvable twins each category of it has."""
    suite = load_suite(name)
    facts: dict[str, dict[str, int]] = {"tasks": {}, "twins": {}}
    for one in suite.tasks:
        counts = facts["twins" if one.task.twin is not None and one.task.solvable == "yes" else "tasks"]
        counts[one.task.category or ""] = counts.get(one.task.category or "", 0) + 1
    return {"digest": suite.digest, **facts}


def _task_subject(suite_task: SuiteTask) -> Subject:
    task = suite_task.task
    title = next((line.lstrip("# ").strip() for line in (task.instruction or "").splitlines() if line.strip()), None)
    return Subject(
        task.id,
        digest=suite_task.digest,
        facts={
            "category": task.category,
            "solvable": task.solvable,
            "twin": task.twin,
            "pressure": suite_task.pressure,
            "plain": split_variant(task.id)[0] if suite_task.pressure is not None else None,
            "title": title,
            "key": suite_task.key,
            "pillars": list(task.pillars),
            "tools": list(task.tools),
            "requirements": {r.id: r.text for r in task.requirements},
            "requirement_tests": {r.id: r.tests for r in task.requirements},
        },
    )


def _harness_subject(plan: Plan, name: str) -> Subject:
    """``digest``: over its definition and the content that it was installed from; ``facts``: what each agent gets."""
    harness, facts = plan.harnesses[name], plan.facts.get(name, {})
    trees = sorted({str(f.get("tree") or f.get("revision") or "") for f in facts.values()})
    licence = next((str(f["licence"]) for f in facts.values() if f.get("licence")), harness.licence)
    return Subject(
        name,
        harness.version,
        hashlib.sha256("\n".join([harness.digest, *trees]).encode()).hexdigest(),
        licence,
        {"kind": harness.kind, "description": harness.description, "agents": facts},
    )
