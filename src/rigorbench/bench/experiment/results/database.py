"""SQL over results: views in a DuckDB that has access to nothing else."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.dataset as ds
from pyarrow import csv

from ....base.text import count
from .parquet import ResultsError, arrow, check_schema, rows_of, write
from .read import ResultTables, Tell, merged, read_experiment
from .rows import CORPUS, SCHEMA, TABLES
from .sources import DATABASES, ResultSources

_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,62}")
_LINE = re.compile(r"^LINE (\d+): ", re.M)
_READ_ONLY = (duckdb.StatementType.SELECT, duckdb.StatementType.EXPLAIN)
_BATCH = 10_000


class QueryError(ValueError):
    """A query cannot be answered. One line, with the position in the SQL if it is known."""


class Results:
    """Views over the sources, one for each table of :data:`.rows.TABLES`, even if it is empty.

    Those of corpora, Parquet files of other kinds and CSV files exist only if there are some. An experiment that is in
    several sources is taken from the first. Queries can only read: no files, no network, no extensions, no settings.
    ``tell`` is called with one line for each source that cannot be used.

    Raises:
        QueryError: there is nothing to query.
    """

    def __init__(self, sources: ResultSources, tell: Tell) -> None:
        self._con = duckdb.connect(":memory:")
        self._number = 0
        self._tell = tell
        # By view: a SELECT for each source.
        self._parts: dict[str, list[str]] = {}
        self._seen: set[str] = set()
        attached = [(path, name) for path in sources.databases if (name := self._attach(path)) is not None]
        # From here on nothing in the sources can make the database open a file or load an extension.
        for setting in (
            "python_enable_replacements=false", "temp_directory=''", "autoinstall_known_extensions=false",
            "autoload_known_extensions=false", "allow_community_extensions=false", "enable_external_access=false",
        ):  # fmt: skip
            self._con.execute(f"SET {setting}")
        if sources.experiments:
            tables = read_all(sources, tell, deep=True)
            if tables.rows["experiments"]:
                parts = {name: self._register(arrow(TABLES[name], rows)) for name, rows in tables.rows.items()}
                self._add(parts, "experiments")
        for files in sources.parquet:
            found: dict[str, str] = {}
            for name, paths in files.items():
                if _IDENTIFIER.fullmatch(name) is None:
                    self._tell(f"{paths[0]}: {name!r} cannot be the name of a view; rename the file")
                    continue
                whole = []
                for path in paths:
                    try:
                        check_schema(path, name)
                        whole.append(path)
                    except ResultsError as error:
                        self._tell(str(error))
                if whole:
                    try:
                        schema = pa.unify_schemas([ds.dataset(p).schema for p in whole], promote_options="permissive")
                        found[name] = self._register(ds.dataset(whole, schema=schema))
                    except (pa.ArrowException, OSError) as error:
                        self._tell(f"{whole[0].parent}: files of {name} do not fit together ({_first_line(error)})")
            if found:
                self._add(found, str(next(iter(files.values()))[0]))
        for path in sources.csv:
            self._add_csv(path)
        for path, name in attached:
            self._add_database(path, name)
        if not self._parts:
            raise QueryError("no results to query")
        try:
            for name, table in TABLES.items():
                # First an empty table of the schema: so all columns exist, in their order, even if no source has them.
                empty = self._register(arrow(table, []))
                self._parts[name] = [f"SELECT * FROM {empty}", *self._parts.get(name, [])]
            for name, selects in self._parts.items():
                self._con.execute(f'CREATE VIEW "{name}" AS {" UNION ALL BY NAME ".join(selects)}')
        except duckdb.Error as error:
            raise QueryError(f"tables of several sources do not fit together ({_first_line(error)})") from None
        self._con.execute("SET lock_configuration=true")

    # -- sources

    def _attach(self, path: Path) -> str | None:
        name = f"source_{self._next()}"
        # The whole path: DuckDB would read a name such as md:x as another kind of database.
        quoted = str(path.absolute()).replace("'", "''")
        try:
            self._con.execute(f"ATTACH '{quoted}' AS {name} (READ_ONLY, TYPE duckdb)")
        except duckdb.Error as error:
            self._tell(f"{path}: not a DuckDB database that can be read ({_first_line(error)})")
            return None
        return name

    def _next(self) -> int:
        self._number += 1
        return self._number

    def _register(self, data: pa.Table | ds.Dataset) -> str:
        name = f"part_{self._next()}"
        self._con.register(name, data)
        return name

    def _add_csv(self, path: Path) -> None:
        """A CSV file with a header as a view under its name; a name that results have would be mixed with them."""
        name = path.stem
        if _IDENTIFIER.fullmatch(name) is None or name in (*TABLES, *CORPUS):
            self._tell(f"{path}: {name!r} cannot be the name of a view of yours; rename the file")
            return
        try:
            self._add({name: self._register(csv.read_csv(path))}, str(path))
        except (pa.ArrowException, OSError) as error:
            self._tell(f"{path}: cannot be read as CSV ({_first_line(error)})")

    def _add_database(self, path: Path, name: str) -> None:
        rows = self._con.execute(
            "SELECT table_name FROM information_schema.tables WHERE table_catalog = ? AND table_schema = 'main'", [name]
        ).fetchall()
        there = {row[0] for row in rows}
        if "rigor_results" in there:
            schemas = self._con.execute(f"SELECT schema FROM {name}.main.rigor_results").fetchall()
            if schemas != [(SCHEMA,)]:
                self._tell(f"{path}: its tables do not have the schema {SCHEMA}; left out")
                return
        found = {table: f"{name}.main.{table}" for table in (*TABLES, *CORPUS) if table in there}
        if not found:
            self._tell(f"{path}: contains no tables of results")
            return
        self._add(found, str(path))

    def _add(self, found: dict[str, str], place: str) -> None:
        """Add the relations of a source by table, without the experiments of earlier sources."""
        ids: set[str] = set()
        try:
            for relation in found.values():
                self._con.execute(f"SELECT * FROM {relation} LIMIT 0")
            for name in ("experiments", "runs"):
                if name in found:
                    rows = self._con.execute(f"SELECT DISTINCT experiment FROM {found[name]}").fetchall()
                    ids |= {str(row[0]) for row in rows}
        except duckdb.Error as error:
            self._tell(f"{place}: its tables cannot be read ({_first_line(error)}); left out")
            return
        twice = sorted(ids & self._seen)
        for one in twice[:3]:
            self._tell(f"experiment {one}: in several places; the first one counts")
        if len(twice) > 3:
            self._tell(f"{count(len(twice) - 3, 'more experiment')}: in several places; the first one counts")
        self._seen |= ids
        where = ""
        if twice:
            self._con.register(gone := f"gone_{self._next()}", pa.table({"experiment": twice}))
            where = f" WHERE experiment NOT IN (SELECT experiment FROM {gone})"
        for name, relation in found.items():
            self._parts.setdefault(name, []).append(f"SELECT * FROM {relation}{where if name in TABLES else ''}")

    # -- queries

    @property
    def views(self) -> list[str]:
        return list(self._parts)

    def query(self, sql: str) -> pa.RecordBatchReader:
        """The answer to one SELECT (or DESCRIBE, SHOW, SUMMARIZE, EXPLAIN), as a stream.

        Raises: QueryError, also while the stream is read through :func:`batches`.
        """
        try:
            statements = self._con.extract_statements(sql)
            if len(statements) != 1 or statements[0].type not in _READ_ONLY:
                raise QueryError("give one SELECT (or DESCRIBE, SHOW, SUMMARIZE, EXPLAIN): results are only read")
            # A relation is read as a stream; execute() would copy the result.
            relation: Any = self._con.sql(sql)
            return relation.to_arrow_reader(_BATCH)
        except duckdb.Error as error:
            raise QueryError(explained(self._placed(error, sql), sql)) from None
        except UnicodeEncodeError:
            raise QueryError("the SQL is not valid Unicode") from None

    def _placed(self, error: duckdb.Error, sql: str) -> str:
        """The message of an error, with the position in the SQL, which a statement reports and a relation does not."""
        if _LINE.search(str(error)) is None:
            try:
                self._con.execute(sql)
            except duckdb.Error as same:
                return str(same)
        return str(error)

    def tables(self) -> Iterator[tuple[str, pa.RecordBatchReader]]:
        for name in self._parts:
            yield name, self.query(f'SELECT * FROM "{name}"')

    def export(self, target: Path) -> None:
        """Write everything as Parquet into a directory, or into a new DuckDB file if ``target`` ends in .duckdb.

        Raises: OSError, QueryError.
        """
        if target.suffix.lower() not in DATABASES:
            target.mkdir(parents=True, exist_ok=True)
            for name, reader in self.tables():
                if name in TABLES:
                    schema = arrow(TABLES[name], []).schema
                    typed = pa.RecordBatchReader.from_batches(
                        schema, (b.select(schema.names).cast(schema) for b in batches(reader))
                    )
                    write(typed, target / f"{name}.parquet")
                else:
                    folder = target / name if name in CORPUS else target
                    folder.mkdir(exist_ok=True)
                    write(reader, folder / f"{name}.parquet")
            return
        draft = target.with_name(f".{target.name}.new")
        draft.unlink(missing_ok=True)
        try:
            with duckdb.connect(str(draft)) as con:
                for name, reader in self.tables():
                    con.register("source", reader)
                    con.execute(f'CREATE TABLE "{name}" AS SELECT * FROM source')
                    con.unregister("source")
                con.execute("CREATE TABLE rigor_results AS SELECT ? AS schema", [SCHEMA])
            draft.replace(target)
        except duckdb.Error as error:
            raise QueryError(f"{target}: cannot be written ({_first_line(error)})") from None
        finally:
            draft.unlink(missing_ok=True)

    def close(self) -> None:
        self._con.close()


def batches(reader: pa.RecordBatchReader) -> Iterator[pa.RecordBatch]:
    """Raises: QueryError if the query fails later on (a cast that a late row does not allow, memory)."""
    try:
        yield from reader
    except (pa.ArrowException, OSError, duckdb.Error) as error:
        raise QueryError(_first_line(error)) from None


def explained(message: str, sql: str) -> str:
    """An error of the database on one line, with the line and column in the SQL if they are known."""
    found = _LINE.search(message)
    head = " ".join(message[: found.start() if found else None].split())[:300]
    if found is None:
        return head
    number = int(found[1])
    shown, _, rest = message[found.end() :].partition("\n")
    caret = rest.find("^") - len(found[0])
    lines = sql.splitlines()
    place = f"line {number}"
    if caret >= 0 and number <= len(lines):
        # The message shows only a part of a long line, between dots.
        part = shown.removeprefix("...")
        start = lines[number - 1].find(part.removesuffix("..."))
        if start >= 0:
            place += f", column {start + caret - (len(shown) - len(part)) + 1}"
    return f"{place}: {head}"


def read_all(
    sources: ResultSources,
    tell: Tell,
    *,
    deep: bool = False,
    now: float | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> ResultTables:
    """Experiments, tasks and runs of all sources, each experiment once: what a leaderboard is made from.

    Args:
        deep: with sub-metrics and hidden tests, of the directories of experiments alone.
        now: seconds since 1970; a run that claims to be more than a day later has a wrong clock.
    """
    found: list[tuple[str, ResultTables | None]] = []
    for number, (directory, place) in enumerate(sources.experiments, 1):
        found.append((str(directory), read_experiment(directory, place, tell, deep=deep, now=now)))
        if progress is not None:
            progress(number, len(sources.experiments))
    if not deep:
        for files in sources.parquet:
            where = str(next(iter(files.values()))[0].parent)
            found.append((where, _rows(ResultSources(parquet=[files]), where, tell)))
        for path in sources.databases:
            found.append((str(path), _rows(ResultSources(databases=[path]), str(path), tell)))
    return merged([(where, tables) for where, tables in found if tables is not None], tell)


def _rows(source: ResultSources, where: str, tell: Tell) -> ResultTables | None:
    """Experiments, tasks and runs of Parquet files or of a database; None if it has none, or cannot be read."""
    try:
        results = Results(source, tell)
    except QueryError:
        return None
    tables = ResultTables()
    try:
        for name in ("experiments", "tasks", "runs"):
            found = results.query(f"SELECT * FROM {name}").read_all()
            tables.rows[name] += rows_of(TABLES[name], found, where, tell)
    except (QueryError, pa.ArrowException, OSError) as error:
        tell(f"{where}: its tables cannot be read ({_first_line(error)})")
        return None
    finally:
        results.close()
    if tables.rows["experiments"]:
        return tables
    if not set(results.views) & set(CORPUS):
        tell(f"{where}: has no table of experiments for the runs; export it with `rigor query --export`")
    return None


def _first_line(error: BaseException) -> str:
    return " ".join(str(error).split("\nLINE")[0].split())[:200]
