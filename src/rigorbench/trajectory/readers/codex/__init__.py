"""Codex CLI: rollouts of every generation, and ``codex exec --json``."""
