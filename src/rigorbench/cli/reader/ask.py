"""``rigor reader ask``: has the runs of an experiment read, and scores them by the answers."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from ...base.text import count
from ..common import Usage, add_json, existing_directory, message, parser, show_progress, whole, write_json
from ..reader_options import agreed, spec_of, tell_requests

if TYPE_CHECKING:
    from ...reader.ask import ReaderSpec

_EPILOG = """examples:
  rigor reader ask out/sonnet --reader claude                      afterwards: rigor report out/sonnet
  rigor reader ask out/sonnet --reader claude,codex,gemini         three readings: a median, a majority, Table VII
  rigor reader export out/sonnet/runs/* > prompts.jsonl            to be answered elsewhere; then
  rigor reader import answers.jsonl --reader anna --store out/sonnet/readings
  rigor reader ask out/sonnet --reader anna

The review of each run gets grades, and the values of the RigorScore that need a judgement (DQ, AQ, CH, RT where no
faulty program decides it) rest on the answers. Answers are in OUT/readings; one that is stored is not asked for again.
Exit status: 0 every run was read, 1 some were not.
"""


def command(arguments: list[str]) -> int:
    p = parser("reader ask", "Have the runs of an experiment read, and score them by the answers.", _EPILOG)
    p.add_argument("out", metavar="OUT", type=existing_directory, help="directory of the experiment")
    p.add_argument("--reader", metavar="NAME", required=True, help="who is asked, or several: claude,codex,gemini")
    p.add_argument(
        "--readings", type=whole("a number of answers", 1, 9), default=1, metavar="N",
        help="independent answers of each reader (default: 1)",
    )  # fmt: skip
    p.add_argument("--suite", metavar="SUITE", help="where its tasks are (default: as its manifest says)")
    p.add_argument("--jobs", type=whole("a number of runs"), default=1, metavar="N", help="runs at a time (default: 1)")
    p.add_argument("--dry-run", action="store_true", help="say what would be asked, and send nothing")
    p.add_argument("--preview", action="store_true", help="print the exact text that would be sent, and send nothing")
    add_json(p)
    args = p.parse_args(arguments)
    spec, runs = spec_of(args.reader, args.readings), sorted(str(run) for run in (args.out / "runs").glob("*"))
    stored = replace(spec, store=str(args.out / "readings"))
    if args.dry_run or args.preview:
        return tell_requests(runs, stored, args.jobs, whole_text=args.preview)
    if runs and not agreed(runs, stored, args.jobs):
        return 1
    found, problems = read_experiment(spec, args.out, args.suite, jobs=args.jobs)
    for problem in problems:
        message(problem)
    if args.json:
        write_json({"schema": "rigor-reader-ask/1", "runs": found, "problems": problems})
    else:
        print(f"{count(found, 'run')} read; rigor report {args.out} shows them")
    sys.stdout.flush()
    return 1 if problems else 0


def read_experiment(spec: ReaderSpec, out: Path, suite: str | None, *, jobs: int) -> tuple[int, list[str]]:
    """The number of runs that were read, and a line for each problem. Raises: Usage."""
    from ...bench.scoring.again import read_runs, runs_to_read
    from ...experiment.store import StoreError
    from ...tasks.suite import SuiteError

    try:
        runs = list(runs_to_read(out, suite))
        problems = [f"{run.cell.id}: {run.problem}" for run in runs if run.problem is not None]
        failed = read_runs(out, runs, spec, jobs=jobs, progress=partial(show_progress, "runs read"))
    except (StoreError, SuiteError) as error:
        raise Usage(str(error)) from None
    show_progress("", 0, 0)
    bad = {line.partition(": ")[0] for line in failed}
    return sum(run.task is not None and run.cell.id not in bad for run in runs), problems + failed
