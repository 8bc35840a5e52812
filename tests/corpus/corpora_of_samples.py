"""Small corpora for these tests: copies of sample logs, and what tables hold of them."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from rigorbench.bench.corpus import run
from rigorbench.bench.corpus.run import CorpusSummary, score_corpus
from rigorbench.bench.corpus.scoring import CorpusOptions, LogOutcome, Order, ScoringWork

DATA = Path(__file__).parents[1] / "data"
SAMPLES = [DATA / "pi" / "disciplined.jsonl", DATA / "pi" / "session.jsonl", DATA / "codex" / "bare-2025-08.jsonl"]
NOT_A_LOG = '{"what": "is this"}\n'


def corpus(directory: Path, count: int) -> Path:
    """``count`` logs, those of the samples again and again."""
    directory.mkdir()
    for number in range(count):
        source = SAMPLES[number % len(SAMPLES)]
        shutil.copyfile(source, directory / f"{number:03d}-{source.name}")
    return directory


def serial(orders: Iterator[Order], work: ScoringWork, jobs: int) -> Iterator[LogOutcome]:
    """Instead of processes, where what they do is not the point."""
    yield from map(work, orders)


def score(logs: Path | list[str], out: Path, options: CorpusOptions | None = None, **more: Any) -> CorpusSummary:
    paths = logs if isinstance(logs, list) else [str(logs)]
    return score_corpus(paths, out, options or CorpusOptions(), **more)


def table(out: Path, kind: str = "scores") -> list[dict[str, Any]]:
    """All rows, in the order of the parts."""
    rows: list[dict[str, Any]] = []
    for path in sorted((out / kind).glob("part-*.parquet")):
        rows += pq.read_table(path).to_pylist()
    return rows


def in_order(out: Path) -> list[dict[str, Any]]:
    """All rows of both tables, by log and session."""
    found = [*table(out), *table(out, "failures")]
    return sorted(found, key=lambda r: (r["source"], r.get("session", 0)))


def parts(out: Path) -> dict[str, bytes]:
    return {p.relative_to(out).as_posix(): p.read_bytes() for p in sorted(out.glob("*/part-*.parquet"))}


__all__ = ["DATA", "NOT_A_LOG", "SAMPLES", "corpus", "in_order", "parts", "run", "score", "serial", "table"]
