"""Codex CLI: rollouts of every generation, and ``codex exec --json``."""

from .reader import READERS as READERS
