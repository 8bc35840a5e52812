"""``rigor run``: runs agents under harnesses on tasks, and scores them; called again, it adds what is missing."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from rich.console import Console

from ..base.extras import install
from ..base.sanitize import terminal
from ..base.text import count as plural
from ..bench.experiment.grid import is_scripted, listed
from ..bench.experiment.manifest import merged
from ..bench.experiment.store import ExperimentDirectory, load_results
from ..bench.run.progress import ProgressLines, RunBar, duration
from ..bench.tasks.variants import with_variant
from ..review.reader.backends import open_reader
from ..review.reader.request import ReaderError
from ..review.reader.table import ReaderTable
from .common import UsageError, add_json, add_suite, decimal, message, parser, whole, write_json
from .reader import read_experiment
from .reader_options import add_readings, may_send, spec_of

if TYPE_CHECKING:
    from ..bench.run.experiment import ExperimentSummary
    from ..bench.run.planning.plan import ExperimentPlan, ExperimentRequest
    from ..review.reader.ask import ReaderSpec

_positive = decimal(1e-9, 1e12, "expected a number above 0")

_EPILOG = """examples:
  rigor run rigor --model scripted/disciplined,scripted/reckless --out out/scripted
  rigor run rigor --agent claude-code --harness baseline,agent-rigor --model anthropic/claude-sonnet-4-5 \\
      --harness-source agent-rigor=~/src/agent-rigor --repeats 3 --jobs 4 --out out/sonnet
  rigor run rigor --tasks 'verify-or-die/*' --model openai/gpt-5 --dry-run

A list is divided by commas, or its option is repeated. Called again with the same --out, rigor runs only what is
missing; further agents, harnesses, models, tasks or repeats are added. scripted/NAME is not a model but a policy: a
fixed sequence of actions that needs no key and no network.
"""


def command(arguments: list[str]) -> int:
    args = _parser().parse_args(arguments)
    from ..bench.run.planning.plan import make_plan, survey

    request = _request(args)
    out = Path(args.out) if args.out is not None else None
    reader = _reader(args)
    plan = make_plan(request)
    for line in plan.left_out:
        message(f"rigor run: left out: {line}")
    if args.dry_run:
        return _dry_run(plan, out, args.jobs, as_json=args.json)
    # What only scores or reports the runs that there are needs no model.
    states = None if out is None else survey(plan, ExperimentDirectory(out), retry_errors=args.retry_errors)
    if plan.missing and (states is None or states.to_run):
        for line in plan.missing:
            message(f"rigor run: {line}")
        return 2
    if reader is not None and not may_send(
        reader.open(), len(plan.cells) * reader.readings, reader.budget, "of the runs, at most, secrets masked"
    ):
        reader = None
    from ..bench.run.experiment import default_out, run_experiment

    target = out or default_out()
    if out is None:
        message(f"results: {target}")
    summary = run_experiment(
        plan,
        target,
        jobs=args.jobs,
        command=["rigor", "run", *arguments],
        observer=RunBar(args.jobs) if sys.stderr.isatty() else ProgressLines(args.jobs, message),
        retry_errors=args.retry_errors,
        replay=not args.no_replay,
        say=message,
    )
    if reader is not None and not summary.interrupted:
        found, problems = read_experiment(reader, target, plan.suite.locator, jobs=args.jobs)
        message(f"read: {plural(found, 'run')}")
        if problems:
            summary.problems += [*problems, f"not every run was read; `rigor reader ask {target}` continues"]
        summary.results = load_results(target, [result.cell for result in summary.results])
    return _tell(summary, target, as_json=args.json)


def _parser() -> argparse.ArgumentParser:
    p = parser("run", "Run agents under harnesses on the tasks of a suite, record everything, and score it.", _EPILOG)
    add_suite(p)
    for name, text in (
        ("--agent", "default: react, the built-in loop (rigor doctor lists the agents that are ready here)"),
        ("--harness", "default: baseline; a file of your own: agents-md=FILE"),
        ("--model", "such as openai/gpt-5, or scripted/disciplined"),
    ):
        p.add_argument(name, action="append", metavar="NAME,...", help=text)
    p.add_argument(
        "--tasks", action="append", metavar="GLOB,...",
        help="task ids or CATEGORY/TASK; of projects also easiest:N, or easiest:N=OUT by earlier results; default: all",
    )  # fmt: skip
    p.add_argument(
        "--repeats", type=whole("a number of repeats"), default=1, metavar="K",
        help="runs of each combination (default: 1)",
    )  # fmt: skip
    p.add_argument("--jobs", type=whole("a number of runs"), default=1, metavar="N", help="runs at a time (default: 1)")
    p.add_argument(
        "--sandbox", default="bwrap", metavar="KIND", help="bwrap (default), docker, podman, k8s, k8s:VALUES.yaml"
    )
    p.add_argument("--network", action="store_true", help="let sandboxes reach the network (default: they cannot)")
    p.add_argument("--out", metavar="DIR", help="directory of the results; if it exists, the experiment is continued")
    _add_limits(p)
    group = p.add_argument_group("model", "Passed on with every model call, also to other programs, and recorded.")
    for name, kind, metavar, text in _GENERATION:
        option = f"--{name.replace('_', '-')}"
        group.add_argument(option, type=kind, metavar=metavar, help=text, default=argparse.SUPPRESS)
    p.add_argument("--agent-path", action="append", metavar="NAME=DIR", help="where an agent's program is installed")
    p.add_argument(
        "--harness-source",
        action="append",
        metavar="NAME=DIR",
        help="your clone of a harness, or URL@REVISION, or fetch",
    )
    p.add_argument("--retry-errors", action="store_true", help="repeat runs that broke (status error)")
    p.add_argument("--no-replay", action="store_true", help="do not repeat builds and tests on the captured states")
    p.add_argument("--reader", metavar="NAME", help="have the runs read afterwards by NAME, or several: claude,codex")
    add_readings(p)
    p.add_argument("--dry-run", action="store_true", help="print the plan and what is missing, and start nothing")
    add_json(p)
    return p


# The limits of a run, and the options that set them; of one that is not given the default holds, None is no limit.
_LIMITS = {
    "seconds": "time_limit", "cost": "cost_limit", "hints": "hints", "tokens": "token_limit", "context": "context_limit"
}  # fmt: skip


def _add_limits(p: argparse.ArgumentParser) -> None:
    p.add_argument(
        "--time-limit", type=_positive, metavar="S", default=argparse.SUPPRESS,
        help="seconds of a run in which no model call is in progress (default: 3600; of a project 10800)",
    )  # fmt: skip
    for option, text in (
        ("--context-limit", "tokens of the largest request of a run (default: 200k; none: no limit)"),
        ("--token-limit", "tokens sent and written by a run, cached or not (default: 5m; of a project 10m; none)"),
    ):
        p.add_argument(option, type=_tokens, metavar="N", help=text, default=argparse.SUPPRESS)
    p.add_argument(
        "--cost-limit", type=_positive, metavar="USD", default=argparse.SUPPRESS,
        help="dollars of a run, by list prices (default: no limit)",
    )  # fmt: skip
    p.add_argument(
        "--hints", type=whole("a number of hints", 0), metavar="N", default=argparse.SUPPRESS,
        help="hints that a run on a project may ask for (default: 0)",
    )  # fmt: skip


# Options of the engine for each model call, by their names there.
_GENERATION: tuple[tuple[str, Callable[[str], object], str, str], ...] = (
    ("max_retries", int, "N", "times that a failed model call is tried again (default: 8, in about 13 minutes)"),
    ("timeout", int, "S", "seconds of a model call with all its retries"),
    ("attempt_timeout", int, "S", "seconds of one attempt of a model call"),
    ("max_connections", int, "N", "model calls at a time"),
    ("temperature", float, "T", "temperature of the model"),
    ("top_p", float, "P", "nucleus sampling"),
    ("seed", int, "N", "random seed of the model"),
    ("max_tokens", int, "N", "tokens of one answer"),
    ("reasoning_effort", str, "LEVEL", "how much a reasoning model thinks, such as low, medium or high"),
)


def _request(args: argparse.Namespace) -> ExperimentRequest:
    from ..bench.run.planning.plan import ExperimentRequest

    return ExperimentRequest(
        suite=with_variant(args.suite, args.variant),
        agents=tuple(listed(args.agent or ["react"])),
        harnesses=tuple(listed(args.harness or ["baseline"])),
        models=tuple(listed(args.model or [])),
        tasks=tuple(listed(args.tasks or [])),
        repeats=args.repeats,
        sandbox=args.sandbox,
        limits={name: getattr(args, option) for name, option in _LIMITS.items() if option in args},
        generation={name: getattr(args, name) for name, *_ in _GENERATION if name in args},
        agent_paths={name: Path(path).expanduser() for name, path in _pairs("--agent-path", args.agent_path).items()},
        harness_sources={
            name: str(Path(path).expanduser()) if path.startswith("~") else path
            for name, path in _pairs("--harness-source", args.harness_source).items()
        },
        network=args.network,
    )


def _pairs(option: str, values: list[str] | None) -> dict[str, str]:
    found: dict[str, str] = {}
    for value in values or []:
        name, equals, rest = value.partition("=")
        if not name or not equals or not rest:
            raise UsageError(f"{option} {value}: expected NAME=DIR")
        found[name] = rest
    return found


def _tokens(value: str) -> int | None:
    if value.lower() == "none":
        return None
    scale = {"k": 1_000, "m": 1_000_000}.get(value[-1:].lower(), 1)
    digits = value[:-1] if scale > 1 else value
    if not digits.isdigit() or int(digits) < 1:
        raise argparse.ArgumentTypeError("a number of tokens such as 200000 or 200k, or none")
    return int(digits) * scale


def _reader(args: argparse.Namespace) -> ReaderSpec | None:
    """Who reads the runs. Raises: Usage, before agents cost anything, also where nobody has such a name."""
    if args.reader is None:
        return None
    spec = spec_of(args.reader, args.readings)
    try:
        for name in spec.names:
            open_reader(name, msgspec.json.decode(spec.tables, type=dict[str, ReaderTable]))
    except ReaderError as error:
        raise UsageError(f"--reader {args.reader}: {error}") from None
    return spec


def _dry_run(plan: ExperimentPlan, out: Path | None, jobs: int, *, as_json: bool) -> int:
    """Print what would be done. Exit status 0 if everything is available, 1 if something is missing."""
    from ..bench.run.planning.plan import resolve_harnesses

    found = _forecast(plan, out, jobs)
    if not plan.missing:
        resolve_harnesses(plan)
        if out is not None:
            from ..bench.run.planning.manifest import manifest

            merged(ExperimentDirectory(out).manifest(), manifest(plan, []), out)
    if as_json:
        write_json(found)
    else:
        _print_forecast(found)
    return 1 if plan.missing else 0


def _forecast(plan: ExperimentPlan, out: Path | None, jobs: int) -> dict[str, Any]:
    """What a call would do; starts nothing. The upper bounds cover what is to run; scoring comes on top, without bound.

    ``most_seconds``: of agents' time without model calls, with ``jobs`` runs at a time. ``most_tokens``: metered.
    ``cost_limit``: dollars of a run, ``most_cost`` of all. None: no limit.
    """
    from ..bench.run.planning.plan import CellStates, survey

    request, budget = plan.request, plan.budget
    states = survey(plan, ExperimentDirectory(out)) if out is not None else CellStates(to_run=plan.cells)
    waves = -(-len(states.to_run) // jobs)
    return {
        "schema": "rigor-plan/1",
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


def _print_forecast(found: dict[str, Any]) -> None:
    console = Console(highlight=False, markup=False)

    def row(name: str, text: str) -> None:
        console.print(f"{name:<12} {terminal(text)}", soft_wrap=True)

    cells = found["cells"]
    states = [f"{cells['to run']} to run"]
    states += [f"{cells['unscored']} to score"] if cells["unscored"] else []
    states += [f"{cells['done']} done"] if cells["done"] else []
    sizes = [plural(len(found[f"{name}s"]), name) for name in ("task", "agent")]
    sizes += [plural(len(found["harnesses"]), "harness"), plural(len(found["models"]), "model")]
    row("runs", f"{', '.join(states)} ({' x '.join([*sizes, plural(found['repeats'], 'repeat')])})")
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


def _tell(summary: ExperimentSummary, out: Path, *, as_json: bool) -> int:
    """Print the results on standard output, and what broke on standard error."""
    for problem in summary.problems:
        message(problem)
    if as_json:
        document = {
            "schema": "rigor-results/1",
            "manifest": summary.manifest.id,
            "results": summary.results,
            "problems": summary.problems,
            "aside": summary.aside,
            "interrupted": summary.interrupted,
        }
        write_json(document)
    if summary.interrupted:
        message(f"interrupted; the same command continues ({plural(len(summary.results), 'run')} done)")
        return 130
    if summary.results and not as_json:
        from ..bench.pages.experiment.terminal import print_summary

        print_summary(summary.manifest, summary.results)
        sys.stdout.flush()
        from ..bench.pages.experiment.site import INDEX, publish, up_to_date, write_site

        site = out / "report"
        if up_to_date(out, site):  # it is drawn again only when something of it has changed
            first = site / INDEX
        else:
            try:
                from ..bench.pages.tables.build import build

                first = publish(out, build([out]), site, problem=message)
            except ModuleNotFoundError as error:
                if error.name is None or error.name.startswith("rigorbench"):
                    raise
                message(f"the tables and the figure are not written: they need {error.name}: {install('report')}")
                first = write_site(out, summary.manifest, summary.results, problem=message)
        message(f"report: {first}")
    return 1 if summary.problems else 0
