"""A judge over HTTP: what a provider does wrong is borne within bounds, and what it says is checked and kept."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from panel_helpers import RUBRIC, YES, case, llm_judges, seat
from pydantic_ai.exceptions import ModelHTTPError

from rigorbench.panel.judges.prompt import UNUSABLE, build
from rigorbench.panel.model import Answer, Vote
from rigorbench.reader.backends.providers import client, retry_after
from rigorbench.reader.backends.seat import NoKeys, Seat, Settings
from scripted_server import ScriptedServer, Step, serve, texts


def ask_one(directory: Path, server: ScriptedServer, **changes: Any) -> Vote:
    environment = changes.pop("environment", {})
    of_seat = {n: changes.pop(n) for n in ("model", "api_key_env", "settings", "price", "base_url") if n in changes}
    [judge], _ = llm_judges(directory, seat(server.url, **of_seat), environment=environment, **changes)

    async def run() -> Vote:
        try:
            return await judge.vote(case(), RUBRIC)
        finally:
            await judge.close()

    return asyncio.run(run())


def test_429_then_500_then_a_schema_violation_then_well(tmp_path: Path) -> None:
    script = [
        Step(status=429, headers={"retry-after": "0.05"}),
        Step(status=500),
        Step('{"answers": [{"point": "checked", "why": "", "yes": 9}]}', usage=(200, 20)),
        Step(YES, usage=(300, 30), model="one-2026-01-01"),
    ]
    with serve(script) as server:
        vote = ask_one(tmp_path, server)
    assert vote.status == "voted"
    assert vote.answers == [Answer("checked", True)]
    assert (vote.attempts, vote.input_tokens, vote.output_tokens) == (4, 500, 50)
    assert vote.cost == pytest.approx((500 * 1.0 + 50 * 10.0) / 1e6)
    assert vote.raw == YES
    assert (vote.seat, vote.model, vote.answered_by) == ("one", "local/one", "one-2026-01-01")
    prompt = build(case(), RUBRIC)
    assert vote.prompt == prompt.sha256
    assert texts(server.requests[0]) == (prompt.system, prompt.user)
    # The third reply is asked about again, with what was wrong with it.
    first, said, last = (m["content"] for m in server.requests[3]["messages"][-3:])
    assert (first, said) == (prompt.user, UNUSABLE)
    assert "neither true nor false" in last
    form = server.requests[0]["response_format"]["json_schema"]
    assert form["strict"] is True
    assert form["schema"]["properties"]["answers"]["items"]["properties"]["point"]["enum"] == ["checked"]


@pytest.mark.parametrize("status", [429, 500, 502, 503, 529])
def test_endless_refusals_end_in_a_failed_vote_within_bounds(tmp_path: Path, status: int) -> None:
    with serve([Step(status=status)]) as server:
        vote = ask_one(tmp_path, server, retries=3)
        assert len(server.requests) == 4
    assert (vote.status, vote.answers, vote.attempts) == ("failed", [], 4)
    assert vote.problem == f"HTTP {status}: scripted (4 times)"
    # What was refused was not billed.
    assert (vote.input_tokens, vote.output_tokens, vote.cost) == (0, 0, 0.0)


@pytest.mark.parametrize("status", [400, 401, 403, 404, 422])
def test_what_will_not_get_better_is_not_asked_again(tmp_path: Path, status: int) -> None:
    with serve([Step(status=status)]) as server:
        vote = ask_one(tmp_path, server)
        assert len(server.requests) == 1
    assert vote.problem is not None
    assert vote.problem.startswith(f"HTTP {status}: scripted")
    assert ('reply = "text"' in vote.problem) is (status in (400, 422))


def test_a_server_that_hangs(tmp_path: Path) -> None:
    # Long enough for a busy machine to answer the second request.
    with serve([Step(hang=True), Step(YES)]) as server:
        vote = ask_one(tmp_path, server, timeout=2.0)
        assert vote.status == "voted"
        assert len(server.requests) >= 2
    # Nobody knows what the first request cost.
    assert (vote.input_tokens, vote.output_tokens, vote.cost) == (None, None, None)
    with serve([Step(hang=True)]) as server:
        vote = ask_one(tmp_path, server, timeout=0.2, retries=1)
    assert vote.problem == "no reply within 0.2 s (2 times)"


def test_a_server_that_is_not_there(tmp_path: Path) -> None:
    with serve([Step(YES)]) as server:
        pass
    vote = ask_one(tmp_path, server, retries=1)
    assert (vote.status, vote.attempts, vote.cost) == ("failed", 2, 0.0)
    assert vote.problem == f"no connection to {server.url} (2 times)"


@pytest.mark.parametrize(
    ("text", "finish", "said"),
    [
        ("I would say yes.", "stop", "not one JSON object"),
        ('{"answers": [{"point": "checked", "why": "", "yes": "maybe"}]}', "stop", "neither true nor false"),
        ('{"answers": [{"point": "checked", "why": "", "yes": 9}]}', "stop", "neither true nor false"),
        ('{"answers": []}', "stop", "leaves out checked"),
        (YES[:-4], "length", "cut off"),
        ("", "stop", "not one JSON object"),
    ],
)
def test_replies_that_never_answer(tmp_path: Path, text: str, finish: str, said: str) -> None:
    with serve([Step(text, finish=finish)]) as server:
        vote = ask_one(tmp_path, server, reasks=1)
        assert len(server.requests) == 2
    assert (vote.status, vote.answers, vote.raw) == ("failed", [], text)
    assert vote.problem is not None
    assert vote.problem.startswith("no usable reply in 2 times: ")
    assert said in vote.problem
    assert (vote.input_tokens, vote.output_tokens) == (200, 20)


@pytest.mark.parametrize("body", [b"<html>", b"{", b"null", b'{"choices": []}', b""])
def test_bodies_that_are_no_replies(tmp_path: Path, body: bytes) -> None:
    with serve([Step(body=body), Step(YES)]) as server:
        vote = ask_one(tmp_path, server)
        assert len(server.requests) == 2
    assert vote.status == "voted"
    assert vote.cost is None


def test_a_reply_without_usage_has_no_cost(tmp_path: Path) -> None:
    with serve([Step(YES, usage=None)]) as server:
        vote = ask_one(tmp_path, server)
    assert vote.status == "voted"
    assert (vote.input_tokens, vote.output_tokens, vote.cost) == (None, None, None)
    with serve([Step(YES)]) as server:
        vote = ask_one(tmp_path, server, price=None)
    assert (vote.input_tokens, vote.cost) == (100, None)


def test_the_provider_says_how_long_to_wait(tmp_path: Path) -> None:
    with serve([Step(status=429, headers={"retry-after": "0.4"}), Step(YES)]) as server:
        assert ask_one(tmp_path, server).status == "voted"
        # Without it the pause would be of a millisecond.
        assert server.times[1] - server.times[0] >= 0.4
    with serve([Step(status=429, headers={"retry-after": "86400"})]) as server:
        vote = ask_one(tmp_path, server)
        assert len(server.requests) == 1
    assert vote.problem == "HTTP 429: scripted; the provider asks to wait 86400 s"


def test_the_key_is_sent_and_never_kept(tmp_path: Path) -> None:
    key = "sk-very-secret-0123456789"
    steps = [
        Step(f"You sent {key}."),
        Step(status=400, body=json.dumps({"error": {"message": f"bad key {key}"}}).encode()),
    ]
    with serve(steps) as server:
        vote = ask_one(tmp_path, server, api_key_env="MY_KEY", environment={"MY_KEY": key})
        assert server.keys[0] == f"Bearer {key}"
    assert vote.raw == "You sent [key]."
    assert vote.problem is not None
    assert "[key]" in vote.problem
    assert not any(key.encode() in path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())


def test_a_local_server_is_not_shown_the_keys_of_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GOOGLE_API_KEY", "GEMINI_API_KEY"):
        monkeypatch.setenv(name, "sk-of-the-environment")
    for model in ("openai/m", "anthropic/m", "google/m"):
        with serve([Step(YES)]) as server:
            url = server.url if model == "openai/m" else server.address
            vote = ask_one(tmp_path, server, model=model, base_url=url)
            assert vote.status == "voted", vote.problem
            assert "sk-of-the-environment" not in server.keys[0]


@pytest.mark.parametrize(
    ("model", "host"),
    [
        ("openai/m", "api.openai.com"),
        ("anthropic/m", "api.anthropic.com"),
        ("google/m", "generativelanguage.googleapis.com"),
    ],
)
def test_no_variable_sends_excerpts_elsewhere(model: str, host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_BASE_URL", "ANTHROPIC_BASE_URL", "GOOGLE_GEMINI_BASE_URL"):
        monkeypatch.setenv(name, "http://127.0.0.1:1/elsewhere")
    assert urlsplit(client(Seat("a", model), "k").base_url).hostname == host


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "0.4"}, 0.4),
        ({"retry-after": "7"}, 7.0),
        ({"retry-after-ms": "1500"}, 1.5),
        ({"retry-after": "Thu, 01 Jan 1970 00:00:00 GMT"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({}, None),
    ],
)
def test_how_providers_ask_to_wait(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(ModelHTTPError(429, "m", headers=headers)) == seconds


@pytest.mark.parametrize("text", [f"<think>\nIs it? {YES[:20]}\n</think>\n\n{YES}", f"```json\n{YES}\n```"])
def test_what_local_models_put_around_a_reply(tmp_path: Path, text: str) -> None:
    with serve([Step(text)]) as server:
        vote = ask_one(tmp_path, server)
    assert (vote.status, vote.attempts, vote.answers) == ("voted", 1, [Answer("checked", True)])


def test_without_a_key_there_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(NoKeys, match=r"seat 'one' .*: no key; set ANTHROPIC_API_KEY in the environment"):
        llm_judges(tmp_path, seat("http://127.0.0.1:1/v1", model="anthropic/m", base_url=None))


@pytest.mark.parametrize(
    ("model", "path"),
    [
        ("openai/m", "/v1/chat/completions"),
        ("anthropic/scripted", "/v1/messages"),
        ("google/scripted", "/v1/models/scripted:generateContent"),
    ],
)
def test_three_protocols(tmp_path: Path, model: str, path: str) -> None:
    with serve([Step(status=503), Step(YES, usage=(70, 7))]) as server:
        url = server.url if model.startswith("openai") else server.address
        vote = ask_one(tmp_path, server, model=model, base_url=url, settings=Settings(temperature=0, reply="text"))
        assert [p.partition("?")[0] for p in server.paths] == [path, path]
        prompt = build(case(), RUBRIC)
        assert texts(server.requests[1]) == (prompt.system, prompt.user)
    assert vote.status == "voted", vote.problem
    assert (vote.attempts, vote.input_tokens, vote.output_tokens) == (2, 70, 7)


def test_settings_reach_the_server(tmp_path: Path) -> None:
    own = Settings(temperature=0.25, top_p=0.5, seed=7, max_output_tokens=500, reply="text")
    with serve([Step(YES)]) as server:
        ask_one(tmp_path, server, settings=own)
        [request] = server.requests
    assert (request["temperature"], request["top_p"], request["seed"]) == (0.25, 0.5, 7)
    assert request["max_tokens"] == 500
    assert "response_format" not in request
    assert "tools" not in request


def test_nothing_is_imported_before_it_is_used_and_nobody_else_is_called(tmp_path: Path) -> None:
    """A fresh interpreter that notes every address a socket is connected to and every name that is looked up."""
    program = """
import sys
from pathlib import Path
import rigorbench.panel.ask, rigorbench.panel.judges.llm, rigorbench.panel.votes
heavy = [m for m in ("pydantic_ai", "pydantic", "openai", "httpx", "anthropic", "logfire_api") if m in sys.modules]
assert not heavy, heavy
seen = set()
def note(event, arguments):
    if event == "socket.connect":
        seen.add(str(arguments[1]))
    elif event in ("socket.getaddrinfo", "socket.gethostbyname"):
        seen.add(str(arguments[0]))
sys.addaudithook(note)
from test_llm import ask_one
from scripted_server import serve, Step
from panel_helpers import YES
with serve([Step(status=500), Step(YES)]) as server:
    vote = ask_one(Path(sys.argv[1]), server)
    assert vote.status == "voted", vote.problem
assert seen, "the hook saw nothing"
foreign = [s for s in seen if "127.0.0.1" not in s]
assert not foreign, foreign
"""
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path)],
        cwd=Path(__file__).parent,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        timeout=90,
    )
    assert done.returncode == 0, done.stderr
