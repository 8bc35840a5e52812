"""``rigor convert``: logs in the interchange format."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import orjson

from ..session.readers.atif_own import to_atif
from ..session.registry import read_log
from .common import Problems, UsageError, add_jobs, add_paths, message, parser, results, write_line

if TYPE_CHECKING:
    from ..session.logfile import LogFile

_EPILOG = """examples:
  rigor convert session.jsonl --to atif > session.atif.json
  rigor convert logs/ --to atif --out converted/
"""


def command(arguments: list[str]) -> int:
    p = parser("convert", "Rewrite agent logs in ATIF, the Agent Trajectory Interchange Format.", _EPILOG)
    add_paths(p)
    p.add_argument("--to", choices=["atif"], default="atif", help="the format to write (default: atif)")
    p.add_argument("--out", metavar="DIR", help="write one file per session there (default: one line each to stdout)")
    add_jobs(p)
    args = p.parse_args(arguments)
    out = Path(args.out) if args.out is not None else None
    if out is not None:
        try:
            out.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(f"--out {args.out}: cannot be made ({error.strerror})") from None
    problems, used = Problems(), set[str]()
    for documents in results(args.paths, _convert, problems, jobs=args.jobs, label="logs"):
        for name, document in documents:
            if out is None:
                write_line(document)
            else:
                stem = re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip("-.")[:100] or "session"
                free, number = stem, 1
                while free.lower() in used:
                    number += 1
                    free = f"{stem}-{number}"
                used.add(free.lower())
                target = out / f"{free}.atif.json"
                target.write_bytes(document + b"\n")
                message(f"wrote {target}")
    return 1 if problems.count else 0


def _convert(log: LogFile) -> list[tuple[str, bytes]]:
    return [(f"{t.format}-{t.id}", orjson.dumps(to_atif(t))) for t in read_log(log)]
