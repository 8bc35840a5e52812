"""From what is known about an agent to an Inspect agent that runs it."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable

from inspect_ai.agent import Agent, AgentState, agent, agent_with
from inspect_ai.event import ModelEvent
from inspect_ai.log import transcript
from inspect_ai.model import ModelName, get_model

from .. import recording
from ..context import on_behalf, root
from .bridged import program
from .loop import loop
from .readiness import preflight, readiness
from .sessions import session_files
from .spec import AgentError, AgentSpec

__all__ = ["build", "rigor_agent", "session_files"]

# What a scripted "model" is introduced as, where a program treats names that it does not know worse.
_FAMILIAR = {"claude-code": "claude-sonnet-4-5-20250929", "codex": "gpt-5.5"}


def build(spec: AgentSpec, cwd: str | None = None, model_name: str | None = None) -> Agent:
    """The Inspect agent, which leaves no model call unrecorded, however it ends.

    Args:
        spec: which agent.
        cwd: the repository, as seen inside; default: the sandbox's working directory.
        model_name: what the agent's program is told that the model is called, where it must be one it knows.
    """

    async def execute(state: AgentState) -> AgentState:
        preflight()
        with on_behalf("engine"):
            inner = _inner(spec, cwd or root(), model_name)
            try:
                state = await inner(state)
            finally:
                await recording.flush()
        if not spec.network and not any(isinstance(e, ModelEvent) and not e.error for e in transcript().events):
            raise RuntimeError(
                f"{spec.title} ended without a single model call; its own log may say why ({spec.session_paths})"
            )
        return state

    return agent_with(execute, name=spec.name.replace("-", "_"), description=spec.title)


@agent
def rigor_agent(name: str = "react", cwd: str | None = None, model_name: str | None = None) -> Agent:
    """Any agent of :data:`~rigorbench.bench.agents.AGENTS`, for ``inspect eval --solver rigorbench/rigor_agent``."""
    from .catalog import get_agent

    return build(get_agent(name), cwd, model_name)


def _inner(spec: AgentSpec, cwd: str, model_name: str | None) -> Agent:
    if spec.engine == "react":
        return loop(cwd)
    if spec.engine == "adapter":
        return program(spec, cwd)
    if model_name is None and ModelName(get_model()).api == "scripted":
        model_name = _FAMILIAR.get(spec.name)
    return _SWE[spec.name](spec, cwd, model_name)


def _claude_code(spec: AgentSpec, cwd: str, model_name: str | None) -> Agent:
    from inspect_swe import claude_code

    return claude_code(
        version="sandbox",
        cwd=cwd,
        env=dict(spec.environment),
        model_config=model_name,
        # It would search through the model's provider, past the sandbox that has no network.
        disallowed_tools=["WebSearch"],
    )


def _codex(spec: AgentSpec, cwd: str, model_name: str | None) -> Agent:
    from inspect_swe import codex_cli

    _provide_catalog(spec)
    return codex_cli(
        version="sandbox",
        cwd=cwd,
        # Its default is a directory in the repository, which would count as the agent's work.
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
        env={**dict(spec.environment), "MSWEA_MODEL_NAME": f"{provider}/{model_name or 'inspect'}"},
    )


_SWE: dict[str, Callable[[AgentSpec, str, str | None], Agent]] = {
    "claude-code": _claude_code,
    "codex": _codex,
    "mini-swe-agent": _mini_swe_agent,
}


def _provide_catalog(spec: AgentSpec) -> None:
    """Codex's list of models from the installed program itself; else it would be fetched for every run, and missed
    offline after several attempts."""
    from inspect_swe._codex_cli.agentbinary import _cached_catalog_path

    version = readiness(spec).version
    if version is None:
        return
    place = _cached_catalog_path(version)
    if place.exists():
        return
    from .locate import find

    found = find(spec)
    if found is None:
        raise AgentError(f"{spec.name}: not installed")
    try:
        done = subprocess.run([str(found), "debug", "models", "--bundled"], capture_output=True, timeout=60, check=True)
        json.loads(done.stdout)
    except (OSError, subprocess.SubprocessError, ValueError):
        return  # an older program that does not tell; the engine's own copy is used then
    place.parent.mkdir(parents=True, exist_ok=True)
    temporary = place.with_suffix(".tmp")
    temporary.write_bytes(done.stdout)
    temporary.replace(place)
