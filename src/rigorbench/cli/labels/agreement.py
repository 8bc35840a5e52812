"""``rigor labels agreement``: people compared with each other, and readers with people."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from ..common import Usage, add_json, console, message, messages, needs, parser, write_json

if TYPE_CHECKING:
    from ...reader.label_agreement import Row
    from ...reader.model import Answer
    from ...stats.agreement import Estimate

_EPILOG = """Every reader counts of whom answers are stored: the first to each session, beside the median (grades) or
majority (facts) of people. Agreement with people cannot be shown to be higher than that among them. Intervals (95 %)
resample sessions.
"""


def command(arguments: list[str]) -> int:
    p = parser("labels agreement", "How far people agree with each other, and readers with people.", _EPILOG)
    p.add_argument("paths", nargs="+", metavar="PATH", help="labels of `rigor labels import`: a directory or file")
    p.add_argument("--store", metavar="DIR", help="directory of the answers (default: in the user's cache directory)")
    add_json(p)
    args = p.parse_args(arguments)
    needs("report", "numpy", "scipy")
    from ...reader.label_agreement import compare
    from ...reader.labels import LabelError, load
    from ...reader.request import PROMPT_VERSION
    from ...reader.store import AnswerStore

    try:
        loaded = [load(Path(path)) for path in args.paths]
    except (LabelError, OSError) as error:
        raise Usage(str(error)) from None
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
        _print(shown)
    if not shown:
        message("nothing to compare: no session has two labellers, or a label and a stored answer")
    sys.stdout.flush()
    return 0 if shown and not problems else 1


def _print(rows: list[Row]) -> None:
    from rich.table import Table
    from rich.text import Text

    from ...base.sanitize import one_line

    table = Table(box=None, pad_edge=False)
    for n, heading in enumerate(("who", "point", "sessions", "raters", "Spearman", "within a step", "same", "alpha")):
        table.add_column(heading, justify="left" if n < 2 else "right", no_wrap=True)
    for row in rows:
        near = "" if row.within is None else f"{row.within:.2f}"
        cells = (one_line(row.who, 40), row.point, str(row.sessions), str(row.raters), _told(row.spearman), near)
        table.add_row(*map(Text, (*cells, _told(row.same), _told(row.alpha))))
    out = console()
    # Wider than many terminals: a folded interval is harder to read than a folded line.
    out.print(table, width=max(out.width, 140), crop=False)


def _told(found: Estimate | None) -> str:
    if found is None or found.value is None:
        return ""
    return f"{found.value:.2f}" + ("" if found.low is None else f" [{found.low:.2f}, {found.high:.2f}]")
