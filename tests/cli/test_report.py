"""``rigor report``: the comparison from disk, without the engine."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from fake_experiment import make_manifest, trouble, write_experiment
from rigorbench.experiment.model import RunResult

ROOT = Path(__file__).resolve().parents[2]
# What the engine's import would cost every command, and what its absence must not break.
_CODE = """
import sys
for name in ("inspect_ai", "inspect_swe"):
    sys.modules[name] = None
from rigorbench.cli import main
sys.exit(main())
"""


def rigor(*words: object, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", _CODE, *map(str, words)],
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": str(ROOT / "src"), "NO_COLOR": "1", "PYTHONIOENCODING": "utf-8", **env},
        check=False,
    )


@pytest.fixture
def experiment(tmp_path: Path) -> Path:
    write_experiment(tmp_path / "out", make_manifest(repeats=2))
    return tmp_path / "out"


def test_prints_the_comparison_and_writes_the_pages(experiment: Path) -> None:
    done = rigor("report", experiment)
    assert done.returncode == 0
    assert done.stderr == f"report: {experiment / 'report' / 'index.html'}\n"
    assert "disciplined − reckless" in done.stdout
    assert "Scripted policies" in done.stdout
    assert "\x1b" not in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 100
    assert len(list((experiment / "report" / "runs").glob("*.html"))) == 20


def test_html_says_where_the_pages_go(experiment: Path, tmp_path: Path) -> None:
    done = rigor("report", experiment, "--html", tmp_path / "site")
    assert done.returncode == 0
    assert (tmp_path / "site" / "index.html").is_file()
    assert not (experiment / "report").exists()


def test_json_is_one_document_and_nothing_else(experiment: Path, tmp_path: Path) -> None:
    done = rigor("report", experiment, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    assert not (experiment / "report").exists()
    (line,) = done.stdout.splitlines()
    document = json.loads(line)
    assert document["schema"] == "rigor-comparison/1"
    assert set(document) == {
        "schema", "experiment", "suite", "all_scripted", "planned", "counted", "groups", "problems", "resamples",
        "seed", "level", "measures", "manifest", "runs",
    }  # fmt: skip
    assert document["all_scripted"] is True
    assert len(document["runs"]) == document["counted"] == 20
    (pair,) = document["groups"][0]["pairs"]
    assert set(pair["effects"]) == {m["name"] for m in document["measures"]}
    assert set(pair["effects"]["rigor_score"]) == {"value", "low", "high", "tasks", "runs", "reason"}
    also = rigor("report", experiment, "--json", "--html", tmp_path / "site")
    assert also.stdout == done.stdout
    assert (tmp_path / "site" / "index.html").is_file()


def test_a_damaged_run_is_one_line_and_the_others_are_shown(experiment: Path) -> None:
    hurt = sorted((experiment / "runs").iterdir())[0]
    (hurt / "score.json").write_bytes(b"{")
    done = rigor("report", experiment)
    assert done.returncode == 1
    problem, report = done.stderr.splitlines()
    assert problem.startswith(f"{hurt}: score.json is damaged")
    assert report.startswith("report: ")
    assert len(list((experiment / "report" / "runs").glob("*.html"))) == 20


def test_a_result_that_cannot_be_read_is_a_run_not_done(experiment: Path) -> None:
    (sorted((experiment / "runs").iterdir())[0] / "result.json").write_bytes(b"\xff")
    done = rigor("report", experiment, "--json")
    document = json.loads(done.stdout)
    assert done.returncode == 0
    assert (document["planned"], document["counted"]) == (20, 19)
    assert [p["kind"] for p in document["problems"]] == ["not run"]


def test_broken_runs_are_no_failure_of_the_report(tmp_path: Path) -> None:
    def change(result: RunResult) -> RunResult | None:
        return trouble(result)

    write_experiment(tmp_path, make_manifest(models=("acme/x",), repeats=3), change)
    done = rigor("report", tmp_path)
    assert done.returncode == 0
    assert "SandboxError: bwrap could not be started (invented)" in " ".join(done.stdout.split())


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
    assert "the pages cannot be written" in line
    assert "differences" in done.stdout
