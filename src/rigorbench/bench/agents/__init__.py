"""Agents that can be run: the built-in loop and command line programs. Importing this imports no engine."""

from .readiness import Readiness
from .registry import AGENTS, get_agent
from .spec import AgentError, AgentSpec

__all__ = ["AGENTS", "AgentError", "AgentSpec", "Readiness", "get_agent"]
