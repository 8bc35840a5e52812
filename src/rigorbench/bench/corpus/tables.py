"""The tables of a corpus on disk: parts that are written once, and an index of the logs in them.

``DIR/scores/part-000001.parquet`` and ``DIR/failures/part-000001.parquet`` contain the outcomes of some hundred logs
each. A part appears as a whole, by being renamed; at any moment a log is in one part of one table at most.
"""

from __future__ import annotations

import fcntl
import os
import re
import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from ...base.errors import GivenError
from ...base.files import sync_directory
from ...base.version import __version__
from .identity import Stamp, stamp
from .schema import FAILURES, METADATA, SCHEMA, SCORES, arrow_schema, text
from .scoring import LogOutcome, Order

if TYPE_CHECKING:
    import pyarrow as pa

KINDS = {"scores": SCORES, "failures": FAILURES}
_PART = re.compile(r"part-(\d{6,})\.parquet")
_INDEXED = ["source", "size", "mtime_ns", "digest", "files", "options", "rigorbench"]
# Rows of an index that are moved at a time.
_BATCH = 10_000


class CorpusError(GivenError):
    """The directory cannot be used; one line with the remedy."""


class Known(Struct):
    """What the tables contain of a log. ``current``: by this version, with these options, and not to be tried again."""

    kind: str
    part: int
    stamp: Stamp
    digest: str | None
    files: list[str]
    current: bool


class CorpusTables:
    """The tables in a directory, to which only this process writes. Raises: CorpusError."""

    def __init__(self, directory: Path, fingerprint: str) -> None:
        self.directory, self.fingerprint = directory, fingerprint
        try:
            for kind in KINDS:
                (directory / kind).mkdir(parents=True, exist_ok=True)
            self._lock = _locked(directory)
        except OSError as error:
            raise CorpusError(f"{directory}: cannot be written to ({error.strerror})") from None
        # A private database on disk, which SQLite removes when it is closed: the memory does not grow with the number
        # of logs.
        self._index = sqlite3.connect("", isolation_level=None)
        self._index.execute(
            "create table known (source text primary key, kind text, part int, size int, mtime_ns int, digest text,"
            " files text, current int) without rowid"
        )
        self._index.execute("create table todo (n integer primary key, path blob, reader text, known text, files text)")
        self._buffer: dict[str, list[list[Any]]] = {kind: [] for kind in KINDS}
        self._replaced: dict[tuple[str, int], list[str]] = {}
        self.buffered = 0
        self._next = 1
        for kind in KINDS:
            for path in sorted((directory / kind).glob(".*.tmp")):
                path.unlink()  # left unfinished by a killed run
            for number, path in self.parts(kind):
                self._next = max(self._next, number + 1)
                self._read_index(kind, number, path)

    def parts(self, kind: str) -> list[tuple[int, Path]]:
        found = [(m, p) for p in (self.directory / kind).iterdir() if (m := _PART.fullmatch(p.name))]
        return sorted((int(m[1]), p) for m, p in found)

    def close(self) -> None:
        self._index.close()
        self._lock.close()

    # -- known logs ---------------------------------------------------------------------------------------------

    def known(self, source: str) -> Known | None:
        row = self._index.execute(
            "select kind, part, size, mtime_ns, digest, files, current from known where source = ?", (text(source),)
        ).fetchone()
        if row is None:
            return None
        kind, part, size, mtime_ns, sha, files, current = row
        return Known(kind, part, Stamp(size or 0, mtime_ns or 0), sha, msgspec.json.decode(files), bool(current))

    def _read_index(self, kind: str, number: int, path: Path) -> None:
        columns = [*_INDEXED, *(["lasting"] if kind == "failures" else [])]
        for rows in _rows(path, columns):
            self._index.executemany(
                "insert or replace into known values (?, ?, ?, ?, ?, ?, ?, ?)",
                [
                    (
                        row["source"],
                        kind,
                        number,
                        row["size"],
                        row["mtime_ns"],
                        row["digest"],
                        msgspec.json.encode(row["files"] or []).decode(),
                        row["rigorbench"] == __version__
                        and row["options"] == self.fingerprint
                        and row.get("lasting", True),
                    )
                    for row in rows
                ],
            )

    # -- what is to be done ----------------------------------------------------------------------------------------

    def plan(self, orders: Iterable[Order]) -> int:
        """Stores what is to be scored, in this order; returns how many logs."""
        self._index.execute("begin")
        for order in orders:
            files = msgspec.json.encode(order.files).decode()
            row = (os.fsencode(order.path), order.reader, order.known, files)
            self._index.execute("insert into todo (path, reader, known, files) values (?, ?, ?, ?)", row)
        self._index.execute("commit")
        (count,) = self._index.execute("select count(*) from todo").fetchone()
        return int(count)

    def planned(self) -> Iterator[Order]:
        for path, reader, known, files in self._index.execute("select path, reader, known, files from todo order by n"):
            yield Order(os.fsdecode(path), reader, known, msgspec.json.decode(files))

    # -- writing ---------------------------------------------------------------------------------------------------

    def add(self, outcome: LogOutcome) -> None:
        """Adds the outcome of a log; it is on disk after the next :meth:`flush`."""
        self.buffered += 1
        if outcome.kind == "same":
            return
        old = self.known(outcome.source)
        if old is not None:
            self._replaced.setdefault((old.kind, old.part), []).append(outcome.source)
        self._buffer[outcome.kind] += outcome.rows

    def flush(self) -> None:
        """Writes the complete part. If it is killed at any moment, no log is in two parts: replaced rows go first."""
        import pyarrow as pa
        import pyarrow.compute as pc
        import pyarrow.parquet as pq

        number, self.buffered = self._next, 0
        for (kind, part), sources in sorted(self._replaced.items()):
            path = self._path(kind, part)
            table = pq.read_table(path)
            gone = pc.is_in(table["source"], value_set=pa.array([text(s) for s in sources], pa.string()))
            kept = table.filter(pc.invert(gone))
            if kept.num_rows:
                self._publish(kind, part, kept)
            else:
                path.unlink(missing_ok=True)
        self._replaced.clear()
        for kind, rows in self._buffer.items():
            if rows:
                schema = arrow_schema(KINDS[kind])
                columns = [_array(c, field.type) for c, field in zip(zip(*rows, strict=True), schema, strict=True)]
                self._publish(kind, number, pa.Table.from_arrays(columns, schema=schema))
                self._next = number + 1
                rows.clear()

    def _publish(self, kind: str, number: int, table: pa.Table) -> None:
        import pyarrow.parquet as pq

        path = self._path(kind, number)
        draft = path.with_name(f".{path.name}.tmp")
        try:
            with draft.open("wb") as file:
                pq.write_table(table, file, compression="zstd")
                file.flush()
                os.fsync(file.fileno())
            os.replace(draft, path)
            sync_directory(path.parent)
        except OSError as error:
            raise CorpusError(f"{path}: cannot be written ({error.strerror})") from None

    def _path(self, kind: str, number: int) -> Path:
        return self.directory / kind / f"part-{number:06d}.parquet"


def order_for(tables: CorpusTables, path: Path, reader: str | None) -> Order | None:
    """What is to be done about a log; None: nothing, the tables have it in its present state."""
    known = tables.known(str(path))
    if known is None or not known.current or known.digest is None:
        return Order(str(path), reader)
    try:
        if stamp(path, known.files) == known.stamp:
            return None
    except OSError:
        return Order(str(path), reader)
    return Order(str(path), reader, known.digest, known.files)


def _rows(path: Path, columns: list[str]) -> Iterator[list[dict[str, Any]]]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    remedy = "delete it, and its logs are scored again"
    try:
        with pq.ParquetFile(path) as file:
            about = (file.schema_arrow.metadata or {}).get(METADATA)
            if about is None or msgspec.json.decode(about).get("schema") != SCHEMA:
                raise CorpusError(f"{path}: not a table of {SCHEMA}; give another --out, or {remedy}")
            for batch in file.iter_batches(batch_size=_BATCH, columns=columns):
                yield batch.to_pylist()
    except (pa.ArrowException, OSError, KeyError, msgspec.DecodeError) as error:
        raise CorpusError(f"{path}: damaged ({' '.join(str(error).split())[:100]}); {remedy}") from None


def _array(values: tuple[Any, ...], kind: pa.DataType) -> pa.Array:
    import pyarrow as pa

    try:
        return pa.array(values, kind)
    except UnicodeEncodeError:  # half a surrogate pair in a text of the log
        return pa.array([[text(t) for t in v] if isinstance(v, list) else v and text(v) for v in values], kind)


def _locked(directory: Path) -> IO[bytes]:
    file = (directory / ".lock").open("ab")
    try:
        # Not flock: the worker processes would inherit it, and they may outlive this process for a moment.
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        file.close()
        raise CorpusError(f"{directory}: another rigor writes to it; wait for it, or give another --out") from None
    return file
