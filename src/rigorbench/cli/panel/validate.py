"""``rigor panel validate``: judges compared with each other, with labels made by people, and with themselves."""

from __future__ import annotations

import argparse
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ...base.text import count as plural
from ..common import (
    Usage,
    add_jobs,
    add_json,
    console,
    message,
    messages,
    needs,
    parser,
    show_progress,
    whole,
    write_json,
)

if TYPE_CHECKING:
    from ...panel.agreement.bias import Bias
    from ...panel.agreement.validate_tables import Table
    from ...panel.labels.model import Sheet
    from ...panel.votes import VoteStore

_EPILOG = """examples:
  rigor panel validate --labels labels --votes votes
  rigor panel validate --labels labels --features             the deterministic judge; needs no votes
  rigor panel validate --labels labels --votes votes --bias --panel panel.toml
  rigor panel validate --votes out/sonnet/votes out/sonnet    without labels: agreement of the judges, own-model bias

Labels come from `rigor label`. --bias asks the judges again about the same cases with items and questions reversed and
plans padded; these votes are kept in VOTES/bias and count for no score. Stored votes are measured without a model.
"""
SCHEMA = "rigor-panel-validate/1"


def command(arguments: list[str]) -> int:
    args = _parser().parse_args(arguments)
    needs("report", "numpy", "scipy")
    if args.labels is None and args.votes is None:
        raise Usage("give --labels DIR (of `rigor label`), --votes DIR (of `rigor panel ask`), or both")
    if args.bias and (args.panel is None or args.votes is None):
        raise Usage("--bias asks judges: give --panel FILE and --votes DIR")
    if args.panel is not None and not args.bias:
        raise Usage("--panel is only for --bias; stored votes need no judges")
    if args.json and args.markdown:
        raise Usage("give --json or --markdown, not both")
    if args.votes is not None and not Path(args.votes).is_dir() and not args.bias:
        raise Usage(f"{args.votes}: no such directory; `rigor panel ask` creates it")
    from ...panel.judges.config import PanelError
    from ...panel.labels.store import LabelError
    from ...panel.votes import StoreError

    try:
        return _validate(args)
    except (LabelError, PanelError, StoreError) as error:
        raise Usage(str(error)) from None


def _parser() -> argparse.ArgumentParser:
    p = parser(
        "panel validate",
        "How far judges agree with people, with each other, and with themselves after changes that should not matter.",
        _EPILOG,
    )
    p.add_argument("paths", nargs="*", metavar="PATH", help="logs or experiments with cases that are not in the labels")
    p.add_argument("--labels", metavar="DIR", help="labels made by people")
    p.add_argument("--votes", metavar="DIR", help="votes of the judges")
    p.add_argument("--features", action="store_true", help="also compare the deterministic judge")
    p.add_argument("--each", action="store_true", help="compare with each labeller, not only with their majority")
    p.add_argument("--bias", action="store_true", help="ask the judges again, to measure their bias")
    p.add_argument("--panel", metavar="FILE", help="the judges (panel.toml), for --bias")
    p.add_argument(
        "--cases", type=whole("a number of cases"), default=12, metavar="N", help="cases for --bias (default: 12)"
    )
    p.add_argument("--seed", type=int, default=0, metavar="S", help="seed of the sample for --bias (default: 0)")
    p.add_argument("--task", metavar="FILE", help="task file of the logs")
    p.add_argument("--suite", metavar="DIR", help="directory of an experiment's tasks, if it has moved")
    add_json(p)
    p.add_argument("--markdown", action="store_true", help="print tables in Markdown")
    add_jobs(p)
    return p


def _validate(args: argparse.Namespace) -> int:
    from ...panel.agreement.bias import own_model
    from ...panel.agreement.calibration import calibrate
    from ...panel.agreement.validate import inter_judge, validate
    from ...panel.agreement.validate_tables import tables
    from ...panel.labels.store import Labels, load
    from ...panel.votes import VoteStore

    labels = load(Path(args.labels)) if args.labels is not None else Labels({}, {}, [])
    problems = list(labels.problems)
    failed = False
    if args.paths:
        from ..label import collect

        found, failed = collect(args.paths, task=args.task, suite=args.suite, jobs=args.jobs)
        for sheet in found:
            labels.sheets.setdefault(sheet.digest, sheet)
    store = VoteStore(args.votes) if args.votes is not None else None
    votes = store.all(counting=True) if store is not None else []
    if store is not None:
        problems += store.damaged
        if not votes and store.all():
            problems.append(f"{args.votes}: no vote counts, because no judge has passed the present entrance exam")
    biases: list[Bias] = []
    if store is not None:
        if args.bias:
            failed = _ask(args, store, list(labels.sheets.values())) or failed
        biases += _asked_twice(store, list(labels.sheets.values()))
        biases += own_model(votes, {digest: (s.session, s.model) for digest, s in labels.sheets.items()})
    panel = store.panel() if store is not None else None
    quorum = panel.quorum if panel is not None else 2
    validation = (
        validate(labels, votes, features=args.features, quorum=quorum, each=args.each) if labels.answers else None
    )
    if args.labels is not None and validation is None:
        problems.append(f"{args.labels}: nothing is labelled yet")
    messages(problems)
    judges = inter_judge(votes)
    calibrations = calibrate(labels, votes) if labels.answers else []
    if args.json:
        document = {"schema": SCHEMA, "validation": validation, "inter_judge": judges}
        write_json({**document, "calibration": calibrations, "bias": biases})
    else:
        shown = tables(validation, judges, calibrations, biases)
        if args.markdown:
            from ...panel.agreement.validate_tables import markdown

            sys.stdout.write(markdown(shown))
        else:
            _print(shown)
        if not shown:
            message("nothing to compare: there is no vote that counts and no label")
        for reason, n in (validation.left_out if validation is not None else {}).items():
            message(f"left out, {n}: {reason}")
    sys.stdout.flush()
    return 1 if failed or problems else 0


def _asked_twice(store: VoteStore, sheets: list[Sheet]) -> list[Bias]:
    """The bias of every judge that was asked twice, from the votes in ``bias``."""
    from ...panel.agreement.bias import asked_twice
    from ...panel.labels.model import OWN_KINDS
    from ...panel.model import Case, Rubric, Vote
    from ...panel.rubrics import RUBRICS
    from ...panel.votes import VoteStore

    given = [v for v in VoteStore(store.directory / "bias").all() if v.status == "voted"]
    by = {(v.model, v.judge, v.case, v.rubric): v for v in given}
    cases = [(s.case, RUBRICS[s.case.kind]) for s in sheets if s.kind not in OWN_KINDS]
    found: list[Bias] = []
    for (model, judge), seat in {(v.model, v.judge): v.seat for v in given}.items():

        def vote(case: Case, rubric: Rubric, model: str = model, judge: str = judge) -> Vote | None:
            return by.get((model, judge, case.digest, rubric.digest))

        found += asked_twice(seat, model, cases, vote)
    return found


def _ask(args: argparse.Namespace, store: VoteStore, sheets: list[Sheet]) -> bool:
    """Ask the judges about the changed cases. Returns whether something failed."""
    import asyncio

    from ...panel.agreement.ask_twice import ask_twice
    from ...panel.judges.config import load_panel
    from ...panel.judges.llm import judges
    from ...panel.labels.model import OWN_KINDS
    from ...report.labelling.sample import sample

    config = load_panel(args.panel)
    chosen = sample([s for s in sheets if s.kind not in OWN_KINDS], args.cases, args.seed)
    if not chosen:
        raise Usage("--bias: no cases; give logs or experiments as PATH, or labels")
    seats = judges(config, store)

    progress = partial(show_progress, "votes")
    summary = asyncio.run(
        ask_twice([s.case for s in chosen], seats, store, concurrency=config.concurrency, progress=progress)
    )
    for problem in summary.problems:
        message(problem)
    cost = "" if summary.cost is None else f", {summary.cost:.2f} dollars"
    message(f"asked twice: {plural(summary.voted, 'vote')}, {summary.cached} known, {summary.failed} failed{cost}")
    return not summary.complete


def _print(shown: list[Table]) -> None:
    from rich import box
    from rich.table import Table as View
    from rich.text import Text

    from ...base.sanitize import one_line, terminal

    out = console()
    for table in shown:
        view = View(title=table.title, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
        for n, heading in enumerate(table.headings):
            view.add_column(
                heading, justify="left" if n < table.left else "right", overflow="fold", no_wrap=n < table.short
            )
        for row in table.rows:
            view.add_row(*(Text(one_line(cell, 100)) for cell in row))
        out.print(view)
        for line in (table.lead, *(f"({n}) {note}" for n, note in enumerate(table.notes, 1))):
            if line:
                out.print(terminal(line), style="dim", markup=False)
        out.print()
