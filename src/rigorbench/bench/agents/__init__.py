"""Agents that can be run: the built-in loop and command line programs. Importing this imports no engine."""

from .catalog import AGENTS, get_agent
from .spec import AgentError, AgentSpec, Readiness

__all__ = ["AGENTS", "AgentError", "AgentSpec", "Readiness", "get_agent"]
