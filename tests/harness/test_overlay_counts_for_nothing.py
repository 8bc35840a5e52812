"""What a harness places is nobody's work: with it and without it, a run has the same score and the same evidence."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from harness_builders import put

from rigorbench.bench.tasks.suite import SuiteTask
from rigorbench.cli import main
from sources import text_file

# Everything that would count for an agent: a plan with ticked steps, tests, code, and words about commits.
OVERLAY = text_file("overlay_counts_for_nothing.overlay.toml")

IDLE = 'description = "Says that it is done."\n[[turn]]\ntext = "Everything is planned, tested and committed."\n'
WORK = text_file("overlay_counts_for_nothing.work.toml")


def without_times(run: Path) -> dict[str, Any]:
    score = json.loads((run / "score.json").read_text())
    return {"rigor_score": score["rigor_score"], "share": score["evidence_share"], "pillars": score["pillars"]}


@pytest.mark.bwrap
@pytest.mark.slow  # four recorded runs, about ten seconds
def test_a_run_scores_the_same_with_and_without_an_overlay(
    task: SuiteTask, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("inspect_ai")
    if shutil.which("bwrap") is None:
        pytest.skip("bubblewrap is not installed")
    put(tmp_path / "helpful", {"harness.toml": OVERLAY})
    put(
        task.directory,
        {
            "environment/repo/test_tally.py": "from tally import tally\n\n\ndef test_tally():\n    tally([])\n",
            "policies/idle.toml": IDLE,
            "policies/work.toml": WORK,
        },
    )
    out = tmp_path / "out"
    harnesses = f"baseline,{tmp_path / 'helpful'}"
    arguments = ["run", str(task.directory), "--harness", harnesses, "--model", "scripted/idle,scripted/work"]
    assert main([*arguments, "--out", str(out)]) == 0, capsys.readouterr().err
    runs = sorted((out / "runs").iterdir())
    assert len(runs) == 4
    for policy in ("idle", "work"):
        plain, laid = (run for run in runs if run.name.endswith(f"scripted-{policy}--r1"))
        assert without_times(plain) == without_times(laid)
        loaded = {json.loads((run / "result.json").read_text())["manipulation"]["loaded"] for run in (plain, laid)}
        assert loaded == {None, True}
