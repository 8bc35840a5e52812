"""What a run says of an error: its cause, in one line, and not the request that led to it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import tiny_suite
from chat_server import refused, serving

pytest.importorskip("inspect_ai", reason="Inspect is not installed")
pytest.importorskip("inspect_swe", reason="inspect_swe is not installed")

from rigorbench.bench.recording.failures import cause, cause_of
from rigorbench.bench.run.experiment import run_experiment
from rigorbench.bench.run.planning.plan import ExperimentRequest, PlanError, make_plan
from rigorbench.cli import main

REFUSED = "tool calls need --jinja"
REQUEST = json.dumps({"model": "tiny", "messages": [{"role": "user", "content": "Make pages() right."}]}, indent=2)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"\nRequest:\n{REQUEST}\n\nBadRequestError('no such model')", "BadRequestError('no such model')"),
        (
            "Error code: 404 - {'error': {'message': 'model \"tiny\" not found', 'type': 'x', 'param': None}}",
            '404: model "tiny" not found',
        ),
        ('Error code: 400 - {"error": {"message": "it\'s too long"}}', "400: it's too long"),
        ("the program\n  ended", "the program ended"),
        ("Request: what is {} for? It ended.", "Request: what is {} for? It ended."),
        ("", ""),
    ],
)
def test_the_cause_of_an_error(text: str, said: str) -> None:
    assert cause(text) == said


def test_an_error_has_its_type() -> None:
    assert cause_of(ValueError("two\nlines")) == "ValueError: two lines"
    assert cause_of(TimeoutError()) == "TimeoutError"


@pytest.mark.bwrap
def test_a_refused_model_call_says_what_the_server_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    suite = tiny_suite.write_suite(tmp_path / "suite")
    with serving(lambda *_: refused(400, REFUSED, type="invalid_request_error")) as (address, _):
        monkeypatch.setenv("LOCAL_BASE_URL", address)
        monkeypatch.setenv("LOCAL_API_KEY", "unused")
        plan = make_plan(
            ExperimentRequest(str(suite), models=("openai-api/local/refused",), generation={"max_retries": 0})
        )
        assert plan.missing == []
        result = run_experiment(plan, tmp_path / "out", replay=False).results[0]
    assert result.status == "error"
    assert result.error is not None
    assert REFUSED in result.error
    assert "messages" not in result.error
    assert "Make pages() right" not in result.error


def test_a_server_that_is_not_there_is_said_before_anything_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    suite = tiny_suite.write_suite(tmp_path / "suite")
    words = ["run", str(suite), "--model", "openai-api/local/tiny", "--out", str(tmp_path / "out")]
    monkeypatch.delenv("LOCAL_BASE_URL", raising=False)
    monkeypatch.delenv("LOCAL_API_KEY", raising=False)
    assert main(words) == 2
    assert "set LOCAL_BASE_URL and LOCAL_API_KEY" in capsys.readouterr().err
    monkeypatch.setenv("LOCAL_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("LOCAL_API_KEY", "unused")
    assert main(words) == 2
    assert "nothing answers at http://127.0.0.1:9/v1 (Connection refused); start its server" in capsys.readouterr().err


@pytest.mark.parametrize("agent", ["aider", "cursor", "auggie"])
def test_a_policy_that_an_agent_cannot_play_is_refused(tmp_path: Path, agent: str) -> None:
    suite = tiny_suite.write_suite(tmp_path / "suite")
    with pytest.raises(PlanError, match=f"agent {agent} cannot play scripted/fix: it .*; give it a real --model"):
        make_plan(ExperimentRequest(str(suite), agents=("react", agent), models=("openai/gpt-5", "scripted/fix")))
    make_plan(ExperimentRequest(str(suite), agents=(agent,), models=("openai/gpt-5",)))
