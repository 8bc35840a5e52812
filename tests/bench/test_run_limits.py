"""The budgets of runs: tokens without a server's usage, dollars, projects; and options that each model call gets."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import tiny_suite

pytest.importorskip("inspect_ai", reason="Inspect is not installed")
pytest.importorskip("inspect_swe", reason="inspect_swe is not installed")

from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageUser,
    GenerateConfig,
    ModelAPI,
    ModelOutput,
    ModelUsage,
    modelapi,
)
from inspect_ai.tool import ToolCall, ToolChoice, ToolInfo, ToolParams
from inspect_ai.util import LimitExceededError

from rigorbench.base import journal
from rigorbench.bench.experiment.records import PROJECT_BUDGET, Budget, RunResult
from rigorbench.bench.experiment.store import load_manifest
from rigorbench.bench.recording.estimate import estimate, tokens
from rigorbench.bench.recording.metering import Meter
from rigorbench.bench.run.experiment import run_experiment
from rigorbench.bench.run.models.scripted import ScriptedAPI
from rigorbench.bench.run.planning.plan import ExperimentRequest, PlanError, make_plan
from rigorbench.cli import main

SUITES = Path(__file__).resolve().parents[2] / "suites"
SEEN: list[GenerateConfig] = []


class Server(ModelAPI):
    """A policy behind a server that reports ``usage`` with each answer."""

    def __init__(self, model_name: str, base_url: str | None = None, api_key: str | None = None, **more: Any) -> None:
        super().__init__(model_name, base_url, api_key)
        self.policy = ScriptedAPI(model_name)

    async def generate(
        self, input: list[ChatMessage], tools: list[ToolInfo], tool_choice: ToolChoice, config: GenerateConfig
    ) -> ModelOutput:
        SEEN.append(config)
        output: ModelOutput = await self.policy.generate(input, tools, tool_choice, config)
        output.usage = self.usage()
        return output

    def usage(self) -> ModelUsage | None:
        raise NotImplementedError


@modelapi(name="mute")
class Mute(Server):
    def usage(self) -> None:
        return None


@modelapi(name="priced")
class Priced(Server):
    """Ten cents for each call."""

    def usage(self) -> ModelUsage:
        return ModelUsage(input_tokens=100, output_tokens=10, total_tokens=110, total_cost=0.1)


def run(tmp_path: Path, model: str, **request: Any) -> RunResult:
    suite = tiny_suite.write_suite(tmp_path / "suite")
    plan = make_plan(ExperimentRequest(str(suite), models=(model,), **request))
    plan.missing = []
    return run_experiment(plan, tmp_path / "out", replay=False).results[0]


# -- tokens


def test_the_estimate_is_near_what_tokenizers_count() -> None:
    # Counted by the tokenizer of Qwen2.5.
    assert tokens("def pages(count, size):\n    return -(-count // size)\n") == pytest.approx(17, abs=3)
    assert tokens("requests==2.32.5 --hash=sha256:0f3c91ab\n") == pytest.approx(24, abs=6)
    assert tokens("") == 0


def test_a_call_is_estimated_with_its_tools_and_the_calls_in_it() -> None:
    tool = ToolInfo(name="bash", description="Run a command.", parameters=ToolParams())
    answer = ChatMessageAssistant(
        content="", tool_calls=[ToolCall(id="1", function="bash", arguments={"cmd": "ls -l"})]
    )
    plain = estimate([ChatMessageUser(content="Hello")], [], None)
    assert plain["output"] == 0
    assert estimate([ChatMessageUser(content="Hello")], [tool], answer)["input"] > plain["input"] + 10
    assert estimate([], [], answer)["output"] > 5


@pytest.mark.bwrap
def test_a_server_without_usage_is_metered_by_an_estimate_and_the_result_says_so(tmp_path: Path) -> None:
    result = run(tmp_path, "mute/fix")
    assert result.status == "completed"
    assert result.estimated_calls == result.model_calls == 4
    assert result.metered == result.tokens["input"] + result.tokens["output"] > 1000  # type: ignore[operator]
    assert any("no usage with 4 of 4 model calls" in note for note in result.notes)
    assert result.cost is None, "nobody knows the price of this model"
    calls = [r for _, r in journal.read_records(tmp_path / "out/runs" / result.cell.id / "journal.jsonl", "model")]
    assert [r.usage for r in calls] == [None] * 4, "the journal keeps what the server said apart from the estimate"


@pytest.mark.bwrap
def test_the_token_limit_ends_such_a_run(tmp_path: Path) -> None:
    result = run(tmp_path, "mute/fix", limits={"tokens": 700})
    assert (result.status, result.limit, result.model_calls) == ("limit", "token", 2)


@pytest.mark.bwrap
def test_the_engines_mock_model_needs_no_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def downloads(name: str) -> None:
        raise AssertionError("a tokenizer would be downloaded")

    monkeypatch.setattr("tiktoken.get_encoding", downloads)
    result = run(tmp_path, "mockllm/model")
    assert (result.status, result.model_calls, result.estimated_calls) == ("completed", 1, 0)
    assert result.metered > 100


# -- dollars


def test_calls_cost_their_list_price() -> None:
    pytest.importorskip("genai_prices")
    meter = Meter(Budget(tokens=None, cost=2.0))
    meter.add("openai/gpt-5", {"input": 1_000_000, "output": 10_000, "cache_read": None})
    assert meter.cost == pytest.approx(1.35, rel=0.5)  # prices change
    meter.check()
    meter.add("openai/gpt-5", {"input": 1_000_000, "output": 100_000})
    with pytest.raises(LimitExceededError, match="Cost limit of \\$2 used up") as raised:
        meter.check()
    assert raised.value.type == "cost"


def test_a_call_of_unknown_price_leaves_the_cost_unknown() -> None:
    meter = Meter(Budget())
    meter.add("openai-api/local/tiny", {"input": 10, "output": 10})
    assert (meter.cost, meter.used) == (None, 20)


@pytest.mark.bwrap
def test_the_cost_limit_ends_a_run_which_is_scored(tmp_path: Path) -> None:
    result = run(tmp_path, "priced/fix", limits={"cost": 0.25})
    assert (result.status, result.limit, result.model_calls) == ("limit", "cost", 3)
    assert result.cost == pytest.approx(0.3)
    assert result.outcome is not None
    limits = [r for _, r in journal.read_records(tmp_path / "out/runs" / result.cell.id / "journal.jsonl", "limit")]
    assert [(r.kind, r.limit, r.used) for r in limits] == [("cost", 0.25, pytest.approx(0.3))]


def test_a_cost_limit_needs_a_price(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    suite = tiny_suite.write_suite(tmp_path / "suite")
    assert main(["run", str(suite), "--model", "openai-api/local/tiny", "--cost-limit", "2", "--dry-run"]) == 1
    assert "--cost-limit needs its list price, and none is known" in capsys.readouterr().out


# -- projects


def test_projects_have_a_budget_of_their_own() -> None:
    project = SUITES / "projdev"
    plan = make_plan(ExperimentRequest(str(project), models=("scripted/disciplined",), tasks=("ice-library",)))
    assert plan.budget == PROJECT_BUDGET
    assert plan.budget.tokens > 4_810_000, "the mean of what is published must fit"
    own = make_plan(
        ExperimentRequest(
            str(project), models=("scripted/disciplined",), tasks=("ice-library",), limits={"tokens": None}
        )
    )
    assert (own.budget.tokens, own.budget.seconds) == (None, PROJECT_BUDGET.seconds)


# -- options of the model


@pytest.mark.bwrap
def test_options_reach_every_call_and_are_recorded(tmp_path: Path) -> None:
    SEEN.clear()
    options = {"temperature": 0.3, "max_retries": 2, "timeout": 90, "seed": 7}
    run(tmp_path, "mute/fix", generation=options)
    assert SEEN
    assert all({name: getattr(config, name) for name in options} == options for config in SEEN)
    assert load_manifest(tmp_path / "out").generation == options


def test_options_of_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    suite = tiny_suite.write_suite(tmp_path / "suite")
    words = ["--max-retries", "3", "--timeout", "120", "--temperature", "0", "--reasoning-effort", "low"]
    assert main(["run", str(suite), "--model", "scripted/fix", "--dry-run", "--json", *words]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["generation"] == {"max_retries": 3, "timeout": 120, "temperature": 0.0, "reasoning_effort": "low"}
    assert (found["time_limit"], found["token_limit"], found["cost_limit"]) == (3600.0, 5_000_000, None)


@pytest.mark.bwrap
def test_runs_with_other_options_do_not_go_into_one_directory(tmp_path: Path) -> None:
    run(tmp_path, "scripted/do-nothing")
    plan = make_plan(
        ExperimentRequest(str(tmp_path / "suite"), models=("scripted/do-nothing",), generation={"temperature": 1.0})
    )
    with pytest.raises(Exception, match=r"made with model options none, but temperature 1\.0 was requested"):
        run_experiment(plan, tmp_path / "out", replay=False)


def test_a_suite_of_both_kinds_needs_limits(tmp_path: Path) -> None:
    both = tmp_path / "both"
    tiny_suite.write_suite(both)
    (both / "ice-library").symlink_to(SUITES / "projdev" / "ice-library")
    with pytest.raises(PlanError, match="different budgets"):
        make_plan(ExperimentRequest(str(both), models=("scripted/do-nothing",)))
