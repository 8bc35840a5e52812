"""Makes the Inspect agent that runs a row of the agents' table."""

from __future__ import annotations

import json
import posixpath
import subprocess
from collections.abc import Callable

from inspect_ai.agent import Agent, AgentState, agent, agent_with, sandbox_agent_bridge
from inspect_ai.event import ModelEvent
from inspect_ai.log import transcript
from inspect_ai.model import ChatMessage, ChatMessageAssistant, ChatMessageSystem, ChatMessageUser, ModelName, get_model
from inspect_ai.util import ExecRemoteAwaitableOptions, sandbox, store

from ...base.files import replace_file
from ..recording.calls import flush
from ..recording.context import on_behalf, root
from .locate import find
from .loop import loop
from .readiness import preflight, readiness
from .registry import get_agent
from .spec import Adapter, AgentError, AgentSpec
from .user import converse, scripted_user


def build(spec: AgentSpec, cwd: str | None = None, model_name: str | None = None) -> Agent:
    """The Inspect agent. All its model calls are recorded, however it ends.

    Args:
        model_name: name of the model that the agent's program is given, if it must be one that it knows.
    """

    async def execute(state: AgentState) -> AgentState:
        preflight()
        with on_behalf("engine"):
            inner = _inner(spec, cwd or root(), model_name)
            try:
                state = await converse(inner, state, scripted_user() if spec.resumes else None)
            finally:
                await flush()
        if not spec.network and not any(isinstance(e, ModelEvent) and not e.error for e in transcript().events):
            raise RuntimeError(
                f"{spec.title} ended without a single model call; its own log may say why ({spec.session_paths})"
            )
        return state

    return agent_with(execute, name=spec.name.replace("-", "_"), description=spec.title)


@agent
def rigor_agent(name: str = "react", cwd: str | None = None, model_name: str | None = None) -> Agent:
    """Any agent of the table, for ``inspect eval --solver rigorbench/rigor_agent``."""
    return build(get_agent(name), cwd, model_name)


def _inner(spec: AgentSpec, cwd: str, model_name: str | None) -> Agent:
    if spec.engine == "react":
        return loop(cwd, plan=spec.plan_tool)
    if spec.engine == "adapter":
        return program(spec, cwd)
    if model_name is None and ModelName(get_model()).api == "scripted":
        model_name = spec.known_model
    return _SWE[spec.name](spec, cwd, model_name)


def _claude_code(spec: AgentSpec, cwd: str, model_name: str | None) -> Agent:
    from inspect_swe import claude_code

    return claude_code(
        version="sandbox",
        cwd=cwd,
        env=dict(spec.environment),
        model_config=model_name,
        # The search would run at the model's provider, around the sandbox that has no network.
        disallowed_tools=["WebSearch"],
    )


def _codex(spec: AgentSpec, cwd: str, model_name: str | None) -> Agent:
    from inspect_swe import codex_cli
    from inspect_swe._codex_cli.agentbinary import _cached_catalog_path

    version = readiness(spec).version
    if version is not None:
        # Codex's list of models: without it each run tries to fetch one, in vain offline.
        catalog = _cached_catalog_path(version)
        if not catalog.exists():
            found = find(spec)
            if found is None:
                raise AgentError(f"{spec.name}: not installed")
            try:
                done = subprocess.run(
                    [str(found), "debug", "models", "--bundled"], capture_output=True, timeout=60, check=True
                )
                json.loads(done.stdout)
            except (OSError, subprocess.SubprocessError, ValueError):
                pass
            else:
                replace_file(catalog, done.stdout)
    return codex_cli(
        version="sandbox",
        cwd=cwd,
        # The default is a directory in the repository, which would count as the agent's work.
        home_dir="$HOME/.codex",
        env=dict(spec.environment),
        model_config=model_name,
        web_search="disabled",
        goals=False,
    )


def _mini_swe_agent(spec: AgentSpec, cwd: str, model_name: str | None) -> Agent:
    from inspect_swe import mini_swe_agent

    # The bridge answers under any name, but the client library must know the provider's.
    provider = "anthropic" if ModelName(get_model()).api == "anthropic" else "openai"
    return mini_swe_agent(
        version="sandbox",
        cwd=cwd,
        env={**spec.environment, "MSWEA_MODEL_NAME": f"{provider}/{model_name or 'inspect'}"},
    )


_SWE: dict[str, Callable[[AgentSpec, str, str | None], Agent]] = {
    "claude-code": _claude_code,
    "codex": _codex,
    "mini-swe-agent": _mini_swe_agent,
}


_PORT = 3100
_TAIL = 2000


@agent
def program(spec: AgentSpec, cwd: str) -> Agent:
    """Runs the program of ``spec`` once, in ``cwd``, as its adapter says."""
    adapter, package = spec.adapter, spec.package
    assert adapter is not None
    assert package is not None

    async def execute(state: AgentState) -> AgentState:
        if adapter.api == "own":
            await _run(spec, adapter, package.executable, cwd, _prompt(state.messages), "")
            return state
        # Several agents may run in one sandbox, one after the other; each gets a port of its own.
        port = int(store().get("rigorbench_port", _PORT)) + 1
        store().set("rigorbench_port", port)
        prompt = _prompt(state.messages)
        async with sandbox_agent_bridge(state, port=port) as bridge:
            await _run(spec, adapter, package.executable, cwd, prompt, f"http://localhost:{bridge.port}")
        return bridge.state

    return execute


async def _run(spec: AgentSpec, adapter: Adapter, executable: str, cwd: str, prompt: str, url: str) -> None:
    environment = sandbox()
    home = (await environment.exec(["sh", "-c", 'printf %s "$HOME"'])).stdout or "/tmp"
    values = {"prompt": prompt, "url": url, "home": home, "cwd": cwd, "executable": executable}
    for path, text in adapter.files.items():
        await environment.write_file(posixpath.join(home, path), adapter.fill(text, values))
    variables = {**spec.environment, **adapter.environment}
    done = await environment.exec_remote(
        # Standard input is closed, since a program may wait for an open one.
        [adapter.fill(word, values) for word in adapter.command]
        if adapter.stdin
        else ["sh", "-c", 'exec "$@" </dev/null', "sh", *(adapter.fill(word, values) for word in adapter.command)],
        ExecRemoteAwaitableOptions(
            cwd=cwd,
            env={name: adapter.fill(value, values) for name, value in variables.items()},
            input=prompt if adapter.stdin else None,
            concurrency=False,
        ),
        stream=False,
    )
    if not done.success:
        output = (done.stderr or done.stdout).strip()[-_TAIL:]
        raise RuntimeError(f"{spec.title} ended with exit status {done.returncode}: {output}")


def _prompt(messages: list[ChatMessage]) -> str:
    """The prompt of the program: the system messages, then the user's messages since its last answer."""
    last = max((i for i, m in enumerate(messages) if isinstance(m, ChatMessageAssistant)), default=-1)
    system = [m.text for m in messages if isinstance(m, ChatMessageSystem)]
    return "\n\n".join([*system, *(m.text for m in messages[last + 1 :] if isinstance(m, ChatMessageUser))])
