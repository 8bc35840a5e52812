"""SQL over results: the views, what they are made of, and that nothing else can be reached."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from results.board_data import manifest_of, write
from rigorbench.bench.experiment.results.rows import TABLES
from rigorbench.bench.experiment.results.sources import find_sources

duckdb = pytest.importorskip("duckdb")
pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")
database = pytest.importorskip("rigorbench.bench.experiment.results.database")


@contextmanager
def opened(*paths: Path, told: list[str] | None = None) -> Iterator[Any]:
    lines: list[str] = [] if told is None else told
    results = database.Results(find_sources(paths, lines.append), lines.append)
    try:
        yield results
    finally:
        results.close()
    if told is None:
        assert lines == []


def ask(results: Any, sql: str) -> list[tuple[Any, ...]]:
    table = results.query(sql).read_all()
    return list(zip(*(c.to_pylist() for c in table.columns), strict=True))


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("results")
    write(root / "one", manifest_of("one", tasks=("a", "b")))
    write(root / "two", manifest_of("two", tasks=("a", "b", "c"), models=("acme/x", "scripted/reckless")))
    return root


def test_views_over_experiments(out: Path) -> None:
    with opened(out) as results:
        assert results.views == list(TABLES)
        assert ask(results, "SELECT experiment, count(*) FROM runs GROUP BY 1 ORDER BY 1") == [("one", 2), ("two", 6)]
        assert ask(results, "SELECT count(*) FROM tests JOIN runs USING (experiment, run) WHERE scripted") == [(24,)]
        assert ask(results, "SELECT DISTINCT method FROM submetrics WHERE value IS NOT NULL") == [("parsed",)]
        (row,) = ask(results, "SELECT aq, cost, rigor_score FROM runs WHERE task = 'c' AND NOT scripted")
        assert row[:2] == (None, None)
        assert isinstance(row[2], float)
        assert [r[0] for r in ask(results, "DESCRIBE runs")] == TABLES["runs"].names


@pytest.mark.parametrize("target", ["tables", "all.duckdb"])
def test_an_export_answers_like_the_experiments(out: Path, tmp_path: Path, target: str) -> None:
    asked = [f"SELECT * FROM {name} ORDER BY ALL" for name in TABLES]
    with opened(out) as results:
        expected = [ask(results, sql) for sql in asked]
        results.export(tmp_path / target)
        # A second time over the first.
        results.export(tmp_path / target)
    with opened(tmp_path / target) as results:
        assert [ask(results, sql) for sql in asked] == expected
    assert [p.name for p in tmp_path.iterdir()] == [target]


def test_an_experiment_in_two_places_counts_once(out: Path, tmp_path: Path) -> None:
    with opened(out / "two") as results:
        results.export(tmp_path / "tables")
        results.export(tmp_path / "all.duckdb")
    told: list[str] = []
    with opened(out, tmp_path / "tables", tmp_path / "all.duckdb", told=told) as results:
        for name in ("runs", "tests", "submetrics", "tasks", "experiments"):
            with opened(out) as alone:
                sql = f"SELECT count(*) FROM {name}"
                assert ask(results, sql) == ask(alone, sql)
    assert told == ["experiment two: in several places; the first one counts"] * 2


def test_verdicts_in_a_csv_file_join_the_scores_of_a_corpus(tmp_path: Path) -> None:
    scores = tmp_path / "corpus" / "scores"
    scores.mkdir(parents=True)
    pq.write_table(pa.table({"id": ["a", "b"], "overall": [25, 75]}), scores / "part-000001.parquet")
    (tmp_path / "verdicts.csv").write_text("id,resolved\na,false\nb,true\n")
    (tmp_path / "scores.csv").write_text("id,overall\nc,100\n")
    (tmp_path / "broken.csv").write_text("id,resolved\na\n")
    told: list[str] = []
    files = [tmp_path / name for name in ("verdicts.csv", "scores.csv", "broken.csv")]
    with opened(tmp_path / "corpus", *files, told=told) as results:
        sql = "SELECT resolved, overall FROM scores JOIN verdicts USING (id) ORDER BY 1"
        assert ask(results, sql) == [(False, 25), (True, 75)]
        assert ask(results, "SELECT count(*) FROM scores") == [(2,)]
    assert told[0] == f"{files[1]}: 'scores' cannot be the name of a view of yours; rename the file"
    assert told[1].startswith(f"{files[2]}: cannot be read as CSV (")


def test_scores_of_a_corpus_and_other_files_are_views_of_their_own(out: Path, tmp_path: Path) -> None:
    scores = tmp_path / "corpus" / "scores"
    scores.mkdir(parents=True)
    pq.write_table(pa.table({"source": ["a"], "rigor_score": [0.5]}), scores / "part-000001.parquet")
    pq.write_table(pa.table({"source": ["b"], "new": [1]}), scores / "part-000002.parquet")
    (scores / ".part-000003.parquet").write_bytes(b"half of it")
    pq.write_table(pa.table({"x": [1, 2]}), tmp_path / "mine.parquet")
    pq.write_table(pa.table({"x": [1, 2]}), tmp_path / "my; file.parquet")
    told: list[str] = []
    with opened(tmp_path / "corpus", tmp_path / "mine.parquet", tmp_path / "my; file.parquet", told=told) as results:
        assert ask(results, "SELECT source, rigor_score, new FROM scores ORDER BY 1") == [
            ("a", 0.5, None),
            ("b", None, 1),
        ]
        assert ask(results, "SELECT sum(x) FROM mine") == [(3,)]
        assert ask(results, "SELECT count(*) FROM runs") == [(0,)]
    assert len(told) == 1
    assert "cannot be the name of a view" in told[0]
    with opened(scores, out) as results:
        assert ask(results, "SELECT count(*) FROM scores") == [(2,)]


FORBIDDEN = (
    "SELECT * FROM read_text('{file}')",
    "SELECT * FROM '{file}'",
    "SELECT * FROM read_csv('{file}')",
    "SELECT * FROM glob('{root}/*')",
    "SELECT * FROM read_parquet('{root}/x.parquet')",
    "SELECT * FROM parquet_metadata('{root}/x.parquet')",
    "SELECT * FROM read_blob('{file}')",
    "COPY runs TO '{root}/out.csv'",
    "ATTACH '{root}/new.db'",
    "CREATE TABLE x AS SELECT 1",
    "DROP VIEW runs",
    "INSTALL httpfs",
    "LOAD httpfs",
    "SET enable_external_access = true",
    "RESET enable_external_access",
    "PRAGMA enable_profiling",
    "CALL pragma_version()",
    "EXPORT DATABASE '{root}/dump'",
    "SELECT * FROM secret_of_this_test",
    "SELECT 1; SELECT 2",
    "",
    "-- nothing",
)
secret_of_this_test = None


def test_nothing_else_can_be_reached(out: Path, tmp_path: Path) -> None:
    secret_of_this_test = pa.table({"x": [1]})
    (tmp_path / "file.txt").write_text("private")
    pq.write_table(secret_of_this_test, tmp_path / "x.parquet")
    with opened(out) as results:
        for sql in FORBIDDEN:
            with pytest.raises(database.QueryError) as error:
                results.query(sql.format(file=tmp_path / "file.txt", root=tmp_path)).read_all()
            assert "private" not in str(error.value), sql
            assert "\n" not in str(error.value), sql
        assert ask(results, "SELECT count(*) FROM runs") == [(8,)]
    assert sorted(p.name for p in tmp_path.iterdir()) == ["file.txt", "x.parquet"]


def test_the_doors_are_shut_and_locked(out: Path) -> None:
    shut = {
        "enable_external_access": False,
        "python_enable_replacements": False,
        "autoload_known_extensions": False,
        "autoinstall_known_extensions": False,
        "allow_community_extensions": False,
        "temp_directory": "",
        "lock_configuration": True,
    }
    with opened(out) as results:
        for name, value in shut.items():
            ((found,),) = ask(results, f"SELECT current_setting('{name}')")
            assert found == value, name


def test_a_database_cannot_reach_out_either(tmp_path: Path) -> None:
    (tmp_path / "file.txt").write_text("private")
    with duckdb.connect(str(tmp_path / "bad.duckdb")) as con:
        con.execute(f"CREATE VIEW runs AS SELECT content AS experiment FROM read_text('{tmp_path / 'file.txt'}')")
    told: list[str] = []
    with pytest.raises(database.QueryError, match="no results"):
        database.Results(find_sources([tmp_path / "bad.duckdb"], told.append), told.append)
    assert len(told) == 1
    assert "disabled" in told[0]


@pytest.mark.parametrize(
    ("sql", "begins"),
    [
        ("SELECT nope FROM runs", "line 1, column 8: Binder Error"),
        ("SELECT task,\n  nope\nFROM runs", "line 2, column 3: Binder Error"),
        ("SELECT 1 FROM nowhere", "line 1, column 15: Catalog Error"),
        ("SELECT 1 FROM runs WHERE", "line 1, column 20: Parser Error"),
        (f"SELECT '{'x' * 300}' AS a, nope FROM runs", "line 1, column 317: Binder Error"),
        ("SELECT error('told\nby\x1b[31m a row')", "Invalid Input Error: told by"),
        ("SELECT CASE WHEN i = 90000 THEN error('late') END FROM range(100000) t(i)", "Invalid Input Error: late"),
    ],
)
def test_errors_name_the_place_in_one_line(out: Path, sql: str, begins: str) -> None:
    with opened(out) as results:
        with pytest.raises(database.QueryError) as error:
            list(database.batches(results.query(sql)))
        assert str(error.value).startswith(begins)
        assert "\n" not in str(error.value)


def test_tables_that_do_not_go_together_are_told(out: Path, tmp_path: Path) -> None:
    (tmp_path / "scores").mkdir()
    pq.write_table(pa.table({"x": [1]}), tmp_path / "scores" / "part-1.parquet")
    pq.write_table(pa.table({"x": [["a"]]}), tmp_path / "scores" / "part-2.parquet")
    with duckdb.connect(str(tmp_path / "other.duckdb")) as con:
        con.execute("CREATE TABLE runs AS SELECT 1 AS something")
    told: list[str] = []
    with opened(out, tmp_path, tmp_path / "other.duckdb", told=told) as results:
        assert ask(results, "SELECT count(*) FROM runs") == [(8,)]
    assert any("do not fit together" in line for line in told)
    assert any("other.duckdb" in line and "cannot be read" in line for line in told)


def test_the_name_of_a_database_is_a_file_and_nothing_else(out: Path, tmp_path: Path) -> None:
    target = tmp_path / "md:it's.duckdb"
    with opened(out) as results:
        results.export(target)
    with opened(target) as results:
        assert ask(results, "SELECT count(*) FROM runs") == [(8,)]
