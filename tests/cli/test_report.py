"""``rigor report``: tables, figure and pages from disk, without the engine."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest

from fake_experiment import make_manifest, write_experiment
from running import status_of

ROOT = Path(__file__).resolve().parents[2]
# What the engine's import would cost every command, and what the absence of packages must not break.
_CODE = """
import sys
for name in {names}:
    sys.modules[name] = None
from rigorbench.cli import main
sys.exit(main())
"""
_capture: pytest.CaptureFixture[str]


class Done(NamedTuple):
    returncode: int
    stdout: str
    stderr: str


@pytest.fixture(autouse=True)
def _captured(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    global _capture
    _capture = capfd
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "100")


def rigor(*words: object) -> Done:
    """The command in this process: SciPy is imported once."""
    _capture.readouterr()
    return Done(status_of(*words), *_capture.readouterr())


def rigor_without(names: tuple[str, ...], *words: object) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own, in which these packages are not installed."""
    return subprocess.run(
        [sys.executable, "-c", _CODE.format(names=repr(names)), *map(str, words)],
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": str(ROOT / "src"), "PYTHONIOENCODING": "utf-8"},
        check=False,
    )


@pytest.fixture
def experiment(tmp_path: Path) -> Path:
    write_experiment(tmp_path / "out", make_manifest())
    return tmp_path / "out"


def test_prints_one_screen_and_writes_tables_figure_and_pages(experiment: Path) -> None:
    done = rigor("report", experiment)
    assert done.returncode == 0
    assert done.stderr == f"report: {experiment / 'report' / 'index.html'}\n"
    assert len(done.stdout.splitlines()) <= 40
    assert "Scripted policies (agent react, harness baseline, 5 tasks)" in done.stdout
    assert "Nothing went wrong" in done.stdout
    assert done.stdout.endswith("correlations, and each run step by step.\n")
    assert "\x1b" not in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 100
    report = experiment / "report"
    assert len(list((report / "runs").glob("*.html"))) == 10
    assert {p.name for p in report.glob("figure-1.*")} == {f"figure-1.{kind}" for kind in ("svg", "png", "pdf", "csv")}
    assert {p.suffix for p in (report / "tables").glob("table-3.*")} == {".md", ".csv", ".tex"}
    assert "tables.html" in (report / "index.html").read_text(encoding="utf-8")


def test_no_engine_is_needed(experiment: Path) -> None:
    done = rigor_without(("inspect_ai", "inspect_swe"), "report", experiment, "--format", "md")
    assert (done.returncode, done.stderr) == (0, f"report: {experiment / 'report' / 'tables'}\n")


def test_a_report_is_checked(experiment: Path, tmp_path: Path) -> None:
    formats = ("--format", "md,csv")
    assert rigor("report", experiment, "--out", tmp_path / "kept", *formats, "--baseline", "reckless").returncode == 0
    assert not list((tmp_path / "kept").rglob("*.html"))
    fine = rigor("report", experiment, "--check", tmp_path / "kept")
    assert (fine.returncode, fine.stdout, fine.stderr) == (0, "", f"{tmp_path / 'kept'}: matches its runs\n")
    path = tmp_path / "kept" / "tables" / "table-3.csv"
    before = path.read_text(encoding="utf-8")
    assert "reckless,runs,5," in before
    path.write_text(before.replace("reckless,runs,5,", "reckless,runs,6,"), encoding="utf-8")
    bad = rigor("report", experiment, "--check", tmp_path / "kept")
    assert bad.returncode == 1
    assert bad.stderr.startswith(f"{path}: line ")
    assert "reckless,runs,6," in bad.stderr.partition(" should be ")[0]
    assert len(bad.stderr.splitlines()) == 1


def test_damaged_and_contradictory_results_are_told(experiment: Path) -> None:
    """Also where the report still matches its runs: it may, and the runs be no good."""
    first, second = (p / "result.json" for p in sorted((experiment / "runs").iterdir())[:2])
    first.write_text(first.read_text(encoding="utf-8").replace('"rigor_score":', '"rigor_score":NaN,"x":'))
    second.write_text(re.sub('"pass_rate":[0-9.]+', '"pass_rate":0.99', second.read_text(encoding="utf-8")))
    done = rigor("report", experiment, "--format", "md")
    assert done.returncode == 1
    lines = done.stderr.splitlines()
    assert lines[0].startswith(f"{first}: damaged (")
    assert lines[1].startswith(f"{second}: has pass_rate 0.99, but its tests give 0.")
    assert len(lines) == 3
    checked = rigor("report", experiment, "--check")
    assert (checked.returncode, checked.stderr.splitlines()) == (1, lines[:2])


def test_check_of_nothing_is_wrong_usage(experiment: Path) -> None:
    done = rigor("report", experiment, "--check")
    assert done.returncode == 2
    assert done.stderr.endswith("there is no report to check; `rigor report RUNS` writes one\n")
    done = rigor("report", "--check", experiment)
    assert done.returncode == 2
    assert "before --check" in done.stderr


def test_several_experiments(experiment: Path, tmp_path: Path) -> None:
    other = msgspec.structs.replace(make_manifest(repeats=1), id="invented-2")
    write_experiment(tmp_path / "other", other, journals=False)
    printed = rigor("report", experiment, tmp_path / "other")
    assert printed.returncode == 0
    assert "20 of 20 runs" in " ".join(printed.stdout.split())
    assert "nothing is written" in printed.stderr
    assert not (experiment / "report").exists()
    written = rigor("report", experiment, tmp_path / "other", "--out", tmp_path / "both", "--json")
    assert written.stderr == f"report: {tmp_path / 'both' / 'tables.html'}\n"
    assert json.loads(written.stdout)["comparison"]["planned"] == 20
    assert rigor("report", experiment, tmp_path / "other", "--check").returncode == 2
    differing = msgspec.structs.replace(other, id="invented-3", sandbox="docker")
    write_experiment(tmp_path / "docker", differing, journals=False)
    refused = rigor("report", experiment, tmp_path / "docker")
    assert refused.returncode == 2
    (line,) = refused.stderr.splitlines()
    assert line.endswith("sandbox bwrap and docker; `rigor leaderboard` shows them side by side")


@pytest.mark.parametrize("words", [("--format", "pdf"), ("--format", ","), ("--baseline", "nobody")])
def test_wrong_words(experiment: Path, words: tuple[str, str]) -> None:
    done = rigor("report", experiment, *words)
    assert done.returncode == 2
    assert done.stdout == ""


def test_a_missing_package_is_one_line_with_the_remedy(experiment: Path) -> None:
    done = rigor_without(("vl_convert", "scipy"), "report", experiment)
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert "pip install '.[report]'" in line


def test_html_says_where_the_pages_go(experiment: Path, tmp_path: Path) -> None:
    done = rigor("report", experiment, "--html", tmp_path / "site")
    assert done.returncode == 0
    assert (tmp_path / "site" / "index.html").is_file()
    assert not (experiment / "report").exists()


def test_json_is_one_document_and_nothing_else(experiment: Path) -> None:
    done = rigor("report", experiment, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    assert not (experiment / "report").exists()
    (line,) = done.stdout.splitlines()
    document = json.loads(line)
    assert document["schema"] == "rigor-report/1"
    assert document["comparison"]["all_scripted"] is True
    assert len(document["runs"]) == document["comparison"]["counted"] == 10
    assert len(document["inputs"]["experiments"][0]["runs"]) == 10
    (pair,) = document["comparison"]["groups"][0]["pairs"]
    assert set(pair["effects"]) == {m["name"] for m in document["comparison"]["measures"]}


def test_many_damaged_runs_are_some_lines(tmp_path: Path) -> None:
    write_experiment(tmp_path / "out", make_manifest(tasks=[f"t{n}" for n in range(15)]), journals=False)
    done = rigor("report", tmp_path / "out")
    assert done.returncode == 1
    lines = done.stderr.splitlines()
    assert len(lines) == 22
    assert lines[20].endswith("more of this sort")


def test_a_result_that_cannot_be_read_is_a_run_not_done(experiment: Path) -> None:
    (sorted((experiment / "runs").iterdir())[0] / "result.json").write_bytes(b"\xff")
    done = rigor("report", experiment, "--json")
    document = json.loads(done.stdout)
    assert done.returncode == 1
    assert "result.json: damaged (" in done.stderr
    found = document["comparison"]
    assert (found["planned"], found["counted"]) == (10, 9)
    assert [p["kind"] for p in found["problems"]] == ["not run"]


def test_what_is_no_experiment_is_wrong_usage(tmp_path: Path) -> None:
    assert rigor("report").returncode == 2
    assert rigor("report", tmp_path / "nowhere").returncode == 2
    done = rigor("report", tmp_path)
    assert done.returncode == 2
    assert done.stderr == f"rigor report: {tmp_path}: no manifest.json; give the --out directory of a `rigor run`\n"


@pytest.mark.parametrize("content", [b"", b"{}", b"\xff\x00", b'{"schema": "rigor-experiment/9"}'])
def test_a_damaged_manifest_is_one_line(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "manifest.json").write_bytes(content)
    done = rigor("report", tmp_path)
    assert done.returncode == 1
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"{tmp_path / 'manifest.json'}: damaged")


def test_pages_that_cannot_be_written_are_one_line(experiment: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    done = rigor("report", experiment, "--html", tmp_path / "file")
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert "the report cannot be written" in line
    assert "Experiment invented-1" in done.stdout
