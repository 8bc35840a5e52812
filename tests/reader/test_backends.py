"""Readers by name: programs that behave badly, Ollama, and models at a provider."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rigorbench.review.reader.backends import available, open_reader
from rigorbench.review.reader.backends.ollama import address
from rigorbench.review.reader.backends.program import ProgramReader, _settings, _toml, presets
from rigorbench.review.reader.request import ReaderError, Request
from rigorbench.review.reader.table import Price, ReaderTable
from scripted_server import Step, serve

YES = '{"verdict": "fine"}'
REQUEST = Request("QUESTION", "SESSION", {"type": "object"}, 1, "d", 15, 4)


def run(program: str, timeout: float = 20.0) -> ProgramReader:
    reader = open_reader("mine", {"mine": ReaderTable(command=[sys.executable, "-c", program], timeout=timeout)})
    assert isinstance(reader, ProgramReader)
    return reader


def fails(reader: object, request: Request = REQUEST) -> ReaderError:
    with pytest.raises(ReaderError) as error:
        reader.ask(request)  # type: ignore[attr-defined]
    assert "\n" not in str(error.value)
    return error.value


def test_a_command_gets_the_question_in_an_empty_directory() -> None:
    said = run("import os, sys, json; print(json.dumps([sys.stdin.read(), os.listdir('.')]))").ask(REQUEST)
    assert json.loads(said.text) == ["QUESTION\n\nSESSION", []]
    assert (said.model, said.input_tokens, said.cost) == (None, None, None)


def test_the_model_of_a_command_and_another_command_is_another_reader() -> None:
    table = ReaderTable(command=[sys.executable, "-c", "import sys; print(sys.argv[1:])", "{model}"])
    reader = open_reader("mine:big", {"mine": table})
    assert reader.ask(REQUEST).text.strip() == "['big']"
    other = open_reader("mine:big", {"mine": msgspec.structs.replace(table, command=["x"])})
    assert reader.name.startswith("mine:big (")
    assert other.name != reader.name


@pytest.mark.parametrize(
    ("program", "said", "lasting"),
    [
        ("import sys; sys.exit('Error: 401 Unauthorized')", "not logged in; log it in (it said: Error: 401", True),
        ("import sys; sys.exit('429 Too Many Requests')", "rate limit; wait", False),
        ("import sys; sys.exit('Rate limit reached, try again in 20s')", "rate limit; wait", False),
        ("import sys; sys.exit('Claude usage limit reached, resets at 3pm')", "the account's limit is reached", True),
        ("import sys; sys.exit('model foo does not exist')", "it does not know the model", True),
        ("print('I refuse to help with this')", "the model refused; ask another reader", False),
        ("", "it failed; try it by hand (it said: it wrote nothing and ended with status 0)", False),
        ("import sys; sys.exit(7)", "it failed; try it by hand (it said: it wrote nothing and ended", False),
        ("print('x' * 9_000_000); import time; time.sleep(9)", "it wrote more than 8 MB; ask another reader", False),
        ("import time; print('hm', flush=True); time.sleep(60)", "no answer within 1 s (it said: hm)", False),
        ("import sys, time; print('status 429', flush=True); time.sleep(60)", "rate limit; wait", False),
    ],
)  # fmt: skip
def test_programs_that_give_no_answer(program: str, said: str, lasting: bool) -> None:
    error = fails(run(program, 1.0 if "sleep(60)" in program else 20.0))
    assert str(error).startswith(said)
    assert error.lasting is lasting
    if said.startswith("rate"):
        assert error.retry_after in (20.0, 30.0)


def test_keys_that_a_program_repeats_are_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_API_KEY", "sk-very-secret-0123456789")
    error = fails(run("import os, sys; sys.exit('bad: ' + os.environ['MY_API_KEY'] + chr(27) + '[31m')"))
    assert str(error) == "it failed; try it by hand (it said: bad: [key])"


def test_nothing_that_a_program_started_runs_on(tmp_path: Path) -> None:
    child = f"import time, pathlib; time.sleep(1.5); pathlib.Path({str(tmp_path / 'alive')!r}).touch()"
    program = f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {child!r}]); print({YES!r})"
    assert run(program).ask(REQUEST).text.strip() == YES
    time.sleep(2.5)
    assert not (tmp_path / "alive").exists()


def test_names(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("LOCAL_BASE_URL", raising=False)
    for name, said in {
        "cluade": "there is no such reader; did you mean claude?",
        "ollama": "which model? name it: ollama:MODEL",
        "claude:": "the name of a model is missing after the colon",
        "nowhere/model": "provider 'nowhere': one of openai, anthropic, google",
        "openai-api/local/m": "set LOCAL_BASE_URL",
    }.items():
        with pytest.raises(ReaderError) as error:
            open_reader(name)
        assert said.split(";")[0] in str(error.value)
        assert error.value.lasting
    for table in (ReaderTable(), ReaderTable(command=[]), ReaderTable(command=["x"], model="openai/m"),
                  ReaderTable(command=["x"], timeout=0)):  # fmt: skip
        with pytest.raises(ReaderError, match=r"^readers\.mine: "):
            open_reader("mine", {"mine": table})
    monkeypatch.setenv("PATH", str(tmp_path))
    for name, preset in presets().items():
        error = fails(open_reader(name))
        assert str(error) == f"`{name}` is not installed; {preset.install}"
        assert error.lasting


def test_ollama(monkeypatch: pytest.MonkeyPatch) -> None:
    request = msgspec.structs.replace(REQUEST, characters=30_000)
    steps = [Step(YES, model="qwen3:8b"), Step(YES[:5], finish="length"), Step(status=404), Step(status=503),
             Step(body=b"<html>"), Step(hang=True)]  # fmt: skip
    with serve(steps) as server:
        monkeypatch.setenv("OLLAMA_HOST", server.address)
        reply = open_reader("ollama:qwen3:8b").ask(request)
        errors = [fails(open_reader("ollama:qwen3:8b"), request) for _ in steps[1:-1]]
        monkeypatch.setattr("rigorbench.review.reader.backends.ollama._TIMEOUT", 0.5)
        late = fails(open_reader("ollama:m"), request)
    assert (reply.text, reply.model, reply.input_tokens, reply.cost) == (YES, "qwen3:8b", 100, 0.0)
    body = server.requests[0]
    assert (server.paths[0], body["format"], body["stream"]) == ("/api/chat", request.schema, False)
    assert body["options"]["num_ctx"] >= 15_000, "the whole text has room"
    starts = ["the answer was cut", "Ollama has no such model; `ollama pull qwen3:8b`", "Ollama answers 503",
              "http"]  # fmt: skip
    assert [str(e).startswith(s) for e, s in zip(errors, starts, strict=True)] == [True] * 4
    assert (errors[1].lasting, errors[2].retry_after) == (True, 30.0)
    assert str(late).startswith("no answer within 0.5 s")
    assert str(fails(open_reader("ollama:m"))).startswith("Ollama does not answer at http://127.0.0.1")


@pytest.mark.parametrize(
    ("host", "found"),
    [("", "http://127.0.0.1:11434"), ("0.0.0.0", "http://127.0.0.1:11434"), ("gpu:9", "http://gpu:9"),
     ("https://gpu/", "https://gpu")],
)  # fmt: skip
def test_where_ollama_listens(host: str, found: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OLLAMA_HOST", host)
    assert address() == found


def test_a_model_at_a_provider(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pydantic_ai")
    monkeypatch.setenv("LOCAL_API_KEY", "sk-very-secret-0123456789")
    steps = [Step(YES, model="m-1", usage=(1000, 100)), Step(YES[:5], finish="length"),
             Step("", finish="content_filter"), Step(status=401),
             Step(status=429, headers={"retry-after": "86400"})]  # fmt: skip
    with serve(steps) as server:
        monkeypatch.setenv("LOCAL_BASE_URL", server.url)
        reply = open_reader("openai-api/local/m").ask(REQUEST)
        errors = [fails(open_reader("openai-api/local/m")) for _ in steps[1:]]
        table = ReaderTable(model="local/m", base_url=server.url, price=Price(1.0, 10.0))
        assert open_reader("mine", {"mine": table}).price(1_000_000) == pytest.approx(1.04)  # type: ignore[attr-defined]
    assert (reply.text, reply.model, reply.program, reply.input_tokens, reply.cost) == (YES, "m-1", None, 1000, None)
    assert server.keys[0] == "Bearer sk-very-secret-0123456789"
    assert server.requests[0]["response_format"]["json_schema"]["schema"]["type"] == "object"
    starts = ["the answer was cut at 8000 tokens", "refused", "HTTP 401", "HTTP 429"]
    assert [str(e).startswith(s) for e, s in zip(errors, starts, strict=True)] == [True] * 4, errors
    assert [e.lasting for e in errors] == [False, False, True, False]
    assert errors[3].retry_after == 86_400.0
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    assert "no key; set OPENAI_API_KEY" in str(fails(open_reader("openai/gpt-5")))


def test_a_provider_that_fails_for_a_moment_is_asked_again_and_a_bad_request_is_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pytest.importorskip("pydantic_ai")
    slept: list[float] = []
    monkeypatch.setattr("rigorbench.review.reader.backends.api.time.sleep", slept.append)
    busy = Step(status=503)
    steps = [busy, Step(status=429, headers={"retry-after": "7"}), Step(YES), Step(status=400), *[busy] * 5]
    with serve(steps) as server:
        table = ReaderTable(model="local/m", base_url=server.url, price=Price(1.0, 10.0))
        reply = open_reader("mine", {"mine": table}).ask(REQUEST)
        wrong, down = (fails(open_reader("mine", {"mine": table})) for _ in range(2))
    assert (reply.text, reply.input_tokens) == (YES, 100)
    assert reply.cost == pytest.approx(0.0002), "what was refused is not billed"
    assert (0.5 <= slept[0] <= 1, slept[1]) == (True, 7.0)
    assert str(wrong).endswith('settings = { reply = "text" }')
    assert str(down).startswith("HTTP 503")
    assert (len(server.requests), down.lasting) == (9, False)


@pytest.mark.parametrize(
    "body",
    [b"<html>hello</html>", b"{}", b"[1, 2]", b"\xff\xfe\x00", b'{"error": {"message": "overloaded"}}',
     b'{"id": "x", "object": "chat.completion", "created": 1, "model": "m", "choices": []}'],
)  # fmt: skip
def test_a_reply_that_is_none_of_the_protocol_is_named_with_its_server(
    body: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("pydantic_ai")
    monkeypatch.setattr("rigorbench.review.reader.backends.api._PAUSES", ())
    with serve([Step(body=body)]) as server:
        error = fails(open_reader("mine", {"mine": ReaderTable(model="openai/m", base_url=server.url)}))
    assert str(error).startswith(f"{server.url} does not answer as its protocol says: ")


def test_a_server_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pydantic_ai")
    monkeypatch.setattr("rigorbench.review.reader.backends.api._PAUSES", ())
    with serve([Step(YES)]) as server:
        pass
    error = fails(open_reader("mine", {"mine": ReaderTable(model="openai/m", base_url=server.url)}))
    assert str(error) == f"no connection to {server.url}"


def test_the_readers_of_a_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program = tmp_path / "claude"
    program.write_text(
        '#!/bin/sh\n[ "$1" = --version ] && echo "9.8.7 (x)"\n[ "$1 $2" = "auth status" ] && exit 1\nexit 0\n'
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("OLLAMA_HOST", "127.0.0.1:9")
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    found = {each.name: each for each in available()}
    assert (found["claude"].ready, found["claude"].detail) == (False, "9.8.7 (tried with 2.1.330), not logged in")
    assert found["llm"].detail == "`llm` not found"
    assert (found["openai/MODEL"].ready, found["google/MODEL"].ready, found["ollama"].ready) == (True, False, False)


@given(st.recursive(st.text() | st.booleans() | st.integers(), lambda v: st.lists(v) | st.dictionaries(st.text(), v)))
def test_settings_that_are_written_are_read_again(value: object) -> None:
    import tomllib

    assert tomllib.loads(f"k = {_toml(value)}")["k"] == value


def test_settings_as_people_write_them(tmp_path: Path) -> None:
    file = tmp_path / "s.json"
    file.write_text('{"a": "x // y, }", // z\n /* , */ "b": [1, 2,], }')
    assert _settings(file) == {"a": "x // y, }", "b": [1, 2]}
    file.write_text("{")
    assert _settings(file) == {}
