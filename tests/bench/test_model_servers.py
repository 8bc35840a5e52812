"""Runs against servers that refuse, break, or answer beside the protocol: what counts, and what is said of it."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import tiny_suite
from chat_server import FIX, Answer, refused, said, serving

pytest.importorskip("inspect_ai", reason="Inspect is not installed")
pytest.importorskip("inspect_swe", reason="inspect_swe is not installed")

from rigorbench.base import journal
from rigorbench.bench.experiment.values import problems, wrong_with
from rigorbench.bench.recording.repairs import repair
from rigorbench.bench.run.experiment import ExperimentSummary, run_experiment
from rigorbench.bench.run.planning.plan import ExperimentRequest, make_plan
from rigorbench.bench.run.scoring.finish import name_of

pytestmark = pytest.mark.bwrap

FULL = refused(400, "the request exceeds the available context size, try increasing it", n_ctx=4096)
VLLM = "This model's maximum context length is 4096 tokens. However, your request has 5000 input tokens."

Run = Callable[..., ExperimentSummary]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    def made(answer: Answer, **request: Any) -> ExperimentSummary:
        with serving(answer) as (address, _):
            monkeypatch.setenv("LOCAL_BASE_URL", address)
            monkeypatch.setenv("LOCAL_API_KEY", "unused")
            suite = tiny_suite.write_suite(tmp_path / "suite")
            request.setdefault("generation", {"max_retries": 0})
            plan = make_plan(ExperimentRequest(str(suite), models=("openai-api/local/stand-in",), **request))
            return run_experiment(plan, tmp_path / "out", replay=False)

    return made


def after(answers: int, then: tuple[int, Any], command: str = "true") -> Answer:
    """The same answers in each run: so many calls of a tool, and then this one for ever."""
    return lambda _, request: then if turns(request) >= answers else said(None, command)


def turns(request: dict[str, Any]) -> int:
    return sum(message["role"] == "assistant" for message in request["messages"])


# -- outages


@pytest.mark.parametrize("status", [401, 404, 503])
def test_a_run_that_the_provider_left_alone_never_counts(run: Run, status: int) -> None:
    summary = run(after(2, refused(status, "not you")))
    (result,) = summary.results
    assert (result.status, result.limit, result.rigor_score) == ("error", None, None)
    assert result.error == f"the model did not answer to the end: Error code: {status} - not you"


def test_a_limit_that_falls_during_an_outage_does_not_make_the_run_count(run: Run) -> None:
    # The limit is used up by the answers before.
    summary = run(after(1, refused(500, "down")), limits={"tokens": 521})
    assert [result.status for result in summary.results] == ["error"]


@pytest.mark.parametrize("message", ["tools param requires --jinja flag", 'registry: "tiny" does not support tools'])
def test_runs_of_a_model_that_answers_nobody_are_stopped_after_the_first(run: Run, message: str) -> None:
    summary = run(lambda *_: refused(400, message), repeats=5)
    assert [result.status for result in summary.results] == ["error", "error"]
    assert message in summary.problems[-1]
    assert "3 further runs were not made" in summary.problems[-1]
    assert len(summary.problems) == 3


def test_what_an_outage_left_over_is_made_by_the_same_command(run: Run, tmp_path: Path) -> None:
    run(lambda *_: refused(404, "no such model"), repeats=3)
    assert len(list((tmp_path / "out/runs").iterdir())) == 2
    summary = run(after(1, said("The division rounds up."), FIX), repeats=3)
    assert [result.status for result in summary.results] == ["error", "error", "completed"]


# -- answers beside the protocol


def with_arguments(arguments: Any) -> tuple[int, Any]:
    status, document = said(None, "")
    document["choices"][0]["message"]["tool_calls"][0]["function"]["arguments"] = arguments
    return status, document


@pytest.mark.parametrize(
    ("first", "wrong"),
    [
        (with_arguments({"command": FIX}), "the arguments of a call are no text"),
        (with_arguments(json.dumps({"command": f"{FIX} # \udc00"})), "half a character"),
    ],
)
def test_an_answer_beside_the_protocol_is_recorded_and_named(run: Run, first: tuple[int, Any], wrong: str) -> None:
    (result,) = run(lambda _, request: said("Done.") if turns(request) else first).results
    assert (result.status, result.model_calls) == ("completed", 2)
    assert result.outcome.solved
    assert f"the server's answers were repaired: {wrong} (1 answer)" in result.notes


@pytest.mark.parametrize(
    ("usage", "wrong"),
    [
        ({"prompt_tokens": -7, "completion_tokens": 1}, "prompt_tokens -7"),
        ({"prompt_tokens": 7, "completion_tokens": -0.5}, "completion_tokens -0.5"),
        ({"prompt_tokens": 7, "prompt_tokens_details": {"cached_tokens": -1}}, "cached_tokens -1"),
        ({"prompt_tokens": 7, "prompt_tokens_details": {"cached_tokens": 9}}, "cached_tokens 9 of 7"),
        ({"prompt_tokens": 7, "prompt_tokens_details": {"cached_tokens": 7, "audio_tokens": None}}, None),
    ],
)
def test_a_count_that_cannot_be_is_no_usage(usage: dict[str, Any], wrong: str | None) -> None:
    status, document = said("x")
    document["usage"] = usage
    assert repair(status, document) == (200, [] if wrong is None else [f"impossible usage ({wrong})"])
    assert document["usage"] == (usage if wrong is None else None)


@pytest.mark.parametrize(
    "choice",
    [None, "x", {}, {"message": None}, {"message": "x"}, {"message": {"tool_calls": "x"}}]
    + [
        {"message": {"tool_calls": [call]}}
        for call in (None, "x", {"function": None}, *({"function": {"arguments": "[" * n}} for n in (1, 100_000)))
    ],
)
def test_no_form_of_an_answer_ends_its_repair(choice: Any) -> None:
    assert repair(200, {"choices": [choice]}) == (200, [])


@pytest.mark.parametrize(
    ("document", "status"),
    [
        ({"error": {"message": "the worker died", "code": 503}}, 503),
        ({"error": "the worker died"}, 502),
        ({"choices": None, "error": {"message": "x", "code": "internal"}}, 502),
        # Beside OpenAI's form: at the top, without a code, without any message, and a full context by its code alone.
        ({"object": "error", "message": "no such model", "code": 404}, 404),
        ({"detail": [{"msg": "not loaded"}]}, 502),
        ({"choices": [], "usage": None}, 502),
        ({"choices": {"message": {"content": "x"}}}, 502),
        ({"error": {"message": "too long", "code": "context_length_exceeded"}}, 400),
    ],
)
def test_an_error_with_status_200_gets_the_status_of_an_error(document: dict[str, Any], status: int) -> None:
    found, wrong = repair(200, document)
    assert found == status
    assert wrong


# -- a full context


@pytest.mark.parametrize("refusal", [FULL, (400, {"object": "error", "message": VLLM, "code": 400})])
def test_a_conversation_that_does_not_fit_is_a_limit_and_no_message_of_the_agent(
    run: Run, tmp_path: Path, refusal: tuple[int, Any]
) -> None:
    (result,) = run(lambda number, _: refusal if number >= 3 else said(None, "true")).results
    assert (result.status, result.limit, result.model_calls) == ("limit", "context", 3)
    assert dict(wrong_with(result))["limit"] == "the context was full"
    records = journal.read_records(tmp_path / "out/runs" / result.cell.id / "journal.jsonl", "model")
    refusals = [r for _, r in records if isinstance(r, journal.Model) and r.error is not None]
    assert refusals
    assert all(r.output is None for r in refusals)


def test_the_built_in_loop_drops_old_messages_and_goes_on(run: Run) -> None:
    def answer(number: int, _: dict[str, Any]) -> tuple[int, Any]:
        return FULL if number == 3 else said("Done.") if number == 4 else said(None, FIX)

    (result,) = run(answer).results
    assert (result.status, result.model_calls) == ("completed", 4)


# -- endings that have a name


CALL = '{"name": "bash", "arguments": {"command": "ls"}}'


@pytest.mark.parametrize(
    ("text", "stop", "ending"),
    [
        ("", "stop", "empty answer"),
        ("I will now", "max_tokens", "reached --max-tokens"),
        (f"<tool_call>\n{CALL}\n</tool_call>", "stop", "written as text"),
        (f"Let me look {{first}}:\n```json\n{CALL}\n```", "stop", "written as text"),
        ('{"function": {"name": "read_file", "arguments": {"path": "a"}}}', "stop", "written as text"),
        (
            '[{"id": "1", "function": {"name": "bash", "arguments": "{\\"command\\": \\"ls\\"}"}}]',
            "stop",
            "written as text",
        ),
        ('{"tool_calls": [{"name": "bash", "input": {"command": "ls"}}]}', "stop", "written as text"),
        ('{"a":' * 400 + "1" + "}" * 400, "stop", None),
        ("<function=bash>" * 13_000, "stop", None),
        ("<function=bash>\n<parameter=command>\nls\n</parameter>\n</function>", "stop", "written as text"),
        ('The settings are {"name": "pages", "size": {"least": 1}} now.', "stop", None),
        ("I ran bash and read_file; see {} and <b>bash</b>.", "stop", None),
    ],
)
def test_the_end_of_a_run_has_a_name(tmp_path: Path, text: str, stop: str, ending: str | None) -> None:
    tools = [{"name": name, "description": ""} for name in ("bash", "read_file")]
    output = {"role": "assistant", "content": text}
    call = journal.Model(0.0, "1", "main", "m", output=output, stop=stop, tools=2, declared=tools)
    named = name_of([call], tmp_path / "session")
    assert named is None if ending is None else ending in (named or "")


def test_an_agents_own_log_that_ends_with_errors_of_format_names_the_end(tmp_path: Path) -> None:
    (tmp_path / "session").mkdir()
    messages = [{"role": "user", "content": "Do it."}, {"role": "assistant", "content": "No command."}]
    info = {"exit_status": "RepeatedFormatError", "mini_version": "2.4.6"}
    document = {"info": info, "messages": messages, "trajectory_format": "mini-swe-agent-1.1"}
    (tmp_path / "session/last.traj.json").write_text(json.dumps(document), encoding="utf-8")
    assert name_of([], tmp_path / "session") == "the agent's own log ends with RepeatedFormatError"


def test_a_program_that_ends_while_its_model_asks_for_calls_is_named(tmp_path: Path) -> None:
    output = {"role": "assistant", "content": "", "tool_calls": [{"id": "1", "function": {"name": "bash"}}]}
    calls = [journal.Model(0.0, "1", "main", "m", output=output, stop="tool_calls", tools=2)]
    assert name_of(calls, tmp_path / "session") == "the program ended while its model asked for calls"
    (tmp_path / "session").mkdir()
    # This program ends by a call, and says so.
    messages = [{"role": "user", "content": "Do it."}, {"role": "assistant", "content": "Done."}]
    info = {"exit_status": "Submitted", "mini_version": "2.4.6"}
    document = {"info": info, "messages": messages, "trajectory_format": "mini-swe-agent-1.1"}
    (tmp_path / "session/last.traj.json").write_text(json.dumps(document), encoding="utf-8")
    assert name_of(calls, tmp_path / "session") is None


def test_a_run_that_ends_with_a_call_as_text_says_so_and_that_nothing_was_changed(run: Run) -> None:
    summary = run(lambda *_: said(CALL))
    (result,) = summary.results
    assert "written as text" in dict(wrong_with(result))["ending"]
    kinds = [problem.kind for problem in problems(summary.manifest, {result.cell.id: result}, [], set())]
    assert kinds[:2] == ["no change", "ending"]


# -- budgets


def test_the_answer_that_crosses_a_limit_is_kept_and_done(run: Run) -> None:
    (result,) = run(after(9, said("Done."), FIX), limits={"tokens": 500}).results
    assert (result.status, result.limit, result.model_calls) == ("limit", "token", 1)
    assert result.changed


def test_a_run_whose_closing_answer_crosses_the_limit_is_complete(run: Run) -> None:
    (result,) = run(after(1, said("Done."), FIX), limits={"tokens": 1000}).results
    assert (result.status, result.metered) == ("completed", 1040)


@pytest.mark.parametrize("details", [None, {"cached_tokens": 480}])
def test_the_same_run_counts_alike_on_every_server(run: Run, details: dict[str, int] | None) -> None:
    usage = {} if details is None else {"prompt_tokens_details": details}
    (result,) = run(lambda _, r: said("Done.", **usage) if turns(r) else said(None, FIX, **usage)).results
    assert result.metered == 1040
    assert result.repeated == pytest.approx(0.45, abs=0.06), "nearly the whole first request is sent again"


def test_the_context_limit_is_that_of_the_largest_request(run: Run) -> None:
    (result,) = run(
        lambda _, request: said(None, "true", prompt_tokens=300 * (1 + turns(request))), limits={"context": 800}
    ).results
    assert (result.status, result.limit, result.model_calls) == ("limit", "context", 3)
    assert [(hit.kind, hit.limit, hit.used) for hit in result.limits] == [("context", 800, 900)]


def test_the_time_of_a_run_stands_still_while_the_model_answers(run: Run) -> None:
    def slow(_: int, request: dict[str, Any]) -> tuple[int, Any]:
        time.sleep(1.5)
        return said("Done.") if turns(request) else said(None, FIX)

    (result,) = run(slow, limits={"seconds": 2.0}).results
    assert result.status == "completed"
    assert result.seconds > 3
    assert result.working < 1.5


def test_the_agents_own_time_is_limited(run: Run) -> None:
    (result,) = run(after(9, said("Done."), "sleep 30"), limits={"seconds": 2.0}).results
    assert (result.status, result.limit) == ("limit", "time")
    assert result.working == pytest.approx(2.0, abs=1.0)
