"""``rigor corpus`` as users meet it."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path

import pytest
from corpora_of_samples import NOT_A_LOG, corpus, run, serial, table

from judged_answers import Scripted, answer
from rigorbench.cli import main


@pytest.fixture(autouse=True)
def without_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "in_processes", serial)


def test_what_it_says(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    logs, out = corpus(tmp_path / "logs", 3), tmp_path / "out"
    damaged = tmp_path / "no.jsonl"
    damaged.write_text(NOT_A_LOG)
    assert main(["corpus", str(logs), str(damaged), "--out", str(out)]) == 1
    said = capsys.readouterr()
    assert said.err == f"{damaged}:1: is not a known agent log; `rigor doctor --formats` lists what can be read\n"
    assert said.out.startswith("3 trajectories in 3 logs scored in ")
    assert said.out.endswith(
        f"; 0 logs skipped, unchanged; 1 log failed\n"
        f"found 4 = 4 logs + 0 parts of them + 0 ignored\nscores:   {out}/scores/part-*.parquet\n"
        f"failures: {out}/failures/part-*.parquet\n"
    )
    assert main(["corpus", str(logs), str(damaged), "--out", str(out)]) == 1
    said = capsys.readouterr()
    assert said.err == ""
    assert "; 4 logs skipped, unchanged; 1 log failed (1 of them before, unchanged)\n" in said.out
    assert main(["corpus", str(logs), "--out", str(out), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "schema": "rigor-corpus-run/1",
        "out": str(out),
        "logs": 3,
        "skipped": 3,
        "scored": 0,
        "trajectories": 0,
        "failed": 0,
        "known_failures": 0,
        "parts": 0,
        "ignored": 0,
        "inputs": 3,
        "ignored_because": {},
        "repeats": 0,
        "seconds": 0.0,
        "logs_per_second": None,
    }


def test_many_failures_are_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = [tmp_path / f"{n:02d}.jsonl" for n in range(23)]
    for name in names:
        name.write_text(NOT_A_LOG)
    assert main(["corpus", *map(str, names), "--out", str(tmp_path / "out")]) == 1
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 21
    assert lines[-1] == f"... and 3 more; all reasons are in {tmp_path}/out/failures/part-*.parquet"
    assert len(table(tmp_path / "out", "failures")) == 23


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["-", "--out", "OUT"], "--out needs logs that are files"),
        (["--out", "OUT", "--ray-address", "auto"], "--ray-address needs --executor ray"),
        (["--out", "/proc/nowhere"], "/proc/nowhere: cannot be written to (No such file or directory)"),
    ],
)
def test_wrong_usage_is_one_line(
    arguments: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = str(tmp_path / "out")
    assert main(["corpus", str(tmp_path), *(out if a == "OUT" else a for a in arguments)]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"rigor corpus: {said}")
    assert error.count("\n") == 1


def test_a_part_of_no_logs_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["corpus", "x", "--out", "y", "--part-size", "0"])
    assert stopped.value.code == 2
    assert "a number of logs, at least 1" in capsys.readouterr().err


def test_what_is_not_installed_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = ["corpus", str(corpus(tmp_path / "logs", 1)), "--out", str(tmp_path / "out")]
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "ray", None)
        assert main([*arguments, "--executor", "ray"]) == 2
    assert capsys.readouterr().err == "rigor corpus: Ray is not installed; pip install '.[ray]'\n"
    real = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "pyarrow" else real(name))
    assert main(arguments) == 2
    assert capsys.readouterr().err == "rigor corpus: needs pyarrow: pip install '.[report]'\n"


def test_grades_of_a_reader_are_in_the_tables_and_what_is_missing_is_asked_for_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    backend = Scripted("r", answer)
    monkeypatch.setattr("rigorbench.review.reader.backends.open_reader", lambda name, tables=None: backend)
    logs = corpus(tmp_path / "logs", 2)
    arguments = ["corpus", str(logs), "--out", str(tmp_path / "out"), "--reader", "r", "--jobs", "1"]
    arguments += ["--store", str(tmp_path / "readings")]
    backend.by, right = (lambda request: "no answer"), backend.by
    assert main(arguments) == 0
    assert {row["overall"] for row in table(tmp_path / "out")} == {None}
    backend.by = right
    assert main(arguments) == 0
    rows = table(tmp_path / "out")
    assert [row["source"] for row in rows] == [str(path) for path in sorted(logs.iterdir())]
    assert {row["overall"] for row in rows} == {50}
    asked = len(backend.requests)
    assert main(arguments) == 0
    assert len(backend.requests) == asked
