"""A command line program as an Inspect agent: started in the sandbox, its model calls answered over the bridge."""

from __future__ import annotations

import posixpath

from inspect_ai.agent import Agent, AgentState, agent, sandbox_agent_bridge
from inspect_ai.model import ChatMessage, ChatMessageAssistant, ChatMessageSystem, ChatMessageUser
from inspect_ai.util import ExecRemoteAwaitableOptions, sandbox, store

from .spec import Adapter, AgentSpec

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
    for path, text in adapter.files:
        await environment.write_file(posixpath.join(home, path), adapter.fill(text, values))
    variables = {**dict(spec.environment), **dict(adapter.environment)}
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
