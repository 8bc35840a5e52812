"""The adapters against what the real programs were started with, and the logs they left, when that was recorded."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from rigorbench.bench.agents import AGENTS, get_agent
from rigorbench.bench.agents.spec import Adapter
from rigorbench.session.logfile import LogFile
from rigorbench.session.registry import discover, read_log

RECORDED = {
    "aider": "aider",
    "auggie": "auggie",
    "copilot": "copilot",
    "gemini": "gemini",
    "opencode": "opencode",
    "openhands": "openhands",
    "qwen": "qwen",
}
LOGS = {**RECORDED, "claude-code": "claude", "codex": "codex"}

# Where we differ from the recorded call, and why.
ADDED = {
    # The recorded call left its histories in the repository, where they would count as the agent's work.
    "aider": {"--chat-history-file", "--input-history-file", "--no-gitignore"},
    # Said on the command line what was in the configuration.
    "opencode": {"--model"},
}
LEFT_OUT = {
    "aider": {"--auto-test", "--test-cmd", "--map-tokens"},
    "copilot": {"--log-dir"},
    "auggie": {"--max-turns"},
}
VALUES = {"prompt": "fix {url} it", "url": "http://localhost:9", "home": "/h", "cwd": "/work", "executable": "x"}


class Recorded:
    def __init__(self, file: Path) -> None:
        text = file.read_text(encoding="utf-8")
        command = re.search(r"^cmd: (.*)$", text, re.MULTILINE)
        self.words = shlex.split(command[1])
        self.flags = {w for w in self.words if re.fullmatch(r"--?[a-z][a-z-]*", w)}
        self.environment = dict(re.findall(r"^  ([A-Z_]+)=(.*)$", text, re.MULTILINE))
        self.files = {m[1]: m[2] for m in re.finditer(r"--- config ~/(\S+)\n(.*?)\n\n", text, re.DOTALL)}


def adapter_of(name: str) -> Adapter:
    adapter = get_agent(name).adapter
    assert adapter is not None
    return adapter


@pytest.mark.parametrize("name", RECORDED)
def test_command_line_and_environment_are_those_that_worked(shared_data: Path, name: str) -> None:
    recorded = Recorded(shared_data / "cli" / RECORDED[name] / "disciplined" / "command.txt")
    adapter = adapter_of(name)
    package = get_agent(name).package
    assert recorded.words[0] == package.executable
    ours = {w for w in adapter.command if re.fullmatch(r"--?[a-z][a-z-]*", w)}
    same = {"-m": "--model", "-p": "--prompt"} if name == "gemini" else {}
    theirs = {same.get(flag, flag) for flag in recorded.flags}
    assert ours - theirs == ADDED.get(name, set())
    assert theirs - ours == LEFT_OUT.get(name, set())
    for variable, value in adapter.environment.items():
        known = name == "aider" and variable == "OPENAI_BASE_URL"
        assert known or variable in recorded.environment
        if "{url}" in value:
            # The same path behind the address of the model server.
            shown = re.sub(
                r"http://127\.0\.0\.1:\d+/run/[^/]+/[^/]+", "{url}", recorded.environment.get(variable, value)
            )
            assert shown == value
    for path, text in adapter.files.items():
        assert path in recorded.files
        assert json.loads(recorded.files[path]).keys() <= json.loads(text).keys()


@pytest.mark.parametrize("name", LOGS)
def test_its_own_log_is_found_and_read(shared_data: Path, name: str) -> None:
    home = shared_data / "cli" / LOGS[name] / "disciplined" / "session"
    found = [path for pattern in get_agent(name).session_paths for path in home.glob(pattern)]
    assert found
    logs = [log for log in discover([str(path) for path in found]) if isinstance(log, LogFile)]
    assert any(step.calls for log in logs for t in read_log(log) for step in t.steps)


def test_a_prompt_may_hold_anything() -> None:
    adapter = adapter_of("gemini")
    words = [adapter.fill(word, VALUES) for word in adapter.command]
    assert words[-1] == "fix {url} it"
    assert words[0] == "x"


@pytest.mark.parametrize("name", [n for n, s in AGENTS.items() if s.engine == "adapter"])
def test_adapters_are_whole(name: str) -> None:
    spec, adapter = AGENTS[name], adapter_of(name)
    assert adapter.stdin != ("{prompt}" in adapter.command)
    assert spec.session_paths
    assert spec.network == (adapter.api == "own")
    texts = [*adapter.command, *adapter.environment.values(), *adapter.files.values()]
    assert adapter.api == "own" or any("{url}" in text for text in texts)
    for text in adapter.files.values():
        json.loads(adapter.fill(text, VALUES))
