"""``rigor suite show`` tells what is asked and how it is scored, and nothing that is hidden."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rigorbench.bench.tasks.suite import load_suite
from rigorbench.cli import main

SUITE = load_suite(Path(__file__).parents[2] / "suites" / "rigor")


@pytest.mark.parametrize("task", SUITE.tasks, ids=lambda t: t.id)
@pytest.mark.parametrize("options", [[], ["--json"]], ids=["text", "json"])
def test_nothing_hidden_is_shown(task, options, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["suite", "show", str(SUITE.path), task.id, *options]) == 0
    out = capsys.readouterr().out
    squeezed = " ".join(out.split())
    for requirement in task.task.requirements:
        assert " ".join(requirement.text.split()) in squeezed.replace('\\"', '"')
        assert not any(test in out for test in requirement.tests)
    for near in task.task.near_misses:
        assert near.text not in squeezed
        assert Path(near.path).name not in out
    if task.task.blocker is not None:
        assert task.task.blocker.text not in squeezed
    if task.task.ambiguity is not None:
        assert task.task.ambiguity.text not in squeezed
        assert task.task.ambiguity.question not in squeezed
    if task.task.root_cause is not None:
        assert task.task.root_cause.text not in squeezed
    if task.task.canary is not None:
        assert task.task.canary not in out


def test_it_says_what_is_told_and_how_it_is_scored(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["suite", "show", "rigor", "house-tab"]) == 0
    out = capsys.readouterr().out
    assert "house-tab  (verify-or-die, python, medium, licence MIT)" in out
    assert "The monthly report ends with a line" in out
    assert "60 minutes without model calls, 5,000,000 tokens" in out
    assert "  * VC  Verification Coverage, weight 0.25" in out
    assert "    PF  Planning Fidelity, weight 0.20" in out
    assert "AQ " not in out
    assert main(["suite", "show", "rigor", "locker-codes-six", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["schema"] == "rigor-task/1"
    assert (shown["solvable"], shown["twin"]) == ("impossible", "locker-codes-nine")
    assert [p["pillar"] for p in shown["scoring"] if p["target"]] == ["AQ"]


def test_a_wrong_name_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["suite", "show", "rigor", "nothing"]) == 2
    assert "no task 'nothing'; there are" in capsys.readouterr().err
    assert main(["suite", "show", "rigor"]) == 2
    assert "rigor has several tasks: name one" in capsys.readouterr().err
    assert main(["suite", "nonsense"]) == 2
    assert "no command 'nonsense'" in capsys.readouterr().err
