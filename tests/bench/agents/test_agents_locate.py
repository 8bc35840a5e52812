"""Finding agents: given directories, RIGOR_AGENTS, PATH; npm's layouts, virtual environments, single programs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from rigorbench.bench.agents import AGENTS, AgentError, AgentSpec, get_agent
from rigorbench.bench.agents import readiness as readiness_module
from rigorbench.bench.agents.locate import binds, find
from rigorbench.bench.agents.readiness import agents, missing_packages, preflight, readiness


@pytest.fixture(autouse=True)
def _nothing_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path / "path"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("RIGOR_AGENTS", raising=False)
    for spec in AGENTS.values():
        for name in spec.passes:
            monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(readiness_module, "missing_packages", list)


def program(file: Path, text: str = "#!/bin/sh\n") -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    file.chmod(0o755)
    return file


def npm(prefix: Path, package: str, executable: str, file: str = "main.js") -> Path:
    """A package in a prefix, with npm's link to its program: a script, or a binary."""
    text = "#!/usr/bin/env node\n" if file.endswith(".js") else "\x7fELF"
    target = program(prefix / "node_modules" / package / "bin" / file, text)
    (target.parent.parent / "package.json").write_text(json.dumps({"name": package, "version": "1.2.3"}))
    link = prefix / "node_modules" / ".bin" / executable
    link.parent.mkdir(parents=True, exist_ok=True)
    link.symlink_to(os.path.relpath(target, link.parent))
    return link


def starts(spec: AgentSpec) -> str:
    """The start script that takes the program's name in the sandbox."""
    assert spec.package is not None
    (file,) = [b.source for b in binds(spec) if b.target == f"/opt/agents/bin/{spec.package.executable}"]
    assert os.access(file, os.X_OK)
    return Path(file).read_text()


def test_nothing_is_found_and_the_remedy_is_named() -> None:
    state = readiness(get_agent("codex"))
    assert (state.ok, state.version) == (False, None)
    assert state.why == "`codex` not found"
    assert "npm install -g @openai/codex" in state.remedy
    assert "--agent-path codex=DIR" in state.remedy
    with pytest.raises(AgentError, match="`codex` not found"):
        binds(get_agent("codex"))
    assert readiness(get_agent("react")).ok


def test_an_npm_package_with_a_native_program(tmp_path: Path) -> None:
    npm(tmp_path / "a", "@anthropic-ai/claude-code", "claude", "claude.exe")
    spec = get_agent("claude", {"claude": tmp_path / "a"})
    assert spec.name == "claude-code"
    assert readiness(spec).version == readiness(spec).version == "1.2.3"
    assert binds(spec)[0].source == str(tmp_path / "a/node_modules")
    inside = "/opt/agents/claude-code/node_modules"
    assert binds(spec)[0].target == inside
    # A binary needs no Node.js, and there is none.
    assert starts(spec) == f'#!/bin/sh\nexec {inside}/@anthropic-ai/claude-code/bin/claude.exe "$@"\n'


def test_a_script_of_npm_runs_with_the_node_beside_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    npm(tmp_path / "lib", "@google/gemini-cli", "gemini")
    node = program(tmp_path / "bin" / "node", f"#!/bin/sh\nprintf %s '{tmp_path}/real/node'\n")
    monkeypatch.setenv("PATH", f"{node.parent}:/usr/bin:/bin")
    monkeypatch.setenv("RIGOR_AGENTS", f"{tmp_path}/nowhere:{tmp_path}/lib")
    spec = get_agent("gemini")
    assert readiness(spec).ok
    bound = {b.target: b.source for b in binds(spec)}
    # What PATH names may be a version manager's script; what it runs is bound.
    assert bound["/opt/agents/node/bin/node"] == f"{tmp_path}/real/node"
    start = starts(spec)
    assert start.startswith("#!/bin/sh\nexec /opt/agents/node/bin/node /opt/agents/gemini/node_modules/@google/")
    assert start.endswith('main.js "$@"\n')


def test_a_script_of_npm_without_node(tmp_path: Path) -> None:
    npm(tmp_path, "@openai/codex", "codex")
    state = readiness(get_agent("codex", {"codex": tmp_path}))
    assert not state.ok
    assert "Node.js" in state.why


def test_packages_nested_in_one_another(tmp_path: Path) -> None:
    """As `npm install -g` lays them out: the outermost node_modules is what a program may need."""
    inner = npm(tmp_path / "lib/node_modules/outer", "@qwen-code/qwen-code", "qwen", "qwen")
    spec = get_agent("qwen", {"qwen": inner})
    assert find(spec) == inner
    assert binds(spec)[0].source == str(tmp_path / "lib/node_modules")
    assert "/node_modules/outer/node_modules/@qwen-code/" in starts(spec)


def test_a_console_script_of_a_virtual_environment(tmp_path: Path) -> None:
    venv = tmp_path / "agents" / "mini-swe-agent"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(venv)], check=True)
    site = next(venv.glob("lib/python3*/site-packages"))
    (site / "hello.py").write_text("import sys\ndef main():\n    print(sys.argv)\n    return 3\n")
    information = site / "mini_swe_agent-2.0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: mini-swe-agent\nVersion: 2.0\n")
    (information / "entry_points.txt").write_text("[console_scripts]\nmini = hello:main\n")
    program(venv / "bin" / "mini", f"#!{venv}/bin/python\n")
    spec = get_agent("mini-swe-agent", {"mini-swe-agent": tmp_path / "agents"})
    assert readiness(spec).version == "2.0"
    script = starts(spec)
    assert "/opt/agents/mini-swe-agent/site-packages" in script
    # As in the sandbox, with the places on the host: a module in the working directory does not shadow its own.
    (tmp_path / "hello.py").write_text("raise SystemExit('shadowed')")
    for bind in binds(spec):
        script = script.replace(bind.inside, bind.source)
    done = subprocess.run(["/bin/sh", "-c", script, "sh", "a b"], cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stdout.strip()) == (3, "['mini', 'a b']")


def test_a_program_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = program(tmp_path / "path" / "cursor-agent")
    spec = get_agent("cursor")
    state = readiness(spec)
    assert not state.ok
    assert "own service" in state.why
    assert state.remedy == "set CURSOR_API_KEY"
    monkeypatch.setenv("CURSOR_API_KEY", "k")
    assert readiness(spec).ok
    assert spec.env() == {"CURSOR_API_KEY": "k"}
    assert binds(spec)[0].source == str(file.parent)
    assert starts(spec) == '#!/bin/sh\nexec /opt/agents/cursor/program/cursor-agent "$@"\n'


def test_what_is_given_comes_before_what_is_around(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    on_path = program(tmp_path / "path" / "aider")
    assert find(get_agent("aider")) == on_path
    around = program(tmp_path / "around" / "bin" / "aider")
    monkeypatch.setenv("RIGOR_AGENTS", str(tmp_path / "around"))
    assert find(get_agent("aider")) == around
    given = program(tmp_path / "given" / "aider")
    assert find(get_agent("aider", {"aider": tmp_path / "given"})) == given
    # What was given and is not there is not replaced by something else.
    assert find(get_agent("aider", {"aider": tmp_path / "empty"})) is None


def test_all_agents_have_a_state() -> None:
    states = agents()
    assert set(states) == set(AGENTS)
    assert [name for name, state in states.items() if state.ok] == ["react", "react-plan"]
    assert all(state.ok or (state.why and state.remedy) for state in states.values())


def test_an_unknown_agent() -> None:
    with pytest.raises(AgentError, match=r"nope: no such agent; there are react, react-plan, claude-code"):
        get_agent("nope")


def test_a_missing_client_is_said_before_anything_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readiness_module, "missing_packages", missing_packages)
    monkeypatch.setattr(readiness_module, "find_spec", lambda name: None if name == "openai" else object())
    with pytest.raises(AgentError, match=r"needs openai: pip install"):
        preflight()
    assert "openai missing" in readiness(get_agent("react")).why


def test_readiness_imports_no_engine() -> None:
    code = (
        "import sys; from rigorbench.bench.agents.readiness import agents; agents(); "
        "sys.exit(any(m.startswith('inspect_') for m in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
