"""`rigor leaderboard` and `rigor query` as commands: outputs, messages, exit codes."""

from __future__ import annotations

import csv
import io
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from results.board_data import manifest_of, scored, write
from rigorbench.cli import main

pytest.importorskip("duckdb")
pq = pytest.importorskip("pyarrow.parquet")


@pytest.fixture
def out(tmp_path: Path) -> Path:
    write(tmp_path / "out" / "one", manifest_of("one"), scored({"acme/x": 0.4}))
    write(tmp_path / "out" / "two", manifest_of("two", models=("acme/y",), day=1), scored({"acme/y": 0.6}, day=1))
    return tmp_path / "out"


def lines(text: str) -> list[str]:
    return text.strip().splitlines()


def test_build_and_check(out: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    site = tmp_path / "site"
    assert main(["leaderboard", str(out), "--out", str(site)]) == 0
    captured = capsys.readouterr()
    assert captured.out == ""
    assert lines(captured.err) == [f"leaderboard: {site / 'index.html'}"]
    assert main(["leaderboard", str(out), "--check", "--out", str(site)]) == 0
    assert capsys.readouterr().out == f"{site}: matches its sources\n"
    (entry, _) = sorted((site / "entries").iterdir())
    entry.write_text(entry.read_text().replace("0.40", "0.99"))
    (site / "entries" / "mine.html").write_text("x")
    (site / "index.html").unlink()
    assert main(["leaderboard", str(out), "--check", "--out", str(site), "--json"]) == 1
    found = msgspec.json.decode(capsys.readouterr().out)
    assert found["same"] is False
    assert sorted(line.rpartition(": ")[2] for line in found["differences"]) == [
        "differs from its sources", "missing", "not in its sources",
    ]  # fmt: skip


def test_build_as_json_needs_no_site(out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["leaderboard", str(out), "--json", "--min-tasks", "3"]) == 0
    found = msgspec.json.decode(capsys.readouterr().out)
    assert found["schema"] == "rigor-leaderboard/1"
    (board,) = found["boards"]
    assert [(e["key"]["model"], e["rank"]) for e in board["entries"]] == [("acme/y", 1), ("acme/x", 2)]


def test_what_is_wrong_is_told_and_the_rest_is_built(
    out: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    results = sorted((out / "one" / "runs").iterdir())
    (results[0] / "result.json").write_text("{")
    (out / "two" / "manifest.json").rename(out / "two" / "kept")
    write(out / "three", manifest_of("three", models=("acme/y",)), lambda run: None)
    site = tmp_path / "site"
    assert main(["leaderboard", str(out), "--out", str(site)]) == 1
    told = lines(capsys.readouterr().err)
    assert [line.rpartition("; ")[2] for line in told[:1]] == ["run left out"]
    assert "no run has a result" in told[1]
    assert told[2:] == [f"leaderboard: {site / 'index.html'}"]
    assert (site / "index.html").exists()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["leaderboard", "{out}"], "give --out SITE"),
        (["leaderboard", "{out}/one/runs", "--out", "{tmp}/s"], "no results"),
        (["leaderboard", "{out}", "--out", "{tmp}/file/site"], "cannot be written"),
        (["leaderboard", "{out}", "--check", "--out", "{tmp}/none"], "no such directory"),
        (["query", "{out}"], "give one or more PATHs"),
        (["query", "{out}", "{tmp}"], "give one or more PATHs"),
        (["query", "{out}", "--export", "{tmp}/file/x"], "cannot be written"),
        (["query", "{out}", "--export", "{tmp}/file/x.duckdb"], "/file/x.duckdb: cannot be written"),
    ],
)
def test_wrong_usage_is_one_line(
    out: Path, tmp_path: Path, arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("x")
    assert main([a.format(out=out, tmp=tmp_path) for a in arguments]) == 2
    assert says in lines(capsys.readouterr().err)[-1]


@pytest.mark.parametrize("option", ["--min-tasks=0", "--min-coverage=1.5", "--min-complete=x", "--since=yesterday"])
def test_options_out_of_range_are_refused(out: Path, option: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["leaderboard", str(out), "--json", option])
    assert end.value.code == 2


def test_a_number_out_of_range_is_refused_by_the_name_of_what_it_counts(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["run", "rigor", "--jobs", "0"])
    assert end.value.code == 2
    assert lines(capsys.readouterr().err)[-1].endswith(
        "argument --jobs: expected a number of runs, at least 1, not '0'"
    )


def test_a_query_without_rows_says_so(out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["query", str(out), "SELECT model FROM runs WHERE false"]) == 0
    told = capsys.readouterr()
    assert (told.out, told.err) == ("", "no row matches\n")


SQL = "SELECT model, count(*) AS n, avg(rigor_score) AS s, max(cost) AS cost FROM runs GROUP BY ALL ORDER BY ALL"


def test_query_in_every_form(out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["query", str(out), SQL]) == 0
    assert lines(capsys.readouterr().out) == [
        "model    n    s  cost",
        "------  --  ---  ----",
        "acme/x  12  0.4     –",
        "acme/y  12  0.6     –",
    ]
    assert main(["query", "--csv", str(out), SQL]) == 0
    assert list(csv.reader(io.StringIO(capsys.readouterr().out))) == [
        ["model", "n", "s", "cost"], ["acme/x", "12", "0.4", ""], ["acme/y", "12", "0.6", ""],
    ]  # fmt: skip
    assert main(["query", str(out / "one"), str(out / "two"), SQL, "--json"]) == 0
    found = msgspec.json.decode(capsys.readouterr().out)
    assert found["columns"] == ["model", "n", "s", "cost"]
    assert found["rows"][0] == {"model": "acme/x", "n": 12, "s": pytest.approx(0.4), "cost": None}


def test_json_has_every_column_and_only_what_json_has(out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sql = (
        "SELECT 1 AS a, 2 AS a, 'inf'::DOUBLE AS a, started, breach_kinds, {'x': DATE '2026-01-01'} AS s, "
        "1.5::DECIMAL(9, 2) AS d FROM runs LIMIT 1"
    )
    assert main(["query", str(out), sql, "--json"]) == 0
    (row,) = msgspec.json.decode(capsys.readouterr().out)["rows"]
    assert list(row) == ["a", "a_2", "a_3", "started", "breach_kinds", "s", "d"]
    assert row["a_3"] is None
    assert row["started"].endswith("Z")
    assert row["s"] == {"x": "2026-01-01"}


def test_the_query_may_come_from_standard_input(
    out: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("SELECT count(*) AS n FROM runs"))
    assert main(["query", str(out), "-"]) == 0
    assert lines(capsys.readouterr().out)[-1] == "24"


def test_a_query_that_fails_is_one_line(out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["query", str(out), "SELECT nope FROM runs"]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    (line,) = lines(captured.err)
    assert line.startswith("rigor query: line 1, column 8: Binder Error: ")


def test_text_of_agents_does_not_reach_the_terminal(out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["query", str(out), "SELECT chr(27) || '[2J' || chr(10) || 'x' AS \"a\x1b[1m\" FROM runs LIMIT 1"]) == 0
    text = capsys.readouterr().out
    assert "\x1b" not in text
    assert "\\x1b[2J\\nx" in text


@pytest.mark.parametrize(("command", "module"), [("leaderboard", "numpy"), ("query", "duckdb")])
def test_without_the_extra_one_line_says_how_to_get_it(
    command: str, module: str, out: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [
        n
        for n in sys.modules
        if n.startswith(("rigorbench.bench.experiment.results", "rigorbench.bench.pages.leaderboard.build"))
    ]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, module, None)
    rest: list[Any] = [str(out), "--json"] if command == "leaderboard" else [str(out), "SELECT 1"]
    assert main([command, *rest]) == 2
    (line,) = lines(capsys.readouterr().err)
    assert line.endswith("pip install '.[report]'")
