"""Table I: benchmarks of coding agents and what each of them scores, from ``benchmarks.toml``."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from .model import Column, Entry, Row, Table
from .spec import ReportData, TableSpec

FILE = Path(__file__).with_name("benchmarks.toml")
# What each pillar is called in the file.
ASPECTS = {
    "planning": "planning",
    "verification": "verification",
    "recovery": "recovery",
    "abstention": "abstention",
    "integrity": "integrity of states",
}


class Benchmark(Struct, frozen=True, forbid_unknown_fields=True):
    """A row. ``outcome``: how the result is graded, "" if only the process is; the aspects: whether a score of them is
    reported; ``note``: what "partly" means; ``source``: where this is from."""

    name: str
    year: int
    tasks: str
    source: str
    outcome: str = ""
    planning: Literal["yes", "partly", "no"] = "no"
    verification: Literal["yes", "partly", "no"] = "no"
    recovery: Literal["yes", "partly", "no"] = "no"
    abstention: Literal["yes", "partly", "no"] = "no"
    integrity: Literal["yes", "partly", "no"] = "no"
    note: str = ""


class _File(Struct, forbid_unknown_fields=True):
    benchmark: list[Benchmark]


def benchmarks() -> list[Benchmark]:
    """All benchmarks of the survey, in the order of their years."""
    return msgspec.convert(tomllib.loads(FILE.read_text(encoding="utf-8")), _File).benchmark


def _build(_: ReportData) -> list[Table]:
    rows = []
    for one in benchmarks():
        outcome = Entry(one.outcome) if one.outcome else Entry(None, reason="the result is not graded")
        aspects = [Entry(str(getattr(one, name))) for name in ASPECTS]
        rows.append(
            Row([one.name, str(one.year)], [Entry(one.tasks), outcome, *aspects, Entry(one.source, reason=one.note)])
        )
    columns = [Column("tasks", "tasks", "text"), Column("outcome", "outcome", "text")]
    columns += [Column(name, title, "text") for name, title in ASPECTS.items()]
    return [
        TABLE.table(
            "What a benchmark reports a score of. It may need more of an agent than it scores.",
            [*columns, Column("source", "source", "text")],
            rows,
            heads=["benchmark", "year"],
        )
    ]


TABLE = TableSpec(
    stem="table-1",
    number="I",
    title="Benchmarks and what they score",
    about="benchmarks of coding agents and what each of them scores, with sources (not of the experiment; its data are "
    "`report/tables/benchmarks.toml`)",
    build=_build,
)
