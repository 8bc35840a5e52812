"""Harnesses: files and settings that are laid over a task's repository before an agent starts, as data.

``load_harness("agents-md=docs/AGENTS.md")`` reads one, ``prepare(task, harness, agent, dest)`` builds the repository
with it; :mod:`rigorbench.bench.run.scoring.manipulation` checks afterwards whether the agent loaded it.
"""

from __future__ import annotations

from .harness import Clone, Harness, HarnessError, HarnessWorkspace, Overlay, PlacedFile
from .load import list_harnesses, load_harness
from .overlay import resolve
from .prepare import facts, prepare
from .source import find_source

__all__ = [
    "Clone",
    "Harness",
    "HarnessError",
    "HarnessWorkspace",
    "Overlay",
    "PlacedFile",
    "facts",
    "find_source",
    "list_harnesses",
    "load_harness",
    "prepare",
    "resolve",
]
