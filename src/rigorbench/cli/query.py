"""``rigor query``: SQL over results of experiments and scores of corpora."""

from __future__ import annotations

import csv
import io
import os
import sys
from collections.abc import Iterator
from datetime import UTC, date, datetime
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from ..base.sanitize import terminal
from ..bench.experiment.results.sources import find_sources
from .common import Problems, UsageError, message, parser, write_line

if TYPE_CHECKING:
    import pyarrow as pa


_EPILOG = """examples:
  rigor query out/bench "SELECT harness, avg(rigor_score) FROM runs WHERE counted GROUP BY ALL"
  rigor query out/ "SUMMARIZE runs"
  rigor query out/a out/b.duckdb "SELECT submetric, method, count(*) FROM submetrics GROUP BY ALL" --json
  rigor query corpus/ "SELECT agent, avg(overall), count(*) FILTER (len(flags) > 0) FROM scores GROUP BY agent" --csv
  rigor query corpus/ verdicts.csv "SELECT resolved, avg(overall) FROM scores JOIN verdicts USING (id) GROUP BY ALL"
  rigor query out/ "SELECT kind, count(*) FROM project_failures GROUP BY kind"
  rigor query out/ --export results/          Parquet files; --export results.duckdb: a database

PATH is an experiment (a directory that `rigor run` wrote), a folder of experiments, Parquet files or a folder of them,
a directory that `rigor score` wrote for a corpus, a .duckdb file, or a CSV file with a header: a view under its name,
to join with.
Views: experiments, tasks, runs, submetrics, tests, submissions, project_failures, hints, and scores of corpora;
`DESCRIBE runs` lists columns, docs/results.md explains them. Results are only read, and the database can use no
other file, no network and no extension. If SQL is -, the query is read from standard input.
"""
# A table on a terminal shows no more; --csv and --json have no limit.
_ROWS = 10_000
_WIDEST = 80


def command(arguments: list[str]) -> int:
    p = parser("query", "Query results with SQL (DuckDB), or write them as Parquet or as a database.", _EPILOG)
    p.usage = "rigor query PATH... SQL [--json | --csv]\n       rigor query PATH... --export DIR|FILE.duckdb"
    p.add_argument("words", nargs="+", metavar="PATH... SQL", help="results, and one SELECT")
    form = p.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print one JSON document: columns, types, rows")
    form.add_argument("--csv", action="store_true", help="print CSV with a header; NULL is empty")
    form.add_argument("--export", metavar="DIR|FILE.duckdb", help="write all tables; takes no SQL")
    args = p.parse_intermixed_args(arguments)
    paths, sql = (args.words, None) if args.export is not None else (args.words[:-1], args.words[-1])
    if sql is not None and (not paths or os.path.exists(sql)):
        raise UsageError("give one or more PATHs, and one SELECT as the last word")
    if sql == "-":
        sql = sys.stdin.read()
    from ..bench.experiment.results.database import QueryError, Results

    problems = Problems()
    try:
        results = Results(find_sources(paths, problems), problems)
    except QueryError as error:
        message(f"{', '.join(paths)}: {error}")
        return 1
    try:
        if sql is None:
            results.export(Path(args.export))
            message(f"written: {args.export}")
        else:
            (_json if args.json else _csv if args.csv else _table)(results.query(sql))
    except QueryError as error:
        message(f"rigor query: {error}")
        return 1
    except OSError as error:
        if args.export is None:
            raise
        # The file in the error is a draft beside the one that was asked for.
        raise UsageError(f"{args.export}: cannot be written ({error.strerror})") from None
    finally:
        results.close()
    return 1 if problems.count else 0


def _rows(reader: pa.RecordBatchReader) -> Iterator[list[Any]]:
    from ..bench.experiment.results.database import batches

    for batch in batches(reader):
        # By position: two columns may have the same name.
        yield from (list(row) for row in zip(*(c.to_pylist() for c in batch.columns), strict=True))


def _json(reader: pa.RecordBatchReader) -> None:
    names: list[str] = []
    for name in reader.schema.names:  # each once: the second ``n`` becomes ``n_2``
        number, new = 1, name
        while new in names:
            number += 1
            new = f"{name}_{number}"
        names.append(new)
    rows = [{name: _timed(value) for name, value in zip(names, row, strict=True)} for row in _rows(reader)]
    types = [str(t) for t in reader.schema.types]
    write_line(
        msgspec.json.encode({"schema": "rigor-query/1", "columns": names, "types": types, "rows": rows}, enc_hook=str)
    )


def _timed(value: Any) -> Any:
    """Times of the tables are of UTC, which documents say."""
    return value.replace(tzinfo=UTC) if isinstance(value, datetime) and value.tzinfo is None else value


def _csv(reader: pa.RecordBatchReader) -> None:
    def write(rows: list[list[Any]]) -> None:
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows(rows)
        sys.stdout.buffer.write(text.getvalue().encode("utf-8", "backslashreplace"))

    write([list(reader.schema.names)])
    for row in _rows(reader):
        write([["" if v is None else _text(v) for v in row]])


def _table(reader: pa.RecordBatchReader) -> None:
    names = [terminal(name, _WIDEST) for name in reader.schema.names]
    found = _rows(reader)
    rows = [[_text(v) if v is not None else None for v in row] for row in islice(found, _ROWS)]
    cells = [["–" if v is None else terminal(v, _WIDEST) for v in row] for row in rows]
    right = [str(t).startswith(("int", "uint", "float", "double", "half", "decimal")) for t in reader.schema.types]
    if not rows:
        message("no row matches")
        return
    widths = [max(len(n), *(len(r[c]) for r in cells)) if cells else len(n) for c, n in enumerate(names)]
    for line in [names, ["-" * w for w in widths], *cells]:
        padded = (v.rjust(w) if r else v.ljust(w) for v, w, r in zip(line, widths, right, strict=True))
        print("  ".join(padded).rstrip())
    if next(found, None) is not None:
        message(f"only the first {_ROWS:,} rows are shown; --csv and --json have all")


def _text(value: Any) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case float():
            return f"{value:.6g}" if abs(value) < 1e6 else f"{value:.1f}"
        case datetime():
            return value.isoformat(" ", "seconds")
        case date():
            return value.isoformat()
        case list():
            return ", ".join(map(_text, value))
    return str(value)
