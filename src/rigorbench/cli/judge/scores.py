"""``rigor judge scores``: from judgements and reviews on disk to the scores of runs and settings."""

from __future__ import annotations

import argparse
import tomllib
from pathlib import Path

import msgspec
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ...base.sanitize import terminal
from ...bench.projects.scores.documents import read_paths
from ...bench.projects.scores.runs import ProblemList, ProblemSpec, Scores, score_all
from ..common import UsageError, add_json, message, parser, whole, write_json

_EPILOG = """examples:
  rigor judge scores out/projdev --runs              an experiment: a setting is an agent, a harness and a model
  rigor judge scores out/projdev --easiest 5         only the five easiest problems
  rigor judge scores out/sonnet/ out/gpt/            judgements (rigor-judgement/1) and reviews (rigor-review/1)
  rigor judge scores run1.jsonl --problems problems.toml --json

problems.toml names all problems, so that one without a run counts 0:
  [[problem]]
  id = "big-integer"
  parts = { "big-integer-add" = 1, "big-integer-mul" = 3 }     weight of each package; default: the problem itself
  submissions = 12                                             only the first 12 count

Keys that assign a document to a run: run, setting (agent, model, harness), counted. See docs/projdev.md.
"""


def command(arguments: list[str]) -> int:
    args = _parser().parse_args(arguments)
    problems = _problems(args.problems) if args.problems is not None else None
    documents = read_paths(args.paths)
    for failure in documents.problems:
        message(f"rigor judge scores: {failure}")
    if not documents:
        for note in documents.notes:
            message(f"rigor judge scores: {note}")
        if not documents.problems:
            message("rigor judge scores: the given paths contain no judgement (files of JSON or JSON lines)")
        return 1
    found = score_all(documents, problems, easiest=args.easiest)
    for note in found.notes:
        message(f"rigor judge scores: {note}")
    if args.json:
        write_json(found)
    else:
        _show(found, runs=args.runs)
    return 1 if documents.problems else 0


def _parser() -> argparse.ArgumentParser:
    p = parser("judge scores", "Scores from judgements and reviews.", _EPILOG)
    p.add_argument("paths", nargs="+", metavar="PATH", help="experiments, or judgements in JSON (lines)")
    p.add_argument(
        "--problems", metavar="FILE", help="all problems, with the weights of their parts and budgets (TOML)"
    )
    p.add_argument(
        "--easiest",
        type=whole("a number of problems"),
        metavar="N",
        help="only the N problems with the highest mean execution",
    )
    p.add_argument("--runs", action="store_true", help="also print a line for each run")
    add_json(p)
    return p


def _problems(name: str) -> dict[str, ProblemSpec]:
    try:
        found = msgspec.convert(tomllib.loads(Path(name).read_bytes().decode()), ProblemList).problem
    except OSError as error:
        raise UsageError(f"{name}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise UsageError(f"{name}: not UTF-8") from None
    except (tomllib.TOMLDecodeError, msgspec.ValidationError, RecursionError) as error:
        raise UsageError(f"{name}: {error}") from None
    for spec in found:
        if any(not 0 <= weight < float("inf") for weight in spec.parts.values()) or (
            spec.parts and not sum(spec.parts.values())
        ):
            raise UsageError(f"{name}: {spec.id}: parts: weights must be at least 0, and one above 0")
        if spec.submissions is not None and spec.submissions < 1:
            raise UsageError(f"{name}: {spec.id}: submissions: at least 1")
    ids = [spec.id for spec in found]
    parts = [part for spec in found for part in (spec.parts or {spec.id: 1.0})]
    for values in (ids, parts):
        if len(set(values)) < len(values):
            twice = next(value for value in values if values.count(value) > 1)
            raise UsageError(f"{name}: {twice!r} occurs twice")
    return {spec.id: spec for spec in found}


def _show(found: Scores, *, runs: bool) -> None:
    console = Console()
    for setting in found.settings:
        table = Table(title=terminal(setting.setting or "all runs"), show_header=False, title_justify="left")
        table.add_column()
        table.add_column()
        interval = setting.execution_interval
        rows = [
            ("problems, runs, submissions", f"{setting.problems}, {setting.runs}, {setting.submissions}"),
            ("failed runs and problems without a run (count 0)", str(setting.failed)),
            (
                "execution",
                _number(setting.execution) + (f"  [{interval.low:.2f}, {interval.high:.2f}]" if interval else ""),
            ),
            ("  of the first submission", _number(setting.first)),
            ("  Exec@k, k = 1, 2, ...", ", ".join(f"{value:.2f}" for value in setting.at) or "-"),
            ("  as the release computes it", _number(setting.released)),
            ("code review", _number(setting.review)),
            ("final (.8, .2)", _number(setting.final)),
            ("best of k runs", ", ".join(f"{k}: {v:.2f}" for k, v in setting.best_of.items())),
            ("pass@k", ", ".join(f"{k}: {v:.3f}" for k, v in setting.pass_at.items())),
            ("pass^k", ", ".join(f"{k}: {v:.3f}" for k, v in setting.pass_hat.items())),
            ("verdicts", ", ".join(f"{n} {c} ({s:.2f} %)" for n, (c, s) in setting.verdicts.items() if c) or "-"),
            ("course of the runs", ", ".join(f"{name} {n}" for name, n in setting.progress.items() if n)),
        ]
        for name, value in rows:
            table.add_row(name, value)
        console.print(table)
    if runs:
        table = Table("setting", "run", "problem", "submissions", "first", "best", "last gain", "course", "final")
        for run in found.runs:
            cells = [
                run.setting,
                run.run,
                run.problem,
                str(run.submissions),
                _number(run.first),
                _number(run.execution),
            ]
            cells += [str(run.curve.last_gain or "-"), run.curve.progress, _number(run.final)]
            table.add_row(*(Text(terminal(cell, 60)) for cell in cells))
        console.print(table)


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"
