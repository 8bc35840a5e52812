"""One small tool call says what to expect of a model, before any run."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
import tiny_suite
from chat_server import Answer, refused, said, serving

pytest.importorskip("inspect_ai", reason="Inspect is not installed")
pytest.importorskip("inspect_swe", reason="inspect_swe is not installed")

from rigorbench.bench.run.planning.plan import ExperimentRequest, build_workspace, make_plan
from rigorbench.bench.run.planning.prerequisites import unreachable
from rigorbench.cli import main

NAME = "openai-api/local/stand-in"


def called(arguments: str = '{"word": "harbour"}', **usage: object) -> tuple[int, object]:
    status, document = said(None, "", **usage)
    document["choices"][0]["message"]["tool_calls"][0]["function"] = {"name": "report_word", "arguments": arguments}
    return status, document


def asked(answer: Answer, monkeypatch: pytest.MonkeyPatch, models: object = None, *words: str) -> int:
    with serving(answer, models) as (address, _):
        monkeypatch.setenv("LOCAL_BASE_URL", address)
        monkeypatch.setenv("LOCAL_API_KEY", "unused")
        return main([*(words or ("doctor",)), "--model", NAME])


def test_a_model_that_works_is_described(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    answer = called(prompt_tokens_details={"cached_tokens": 0})
    models = {"data": [{"id": "stand-in", "max_model_len": 32768}]}
    assert asked(lambda *_: answer, monkeypatch, models) == 0
    printed = " ".join(capsys.readouterr().out.split())
    assert "tool calls parsed, usage reported, cache reported, context 32,768 tokens" in printed
    assert "tokens per second, so about" in printed
    assert "a run" in printed


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (said('{"name": "report_word", "arguments": {"word": "harbour"}}'), "tool calls written as text"),
        (said("I cannot."), 'tool calls not made, but "I cannot."'),
        (said(""), "tool calls not made, and the answer is empty"),
        (refused(500, "tools param requires --jinja flag"), "requires --jinja flag"),
        (refused(404, "model 'stand-in' not found"), "the model refused a tool call: Error code: 404"),
        ((200, {"error": {"message": "out of memory", "code": 500}}), "out of memory"),
    ],
)
def test_a_model_that_does_not_work_says_why(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], answer: tuple[int, object], told: str
) -> None:
    assert asked(lambda *_: answer, monkeypatch) == 1
    assert told in " ".join(capsys.readouterr().out.split())


def test_a_model_that_refuses_a_tool_call_ends_the_command_before_any_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    suite = tiny_suite.write_suite(tmp_path / "suite")
    words = ("run", str(suite), "--out", str(tmp_path / "out"))
    assert asked(lambda *_: refused(400, "it does not support tools"), monkeypatch, None, *words) == 2
    assert "it does not support tools (docs/local-model.md); nothing was run" in capsys.readouterr().err
    assert not (tmp_path / "out/runs").exists()


def test_a_model_that_gives_no_answer_in_time_is_not_said_to_refuse(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def late(*_: object) -> tuple[int, object]:
        time.sleep(3)
        return called()

    suite = tiny_suite.write_suite(tmp_path / "suite")
    words = ("run", str(suite), "--out", str(tmp_path / "out"), "--attempt-timeout", "1")
    assert asked(late, monkeypatch, None, *words) == 2
    told = "no answer to a small tool call within 1 second (--attempt-timeout gives it longer); nothing was run"
    assert told in capsys.readouterr().err


@pytest.mark.bwrap
def test_only_a_call_that_has_something_to_run_asks_the_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    suite = tiny_suite.write_suite(tmp_path / "suite")
    words = ["run", str(suite), "--model", NAME, "--out", str(tmp_path / "out"), "--no-replay"]
    monkeypatch.setenv("LOCAL_API_KEY", "unused")
    with serving(lambda number, _: said("I leave it.") if number else called(), {"data": []}) as (address, requests):
        monkeypatch.setenv("LOCAL_BASE_URL", address)
        assert main(words) == 0
        sent = len(requests)
        assert sent > 1
        assert "model openai-api/local/stand-in: tool calls parsed" in capsys.readouterr().err
        assert main(words) == 0
        (result,) = (tmp_path / "out" / "runs").glob("*/result.json")
        result.unlink()  # to be scored again
        assert main(words) == 0
        assert len(requests) == sent
        assert result.exists()
        assert "tool calls" not in capsys.readouterr().err
    # The server is gone, which matters to nothing that is left to do.
    assert main(words) == 0


@pytest.mark.parametrize("provider", ["openai-api/local", "ollama", "vllm"])
def test_a_server_that_is_not_there_is_missed_at_once(monkeypatch: pytest.MonkeyPatch, provider: str) -> None:
    for name in ("LOCAL", "OLLAMA", "VLLM"):
        monkeypatch.setenv(f"{name}_BASE_URL", "http://127.0.0.1:9/v1")
        monkeypatch.setenv(f"{name}_API_KEY", "unused")
    assert "nothing answers at http://127.0.0.1:9/v1" in (unreachable(f"{provider}/tiny") or "")


def test_a_harness_tells_the_limits_of_the_run_if_it_asks_for_them(tmp_path: Path) -> None:
    folder = tmp_path / "told"
    folder.mkdir()
    (folder / "harness.toml").write_text(
        'name = "told"\nversion = "1"\ndescription = "Tells the limits."\nkind = "overlay"\nlicence = "MIT"\n'
        'prompt_prefix = "You have {{limits}}."\n',
        encoding="utf-8",
    )
    suite = tiny_suite.write_suite(tmp_path / "suite")
    limits = {"seconds": 600.0, "tokens": None}
    plan = make_plan(
        ExperimentRequest(
            str(suite), models=("scripted/do-nothing",), harnesses=(str(folder), "baseline"), limits=limits
        )
    )
    (task,) = plan.tasks.values()
    told, plain = (
        build_workspace(plan, task, harness, "react", tmp_path / f"w-{harness.name}").prompt
        for harness in plan.harnesses.values()
    )
    assert told.startswith("You have 10 minutes, not counting the time in which the model answers; 200,000 tokens in")
    assert "limits" not in plain
