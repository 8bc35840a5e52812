"""Two records of one run (the stream and the log that the agent keeps) tell the same story."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from builders import Session
from rigorbench.evidence.walk.extract import extract
from rigorbench.session.logfile import LogFile
from rigorbench.session.registry import discover, read_log, read_path

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "pairs.py"

AGENTS = ("claude", "claude-old", "codex", "codex-old", "gemini", "gemini-old", "qwen", "opencode", "copilot")


@pytest.fixture(scope="module")
def pairs() -> ModuleType:
    spec = importlib.util.spec_from_file_location("pairs", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    sys.modules["pairs"] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("scenario", ["disciplined", "reckless"])
@pytest.mark.parametrize("agent", AGENTS)
def test_the_stream_and_the_kept_log_agree(pairs: ModuleType, shared_data: Path, agent: str, scenario: str) -> None:
    directory = shared_data / "cli" / agent / scenario
    (stream,) = read_path(directory / "stdout.log")
    logs = [log for log in discover([str(directory / "session")]) if isinstance(log, LogFile)]
    kept = read_log(logs[0])
    found = pairs.compare(extract(stream), extract(kept[0]))
    assert found.differences == []
    assert found.tallies["edits"].both > 3
    assert found.tallies["test runs"].both == found.tallies["outcomes"].both == 4
    assert found.tallies["commits"].both == 1


def compared(pairs: ModuleType, one: Session, other: Session) -> Any:
    return pairs.compare(extract(one.build()), extract(other.build()))


def test_what_only_one_record_says_is_told(pairs: ModuleType) -> None:
    found = compared(
        pairs, Session().edit("src/a.py", "x", "y").pytest(passed=2), Session().pytest(passed=2).pytest(passed=1)
    )
    edits, runs = found.tallies["edits"], found.tallies["test runs"]
    assert (edits.both, edits.first, edits.second) == (0, 1, 0)
    assert (runs.both, runs.first, runs.second) == (1, 0, 1)
    assert [line.split(" [")[0] for line in found.differences] == [
        "edits: only first: src/a.py",
        "test runs: only second: python -m pytest -q",
    ]


def test_outcomes_contradict_each_other_only_where_both_are_known(pairs: ModuleType) -> None:
    passed, failed = Session().pytest(passed=2), Session().pytest(passed=1, failed=["t.py::test_a"])
    outcomes = compared(pairs, passed, failed).tallies["outcomes"]
    assert (outcomes.both, outcomes.first, outcomes.second, outcomes.unknown) == (0, 1, 1, 0)
    silent = Session().shell("python -m pytest -q", "", exit_status=None)
    outcomes = compared(pairs, passed, silent).tallies["outcomes"]
    assert (outcomes.both, outcomes.first, outcomes.second, outcomes.unknown) == (0, 0, 0, 1)
