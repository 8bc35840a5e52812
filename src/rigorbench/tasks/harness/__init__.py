"""Harnesses: what is laid over a task's repository before an agent starts, as data. Knows no engine.

``load_harness("agents-md=docs/AGENTS.md")`` reads one, ``prepare(task, harness, agent, dest)`` builds the repository
with it; :mod:`rigorbench.experiment.manipulation` checks afterwards whether the agent loaded it.
"""

from __future__ import annotations

from .agents import AGENTS, Conventions, conventions
from .load import list_harnesses, load_harness
from .model import Clone, Harness, HarnessError, Overlay, PlacedFile, Workspace
from .overlay import resolve
from .prepare import facts, prepare
from .source import find_source

__all__ = [
    "AGENTS",
    "Clone",
    "Conventions",
    "Harness",
    "HarnessError",
    "Overlay",
    "PlacedFile",
    "Workspace",
    "conventions",
    "facts",
    "find_source",
    "list_harnesses",
    "load_harness",
    "prepare",
    "resolve",
]
