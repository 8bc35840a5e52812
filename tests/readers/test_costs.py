"""The cost of a session, where its log states it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rigorbench.session.cost import stated_cost
from rigorbench.session.logfile import LogFile
from rigorbench.session.model import Source, Trajectory
from rigorbench.session.registry import read_log, read_path

DATA = Path(__file__).resolve().parents[1] / "data"


def _cost(*lines: dict[str, Any]) -> float | None:
    content = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines).encode()
    (found,) = read_log(LogFile(None, content=content))
    return stated_cost(found)


def test_claude_code_states_what_the_session_cost_so_far() -> None:
    said = {
        "parentUuid": None, "isSidechain": False, "type": "user", "uuid": "u", "sessionId": "s", "cwd": "/w",
        "timestamp": "2026-01-01T09:00:00.000Z", "message": {"role": "user", "content": "Fix it"},
    }  # fmt: skip
    costs = [{"type": "cost-state", "sessionId": "s", "totalCostUSD": dollars} for dollars in (0.25, 1.5)]
    assert _cost(said) is None
    assert _cost(said, *costs) == 1.5
    assert _cost(said, {"type": "cost-state", "sessionId": "s", "totalCostUSD": 0}) is None


def test_openhands_states_it_for_the_instance() -> None:
    history = [
        {"id": 0, "source": "user", "action": "message", "args": {"content": "Fix it"}, "message": "Fix it"},
        {"id": 1, "source": "agent", "action": "run", "args": {"command": "ls", "thought": ""}, "message": "ls"},
    ]
    instance = {"instance_id": "x", "instruction": "Fix it", "history": history}
    assert _cost(instance | {"metrics": {"accumulated_cost": 0.75}}) == 0.75
    assert _cost(instance) is None


def test_pi_states_it_for_each_call() -> None:
    (found,) = read_path(DATA / "pi" / "disciplined.jsonl")
    lines = (DATA / "pi" / "disciplined.jsonl").read_text().splitlines()
    messages = [json.loads(line).get("message") or {} for line in lines]
    stated = [m["usage"]["cost"]["total"] for m in messages if m.get("role") == "assistant"]
    assert stated_cost(found) == pytest.approx(sum(stated))


@pytest.mark.parametrize(
    ("extra", "cost"),
    [
        ({"total_cost_usd": 0.5}, 0.5),
        ({"instance_cost": 0.0, "api_calls": 3}, None),  # an unknown price
        ({"instance_cost": 0.25}, 0.25),
        ({"instance_cost": "2"}, None),
        ({"instance_cost": True}, None),
        ({"instance_cost": float("nan")}, None),
        ({"atif": {"final_metrics": {"total_cost_usd": 2}}}, 2.0),
        ({"atif": {"steps": {"1": {"cost_usd": 0.1}, "2": {"cost_usd": 0.2}, "3": {}}}}, pytest.approx(0.3)),
        ({}, None),
    ],
)
def test_the_totals_of_formats(extra: dict[str, Any], cost: float | None) -> None:
    assert stated_cost(Trajectory("s", "test", Source("log"), [], extra=extra)) == cost
