"""Invented sessions in the shapes of real agents' logs, each in the layout that the agent itself writes."""

from __future__ import annotations

from collections.abc import Callable

from lies import Session
from lies_formats.claude_code import atif, claude_code
from lies_formats.codex import codex, codex_exec
from lies_formats.gemini import gemini
from lies_formats.mini_swe_agent import mini_swe_agent
from lies_formats.trae import trae

# Format -> (end of the file's name, writer).
WRITERS: dict[str, tuple[str, Callable[[Session], str]]] = {
    "claude-code": (".jsonl", claude_code),
    "codex": (".jsonl", codex),
    "codex-exec": (".jsonl", codex_exec),
    "mini-swe-agent": (".traj.json", mini_swe_agent),
    "gemini": (".jsonl", gemini),
    "atif": (".json", atif),
    "trae": (".json", trae),
}
