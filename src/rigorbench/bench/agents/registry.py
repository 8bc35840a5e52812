"""The agents of ``agents.toml`` by name.

To add an agent, add a section there and a line to the table in docs/agents.md.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

import msgspec

from ...base.text import did_you_mean
from .spec import AgentError, AgentSpec, Conventions, Paths

AGENTS: dict[str, AgentSpec] = {
    name: msgspec.convert({"name": name, **row}, AgentSpec)
    for name, row in tomllib.loads(Path(__file__).with_name("agents.toml").read_text(encoding="utf-8")).items()
}
_ALIASES = {alias: spec.name for spec in AGENTS.values() for alias in spec.aliases}


def canonical(name: str) -> str:
    """The name of an agent in :data:`AGENTS`, given that name or an alias; an unknown name is returned as it is."""
    return _ALIASES.get(name, name)


def get_agent(name: str, paths: Paths | None = None) -> AgentSpec:
    """The agent of this name.

    Args:
        paths: agent -> directory (or program) where it is installed, as ``--agent-path NAME=DIR`` gives it.

    Raises:
        AgentError: there is no such agent.
    """
    spec = AGENTS.get(canonical(name))
    if spec is None:
        raise AgentError(f"{name}: no such agent{did_you_mean(name, AGENTS)}; there are {', '.join(AGENTS)}")
    given = {canonical(key): Path(value) for key, value in (paths or {}).items()}
    return msgspec.structs.replace(spec, paths=given) if given else spec


def conventions(name: str) -> Conventions:
    """What an agent reads by itself; an unknown agent is taken to read nothing."""
    spec = AGENTS.get(canonical(name))
    return spec.conventions if spec is not None else Conventions()
