"""The programs that people have, as readers: the real ones against a scripted server, and what they must not bring."""

from __future__ import annotations

import json
import os
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from rigorbench.review.reader.backends.program import ProgramReader, presets
from rigorbench.review.reader.request import ReaderError, Reply, Request
from scripted_server import ScriptedServer, Step, serve

PRESETS = presets()
YES = '{"grades": 5, "verdict": "fine"}'
SCHEMA = {
    "type": "object",
    "properties": {"grades": {"type": "integer"}, "verdict": {"type": "string"}},
    "required": ["grades", "verdict"],
    "additionalProperties": False,
}
REQUEST = Request("QUESTION-MARK of what to judge.", "SESSION-MARK of what was done.", SCHEMA, 1, "d", 60, 15)
PROGRAMS = [n for n in os.environ.get("RIGOR_READER_PROGRAMS", ",".join(PRESETS)).split(",") if n]
# Where `scripts/agents` installs them, and where else they may be.
PLACES = [
    f"{directory}/{below}"
    for directory in os.environ.get("RIGOR_AGENTS", "").split(os.pathsep)
    if directory
    for below in ("node_modules/.bin", "llm/bin")
]
MODELS = {"llm": "gpt-4o-mini", "gemini": "gemini-2.5-pro"}
NOWHERE = "http://127.0.0.1:9"
SKILL = "---\nname: canary\ndescription: CANARY-skill\n---\nCANARY-skill"


def furnish(home: Path, url: str) -> None:
    """A home full of what must not reach a reader: instructions with a canary, hooks and servers that leave a file."""

    def touch(what: str) -> str:
        return f"touch {home}/RAN-{what}"

    hook = [{"hooks": [{"type": "command", "name": "c", "command": touch("hook")}]}]
    hooks = dict.fromkeys(("SessionStart", "UserPromptSubmit", "Stop", "BeforeModel", "BeforeAgent"), hook)
    servers = {"canary": {"command": "sh", "args": ["-c", f"{touch('server')}; sleep 5"]}}
    fake = {
        "npm": "@ai-sdk/openai-compatible", "name": "Fake", "options": {"baseURL": f"{url}/v1", "apiKey": "none"},
        "models": {"coder": {"name": "Coder", "limit": {"context": 200000, "output": 32000}}},
    }  # fmt: skip
    opencode = {
        "instructions": [f"{home}/extra.md"], "model": "fake/coder", "provider": {"fake": fake},
        "mcp": {"canary": {"type": "local", "command": ["sh", "-c", touch("server")]}},
    }  # fmt: skip
    copilot = {"version": 1, "hooks": {n: [{"type": "command", "bash": touch("hook")}] for n in ("sessionStart",)}}
    files: dict[str, Any] = {
        ".claude/CLAUDE.md": "CANARY-claude", ".claude/settings.json": {"hooks": hooks},
        ".claude.json": {"mcpServers": servers, "hasCompletedOnboarding": True},
        ".claude/agents/c.md": "---\nname: c\ndescription: CANARY-agent\n---\nx",
        ".codex/AGENTS.md": "CANARY-codex", ".codex/hooks.json": {"hooks": hooks},
        ".codex/config.toml": (
            'developer_instructions = "CANARY-developer"\nmodel_provider = "fake"\n'
            f'[mcp_servers.canary]\ncommand = "sh"\nargs = ["-c", "{touch("server")}"]\n'
            f'[model_providers.fake]\nname = "fake"\nbase_url = "{url}/v1"\nenv_key = "FAKE_KEY"\n'
            'wire_api = "responses"\nrequest_max_retries = 0\nstream_max_retries = 0\n'
        ),
        ".gemini/GEMINI.md": "CANARY-gemini",
        ".gemini/settings.json": (
            '{"security": {"auth": {"selectedType": "gemini-api-key"}}, // as people write it\n'
            f'"mcpServers": {json.dumps(servers)}, "hooks": {json.dumps(hooks)}}}'
        ),
        ".config/opencode/AGENTS.md": "CANARY-opencode", ".config/opencode/opencode.json": opencode,
        ".config/opencode/plugin/p.js": f"require('fs').writeFileSync('{home}/RAN-plugin', 'x')",
        ".copilot/copilot-instructions.md": "CANARY-copilot", ".copilot/hooks/h.json": copilot,
        ".copilot/mcp-config.json": {"mcpServers": {"canary": {"type": "local", "tools": ["*"], **servers["canary"]}}},
        ".qwen/QWEN.md": "CANARY-qwen",
        ".qwen/settings.json": {
            "security": {"auth": {"selectedType": "openai"}}, "mcpServers": servers, "hooks": hooks,
        },
        "extra.md": "CANARY-extra", "AGENTS.md": "CANARY-above",
        **{f"{d}/skills/canary/SKILL.md": SKILL
           for d in (".claude", ".codex", ".agents", ".gemini", ".config/opencode", ".copilot", ".qwen")},
    }  # fmt: skip
    for name, content in files.items():
        file = home / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content if isinstance(content, str) else json.dumps(content))


class Stage:
    """A home, and the environment in which a program asks the scripted server."""

    def __init__(self, name: str, home: Path, server: ScriptedServer, patch: pytest.MonkeyPatch) -> None:
        self.name, self.home, self.server = name, home, server
        furnish(home, server.address)
        (home / "tmp").mkdir()
        for variable in list(os.environ):
            patch.delenv(variable)
        for variable, value in {
            "HOME": str(home), "PATH": os.pathsep.join([*PLACES, PATH]), "LANG": "C.UTF-8", "TERM": "dumb",
            "TMPDIR": str(home / "tmp"), "HTTP_PROXY": NOWHERE, "HTTPS_PROXY": NOWHERE, "NO_PROXY": "127.0.0.1",
            "ANTHROPIC_BASE_URL": server.address, "ANTHROPIC_API_KEY": "sk-ant-none-0000",
            "CLAUDE_CODE_MAX_RETRIES": "0", "FAKE_KEY": "sk-none-0000", "GEMINI_API_KEY": "sk-none-0000",
            "GOOGLE_GEMINI_BASE_URL": server.address, "OPENAI_API_KEY": "sk-none-0000", "OPENAI_BASE_URL": server.url,
            "OPENAI_MODEL": "qwen3", "COPILOT_PROVIDER_BASE_URL": server.url, "COPILOT_PROVIDER_TYPE": "openai",
            "COPILOT_PROVIDER_API_KEY": "sk-none-0000", "COPILOT_MODEL": "gpt-5", "COPILOT_OFFLINE": "true",
            "OPENCODE_DISABLE_MODELS_FETCH": "1",
        }.items():  # fmt: skip
            patch.setenv(variable, value)
        patch.setattr("tempfile.tempdir", None)

    def ask(self, timeout: float = 120.0) -> Reply:
        return ProgramReader(self.name, PRESETS[self.name], MODELS.get(self.name), timeout).ask(REQUEST)

    def fails(self, timeout: float = 120.0) -> ReaderError:
        with pytest.raises(ReaderError) as error:
            self.ask(timeout)
        text = str(error.value)
        assert "\n" not in text
        assert "0000" not in text, "a key must not be told"
        return error.value

    def left(self) -> list[str]:
        """What remains in the place for temporary files."""
        return [p.name for p in (self.home / "tmp").iterdir() if p.name.startswith("rigor-reader")]


PATH = os.environ["PATH"]


def installed(name: str) -> bool:
    return shutil.which(PRESETS[name].program, path=os.pathsep.join([*PLACES, PATH])) is not None


@pytest.fixture(params=PROGRAMS)
def program(request: pytest.FixtureRequest) -> str:
    name = str(request.param)
    if not installed(name):
        pytest.skip(f"`{name}` is not installed: {PRESETS[name].install}, or scripts/agents DIR and RIGOR_AGENTS=DIR")
    return name


slow = pytest.mark.slow(reason="starts a real program each: 2 to 30 seconds")


@slow
def test_an_answer_and_nothing_of_the_home(program: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serve([Step(YES, model="scripted-1")]) as server:
        stage = Stage(program, tmp_path, server, monkeypatch)
        before = {p: p.read_bytes() for p in tmp_path.rglob("*") if p.is_file()}
        reply = stage.ask()
        asked = [json.dumps(request) for request in server.requests if "SESSION-MARK" in json.dumps(request)]
    assert reply.text == YES
    assert len(asked) == 1, "one turn"
    assert "QUESTION-MARK" in asked[0]
    assert "CANARY" not in asked[0]
    assert not list(tmp_path.glob("RAN-*")), "a hook, a server or a plugin of the home ran"
    assert reply.program == f"{program} {PRESETS[program].tried}"
    assert reply.model
    # One adds up its requests by itself and tells no tokens of a server that is not its own.
    assert (reply.input_tokens, reply.output_tokens) == ((None, None) if program == "copilot" else (100, 10))
    [request] = [r for r in server.requests if "SESSION-MARK" in json.dumps(r)]
    tools = [t for t in request.get("tools") or [] if t.get("functionDeclarations") != []]
    assert [t for t in tools if t] == []
    assert not stage.left()
    changed = [str(p) for p, content in before.items() if p.read_bytes() != content]
    # What these two note in them at every start.
    changed = [c for c in changed if not c.endswith((".claude.json", ".qwen/settings.json"))]
    assert not changed, "the user's settings stay as they are"
    logs = [p for p in tmp_path.rglob("*.jsonl") if "SESSION-MARK" in p.read_text(errors="replace")]
    assert not logs, "no session of the reader among the user's own"


@slow
def test_prose_around_the_answer_is_kept_for_the_check(
    program: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prose = f"Here it is:\n```json\n{YES}\n```\nI hope it helps."
    with serve([Step(prose)]) as server:
        assert Stage(program, tmp_path, server, monkeypatch).ask().text.strip() == prose


@slow
def test_a_cut_answer(program: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serve([Step(YES[:12], finish="length")]) as server:
        stage = Stage(program, tmp_path, server, monkeypatch)
        if program in ("gemini", "copilot", "qwen"):
            # They do not tell that it was cut; what is left is no JSON.
            try:
                assert not re.search(r"\}\s*$", stage.ask().text)
            except ReaderError as error:
                assert "cut" in str(error)
        else:
            assert str(stage.fails()).startswith("the answer was cut at its greatest length; ask another model")


@slow
def test_a_refusal(program: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # The protocols have no word for it in common; where a program tells nothing, the answer is empty.
    finish = {"claude": "refusal", "codex": "stop"}.get(program, "content_filter")
    with serve([Step("", finish=finish)]) as server:
        said = str(Stage(program, tmp_path, server, monkeypatch).fails())
    quiet = program in ("codex", "qwen")
    assert said.startswith("it failed; try it by hand" if quiet else "the model refused; ask another reader"), said


@slow
def test_a_rate_limit(program: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    body = json.dumps({"error": {"message": "Rate limit reached, try again in 20s", "type": "rate_limit_error"}})
    with serve([Step(status=429, body=body.encode())]) as server:
        error = Stage(program, tmp_path, server, monkeypatch).fails(20.0 if program in ("opencode", "qwen") else 100.0)
    if program == "qwen":
        # It tries again for minutes and says nothing meanwhile.
        assert str(error).startswith("no answer within 20 s")
        return
    assert str(error).startswith("rate limit; wait, or choose another reader"), error
    assert not error.lasting
    assert error.retry_after in (20.0, 30.0)


@slow
def test_no_answer_in_time(program: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serve([Step(hang=True)]) as server:
        stage = Stage(program, tmp_path, server, monkeypatch)
        error = stage.fails(5.0)
    assert str(error).startswith("no answer within 5 s")
    assert "timeout in its table of rigor.toml" in str(error)
    assert not stage.left()
    # Nothing of it runs on.
    assert not running(str(tmp_path))


@slow
def test_not_logged_in(program: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serve([Step(status=401)]) as server:
        stage = Stage(program, tmp_path, server, monkeypatch)
        if program != "opencode":
            for name in ("ANTHROPIC_API_KEY", "FAKE_KEY", "GEMINI_API_KEY", "OPENAI_API_KEY", "OPENAI_MODEL",
                         "COPILOT_PROVIDER_BASE_URL", "COPILOT_OFFLINE"):  # fmt: skip
                monkeypatch.delenv(name)
        error = stage.fails()
    assert str(error).startswith(f"not logged in; {PRESETS[program].login} (it said: "), error
    assert error.lasting


def running(mark: str) -> list[str]:
    """Programs whose environment or command names this directory."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        if int(process.name) == os.getpid():
            continue
        try:
            if mark.encode() in (process / "environ").read_bytes():
                found.append((process / "cmdline").read_bytes().decode(errors="replace"))
        except OSError:
            continue
    return found
