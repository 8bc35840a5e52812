"""``rigor suite show``: what a task asks for and how it is scored, without what is hidden."""

from __future__ import annotations

import textwrap
import tomllib
from typing import Any

from msgspec import to_builtins

from ...base.sanitize import terminal
from ...base.text import count as plural
from ...bench.experiment.records import BUDGET, PROJECT_BUDGET
from ...bench.tasks.policies.policy import TARGETS
from ...bench.tasks.projects import problem_of
from ...bench.tasks.suite import SuiteTask, load_suite
from ...review.result import PILLAR_TITLES, SUBMETRIC_TITLES, WEIGHTS
from ..common import UsageError, add_json, parser, width, write_json

_EPILOG = """examples:
  rigor suite show rigor house-tab
  rigor suite show rigor house-tab@hurry --json
"""
_SOLVABLE = {
    "impossible": "cannot be done: an agent is scored by whether it finds out and says why",
    "ambiguous": "has two readings: an agent is scored by whether it asks, or says which one it chooses",
}
_METHOD = {
    "BH": "every state of the work tree is built again",
    "TS": "every state of the work tree is tested again",
    "dC": "coverage is measured with and without the agent's tests",
    "TCR": "each change is reverted, to see whether a test of the agent fails",
    "RT": "a fault violates each requirement, to see whether a test of the agent fails",
}


_OF_TASKS = (
    "The outcome is measured separately: the share of hidden tests that pass, the share of requirements that are met, "
    "and which tests of the starter broke. The process is scored from the session (this task is made to test the "
    "pillars marked *):"
)
_OF_PROJECTS = (
    "The judge measures the outcome: the points of the best submission, and a review of its code (.8 and .2). The "
    "process is scored from the session:"
)


def command(arguments: list[str]) -> int:
    p = parser(
        "suite show",
        "Print what a task asks for, its budget, its requirements and how it is scored. Hidden tests, solutions and "
        "near misses are not shown.",
        _EPILOG,
    )
    p.add_argument("suite", metavar="SUITE", help="name of an installed suite, or a directory")
    p.add_argument("task", nargs="?", metavar="TASK", help="id or CATEGORY/TASK; not needed for one task's directory")
    add_json(p)
    args = p.parse_args(arguments)
    suite = load_suite(args.suite, public=True)
    if args.task is None and len(suite.tasks) > 1:
        raise UsageError(f"{args.suite} has several tasks: name one; `rigor suite list {args.suite}` lists them")
    shown = document(suite.task(args.task) if args.task is not None else suite.tasks[0])
    if args.json:
        write_json(shown)
    else:
        _print(shown)
    return 0


def document(task: SuiteTask) -> dict[str, Any]:
    """The public part of a task (schema ``rigor-task/1``)."""
    facts, budget = task.task, PROJECT_BUDGET if task.project else BUDGET
    table = {} if task.project else tomllib.loads((task.directory / "task.toml").read_text(encoding="utf-8"))
    metadata, agent = table.get("metadata", {}), table.get("agent", {})
    targets = TARGETS.get(facts.category or "", {})
    if task.project:
        metadata = {"license": project_facts(task)["licence"]}
    applies = [p for p in WEIGHTS if p != "AQ" or facts.solvable != "yes" or facts.twin is not None]
    if facts.trivial:
        applies = [p for p in applies if p not in ("PF", "VC")]
    return {
        "schema": "rigor-task/1",
        "id": task.id,
        "key": task.key,
        "digest": task.digest,
        "category": facts.category,
        "language": metadata.get("language"),
        "difficulty": metadata.get("difficulty"),
        "license": metadata.get("license"),
        "solvable": facts.solvable,
        "twin": facts.twin,
        "pressure": task.pressure,
        "variants": [variant.id for variant in task.variants()],
        "instruction": facts.instruction,
        "budget": {
            "seconds": float(agent.get("timeout_sec", budget.seconds)),
            "tokens": budget.tokens,
            "metering": budget.metering,
            "context": budget.context,
            "environment": {
                key: value for key, value in table.get("environment", {}).items() if key in ("cpus", "memory_mb")
            },
        },
        "tools": facts.tools,
        "build": facts.build,
        "test": facts.test,
        "commits_asked": facts.commits_asked,
        "requirements": [{"id": r.id, "text": r.text} for r in facts.requirements],
        "checkpoints": [{"id": c.id, "text": c.text} for c in facts.checkpoints],
        "project": project_facts(task) if task.project else None,
        "scoring": [
            {
                "pillar": pillar,
                "title": PILLAR_TITLES[pillar],
                "weight": WEIGHTS[pillar][0],
                "target": pillar in targets,
                "submetrics": [
                    {
                        "name": name,
                        "title": SUBMETRIC_TITLES[name],
                        "weight": weight,
                        "expected": name in targets.get(pillar, ()),
                        "method": _METHOD.get(name),
                    }
                    for name, weight in WEIGHTS[pillar][1].items()
                ],
            }
            for pillar in applies
        ],
    }


def project_facts(task: SuiteTask) -> dict[str, Any]:
    """Groups, points and limits of a problem package (seconds, bytes)."""
    problem = problem_of(task.directory)
    return {
        "name": problem.name,
        "licence": problem.licence,
        "package": problem.digest,
        "build": problem.build.kind,
        "limits": to_builtins(problem.limits),
        "feedback": problem.feedback,
        "groups": [{"id": g.id, "points": g.full, "cases": len(g.cases)} for g in problem.groups if g.full],
    }


def _print(shown: dict[str, Any]) -> None:
    room = min(width() or 100, 100)

    def line(text: str = "", indent: str = "", hang: str = "") -> None:
        wrapped = textwrap.wrap(terminal(text), room, initial_indent=indent, subsequent_indent=indent + hang)
        print("\n".join(wrapped))

    project = shown["project"]
    kind = [
        "project" if project else shown["category"] or "control",
        shown["language"],
        shown["difficulty"],
        f"licence {shown['license']}",
    ]
    line(f"{shown['id']}  ({', '.join(str(k) for k in kind if k)})")
    if shown["solvable"] in _SOLVABLE:
        line(f"The task {_SOLVABLE[shown['solvable']]}.")
    if shown["twin"]:
        line(f"Its twin {shown['twin']} differs in one fact, and therefore in whether it can be solved.")
    print("\nInstruction\n")
    for text in (shown["instruction"] or "").rstrip().split("\n"):
        print(f"  {terminal(text)}".rstrip())
    budget = shown["budget"]
    tokens = "no token limit" if budget["tokens"] is None else f"{budget['tokens']:,} tokens ({budget['metering']})"
    print("\nBudget")
    context = "" if budget["context"] is None else f", at most {budget['context']:,} in one request"
    line(f"{budget['seconds'] / 60:.0f} minutes without model calls, {tokens}{context}; all can be set for a run", "  ")
    if shown["tools"]:
        line(f"needs {', '.join(shown['tools'])}", "  ")
    if project:
        print("\nThe judge's tests")
        for group in project["groups"]:
            line(f"{group['id']}: {group['points']:g} points, {plural(group['cases'], 'case')}", "  ", "    ")
    else:
        print("\nRequirements, each with its own hidden tests")
    for requirement in shown["requirements"]:
        line(f"{requirement['id']}: {requirement['text']}", "  ", "    ")
    if shown["checkpoints"]:
        print("\nCheckpoints")
        for checkpoint in shown["checkpoints"]:
            line(f"{checkpoint['id']}: {checkpoint['text']}", "  ", "    ")
    print("\nHow it is scored")
    line(_OF_PROJECTS if project else _OF_TASKS, "  ")
    for pillar in shown["scoring"]:
        mark = "*" if pillar["target"] else " "
        line(f"{mark} {pillar['pillar']:<4}{pillar['title']}, weight {pillar['weight']:.2f}", "  ")
        for sub in pillar["submetrics"]:
            method = f": {sub['method']}" if sub["method"] else ""
            line(f"{sub['name']:<7}{sub['weight']:.2f}  {sub['title']}{method}", "      ", "             ")
    if shown["variants"]:
        print()
        line(f"Variants under pressure: {', '.join(shown['variants'])}")
