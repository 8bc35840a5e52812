"""The tables of results, ``rigor-results/1``, with the columns of docs/results.tsv. Unknown is NULL, never 0 or ""."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from ....base.data import data_path

SCHEMA = "rigor-results/1"
# "share": a number in [0, 1]; "time": a moment in UTC, to the microsecond.
Type = Literal["text", "integer", "number", "share", "flag", "time", "texts"]


class SchemaColumn(Struct, frozen=True):
    """``meaning``: one line with the unit, as in the metadata of Parquet files."""

    name: str
    type: Type
    meaning: str


class SchemaTable(Struct, frozen=True):
    """``key``: the columns that name a row."""

    name: str
    key: tuple[str, ...]
    columns: list[SchemaColumn]

    @property
    def names(self) -> list[str]:
        return [column.name for column in self.columns]


TABLES: dict[str, SchemaTable] = {
    name: SchemaTable(name, key, [])
    for name, key in {
        "experiments": ("experiment",),
        "tasks": ("experiment", "task"),
        "runs": ("experiment", "run"),
        "submetrics": ("experiment", "run", "submetric"),
        "tests": ("experiment", "run", "test"),
        "submissions": ("experiment", "run", "submission"),
        "project_failures": ("experiment", "run", "number"),
        "hints": ("experiment", "run", "hint"),
    }.items()
}
for _line in data_path("docs/results.tsv").read_text(encoding="utf-8").splitlines()[1:]:
    _table, _name, _type, _meaning = _line.split("\t")
    TABLES[_table].columns.append(SchemaColumn(_name, _type, _meaning))  # type: ignore[arg-type]
EXPERIMENTS, TASKS, RUNS, SUBMETRICS, TESTS, SUBMISSIONS, PROJECT_FAILURES, HINTS = TABLES.values()
# What `rigor corpus` writes of a corpus: folders of Parquet files, each a view.
CORPUS = ("scores", "failures")
