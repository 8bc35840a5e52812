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

# Everything that would count for an agent: a plan with ticked steps, tests, code, and words about commits.
OVERLAY = """\
name = "helpful"
version = "1"
description = "d"
kind = "overlay"
licence = "MIT"

[[file]]
path = "PLAN.md"
content = "# Plan\\n\\n- [x] Test total in test_total.py\\n- [x] Add total to tally.py\\n- [ ] Commit each step\\n"

[[file]]
path = "test_total.py"
content = "from tally import tally\\n\\n\\ndef test_total():\\n    assert tally([1]) == [1]\\n"

[[file]]
path = "helper.py"
content = "def helper():\\n    return 1\\n"

[instructions]
text = "First write a plan, then commit each step, and run the tests every time before you do so."
"""

IDLE = 'description = "Says that it is done."\n[[turn]]\ntext = "Everything is planned, tested and committed."\n'
WORK = """\
description = "One edit, one test run, one commit."
[[turn]]
text = "I add the total."
[[turn.call]]
tool = "edit"
path = "tally.py"
old = "def tally"
new = "def total(values):\\n    return sum(values)\\n\\n\\ndef tally"
[[turn.call]]
tool = "shell"
command = "python -m pytest -q; git add -A && git commit -q -m 'Add total'"
[[turn]]
text = "Done."
"""


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
