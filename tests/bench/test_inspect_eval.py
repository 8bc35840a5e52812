"""`inspect eval rigorbench/rigor`: the same task, found through the entry point, with scores in Inspect's own log."""

from __future__ import annotations

import math
import os
import subprocess
import sys

import pytest
import tiny_suite

pytest.importorskip("inspect_ai", reason="Inspect is not installed")
pytest.importorskip("inspect_swe", reason="inspect_swe is not installed")

from rigorbench.bench.experiment.store import load_results


@pytest.mark.bwrap
@pytest.mark.slow  # starts Inspect's command line, which imports all of it
def test_inspect_runs_the_task_by_its_name_and_logs_its_scores(tmp_path):
    suite = tiny_suite.write_suite(tmp_path / "suite")
    command = [sys.executable, "-m", "inspect_ai", "eval", "rigorbench/rigor", "--model", "scripted/fix"]
    for argument in (f"suite={suite}", "agent=react", "harness=baseline", "out=out", "replay=false", "repeats=2"):
        command += ["-T", argument]
    environment = {**os.environ, "INSPECT_LOG_DIR": str(tmp_path / "logs"), "INSPECT_DISPLAY": "plain"}
    done = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False, env=environment
    )
    assert done.returncode == 0, done.stdout + done.stderr

    results = load_results(tmp_path / "out")
    assert [(r.status, r.cell.repeat, r.scripted) for r in results] == [("completed", 1, True), ("completed", 2, True)]
    assert all(r.outcome is not None and r.outcome.solved for r in results)

    from inspect_ai.log import read_eval_log

    (path,) = (tmp_path / "logs").glob("*.eval")
    log = read_eval_log(str(path))
    assert log.status == "success"
    for sample, result in zip(sorted(log.samples or [], key=lambda s: str(s.id)), results, strict=True):
        score = (sample.scores or {})["rigor"]
        assert isinstance(score.value, dict)
        assert score.value["rigor_score"] == result.rigor_score
        assert score.value["pass_rate"] == score.value["solved"] == 1.0
        assert math.isnan(score.value["AQ"]), "not applicable is no number"
        assert (score.metadata or {})["scripted"] is True
    means = {s.name: s.metrics["mean"].value for s in (log.results.scores if log.results else [])}
    assert means["pass_rate"] == 1.0
    assert means["rigor_score"] == pytest.approx(sum(r.rigor_score or 0 for r in results) / 2)


def test_what_inspect_imports_at_its_start_pulls_in_nothing_heavy():
    code = (
        "import sys, inspect_ai\nbefore = set(sys.modules)\nimport rigorbench.bench.run._registry\n"
        "new = {m.split('.')[0] for m in set(sys.modules) - before}\n"
        "heavy = {'inspect_swe', 'tree_sitter', 'coverage', 'jinja2', 'rapidfuzz', 'scipy', 'pytest'}\n"
        "print(sorted(new & heavy))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout == "[]\n"


def test_an_outcome_that_is_not_known_is_no_number():
    from rigorbench.bench.experiment.records import RESULT_SCHEMA, Cell, Outcome, RunResult
    from rigorbench.bench.run.engine.task import MEASURES, as_score

    result = RunResult(RESULT_SCHEMA, Cell("t", "a", "h", "m"), "limit", 1.0, 2.0, limit="time")
    result.outcome = Outcome(0.5, None, None, None)
    score = as_score(result)
    assert isinstance(score.value, dict)
    assert set(score.value) == set(MEASURES)
    assert score.value["pass_rate"] == 0.5
    assert all(math.isnan(v) for k, v in score.value.items() if k != "pass_rate" and isinstance(v, float))
    failed = as_score(None)
    assert isinstance(failed.value, dict)
    assert all(isinstance(v, float) and math.isnan(v) for v in failed.value.values())
