"""The tables of results in Parquet files, with the version of their schema in the metadata of each file."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from ....base.text import count
from .read import ResultTables, Tell
from .rows import SCHEMA, TABLES, Row, SchemaTable

_KEY = b"rigorbench.schema"
_TABLE = b"rigorbench.table"
_TYPES: dict[str, pa.DataType] = {
    "text": pa.string(),
    "integer": pa.int64(),
    "number": pa.float64(),
    "share": pa.float64(),
    "flag": pa.bool_(),
    "time": pa.timestamp("us"),
    "texts": pa.list_(pa.string()),
}
_NUMBERS = ("share", "number", "integer")


class ResultsError(ValueError):
    """A file of results cannot be used. One line that names it."""


def schema_of(table: SchemaTable) -> pa.Schema:
    fields = [
        pa.field(c.name, _TYPES[c.type], nullable=c.name not in table.key, metadata={"meaning": c.meaning})
        for c in table.columns
    ]
    return pa.schema(fields, metadata={_KEY: SCHEMA, _TABLE: table.name})


def arrow(table: SchemaTable, rows: Sequence[Row]) -> pa.Table:
    """Rows as an Arrow table with the types and the metadata of its schema."""
    return pa.Table.from_pylist(list(rows), schema=schema_of(table))


def write_tables(tables: ResultTables, directory: Path, names: Sequence[str] = tuple(TABLES)) -> list[Path]:
    """Writes ``NAME.parquet`` for each of the tables; a reader finds either the old file or the new one.

    Raises: OSError.
    """
    directory.mkdir(parents=True, exist_ok=True)
    return [write(arrow(TABLES[name], tables.rows[name]), directory / f"{name}.parquet") for name in names]


def write(table: pa.Table | pa.RecordBatchReader, path: Path) -> Path:
    """Writes a table, or a stream of batches, to a temporary file and moves it into place."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with pq.ParquetWriter(draft, table.schema, compression="zstd") as writer:
            if isinstance(table, pa.Table):
                writer.write_table(table)
            else:
                for batch in table:
                    writer.write_batch(batch)
        os.replace(draft, path)
    finally:
        draft.unlink(missing_ok=True)
    return path


def table_of(path: Path) -> str | None:
    """Name of the table of results in a file; None if its metadata name none, or it cannot be read."""
    try:
        metadata: Mapping[bytes, bytes] = pq.read_schema(path).metadata or {}
    except (OSError, pa.ArrowException):
        return None
    name = metadata.get(_TABLE, b"").decode("utf-8", "replace")
    return name if name in TABLES else None


def check_schema(path: Path, name: str) -> None:
    """Raises: ResultsError if a file cannot be read, or contains another version of the table ``name``."""
    try:
        metadata: Mapping[bytes, bytes] = pq.read_schema(path).metadata or {}
    except (OSError, pa.ArrowException) as error:
        raise ResultsError(f"{path}: not Parquet that can be read ({' '.join(str(error).split())[:140]})") from None
    found = metadata.get(_KEY, b"").decode("utf-8", "replace")
    if name in TABLES and found != SCHEMA:
        raise ResultsError(f"{path}: schema {found[:60]!r}, this version reads {SCHEMA!r}")


def rows_of(table: SchemaTable, found: pa.Table, where: str, tell: Tell) -> list[Row]:
    """Rows in the order of the columns; a missing column is NULL. Rows with impossible values are reported.

    Raises: pyarrow.ArrowException if a column has another type.
    """
    schema = schema_of(table)
    columns = [
        found[field.name].cast(field.type) if field.name in found.column_names else pa.nulls(len(found), field.type)
        for field in schema
    ]
    most = {c.name: 1.0 if c.type == "share" else sys.float_info.max for c in table.columns if c.type in _NUMBERS}
    rows: list[Row] = []
    seen: set[tuple[Any, ...]] = set()
    wrong = 0
    for row in pa.table(columns, names=schema.names).to_pylist():
        key = tuple(row[name] for name in table.key)
        possible = all(row[name] is None or 0 <= row[name] <= top for name, top in most.items())
        if None in key or key in seen or not possible:
            wrong += 1
            continue
        seen.add(key)
        rows.append(row)
    if wrong:
        what = f"{count(wrong, 'row')} of {table.name}"
        tell(f"{where}: left out {what}: repeated, without a key, or with impossible values")
    return rows
