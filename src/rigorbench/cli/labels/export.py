"""``rigor labels export``: sessions as forms that people fill in; nothing is sent."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ..common import add_jobs, add_paths, messages, over_logs, parser, whole

if TYPE_CHECKING:
    from ...reader.digest import Digest
    from ...trajectory.logfile import LogFile

_EPILOG = """examples:
  rigor labels export logs/                 labels/label-studio.xml: Settings, Labeling Interface, Code;
                                            labels/label-studio.json: Import
  rigor labels export logs/ --form csv      labels/sessions.csv, a row for each session

People see the digest that a reader sees, with secrets masked, and no score. In the sheet grades are 1 to 5, or none (it
did not arise); facts are yes, no or unknown; what is left empty is not answered.
"""


def command(arguments: list[str]) -> int:
    p = parser("labels export", "Write sessions as forms on which people give grades and facts.", _EPILOG)
    add_paths(p)
    p.add_argument("--form", choices=("label-studio", "csv"), default="label-studio", help="default: label-studio")
    p.add_argument("--out", metavar="DIR", default="labels", help="where the forms are written (default: labels)")
    budget = whole("a number of characters", 1_000)
    p.add_argument("--budget", type=budget, default=24_000, metavar="N", help="of a session (default: 24000)")
    add_jobs(p)
    args = p.parse_args(arguments)
    from ...reader.labels import write_forms

    problems: list[str] = []

    def digests() -> Iterator[Digest]:
        work = partial(_digests, budget=args.budget)
        for found, failed in over_logs(args.paths, work, jobs=args.jobs, label="sessions"):
            problems.extend(failed)
            yield from found or ()

    print(*write_forms(Path(args.out), args.form, digests()), sep="\n")
    sys.stdout.flush()
    messages(problems)
    return 1 if problems else 0


def _digests(log: LogFile, budget: int) -> list[Digest]:
    from ...evidence.walk.extract import extract
    from ...reader.digest import digest
    from ...trajectory.registry import read_log

    return [digest(extract(trajectory), budget) for trajectory in read_log(log)]
