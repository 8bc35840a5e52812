"""What ``rigor run`` would do: the runs of an experiment, their upper bounds, and what is missing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ....base.text import count
from ...experiment.grid import is_scripted
from ...experiment.store import ExperimentDirectory
from ..progress import duration
from .plan import CellStates, ExperimentPlan, survey

SCHEMA = "rigor-plan/1"


def forecast(plan: ExperimentPlan, out: Path | None, jobs: int) -> dict[str, Any]:
    """What a call would do; starts nothing. The upper bounds cover what is to run; scoring comes on top, without bound.

    ``most_seconds``: of agents' time without model calls, with ``jobs`` runs at a time. ``most_tokens``: metered.
    ``cost_limit``: dollars of a run, ``most_cost`` of all. None: no limit.
    """
    request, budget = plan.request, plan.budget
    states = survey(plan, ExperimentDirectory(out)) if out is not None else CellStates(to_run=plan.cells)
    waves = -(-len(states.to_run) // jobs)
    return {
        "schema": SCHEMA,
        "suite": plan.suite.name,
        "cells": {
            "done": len(states.done),
            "unscored": len(states.unscored),
            "to run": len(states.to_run),
        },
        "tasks": list(plan.tasks),
        "agents": {name: {"ready": r.ok, "version": r.version, "why": r.why} for name, r in plan.readiness.items()},
        "harnesses": list(plan.harnesses),
        "models": list(plan.models),
        "scripted": [name for name in plan.models if is_scripted(name)],
        "repeats": request.repeats,
        "sandbox": request.sandbox,
        "jobs": jobs,
        "time_limit": budget.seconds,
        "token_limit": budget.tokens,
        "context_limit": budget.context,
        "metering": budget.metering,
        "most_seconds": waves * budget.seconds,
        "most_tokens": None if budget.tokens is None else len(states.to_run) * budget.tokens,
        "missing": plan.missing,
        "runs": [cell.id for cell in states.to_run],
        "cost_limit": budget.cost,
        "most_cost": None if budget.cost is None else round(len(states.to_run) * budget.cost, 2),
        "generation": request.generation,
    }


def print_forecast(found: dict[str, Any]) -> None:
    from rich.console import Console

    from ....base.sanitize import terminal

    console = Console(highlight=False, markup=False)

    def row(name: str, text: str) -> None:
        console.print(f"{name:<12} {terminal(text)}", soft_wrap=True)

    cells = found["cells"]
    states = [f"{cells['to run']} to run"]
    states += [f"{cells['unscored']} to score"] if cells["unscored"] else []
    states += [f"{cells['done']} done"] if cells["done"] else []
    sizes = [count(len(found[f"{name}s"]), name) for name in ("task", "agent")]
    sizes += [count(len(found["harnesses"]), "harness"), count(len(found["models"]), "model")]
    row("runs", f"{', '.join(states)} ({' x '.join([*sizes, count(found['repeats'], 'repeat')])})")
    row("tasks", ", ".join(found["tasks"]))
    row("agents", ", ".join(f"{n} {a['version'] or ''}".strip() for n, a in found["agents"].items()))
    row("harnesses", ", ".join(found["harnesses"]))
    row("models", ", ".join(f"{m} (a policy, no model)" if m in found["scripted"] else m for m in found["models"]))
    row("sandbox", f"{found['sandbox']}, {found['jobs']} at a time")
    tokens = "no token limit" if found["token_limit"] is None else f"{found['token_limit']:,} tokens"
    if found["generation"]:
        row("options", ", ".join(f"{name} {value}" for name, value in found["generation"].items()))
    cost = "" if found["cost_limit"] is None else f" and ${found['cost_limit']:g}"
    row(
        "each run",
        f"at most {duration(found['time_limit'])} without model calls and {tokens}{cost} ({found['metering']})",
    )
    if found["context_limit"] is not None:
        row("", f"at most {found['context_limit']:,} tokens in one request")
    if cells["to run"]:
        most = "" if found["most_tokens"] is None else f" and {found['most_tokens']:,} tokens"
        most += "" if found["most_cost"] is None else f" and ${found['most_cost']:,.2f}"
        row(
            "together",
            f"at most {duration(found['most_seconds'])} of agents at work{most}; model calls and scoring come on top",
        )
    for line in found["missing"]:
        row("missing", line)
    if not found["missing"]:
        row("ready", "everything is here; nothing was started")
