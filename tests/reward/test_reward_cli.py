"""``rigor reward`` and the example that ranks by it."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest
from reviewing import reading

from rigorbench import read, reward
from rigorbench.bench.rigorscore.reward.rewarding import OF
from rigorbench.cli import main
from rigorbench.cli.reward import GRADES, PILLARS, shown
from rigorbench.review.reader.reading import GradeMark

ROOT = Path(__file__).parents[2]
PI = ROOT / "tests" / "data" / "pi"
LOGS = [str(PI / "disciplined.jsonl"), str(PI / "session.jsonl")]


def test_one_line_for_each_session(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["reward", *LOGS, "--json", "--jobs", "1", "--of", "score"]) == 0
    documents = [json.loads(line) for line in capfdbinary.readouterr().out.splitlines()]
    assert [d["source"] for d in documents] == LOGS
    for document in documents:
        assert document["schema"] == "rigor-reward/3"
        assert sum(s["credit"] for s in document["steps"]) == document["total"]  # exactly, after a trip through JSON
        lines = Path(document["source"]).read_bytes().splitlines()
        for step in document["steps"]:
            assert json.loads(lines[step["line"] - 1])["message"]["role"] == "assistant"


def test_a_log_that_fails_does_not_stop_the_others(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    (tmp_path / "broken.jsonl").write_text("nothing\n")
    assert main(["reward", *LOGS, str(tmp_path / "broken.jsonl"), "--json", "--of", "recovery"]) == 1
    told = capfdbinary.readouterr()
    assert b"broken.jsonl:1: is not a known agent log" in told.err
    assert [json.loads(line)["of"] for line in told.out.splitlines()] == ["recovery", "recovery"]


def test_wrong_usage_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reward", LOGS[0], "--task", "/nowhere.toml"]) == 2
    error = capsys.readouterr().err
    assert "/nowhere.toml" in error
    assert error.count("\n") == 1


def test_the_options_name_all_that_can_be_divided() -> None:
    assert ("review", "score", *GRADES, *PILLARS) == OF


def test_a_grade_for_people() -> None:
    [trajectory] = read(PI / "session.jsonl")
    text = shown(reward(trajectory, reading=reading(4, integrity=GradeMark(1, "Bent.", ["2"]))))
    assert "overall grade 75 of 100" in text
    assert "planning +" in text
    assert "integrity -" in text


def test_without_a_reader_there_is_no_grade_to_divide(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["reward", LOGS[0]]) == 0
    said = "no overall grade, so no credit: grades need a reader: `rigor score LOG --reader claude`"
    assert said in capfd.readouterr().out


def test_for_people() -> None:
    [trajectory] = read(PI / "session.jsonl")
    found = reward(trajectory, of="score")
    text = shown(found)
    assert f"RigorScore {found.total:.4f}" in text
    assert "ATI.BH +0.015" in text
    found.source = "a\x1b[31mb"
    assert "\x1b" not in shown(found)
    found.total, found.reason = None, "too little"
    assert shown(found).endswith("no RigorScore, so no credit: too little\n")


# -- the example ---------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def example():
    spec = importlib.util.spec_from_file_location("rank_trajectories", ROOT / "examples" / "rank_trajectories.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_example_pairs_sessions_of_one_task_only(example, tmp_path: Path, capsys) -> None:
    other = ROOT / "examples" / "sessions" / "86e0b79214-full.jsonl"  # between the two in score, on another task
    unscored = ROOT / "tests" / "data" / "claude-code" / "4bfe5dfad7-full.jsonl"
    pairs = tmp_path / "pairs.jsonl"
    assert example.main([*LOGS, str(other), str(unscored), "--pairs", str(pairs)]) == 0
    said = capsys.readouterr()
    [row] = [json.loads(line) for line in pairs.read_text().splitlines()]
    assert (row["chosen"]["source"], row["rejected"]["source"]) == (LOGS[0], LOGS[1])
    assert row["margin"] == row["chosen"]["reward"] - row["rejected"]["reward"] > 0.05
    assert sum(s["credit"] for s in row["chosen"]["steps"]) == row["chosen"]["reward"]
    assert "1 pair; left out 1 task with only one session" in said.out
    assert f"left out: {unscored}: too little evidence for the RigorScore" in said.err


def test_the_margin_is_the_least_difference(example, capsys) -> None:
    assert example.main([*LOGS, "--margin", "0.9"]) == 0
    assert "0 pairs" in capsys.readouterr().out
