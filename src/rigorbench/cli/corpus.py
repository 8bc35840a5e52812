"""``rigor corpus``: many logs into tables on disk."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from ..base.sanitize import terminal
from ..base.text import count as plural
from ..bench.corpus.scoring import CorpusOptions
from .common import (
    Problems,
    ProgressBar,
    UsageError,
    add_jobs,
    add_json,
    add_paths,
    add_task,
    check_task,
    needs,
    parser,
    whole,
)
from .reader_options import add_reader, agreed, reader_options, tell_requests

if TYPE_CHECKING:
    from ..bench.corpus.run import CorpusSummary

# How many failures are reported one by one; the table has all.
_NAMED = 20


_EPILOG = """examples:
  rigor corpus logs/ --out scores/                   run again, it continues
  rigor query scores/ "SELECT agent, count(*) FROM scores GROUP BY agent"

Writes DIR/scores/part-*.parquet in bounded memory, and skips logs that are scored there (docs/corpus.md).
Exit status: 0 done; 1 some logs failed, now or in an earlier run; 2 wrong usage.
"""


def command(arguments: list[str]) -> int:
    p = parser("corpus", "Score many logs into tables on disk.", _EPILOG)
    add_paths(p)
    p.add_argument("--out", metavar="DIR", required=True, help="directory of the tables")
    p.add_argument(
        "--executor", choices=("processes", "ray"), default="processes",
        help="score in processes of this machine (default), or with Ray",
    )  # fmt: skip
    p.add_argument("--ray-address", metavar="ADDR", help="a running Ray cluster (default: a new one here)")
    p.add_argument("--part-size", type=whole("a number of logs"), metavar="N", help="logs in a part (default: 500)")
    add_task(p)
    add_reader(p)
    add_jobs(p)
    add_json(p)
    args = p.parse_args(arguments)
    check_task(args.task)
    if "-" in args.paths:
        raise UsageError("--out needs logs that are files: a log from standard input could not be found again")
    if args.ray_address is not None and args.executor != "ray":
        raise UsageError("--ray-address needs --executor ray")
    needs("report", "pyarrow")
    from ..bench.corpus.run import PART, score_corpus
    from ..review.config import load_config

    reader = reader_options(args, load_config(Path.cwd()))
    if args.dry_run or args.preview:
        return tell_requests(args.paths, reader, args.jobs, whole_text=args.preview, task=args.task)
    reader = agreed(args.paths, reader, args.jobs, args.task)
    if reader is not None and reader.store is not None:
        reader = replace(reader, store=os.path.abspath(reader.store))
    options = CorpusOptions(os.path.abspath(args.task) if args.task is not None else None, reader)
    bar = ProgressBar("logs")
    failures = Problems(_NAMED, f"more; all reasons are in {args.out}/failures/part-*.parquet")
    suspicious = Problems(_NAMED, "more files that may be logs were ignored")
    try:
        summary = score_corpus(
            args.paths,
            Path(args.out),
            options,
            jobs=args.jobs,
            executor=args.executor,
            address=args.ray_address,
            part=args.part_size or PART,
            on_progress=bar.show,
            on_failure=failures,
            on_suspicious=suspicious,
        )
    finally:
        bar.close()
    failures.close()
    suspicious.close()
    _report(summary, args.out, as_json=args.json)
    return 1 if summary.failed or summary.known_failures else 0


def _report(summary: CorpusSummary, out: str, *, as_json: bool) -> None:
    rate = summary.scored / summary.seconds if summary.seconds and summary.scored else None
    if as_json:
        document = {"schema": "rigor-corpus-run/1", "out": out, **msgspec.to_builtins(summary), "logs_per_second": rate}
        sys.stdout.buffer.write(msgspec.json.encode(document) + b"\n")
        return
    from ..review.pages.words import duration

    failed = summary.failed + summary.known_failures
    known = f" ({summary.known_failures:,} of them before, unchanged)" if summary.known_failures else ""
    words = f"{plural(summary.trajectories, 'trajectory', 'trajectories')} in {plural(summary.scored, 'log')} scored"
    if rate is not None:
        words += f" in {duration(summary.seconds)} ({rate:.1f} logs/s)"
    print(f"{words}; {plural(summary.skipped, 'log')} skipped, unchanged; {plural(failed, 'log')} failed{known}")
    why = ", ".join(f"{number:,} {what}" for what, number in summary.ignored_because.items())
    print(
        f"found {summary.inputs:,} = {plural(summary.logs, 'log')} + {plural(summary.parts, 'part')} of them + "
        f"{summary.ignored:,} ignored{f' ({why})' if why else ''}"
    )
    if summary.repeats:
        print(
            f"repeats: {plural(summary.repeats, 'session')} with the id of another one (two records or copies of one "
            "run); group the tables by id to count each run once"
        )
    print(f"scores:   {terminal(out)}/scores/part-*.parquet")
    if failed:
        print(f"failures: {terminal(out)}/failures/part-*.parquet")
