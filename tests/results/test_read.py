"""Experiments read into tables: typed, unknown is NULL, and what cannot be read is told and left out."""

from __future__ import annotations

import os
import shutil
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from fake_experiment import START, make_manifest, make_result, trouble
from results.board_data import DAY, TASKS, later, manifest_of, rewrite, with_score, write
from rigorbench.bench.experiment.results.database import read_all
from rigorbench.bench.experiment.results.read import ResultTables, read_experiment
from rigorbench.bench.experiment.results.rows import TABLES
from rigorbench.bench.experiment.results.sources import ResultSources, find_sources

NOW = START + 100 * DAY


def read(out: Path, **options: Any) -> tuple[ResultTables, list[str]]:
    told: list[str] = []
    tables = read_experiment(out, "here", told.append, now=NOW, **options)
    assert tables is not None
    return tables, told


def rows(tables: ResultTables, name: str = "runs") -> dict[str, dict[str, Any]]:
    key = TABLES[name].key[-1]
    return {row[key]: row for row in tables.rows[name]}


def test_a_run_becomes_a_row_with_everything_that_is_known_of_it(tmp_path: Path) -> None:
    manifest = manifest_of("one", harnesses=("baseline", "agent-rigor"), models=("acme/x", "scripted/reckless"))
    results = {r.cell.id: r for r in write(tmp_path, manifest)}
    tables, told = read(tmp_path)
    assert told == []
    found = rows(tables)
    assert found.keys() == results.keys()
    for name, run in results.items():
        row = found[name]
        assert (row["task"], row["agent"], row["harness"], row["model"]) == (
            run.cell.task, run.cell.agent, run.cell.harness, run.cell.model,
        )  # fmt: skip
        assert row["scripted"] is run.cell.model.startswith("scripted/")
        assert row["rigor_score"] == run.rigor_score
        assert row["tokens"] == run.metered
        assert row["tokens_cache_read"] == 40_000
        assert row["aq"] is None
        assert row["aq_status"] == "not_applicable"
        assert row["cost"] is None
        assert row["counted"] is True
        assert row["hidden_passed"] == sum(t.outcome == "passed" for t in run.outcome.tests)
        assert row["regressions"] == len(run.outcome.regressions or [])
        assert row["agent_version"] == "1.2.3"
        assert row["harness_digest"] == manifest.harnesses[run.cell.harness].digest
        assert row["task_digest"] == manifest.tasks[run.cell.task].digest
        assert row["harness_loaded"] is (True if run.cell.harness == "agent-rigor" else None)
        assert row["estimated"] == 0
    (experiment,) = tables.rows["experiments"]
    assert (experiment["planned"], experiment["runs"]) == (len(results), len(results))
    assert experiment["suite_tasks"] == 12
    assert experiment["tokens_limit"] == 5_000_000
    assert len(tables.rows["tests"]) == 8 * len(results)
    subs = [s for s in tables.rows["submetrics"] if s["submetric"] == "TCR"]
    assert len(subs) == len(results)
    assert {s["pillar"] for s in subs} == {"VC"}


def test_every_planned_run_has_a_row_that_says_what_became_of_it(tmp_path: Path) -> None:
    manifest = make_manifest(repeats=6)
    results = write(tmp_path, manifest, trouble)
    tables, told = read(tmp_path)
    assert told == []
    found = rows(tables)
    assert len(found) == len(manifest.cells)
    by_id = {r.cell.id: r for r in results}
    assert {name for name, row in found.items() if row["status"] == "missing"} == found.keys() - by_id.keys() != set()
    for name, row in found.items():
        run = by_id.get(name)
        assert row["counted"] is (run is not None and run.status != "error")
        if run is None:
            assert row["breaches"] is None
            assert row["result_digest"] is None
        else:
            assert row["status"] == run.status
            assert row["breach_kinds"] == sorted({b.kind for b in run.breaches})


def test_pressure_variants_are_marked_where_the_task_is_there_as_it_is(tmp_path: Path) -> None:
    manifest = manifest_of("one", tasks=("plain", "plain-hurry", "alone-hurry"))
    for name, plain in (("plain-hurry", "plain"), ("alone-hurry", "alone")):
        manifest.tasks[name] = replace(manifest.tasks[name], facts={"pressure": "hurry", "plain": plain})
    write(tmp_path, manifest)
    beside = {row["task"]: row["beside"] for row in read(tmp_path)[0].rows["runs"]}
    assert beside == {"plain": False, "plain-hurry": True, "alone-hurry": False}


DAMAGE: dict[str, Any] = {
    "cut off": lambda text: text[: len(text) // 2],
    "no JSON": lambda text: b"\x00\xff\xfe",
    "empty": lambda text: b"",
    "another schema": lambda text: text.replace(b"rigor-run/1", b"rigor-run/9"),
    "another cell": lambda text: text.replace(b'"repeat":1', b'"repeat":2'),
    "a share above 1": lambda text: text.replace(b'"rigor_score":', b'"rigor_score":7,"x":'),
    "negative tokens": lambda text: text.replace(b'"metered":', b'"metered":-1,"x":'),
    "not a number": lambda text: text.replace(b'"seconds":', b'"seconds":NaN,"x":', 1),
    "a better score": lambda text: text.replace(b'"rigor_score":', b'"rigor_score":0.99,"x":'),
    "a better pillar": lambda text: text.replace(b'"VC":', b'"VC":1.0,"x":', 1),
    "better tests": lambda text: text.replace(b'"pass_rate":', b'"pass_rate":0.987,"x":'),
    "another status": lambda text: text.replace(b'"completed"', b'"perfect"'),
    "deep": lambda text: b"[" * 100_000,
    "half a character": lambda text: text.replace(b'"notes":[', b'"notes":["\\ud800"', 1),
}


@pytest.mark.parametrize("kind", DAMAGE)
def test_a_damaged_result_is_told_and_the_others_are_read(tmp_path: Path, kind: str) -> None:
    manifest = manifest_of("one", tasks=("a", "b", "c"))
    results = write(tmp_path, manifest)
    path = tmp_path / "runs" / results[1].cell.id / "result.json"
    before = path.read_bytes()
    path.write_bytes(DAMAGE[kind](before))
    assert path.read_bytes() != before
    tables, told = read(tmp_path)
    (line,) = told
    assert line.startswith(str(path))
    assert "\n" not in line
    assert len(line) < 400
    found = rows(tables)
    assert [row["status"] for row in found.values()] == ["completed", "damaged", "completed"]
    assert found[results[1].cell.id]["rigor_score"] is None
    assert tables.rows["experiments"][0]["left_out"] == 1


def test_what_is_no_file_is_told(tmp_path: Path) -> None:
    manifest = manifest_of("one", tasks=("a", "b", "c"))
    paths = [tmp_path / "runs" / r.cell.id / "result.json" for r in write(tmp_path, manifest)]
    for path in paths[:2]:
        path.unlink()
    paths[0].mkdir()
    paths[1].symlink_to(paths[1])
    tables, told = read(tmp_path)
    assert len(told) == 2
    assert [row["status"] for row in tables.rows["runs"]] == ["damaged"] * 2 + ["completed"]


def test_a_score_that_is_damaged_leaves_its_run_out_and_one_that_is_gone_does_not(tmp_path: Path) -> None:
    manifest = manifest_of("one", tasks=("a", "b"))
    first, second = write(tmp_path, manifest)
    (tmp_path / "runs" / first.cell.id / "score.json").write_text("{")
    (tmp_path / "runs" / second.cell.id / "score.json").unlink()
    tables, told = read(tmp_path)
    assert len(told) == 1
    assert "score.json" in told[0]
    found = rows(tables)
    assert found[first.cell.id]["status"] == "damaged"
    assert found[second.cell.id]["rigor_score"] == second.rigor_score
    assert found[second.cell.id]["estimated"] is None


def test_results_of_older_versions_lack_what_came_later(tmp_path: Path) -> None:
    manifest = manifest_of("one", tasks=("a", "b"))
    results = write(tmp_path, manifest)
    path = tmp_path / "runs" / results[0].cell.id / "result.json"
    whole = msgspec.json.decode(path.read_bytes())
    kept = {k: whole[k] for k in ("schema", "cell", "status", "started", "seconds", "rigor_score", "pillars")}
    path.write_bytes(msgspec.json.encode(kept))
    (tmp_path / "runs" / results[0].cell.id / "score.json").unlink()
    whole = msgspec.json.decode((tmp_path / "manifest.json").read_bytes())
    later_members = ("suite_facts", "generation", "history")
    (tmp_path / "manifest.json").write_bytes(
        msgspec.json.encode({k: v for k, v in whole.items() if k not in later_members})
    )
    tables, told = read(tmp_path)
    assert told == []
    row = rows(tables)[results[0].cell.id]
    assert row["rigor_score"] == results[0].rigor_score
    assert row["pass_rate"] is row["tokens"] is row["estimated"] is None
    assert tables.rows["experiments"][0]["suite_digest"] is None


def test_a_clock_that_cannot_be_right_is_told_and_its_dates_are_not_used(tmp_path: Path) -> None:
    manifest = manifest_of("one", tasks=("a", "b", "c", "d"))
    moved = {"a": 400.0, "b": -20.0, "c": 1e12, "d": 0.0}
    write(tmp_path, manifest, lambda run: later(moved[run.cell.task])(run))
    tables, told = read(tmp_path)
    assert sorted(line.split("disagree: ")[1] for line in told) == [
        "1 run began before its experiment was planned; their dates are not used",
        "2 runs began in the future; their dates are not used",
    ]
    dates = {row["task"]: row["started"] for row in tables.rows["runs"]}
    assert [task for task, date in dates.items() if date is None] == ["a", "b", "c"]
    assert dates["d"].replace(microsecond=0) >= datetime(2026, 9, 1)
    assert all(row["counted"] for row in tables.rows["runs"])


def test_strangers_and_runs_set_aside_do_not_count(tmp_path: Path) -> None:
    manifest = manifest_of("one", tasks=("a", "b"))
    write(tmp_path, manifest)
    rewrite(tmp_path, make_result(replace(manifest.cells[0], repeat=9)))
    aside = tmp_path / "runs" / f"{manifest.cells[0].id}.killed-1"
    shutil.copytree(tmp_path / "runs" / manifest.cells[0].id, aside)
    tables, told = read(tmp_path)
    assert len(told) == 1
    assert "1 run that the manifest does not name" in told[0]
    assert len(tables.rows["runs"]) == 2
    assert tables.rows["experiments"][0]["strangers"] == 1


def test_experiments_are_found_in_folders_and_each_counts_once(tmp_path: Path) -> None:
    for place, name in (("a/one", "1"), ("b/two", "2"), ("c", "1")):
        write(tmp_path / place, manifest_of(name, tasks=("t", "u")), None if place != "c" else _only_first)
    # What lies in an experiment is part of it; links are not followed.
    shutil.copytree(tmp_path / "b/two", tmp_path / ".hidden")
    shutil.copytree(tmp_path / ".hidden", tmp_path / "b/two/runs/copy")
    (tmp_path / "a" / "loop").symlink_to(tmp_path)
    told: list[str] = []
    sources = find_sources([tmp_path, tmp_path / "a"], told.append)
    assert told == []
    assert [place for _, place in sources.experiments] == ["a/one", "b/two", "c"]
    tables = read_all(sources, told.append, deep=True, now=NOW)
    assert [line.split(": ", 1)[1] for line in told] == [
        f"left out experiment 1, which is also in {tmp_path / 'a/one'}"
    ]
    assert sorted(row["experiment"] for row in tables.rows["experiments"]) == ["1", "2"]
    assert len(tables.rows["runs"]) == 4


def _only_first(run: Any) -> Any:
    return run if run.cell.task == "t" else None


def test_what_is_no_source_is_told(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "text.txt").write_text("x")
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "manifest.json").write_text("{}")
    (tmp_path / "bad.parquet").write_bytes(b"PAR1")
    (tmp_path / "bad.duckdb").write_bytes(b"x")
    told: list[str] = []
    names = ("empty", "text.txt", "none", "bad", "bad.parquet", "bad.duckdb")
    sources = find_sources([tmp_path / n for n in names], told.append)
    tables = read_all(sources, told.append)
    assert len(told) == len(names)
    assert all(any(line.startswith(str(tmp_path / n)) for line in told) for n in names)
    assert tables == ResultTables()


def test_a_result_without_its_score_contradicts_nothing(tmp_path: Path) -> None:
    manifest = manifest_of("one", tasks=("a",))
    write(tmp_path, manifest, lambda run: with_score(run, None))
    tables, told = read(tmp_path)
    assert told == []
    assert tables.rows["runs"][0]["rigor_score"] is None


def test_places_of_odd_bytes_are_text(tmp_path: Path) -> None:
    write(tmp_path / "even", manifest_of("one", tasks=("a",)))
    (tmp_path / "even").rename(tmp_path / os.fsdecode(b"odd-\xff"))
    sources = find_sources([tmp_path], lambda line: None)
    assert [place for _, place in sources.experiments] == ["odd-\\xff"]
    assert isinstance(sources, ResultSources)


def test_who_judged_is_read(tmp_path: Path) -> None:
    (result,) = write(tmp_path, manifest_of("one", tasks=("a",)))
    path = tmp_path / "runs" / result.cell.id / "score.json"
    score = msgspec.json.decode(path.read_bytes())
    score["pillars"]["PF"]["submetrics"]["DQ"] |= {"method": "judged", "readers": ["b", "a", "b"]}
    path.write_bytes(msgspec.json.encode(score))
    tables, told = read(tmp_path)
    assert tables.rows["experiments"][0]["readers"] == ["a", "b"]
    assert tables.rows["runs"][0]["judged"] == 1
    assert not told


def test_a_run_has_the_columns_of_its_review(tmp_path: Path) -> None:
    runs = write(tmp_path, manifest_of("one", tasks=TASKS[:2], models=("scripted/reckless", "scripted/disciplined")))
    bent, fine, without, damaged = (tmp_path / "runs" / run.cell.id / "review.json" for run in runs)
    document = msgspec.json.decode(fine.read_bytes())
    weak = {"id": "V-narrow", "pillar": "verification", "severity": "weak", "message": "", "advice": None, "events": []}
    document["review"]["checks"] = [{**weak, "step": None, "source": None}] * 2
    document["review"]["reading"] = None  # its grades are of rules
    fine.write_bytes(msgspec.json.encode(document))
    scores = fine.with_name("score.json")
    scores.write_bytes(scores.read_bytes().replace(b'"complete":null', b'"complete":false'))
    without.unlink()
    damaged.write_bytes(damaged.read_bytes().replace(b'"overall":', b'"overall":130,"x":', 1))
    holes = msgspec.json.decode((without.parent / "result.json").read_bytes()) | {"gaps": ["calls"]}
    (without.parent / "result.json").write_bytes(msgspec.json.encode(holes))
    tables, told = read(tmp_path)
    found = rows(tables)
    assert found[without.parent.name]["complete"] is None
    assert [t for t in told if "review" in t] == [told[0]]
    assert told[0].startswith(f"{damaged}: damaged")
    assert told[0].endswith("the run has no review")
    one, two = found[bent.parent.name], found[fine.parent.name]
    assert (one["checks"], one["flags"], one["flagged"]) == (["R-bent-tests"], ["R-bent-tests"], True)
    assert (one["overall"], one["reader"]) == (one["verification"], "invented reader")
    assert (two["overall"], two["reader"]) == (None, None)
    assert (two["checks"], two["flags"], two["flagged"]) == (["V-narrow"], [], False)
    assert (two["recovery"], two["work_size"], two["complete"], one["complete"]) == (None, "small", False, True)
    for path in (without, damaged):
        row = found[path.parent.name]
        assert row["status"] == "completed"
        assert {row[n] for n in ("reader", "overall", "integrity", "work_size", "checks", "flags", "flagged")} == {None}
    assert found[without.parent.name]["review_digest"] is None
