"""Real runs of the agents' programs, whose model calls a server recorded; and every log told by its content alone."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from log_checks import totals

import rigorbench
from rigorbench.session import registry
from rigorbench.session.logfile import LogError, LogFile
from rigorbench.session.usage import TokenUsage

SHARED = Path(__file__).parents[3] / "shared" / "data"
TOKENS = {"input", "cached", "output"}
# What a log does not have as the server saw it, by agent and format (of one log: by its name).
NOT_KEPT = {
    ("auggie", "auggie"): {"think"},
    ("codex", "codex-exec"): {"steps", "text", "think", "names"},
    ("codex-old", "codex-exec"): {"steps", "text", "think", "names"},
    ("copilot", "stdout.log"): {*TOKENS, "think"},
    ("gemini", "gemini-stream"): {"think"},
    ("gemini-old", "gemini"): {*TOKENS, "steps", "text", "think", "names"},
    ("gemini-old", "gemini-stream"): {"think"},
    ("opencode", "opencode-stream"): {"think"},
    ("openhands", "stdout.log"): TOKENS,
}
FORMATS = {
    "aider": {"aider"},
    "auggie": {"auggie"},
    "claude": {"claude-code", "claude-code-stream"},
    "claude-old": {"claude-code", "claude-code-stream"},
    "codex": {"codex", "codex-exec"},
    "codex-old": {"codex", "codex-exec"},
    "copilot": {"copilot"},
    "gemini": {"gemini", "gemini-stream"},
    "gemini-old": {"gemini", "gemini-stream"},
    "mini": {"mini-swe-agent"},
    "opencode": {"opencode", "opencode-export", "opencode-stream"},
    "openhands": {"openhands"},
    "pi": {"pi"},
    "qwen": {"qwen", "qwen-stream"},
}
RUNS = [run for run in sorted(SHARED.glob("cli/*/*")) if run.parent.name != "aider"]  # its counts are rounded


@pytest.mark.parametrize("run", RUNS, ids=lambda run: "/".join(run.parts[-2:]))
def test_every_log_of_a_run_has_what_the_server_saw(run: Path) -> None:
    agent = run.parent.name
    turns = [json.loads(line) for line in (run / "ground_truth.jsonl").read_text("utf-8").splitlines()]
    turns = [turn for turn in turns if turn["kind"] == "main"]
    truth = {name: sum(turn["usage"][name] for turn in turns) for name in ("input", "cached", "output")}
    truth |= {"calls": sum(len(turn["calls"]) for turn in turns), "steps": len(turns)}
    read = 0
    for log in registry.discover([str(run)]):
        assert isinstance(log, LogFile)
        (trajectory,) = registry.read_log(log)
        # Claude Code 2.0 starts two agents of its own, which are no part of the conversation.
        warmups = [lane.id for lane in trajectory.lanes.values() if lane.prompt == "Warmup"]
        assert len(warmups) == (2 if (agent, trajectory.format) == ("claude-old", "claude-code") else 0)
        trajectory.steps = [s for s in trajectory.steps if s.lane not in warmups]
        not_kept = NOT_KEPT.get((agent, trajectory.format), NOT_KEPT.get((agent, log.path.name), set()))
        streamed = log.path.name == "stdout.log"
        assert (trajectory.total_usage() is None) == (streamed and not_kept >= TOKENS)
        trajectory.usage = trajectory.usage or trajectory.total_usage() or TokenUsage()
        found = totals(trajectory)
        assert {k: found[k] for k in truth if k not in not_kept} == {
            k: v for k, v in truth.items() if k not in not_kept
        }
        answers = [s for s in trajectory.steps if s.role == "agent"]
        if "text" not in not_kept:
            assert [s.text for s in answers] == [turn["text"] for turn in turns]
        if "think" not in not_kept:
            assert [s.reasoning for s in answers] == [turn["think"] for turn in turns]
        if "names" not in not_kept:
            assert [[c.name for c in s.calls] for s in answers] == [[c["name"] for c in t["calls"]] for t in turns]
        assert trajectory.end == (None if trajectory.format == "gemini" or agent_wrote_no_end(log) else "completed")
        assert len(trajectory.skipped) == (1 if (agent, log.path.name) == ("openhands", "stdout.log") else 0)
        read += 1
    assert read >= len(FORMATS[agent])


def agent_wrote_no_end(log: LogFile) -> bool:
    """The rollouts of Codex 0.77 end without a word."""
    return log.path is not None and "codex-old" in log.path.parts and log.path.name.startswith("rollout-")


def test_no_log_is_claimed_by_the_reader_of_another_format(shared_data: Path) -> None:
    claimed: dict[str, set[str]] = {agent: set() for agent in FORMATS}
    for path in sorted((shared_data / "cli").rglob("*")):
        log = LogFile(path)
        try:
            found = {reader.format for reader in registry.readers() if reader.matches(log)}
        except LogError:
            continue
        assert len(found) < 2, path
        claimed[path.relative_to(shared_data).parts[1]] |= found
    assert claimed == FORMATS


def test_no_session_is_claimed_by_the_reader_of_another_format(shared_data: Path) -> None:
    for folder in sorted((shared_data / "sessions").iterdir()):
        found = set()
        for path in sorted(p for p in folder.rglob("*") if p.is_file()):
            claims = {reader.format for reader in registry.readers() if reader.matches(LogFile(path))}
            assert len(claims) < 2, path
            found |= claims
        assert len(found) < 3, folder


def test_all_sessions_are_read_in_order_and_what_cannot_be_read_is_told(tmp_path: Path, shared_data: Path) -> None:
    logs = sorted((shared_data / "sessions").rglob("*.jsonl"), key=lambda p: p.stat().st_size)[:2]
    for number, log in enumerate(logs):
        shutil.copy(log, tmp_path / f"{number}.jsonl")
    (tmp_path / "empty.jsonl").write_text("")
    errors: list[LogError] = []
    found = [t.id for t in rigorbench.read_all([tmp_path / "empty.jsonl", tmp_path], on_error=errors.append)]
    assert found == [t.id for n in range(2) for t in rigorbench.read(tmp_path / f"{n}.jsonl")]
    assert [error.file for error in errors] == [str(tmp_path / "empty.jsonl")]
    assert len(list(rigorbench.read_all([tmp_path]))) == len(found)
