"""``rigor labels``: what people say of sessions, and how far they agree."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from ..base.jsonl import Lines
from ..base.sanitize import one_line
from ..session.registry import read_log
from .common import (
    UsageError,
    act,
    actions,
    add_action,
    add_jobs,
    add_json,
    add_paths,
    console,
    message,
    messages,
    needs,
    parser,
    results,
    whole,
    write_json,
)
from .reader_options import add_store

if TYPE_CHECKING:
    from ..base.stats.agreement import Estimate
    from ..review.reader.digest import Digest
    from ..review.reader.reading import Answer
    from ..session.logfile import LogFile

_EXPORT = """examples:
  rigor labels export logs/                 labels/label-studio.xml: Settings, Labeling Interface, Code;
                                            labels/label-studio.json: Import
  rigor labels export logs/ --form csv      labels/sessions.csv, a row for each session

People see the digest that a reader sees, with secrets masked, and no score. In the sheet grades are 1 to 5, or none (it
did not arise); facts are yes, no or unknown; what is left empty is not answered.
"""
_IMPORT = """examples:
  rigor labels import project-1.json                 Label Studio: Export, as JSON, JSON-MIN or CSV
  rigor labels import sessions.csv --labeller ada    the sheet

labels/labels.jsonl is only appended to; of two labels of a person on a session the later counts. Exit status: 0 all
labels were taken, 1 some were not.
"""
_AGREEMENT = """Every reader counts of whom answers are stored: the first to each session, beside the median (grades) or
majority (facts) of people. Agreement with people cannot be shown to be higher than that among them. Intervals (95 %)
resample sessions.
"""


def command(arguments: list[str]) -> int:
    top = parser("labels", "What people say of sessions, and how far they agree.")
    commands = actions(top)
    p = add_action(commands, "export", _export, "sessions as forms for people: for Label Studio, or a sheet", _EXPORT)
    add_paths(p)
    p.add_argument("--form", choices=("label-studio", "csv"), default="label-studio", help="default: label-studio")
    p.add_argument("--out", metavar="DIR", default="labels", help="where the forms are written (default: labels)")
    budget = whole("a number of characters", 1_000)
    p.add_argument("--budget", type=budget, default=24_000, metavar="N", help="of a session (default: 24000)")
    add_jobs(p)
    p = add_action(commands, "import", _import, "store the labels of a filled form", _IMPORT)
    p.add_argument("file", metavar="FILE", help="an export of Label Studio, or the sheet; - for standard input")
    p.add_argument("--out", metavar="DIR", default="labels", help="where labels are kept (default: labels)")
    p.add_argument("--labeller", metavar="NAME", help="who labelled (default: whom the file names)")
    text = "how far people agree with each other, and readers with people"
    p = add_action(commands, "agreement", _agreement, text, _AGREEMENT)
    p.add_argument("paths", nargs="+", metavar="PATH", help="labels of `rigor labels import`: a directory or file")
    add_store(p)
    add_json(p)
    return act(top, arguments)


def _export(args: argparse.Namespace) -> int:
    from ..review.reader.labels import write_forms

    problems: list[str] = []

    def digests() -> Iterator[Digest]:
        work = partial(_digests, budget=args.budget)
        for found in results(args.paths, work, problems.append, jobs=args.jobs, label="sessions"):
            yield from found

    print(*write_forms(Path(args.out), args.form, digests()), sep="\n")
    sys.stdout.flush()
    messages(problems)
    return 1 if problems else 0


def _digests(log: LogFile, budget: int) -> list[Digest]:
    from ..evidence.walk.extract import extract
    from ..review.reader.digest import digest

    return [digest(extract(trajectory), budget) for trajectory in read_log(log)]


def _import(args: argparse.Namespace) -> int:
    from ..review.reader.labels import Label, LabelError, load, read_labels

    path = Path(args.out) / "labels.jsonl"
    try:
        with open(0 if args.file == "-" else args.file, "rb") as file:
            found = list(read_labels(file.read(), args.labeller))
        known = load(path)[0] if path.is_file() and path.stat().st_size else []
    except (LabelError, OSError) as error:
        raise UsageError(f"{args.file}: {getattr(error, 'strerror', None) or error}") from None
    labels = [label for label in found if isinstance(label, Label)]
    if fresh := [label for label in labels if label not in known]:
        Lines(path, Label).append(*fresh)
    for problem in found:
        if isinstance(problem, LabelError):
            message(f"{args.file}: not taken: {problem}")
    print(
        f"{len(fresh)} stored in {path}, {len(labels) - len(fresh)} stored before, {len(found) - len(labels)} not taken"
    )
    return 0 if len(labels) == len(found) else 1


def _agreement(args: argparse.Namespace) -> int:
    needs("report", "numpy", "scipy")
    from ..review.reader.label_agreement import compare
    from ..review.reader.labels import LabelError, load
    from ..review.reader.request import PROMPT_VERSION
    from ..review.reader.store import AnswerStore

    try:
        loaded = [load(Path(path)) for path in args.paths]
    except (LabelError, OSError) as error:
        raise UsageError(str(error)) from None
    labels = [label for found, _ in loaded for label in found]
    store = AnswerStore(args.store)
    answers: dict[str, dict[str, Answer]] = {}
    for digest in sorted({label.digest for label in labels}):
        for reader in store.readers(digest, PROMPT_VERSION):
            for _, answer in store.answers(digest, PROMPT_VERSION, reader)[:1]:
                answers.setdefault(reader, {})[digest] = answer
    problems = [*(line for _, lines in loaded for line in lines), *store.damaged]
    if old := sum(label.prompt != PROMPT_VERSION for label in labels):
        problems.append(f"left out: {old} of {len(labels)} labels, given to another version of the question")
    messages(problems)
    rows = compare(labels, answers)
    shown = [row for row in rows if row.sessions]
    if args.json:
        write_json({"schema": "rigor-labels-agreement/1", "rows": rows})
    elif shown:
        table = Table(box=None, pad_edge=False)
        for n, heading in enumerate(
            ("who", "point", "sessions", "raters", "Spearman", "within a step", "same", "alpha")
        ):
            table.add_column(heading, justify="left" if n < 2 else "right", no_wrap=True)
        for row in shown:
            near = "" if row.within is None else f"{row.within:.2f}"
            cells = (one_line(row.who, 40), row.point, str(row.sessions), str(row.raters), _told(row.spearman), near)
            table.add_row(*map(Text, (*cells, _told(row.same), _told(row.alpha))))
        out = console()
        # Wider than many terminals: a folded interval is harder to read than a folded line.
        out.print(table, width=max(out.width, 140), crop=False)
    if not shown:
        message("nothing to compare: no session has two labellers, or a label and a stored answer")
    return 0 if shown and not problems else 1


def _told(found: Estimate | None) -> str:
    if found is None or found.value is None:
        return ""
    return f"{found.value:.2f}" + ("" if found.low is None else f" [{found.low:.2f}, {found.high:.2f}]")
