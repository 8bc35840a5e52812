"""An agent that floods its model, or the recorder, reaches a limit of its own; others go on."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import anyio
import pytest
import tiny_suite

from sources import text_file

pytest.importorskip("inspect_ai", reason="Inspect is not installed")
pytest.importorskip("inspect_swe", reason="inspect_swe is not installed")

from inspect_ai.agent import Agent
from inspect_ai.model import ChatMessage, GenerateConfig, ModelAPI, ModelOutput, modelapi
from inspect_ai.tool import ToolChoice, ToolInfo
from inspect_ai.util import LimitExceededError

from rigorbench.bench.agents import launch
from rigorbench.bench.agents.launch import program
from rigorbench.bench.agents.spec import Adapter, AgentSpec, Conventions, Distribution
from rigorbench.bench.experiment.records import Budget, RunResult
from rigorbench.bench.recording import metering
from rigorbench.bench.recording.metering import Meter, TooManyCallsError
from rigorbench.bench.run.engine import task as engine_task
from rigorbench.bench.run.experiment import run_experiment
from rigorbench.bench.run.planning.plan import ExperimentRequest, make_plan

# Twenty calls at the same time, three times; the statuses of the answers are left in the work tree.
FLOOD = text_file("run_floods.flood.txt")
SPEC = AgentSpec(
    name="flood",
    title="Flood",
    engine="adapter",
    conventions=Conventions(),
    package=Distribution("program", "flood", "python3"),
    adapter=Adapter(command=("python3", "-c", FLOOD, "{url}", "{prompt}"), api="openai"),
)


class Traffic:
    """What the model saw: calls in progress, the most of them, and all."""

    now = most = calls = 0


@modelapi(name="slow")
class Slow(ModelAPI):
    def __init__(self, model_name: str, base_url: str | None = None, api_key: str | None = None, **more: Any) -> None:
        super().__init__(model_name, base_url, api_key)

    async def generate(
        self, input: list[ChatMessage], tools: list[ToolInfo], tool_choice: ToolChoice, config: GenerateConfig
    ) -> ModelOutput:
        Traffic.now += 1
        Traffic.calls += 1
        Traffic.most = max(Traffic.most, Traffic.now)
        await anyio.sleep(0.3)
        Traffic.now -= 1
        return ModelOutput.from_content(f"slow/{self.model_name}", "Yes.")


# -- the meter alone


def test_a_run_has_few_calls_in_progress_and_few_that_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metering, "AT_ONCE", 3)
    monkeypatch.setattr(metering, "WAITING", 4)
    now, most, refused = 0, 0, 0

    async def one(meter: Meter) -> None:
        nonlocal now, most, refused
        try:
            async with meter.call():
                now += 1
                most = max(most, now)
                await asyncio.sleep(0.01)
                now -= 1
        except TooManyCallsError as error:
            assert error.status_code == 429
            refused += 1

    async def main() -> Meter:
        meter = Meter(Budget())
        await asyncio.gather(*(one(meter) for _ in range(20)))
        await asyncio.gather(*(one(meter) for _ in range(7)))
        return meter

    meter = asyncio.run(main())
    assert (most, refused, meter.calls) == (3, 20 - 3 - 4, 27)


def test_refused_calls_count_against_the_limit_of_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metering, "CALLS", 2)

    async def main() -> None:
        meter = Meter(Budget())
        for _ in range(2):
            with pytest.raises(ValueError, match="refused"):
                async with meter.call():
                    raise ValueError("refused")
        with pytest.raises(LimitExceededError, match="More than 2 model calls"):
            async with meter.call():
                raise AssertionError
        assert meter.exceeded.kind == "calls"

    asyncio.run(main())


# -- whole runs


def flood(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> RunResult:
    monkeypatch.setattr(Traffic, "most", 0)
    monkeypatch.setattr(Traffic, "calls", 0)
    monkeypatch.setattr(metering, "AT_ONCE", 3)
    monkeypatch.setattr(metering, "WAITING", 5)

    def flooding(spec: AgentSpec, cwd: str, model_name: str | None) -> Agent:
        return program(SPEC, cwd)

    monkeypatch.setattr(launch, "_inner", flooding)
    suite = tiny_suite.write_suite(tmp_path / "suite")
    plan = make_plan(ExperimentRequest(str(suite), models=("slow/model",)))
    return run_experiment(plan, tmp_path / "out", replay=False).results[0]


@pytest.mark.slow  # hundreds of calls that wait for each other
@pytest.mark.bwrap
def test_a_program_that_calls_its_model_all_at_once_gets_a_few_answers_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = flood(tmp_path, monkeypatch)
    assert (result.status, result.limits) == ("completed", [])
    assert Traffic.most == 3
    assert 3 <= Traffic.calls < 60, "the others were answered with status 429; how many is the machine's affair"
    assert result.model_calls == Traffic.calls


@pytest.mark.slow  # calls until a limit
@pytest.mark.bwrap
def test_a_program_that_does_not_stop_calling_reaches_the_limit_of_calls(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(metering, "CALLS", 30)
    result = flood(tmp_path, monkeypatch)
    assert (result.status, result.limit) == ("limit", "calls")
    assert [(hit.kind, hit.limit) for hit in result.limits] == [("calls", 30)]
    assert Traffic.most == 3
    assert result.outcome is not None


REWRITES = tiny_suite.fix_and(
    "for n in $(seq 60); do head -c 1000000 /dev/urandom > data.bin; sleep 0.6; done",
    "Writes a file of a MiB again and again, each time with another content.",
)


@pytest.mark.bwrap
def test_who_makes_the_recorder_store_too_much_is_scored_and_the_limit_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = engine_task._bwrap_config
    limits = {"recording": 4_000_000}
    monkeypatch.setattr(engine_task, "_bwrap_config", lambda p: {**config(p), "limits": limits})
    suite = tiny_suite.write_suite(tmp_path / "suite", policies={"rewrites": REWRITES})
    plan = make_plan(ExperimentRequest(str(suite), models=("scripted/rewrites",)))
    (result,) = run_experiment(plan, tmp_path / "out", replay=False).results
    assert (result.status, result.limit) == ("limit", "recording")
    assert [(hit.kind, hit.limit) for hit in result.limits] == [("recording", 4_000_000)]
    assert result.outcome.pass_rate == 1.0, "its work until then counts"
    files = (tmp_path / "out/runs" / result.cell.id / "store.git").rglob("*")
    assert sum(f.stat().st_size for f in files if f.is_file()) < 6_000_000
