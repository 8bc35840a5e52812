"""The manifest of a plan: what an experiment consists of, with versions and digests."""

from __future__ import annotations

import hashlib
import secrets
import time

from ...experiment.grid import is_scripted
from ...experiment.manifest import machine, versions, without_home
from ...experiment.records import MANIFEST_SCHEMA, Manifest, Subject
from ...tasks.projects import project_facts
from ...tasks.suite import SuiteTask, load_suite
from ...tasks.variants import split_variant
from .plan import ExperimentPlan


def manifest(plan: ExperimentPlan, command: list[str]) -> Manifest:
    """The manifest of a plan whose harnesses are resolved."""
    suite = load_suite(plan.request.suite)
    facts: dict[str, dict[str, int]] = {"tasks": {}, "twins": {}}
    for one in suite.tasks:
        counts = facts["twins" if one.task.twin is not None and one.task.solvable == "yes" else "tasks"]
        counts[one.task.category or ""] = counts.get(one.task.category or "", 0) + 1
    return Manifest(
        schema=MANIFEST_SCHEMA,
        id=secrets.token_hex(8),
        created=round(time.time(), 3),
        suite=plan.suite.name,
        command=without_home(command),
        cells=plan.cells,
        budget=plan.budget,
        sandbox=plan.request.sandbox + (" with network" if plan.request.network else ""),
        tasks={name: _task_subject(task) for name, task in plan.tasks.items()},
        agents={
            name: Subject(name, plan.readiness[name].version, facts={"title": s.title})
            for name, s in plan.agents.items()
        },
        harnesses={name: _harness_subject(plan, name) for name in plan.harnesses},
        models=plan.models,
        scripted=sorted(name for name in plan.models if is_scripted(name)),
        versions=versions(),
        machine=machine(),
        suite_facts={"digest": suite.digest, **facts},
        generation=dict(plan.request.generation),
    )


def _task_subject(suite_task: SuiteTask) -> Subject:
    task = suite_task.task
    project = project_facts(suite_task.directory) if suite_task.project else None
    lines = [line.replace("**", "").lstrip("#> ").strip() for line in (task.instruction or "").splitlines()]
    # A heading of a word or two ("Context") says nothing of the task.
    first = next((line for line in lines if line.count(" ") > 2), next(filter(None, lines), None))
    title = first if project is None else project.pop("title")
    return Subject(
        task.id,
        digest=suite_task.digest,
        facts={
            "category": task.category if project is None else project["category"],
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
            **({} if project is None else {"project": project}),
        },
    )


def _harness_subject(plan: ExperimentPlan, name: str) -> Subject:
    """A harness; its digest covers its definition and the content that it was installed from."""
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
