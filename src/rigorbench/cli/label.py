"""``rigor label``: a local page on which people label what judges judge, without seeing scores."""

from __future__ import annotations

import argparse
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ..base.text import count as plural
from .common import Usage, add_jobs, add_json, console, message, messages, needs, over_logs, parser, whole, write_line
from .session_options import check_task

if TYPE_CHECKING:
    from ..panel.labels.model import Sheet
    from ..panel.labels.store import Labels
    from ..trajectory.logfile import LogFile

_EPILOG = """examples:
  rigor label ~/.claude/projects/*/*.jsonl --out labels --labeller ada --sample 40
  rigor label --out labels --labeller grace      the same cases again, by another person
  rigor label --out labels                       what is labelled so far
  rigor label --out labels --export > all.jsonl  the answers that count, one per line
"""


def command(arguments: list[str]) -> int:
    p = parser(
        "label",
        "Label plans, episodes, commits, findings and sessions on a local page without scores or names of agents.\n"
        "Every answer is stored at once in DIR/NAME.jsonl, with the excerpts that were shown. Ctrl-C ends it.",
        _EPILOG,
    )
    p.add_argument("paths", nargs="*", metavar="PATH", help="logs or experiments (default: the cases in DIR)")
    p.add_argument("--out", metavar="DIR", required=True, help="where the labels are kept, one file per labeller")
    p.add_argument("--labeller", metavar="NAME", help="who labels; without it the labels are only listed")
    p.add_argument(
        "--sample", type=whole("a number of cases"), metavar="N", help="N cases, spread over kinds and sessions"
    )
    p.add_argument("--seed", type=int, default=0, metavar="S", help="seed of the sample and the order (default: 0)")
    p.add_argument(
        "--kinds",
        metavar="LIST",
        help="only these kinds: plan,commit_message,episode,finding,grades,...",
    )
    p.add_argument("--task", metavar="FILE", help="task file; abstentions are compared with the obstacle that it names")
    p.add_argument("--suite", metavar="DIR", help="directory of an experiment's tasks, if it has moved")
    p.add_argument(
        "--port", type=int, default=0, metavar="N", help="port on the loopback address (default: a free one)"
    )
    p.add_argument("--no-browser", action="store_true", help="only print the address")
    p.add_argument("--export", action="store_true", help="print the answers that count, one JSON object per line")
    add_json(p, "print what is labelled so far as one JSON document")
    add_jobs(p)
    args = p.parse_args(arguments)
    from ..panel.labels.model import KINDS
    from ..panel.labels.store import LabelError

    kinds = KINDS if args.kinds is None else tuple(k.strip() for k in args.kinds.split(","))
    if unknown := [k for k in kinds if k not in KINDS]:
        raise Usage(f"--kinds: no kind {unknown[0]!r}; of: {', '.join(KINDS)}")
    if not 0 <= args.port < 65536:
        raise Usage("--port: a number from 0 to 65535")
    if args.labeller is None or args.export or args.json:
        if args.paths:
            raise Usage(
                "give --labeller NAME to label logs; --export and --json print what is in --out and take no PATH"
            )
        try:
            return _show(Path(args.out), args.labeller, export=args.export, as_json=args.json)
        except LabelError as error:
            raise Usage(str(error)) from None
    needs("panel", "starlette", "uvicorn")
    if args.task is not None:
        check_task(args.task)
    try:
        return _label(args, kinds)
    except LabelError as error:
        raise Usage(str(error)) from None


def _label(args: argparse.Namespace, kinds: tuple[str, ...]) -> int:
    from ..panel.labels.store import LabelFile, check_name, load
    from ..report.labelling.queue import CaseQueue
    from ..report.labelling.sample import sample, shuffled
    from ..report.labelling.server import serve

    out, name, seed = Path(args.out), check_name(args.labeller), args.seed
    paths, number = args.paths, args.sample
    found, failed = collect(paths, task=args.task, suite=args.suite, jobs=args.jobs) if paths else ([], False)
    known = load(out) if out.is_dir() else None
    if not paths:
        if known is None or not known.sheets:
            raise Usage(f"{out}: contains no cases yet; give the logs to label")
        found = list(known.sheets.values())
    chosen = sample((sheet for sheet in found if sheet.kind in kinds), number, seed)
    if not chosen:
        message("nothing to label: these sessions have no plan, abstention, commit or error episode")
        return 1
    file = LabelFile(out, name)
    try:
        known = load(out)
        messages(known.problems)
        for sheet in chosen:
            file.keep(sheet)
        queue = CaseQueue(shuffled(chosen, name, seed), file, known.answers.get(name, {}))

        def announce(url: str) -> None:
            print(f"{plural(len(chosen), 'case')} for {name}, {queue.done} of them done.", end=" ")
            print("Ctrl-C ends; every answer is saved at once.")
            print(url, flush=True)

        serve(queue, port=args.port, browser=not args.no_browser, announce=announce)
    finally:
        file.close()
    message(f"{queue.done} of {len(chosen)} cases done; labels: {file.path}")
    return 1 if failed else 0


def collect(paths: list[str], *, task: str | None, suite: str | None, jobs: int | None) -> tuple[list[Sheet], bool]:
    """The cases of logs and experiments, and whether any of these failed (reported on stderr). Raises: Usage."""
    from ..experiment.store import StoreError
    from ..report.labelling.gather import is_experiment, of_experiment
    from ..tasks.suite import SuiteError

    found: list[Sheet] = []
    lines: list[str] = []
    experiments = [path for path in paths if is_experiment(path)]
    for out in experiments:
        try:
            sheets, problems = of_experiment(Path(out), suite)
        except (StoreError, SuiteError) as error:
            raise Usage(str(error)) from None
        found += sheets
        lines += problems
    logs = [path for path in paths if path not in experiments]
    if logs:
        for made, problems in over_logs(logs, partial(_sheets, task=task), jobs=jobs, label="logs"):
            found += made or []
            lines += problems
    for line in lines:
        message(line)
    return found, bool(lines)


def _sheets(log: LogFile, *, task: str | None) -> list[Sheet]:
    from ..report.labelling.gather import of_log

    return of_log(log, task)


def _show(out: Path, labeller: str | None, *, export: bool, as_json: bool) -> int:
    import msgspec

    from ..panel.labels.store import load

    labels = load(out)
    messages(labels.problems)
    if labels.old:
        message(f"{out}: {plural(labels.old, 'answer')} to questions that have changed since, not counted")
    failed = 1 if labels.problems else 0
    people = [name for name in labels.answers if labeller in (None, name)]
    if export:
        for line in _answers(labels, people):
            write_line(line)
        return failed
    table = _summary(labels, people)
    if as_json:
        write_line(msgspec.json.encode({"schema": "rigor-label-summary/1", "labellers": table, "old": labels.old}))
        return failed
    from rich.table import Table
    from rich.text import Text

    from ..base.sanitize import terminal

    target = console()
    if not table:
        target.print(f"{terminal(str(out))}: nothing is labelled yet", markup=False)
        return failed
    view = Table("labeller", "about", box=None, pad_edge=False)
    for heading in ("cases", "done", "answers", "cannot tell"):
        view.add_column(heading, justify="right")
    for name, kinds in table.items():
        for kind, n in kinds.items():
            view.add_row(
                Text(terminal(name)), kind, str(n["cases"]), str(n["done"]), str(n["answers"]), str(n["cannot_tell"])
            )
    target.print(view)
    sys.stdout.flush()
    return failed


def _answers(labels: Labels, people: list[str]) -> list[bytes]:
    import msgspec

    lines = []
    for name in people:
        for case, given in labels.answers[name].items():
            sheet = labels.sheets.get(case)
            for (question, item), answer in given.items():
                record = {
                    "schema": "rigor-label-answer/1",
                    "labeller": name,
                    "kind": sheet.kind if sheet is not None else None,
                    "session": sheet.session if sheet is not None else None,
                    "case": case,
                    "question": question,
                    "item": item,
                    "answer": answer,
                }
                lines.append(msgspec.json.encode(record))
    return lines


def _summary(labels: Labels, people: list[str]) -> dict[str, dict[str, dict[str, int]]]:
    """Labeller -> kind -> counts; cases of which nothing was answered do not count."""
    table: dict[str, dict[str, dict[str, int]]] = {}
    for name in people:
        for case, given in labels.answers[name].items():
            sheet = labels.sheets.get(case)
            kind = sheet.kind if sheet is not None else "unknown"
            empty = {"cases": 0, "done": 0, "answers": 0, "cannot_tell": 0}
            row = table.setdefault(name, {}).setdefault(kind, empty)
            row["cases"] += 1
            row["done"] += sheet is not None and not sheet.open(given)
            row["answers"] += len(given)
            row["cannot_tell"] += sum(answer is None for answer in given.values())
    return table
