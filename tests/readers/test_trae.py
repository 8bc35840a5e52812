"""trae-agent trajectories."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from log_checks import agent_steps, read

from rigorbench.session.logfile import LogFile
from rigorbench.session.model import Finish, Read, Shell
from rigorbench.session.readers.trae import READERS

DATA = Path(__file__).parents[1] / "data" / "trae"


def real(shared: Path) -> list[Path]:
    return sorted((shared / "sessions" / "trae").glob("*.json"))


def answer(text: str, call: str | None = None, **arguments: Any) -> dict[str, Any]:
    asked = None if call is None else [{"call_id": call, "name": "bash", "arguments": arguments}]
    return {"content": text, "model": "m", "usage": {"input_tokens": 100, "output_tokens": 9}, "tool_calls": asked}


def document(provider: str, rounds: list[dict[str, Any]], interactions: list[dict[str, Any]], **rest: Any) -> LogFile:
    base = {"task": "Fix", "start_time": "2026-05-01T10:00:00", "provider": provider, "model": "m", **rest}
    text = json.dumps({**base, "llm_interactions": interactions, "agent_steps": rounds})
    return LogFile(None, content=text.encode())


def test_every_real_trajectory_has_its_calls_and_tokens(shared_data: Path) -> None:
    paths = real(shared_data)
    assert len(paths) == 10
    for path in paths:
        log = LogFile(path)
        (found,) = read(READERS, log)
        raw = json.loads(path.read_text("utf-8"))
        asked = [i["response"] for i in raw["llm_interactions"]]
        assert len(agent_steps(found)) == len(asked)
        assert sum(len(s.calls) for s in found.steps) == sum(len(a["tool_calls"] or []) for a in asked)
        usage = found.total_usage()
        if asked:
            cached = sum(a["usage"]["cache_read_input_tokens"] for a in asked)
            prompt = sum(a["usage"]["input_tokens"] for a in asked)
            assert usage.cache_read == cached
            assert usage.output == sum(a["usage"]["output_tokens"] for a in asked)
            assert usage.input == (prompt - cached if raw["provider"] == "openai" else prompt)
        results = sum(len(s["tool_results"] or []) for s in raw["agent_steps"])
        assert sum(c.result is not None for s in found.steps for c in s.calls) == results
        assert found.steps[0].role == "user"
        assert log.skipped == []


@pytest.mark.parametrize(
    ("name", "end"), [("ba0179e7e5", "limit"), ("50783a9ff1", "completed"), ("6c0263deb5", "error")]
)
def test_how_they_ended_and_who_spoke(shared_data: Path, name: str, end: str) -> None:
    path = shared_data / "sessions" / "trae" / f"{name}-trajectory.json"
    (found,) = read(READERS, path)
    assert found.end == end
    rounds = json.loads(path.read_text("utf-8"))["agent_steps"]
    said = [m["content"] for r in rounds for m in r["llm_messages"] or [] if m["content"] and not m.get("tool_result")]
    errors = [r["error"] for r in rounds if r["error"]]
    assert sum(s.role == "user" for s in found.steps) == 1
    assert [s.text for s in found.steps if s.role == "harness"] == said + errors


def test_failed_first_call() -> None:
    (found,) = read(READERS, DATA / "3c424f85cd-trajectory.json")
    assert [s.role for s in found.steps] == ["user", "harness"]
    assert found.steps[0].text.startswith("[Project root path]:")
    assert found.cwd.endswith("vllm_sonnet45_rerun_cf2f084d")
    assert found.end == "error"
    assert found.total_usage() is None


def test_results_keep_both_streams_and_the_status_stays_unknown() -> None:
    failed = {"call_id": "c1", "success": False, "result": "out", "error": "err"}
    late = "Error running bash command: timed out: bash has not returned in 120.0 seconds and must be restarted"
    rounds = [
        {"timestamp": "2026-05-01T10:00:05", "llm_response": answer("a", "c1", command="x"), "tool_results": [failed]},
        {"llm_response": answer("b", "c2", command="y"), "tool_results": [{**failed, "call_id": "c2", "error": late}]},
        {"llm_response": answer("c", "c3", command="z"), "reflection": "Think again"},
    ]
    (found,) = read(READERS, document("anthropic", rounds, []))
    first, second, third = (s.calls[0] for s in agent_steps(found))
    assert (first.result.text, first.result.is_error, first.result.exit_status) == ("out\nerr", True, None)
    assert second.result.timed_out
    assert third.result is None
    assert found.steps[-1].text == "Think again"
    assert found.states_failure
    assert isinstance(first.action, Shell)


def test_cache_is_taken_out_of_the_prompt_by_vendor() -> None:
    made = answer("a")
    made["usage"] |= {"cache_read_input_tokens": 60, "cache_creation_input_tokens": 10}
    rounds, interactions = [{"llm_response": made}], [{"response": made, "input_messages": []}]
    for provider, expected in (("openai", 30), ("anthropic", 100)):
        (found,) = read(READERS, document(provider, rounds, interactions))
        usage = found.total_usage()
        assert (usage.input, usage.cache_read, usage.cache_write) == (expected, 60, 10)


def test_tools(shared_data: Path) -> None:
    (found,) = read(READERS, shared_data / "sessions/trae/50783a9ff1-trajectory.json")
    calls = [c for s in found.steps for c in s.calls]
    assert {type(c.action) for c in calls if c.name == "task_done"} == {Finish}
    assert any(isinstance(c.action, Read) for c in calls if c.name == "str_replace_based_edit_tool")
