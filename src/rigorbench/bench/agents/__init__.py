"""Agents that can be run: the built-in loop and command line programs. Importing this imports no engine."""

from ...tasks.agents.registry import AGENTS, get_agent
from ...tasks.agents.spec import AgentError, AgentSpec
from .readiness import Readiness

__all__ = ["AGENTS", "AgentError", "AgentSpec", "Readiness", "get_agent"]
