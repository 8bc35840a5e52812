"""`rigor score` gives a recorded run the task of its record, as `rigor run` did, or says that it could not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import tiny_suite

pytest.importorskip("inspect_ai", reason="Inspect is not installed")
pytest.importorskip("inspect_swe", reason="inspect_swe is not installed")

from rigorbench.cli import main


@pytest.mark.bwrap
def test_a_recorded_run_is_scored_with_the_task_of_its_record(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    suite = tiny_suite.write_suite(tmp_path / "suite")
    assert main(["run", str(suite), "--model", "scripted/fix", "--out", str(tmp_path / "out")]) == 0
    (run,) = (tmp_path / "out" / "runs").iterdir()
    stored = json.loads((run / "score.json").read_text(encoding="utf-8"))
    capsys.readouterr()

    def scored() -> tuple[dict[str, Any], str]:
        assert main(["score", "--json", str(run)]) == 0
        printed = capsys.readouterr()
        return json.loads(printed.out)["benchmark"], printed.err

    again, told = scored()
    assert "without" not in told
    assert (again["rigor_score"], again["pillars"]) == (stored["rigor_score"], stored["pillars"])
    for instruction in suite.rglob("instruction.md"):
        instruction.write_text("Another task.\n", encoding="utf-8")
    changed, told = scored()
    assert "replayed without the run's task, so TCR is not scored: " in told
    assert "has changed since" in told
    found = changed["pillars"]["VC"]["submetrics"]["TCR"]
    assert (found["status"], found["reason"]) == ("unscorable", "replayed without the task of the run, pages")
