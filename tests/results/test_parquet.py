"""The tables in Parquet: what is written is what is read, with the version of the schema in each file."""

from __future__ import annotations

import math
import re
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fake_experiment import make_manifest, trouble
from results.board_data import write
from rigorbench.bench.experiment.results.read import ResultTables, read_experiment
from rigorbench.bench.experiment.results.rows import SCHEMA, TABLES
from rigorbench.bench.experiment.results.sources import ResultSources
from rigorbench.review.result import PILLAR_TITLES
from rigorbench.review.review import GRADES

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")
parquet = pytest.importorskip("rigorbench.bench.experiment.results.parquet")
read_all = pytest.importorskip("rigorbench.bench.experiment.results.database").read_all

RUNS = TABLES["runs"]
DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture
def tables(tmp_path: Path) -> ResultTables:
    write(tmp_path / "one", make_manifest(repeats=6), trouble)
    found = read_experiment(tmp_path / "one", "one", print)
    assert found is not None
    return found


def files(directory: Path) -> dict[str, list[Path]]:
    return {p.stem: [p] for p in sorted(directory.glob("*.parquet"))}


def test_what_is_written_is_what_is_read(tmp_path: Path, tables: ResultTables) -> None:
    parquet.write_tables(tables, tmp_path / "out")
    for name, table in TABLES.items():
        path = tmp_path / "out" / f"{name}.parquet"
        assert pq.read_schema(path).metadata[b"rigorbench.schema"] == SCHEMA.encode()
        assert parquet.table_of(path) == name
        told: list[str] = []
        assert parquet.rows_of(table, pq.read_table(path), str(path), told.append) == tables.rows[name]
        assert told == []
    found = read_all(ResultSources(parquet=[files(tmp_path / "out")]), print)
    assert found.rows["runs"] == tables.rows["runs"]
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == sorted(f"{n}.parquet" for n in TABLES)


VALUES: dict[str, Any] = {
    "text": st.text(max_size=20),
    "integer": st.integers(0, 2**53),
    "number": st.floats(0, 1e15),
    "share": st.floats(0, 1),
    "flag": st.booleans(),
    "time": st.datetimes(datetime(1970, 1, 1), datetime(2200, 1, 1)),
    "texts": st.lists(st.text(max_size=5), max_size=3),
}


@settings(max_examples=5)
@given(st.data())
def test_any_row_survives(data: st.DataObject) -> None:
    row = {
        c.name: data.draw(VALUES[c.type] if c.name in RUNS.key else st.none() | VALUES[c.type], label=c.name)
        for c in RUNS.columns
    }
    sink = pa.BufferOutputStream()
    pq.write_table(parquet.arrow(RUNS, [row]), sink)
    again = pq.read_table(pa.BufferReader(sink.getvalue()))
    assert parquet.rows_of(RUNS, again, "here", print) == [row]


def test_a_column_that_a_file_lacks_is_null(tmp_path: Path, tables: ResultTables) -> None:
    whole = parquet.arrow(RUNS, tables.rows["runs"])
    part = whole.drop_columns(["cost", "rigor_score", "breach_kinds"])
    rows = parquet.rows_of(RUNS, part, "here", print)
    assert len(rows) == whole.num_rows
    assert {row["rigor_score"] for row in rows} == {None}


def test_impossible_values_are_left_out_and_told(tables: ResultTables) -> None:
    changes = [("rigor_score", 1.2), ("rigor_score", math.nan), ("tokens", -1), ("seconds", math.inf)]
    rows = tables.rows["runs"][:8]
    rows[1:6] = [*({**row, name: value} for row, (name, value) in zip(rows[1:], changes, strict=False)), rows[0]]
    told: list[str] = []
    found = parquet.rows_of(RUNS, parquet.arrow(RUNS, rows), "here", told.append)
    assert [row["run"] for row in found] == [rows[n]["run"] for n in (0, 6, 7)]
    assert len(told) == 1
    assert told[0].startswith("here: left out 5 rows of runs: ")


def test_tables_of_another_version_or_type_are_told(tmp_path: Path, tables: ResultTables) -> None:
    for name, spoil in (
        ("version", lambda t: t.replace_schema_metadata({b"rigorbench.schema": b"rigor-results/9"})),
        ("type", lambda t: t.set_column(t.column_names.index("repeat"), "repeat", pa.array(["x"] * t.num_rows))),
    ):
        directory = tmp_path / name
        parquet.write_tables(tables, directory)
        runs = spoil(parquet.arrow(RUNS, tables.rows["runs"]))
        pq.write_table(runs, directory / "runs.parquet")
        told: list[str] = []
        assert read_all(ResultSources(parquet=[files(directory)]), told.append).rows["runs"] == []
        (line,) = told
        assert line.startswith(str(directory))


def test_runs_alone_make_no_leaderboard(tmp_path: Path, tables: ResultTables) -> None:
    parquet.write_tables(tables, tmp_path / "x", ["runs"])
    told: list[str] = []
    assert read_all(ResultSources(parquet=[files(tmp_path / "x")]), told.append) == ResultTables()
    assert "no table of experiments" in told[0]


def test_a_write_that_fails_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "runs.parquet"
    path.write_bytes(b"old")

    def broken() -> Any:
        yield pa.RecordBatch.from_pylist([], schema=parquet.schema_of(RUNS))
        raise OSError("no more")

    with pytest.raises((OSError, pa.ArrowException)):
        parquet.write(pa.RecordBatchReader.from_batches(parquet.schema_of(RUNS), broken()), path)
    assert path.read_bytes() == b"old"
    assert [p.name for p in tmp_path.iterdir()] == ["runs.parquet"]


def test_the_tables_and_columns_are_those_of_the_document() -> None:
    document = (DOCS / "results.md").read_text(encoding="utf-8")
    for table in TABLES.values():
        key = ", ".join(f"`{name}`" for name in table.key)
        assert re.search(rf"^\| `{table.name}` \| .+ \| {key} \|$", document, re.MULTILINE), table.name
        assert {*table.key} < {*table.names}
    assert {*(name.lower() for name in PILLAR_TITLES), *GRADES} <= {*RUNS.names}


def test_every_row_has_the_columns_of_its_table(tables: ResultTables) -> None:
    for name, rows in tables.rows.items():
        assert all(row.keys() == {*TABLES[name].names} for row in rows), name
