"""What a session cost: as its log states it, else by list prices."""

from __future__ import annotations

import datetime
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from genai_prices import Usage as TheirUsage
from genai_prices import calc_price

from rigorbench.session.cost import Cost, session_cost, stated_cost
from rigorbench.session.logfile import LogFile
from rigorbench.session.model import Source, Step, Trajectory
from rigorbench.session.prices import call_price
from rigorbench.session.registry import read_log, read_path
from rigorbench.session.usage import TokenUsage

# Monday, 16 February 2026, 09:00 UTC.
TIME = 1_771_232_400.0
SMALL = TokenUsage(input=1_000, cache_read=20_000, cache_write=3_000, output=500)
LONG = TokenUsage(input=150_000, cache_read=200_000, cache_write=3_000, output=500)


def _session(*usages: TokenUsage, **more: Any) -> Trajectory:
    steps = [Step("agent", Source("log"), usage=usage, time=TIME) for usage in usages]
    return Trajectory("t", "claude-code", Source("log"), steps, **{"model": "claude-sonnet-4-5-20250929", **more})


@pytest.mark.parametrize("usage", [SMALL, LONG], ids=["short prompt", "long prompt"])
@pytest.mark.parametrize(
    ("model", "provider", "name"),
    [
        ("claude-sonnet-4-5-20250929", None, "claude-sonnet-4-5"),
        ("claude-opus-4-6", None, "claude-opus-4-6"),  # dearer for long prompts until March 2026
        ("gpt-5.4", None, "gpt-5.4"),
        ("openai/gpt-4o", "openai", "gpt-4o"),
        ("@google/gemini-3-pro-preview", "google", "gemini-3-pro-preview"),
        ("deepseek-chat", None, "deepseek-chat"),  # cheaper at night
        ("openrouter/anthropic/claude-sonnet-4", "openrouter", "anthropic/claude-sonnet-4"),
        ("litellm_proxy/claude-sonnet-4-5", None, "claude-sonnet-4-5"),
    ],
)
@pytest.mark.parametrize(
    "time", [TIME, TIME + 12 * 3600, TIME + 180 * 86400], ids=["day", "night", "half a year later"]
)
def test_a_call_costs_what_the_library_says(
    model: str, provider: str | None, name: str, usage: TokenUsage, time: float
) -> None:
    prompt = (usage.input or 0) + (usage.cache_read or 0) + (usage.cache_write or 0)
    theirs = calc_price(
        TheirUsage(
            input_tokens=prompt,
            cache_read_tokens=usage.cache_read,
            cache_write_tokens=usage.cache_write,
            output_tokens=usage.output,
        ),
        name,
        provider_id=provider,
        genai_request_timestamp=datetime.datetime.fromtimestamp(time, datetime.UTC),
    )
    assert call_price(model, usage, time) == pytest.approx(float(theirs.total_price))


def test_what_is_cached_for_an_hour_costs_more() -> None:
    plain = call_price("claude-opus-4-5", TokenUsage(0, 0, 1_000_000, 0), TIME)
    usage = TokenUsage(0, 0, 1_000_000, 0, cache_write_1h=400_000)
    hour = call_price("claude-opus-4-5", usage, TIME)
    assert call_price("claude-opus-4-5", usage, TIME, calls=3) == pytest.approx(hour)
    assert plain == pytest.approx(6.25)
    assert hour == pytest.approx(0.6 * 6.25 + 0.4 * 10)


@pytest.mark.parametrize(
    "model", ["opus", "my-claude", "gpt-5-experimental", "vllm/claude-sonnet-4-5", "deepseek-v3-free", ""]
)
def test_an_unknown_model_has_no_price(model: str) -> None:
    assert call_price(model, SMALL, TIME) is None


@pytest.mark.parametrize("part", ["input", "cache_read", "output"])
def test_without_a_count_that_is_charged_there_is_no_price(part: str) -> None:
    counts: dict[str, Any] = {"input": 1, "cache_read": 1, "output": 1} | {part: None}
    assert call_price("gpt-5", TokenUsage(**counts), TIME) is None


def test_a_session_costs_the_sum_of_its_calls_each_by_its_model() -> None:
    found = _session(SMALL, SMALL)
    found.steps[1].model = "claude-haiku-4-5"
    prices = [call_price(model, SMALL, TIME) or 0 for model in ("claude-sonnet-4-5", "claude-haiku-4-5")]
    assert session_cost(found) == Cost(pytest.approx(sum(prices)), "listed")
    found.steps[1].model = "someone-elses"
    assert session_cost(found) is None  # a part of the calls is not the session


def test_what_the_log_states_comes_first() -> None:
    assert session_cost(_session(SMALL, extra={"total_cost_usd": 0.5})) == Cost(0.5, "stated")


def test_totals_of_the_log_are_priced_by_the_mean_prompt() -> None:
    total = TokenUsage(300_000, 0, 0, 1_000)
    calls = [Step("agent", Source("log")) for _ in range(10)]
    found = Trajectory("t", "x", Source("log"), calls, model="claude-sonnet-4-5", started_at=TIME, usage=total)
    assert session_cost(found) == Cost(pytest.approx(0.3 * 3 + 0.001 * 15), "listed")
    calls[3].model = "claude-haiku-4-5"
    calls[4].model = "claude-sonnet-4-5"
    assert session_cost(found) is None


def test_a_usage_holds_no_negative_number() -> None:
    """It is damage and no count: in every format it is unknown."""
    assert TokenUsage(-1, 0, -5, 3, None) == TokenUsage(None, 0, None, 3, None)
    assert msgspec.json.decode(b'{"output": -5, "input": 7}', type=TokenUsage) == TokenUsage(input=7)


def test_a_session_without_tokens_has_no_cost() -> None:
    assert session_cost(_session()) is None
    assert session_cost(_session(TokenUsage(0, 0, 0, 0))) is None


def test_what_the_log_does_not_count_makes_the_cost_a_lower_bound() -> None:
    found = session_cost(_session(SMALL, usage_complete=False))
    assert found.basis == "at least"


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
    path = Path(__file__).resolve().parents[1] / "data" / "pi" / "disciplined.jsonl"
    (found,) = read_path(path)
    lines = path.read_text().splitlines()
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
