"""Where agents keep the sessions of a user, by their own documentation and defaults."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct


class Place(Struct, frozen=True):
    """An agent's folder of sessions: globs under a directory that an environment variable may move."""

    agent: str
    variable: str | None
    directory: str
    globs: tuple[str, ...]


# The directory is under the home directory when relative.
PLACES: tuple[Place, ...] = (
    Place("claude", "CLAUDE_CONFIG_DIR", ".claude", ("projects/*/*.jsonl",)),
    Place("codex", "CODEX_HOME", ".codex", ("sessions/*/*/*/rollout-*.jsonl*", "archived_sessions/rollout-*.jsonl*")),
    Place("gemini", None, ".gemini", ("tmp/*/chats/session-*",)),
    Place("qwen", None, ".qwen", ("projects/*/chats/*.jsonl", "tmp/*/chats/*")),
    Place("opencode", "XDG_DATA_HOME", ".local/share", ("opencode/opencode.db",)),
    Place("copilot", "COPILOT_HOME", ".copilot", ("session-state/*/events.jsonl", "session-state/*.jsonl")),
    Place("openhands", None, ".openhands", ("conversations/*/base_state.json",)),
    Place("pi", None, ".pi", ("agent/sessions/*/*.jsonl",)),
    Place("auggie", None, ".augment", ("sessions/*.json",)),
    Place("mini-swe-agent", "MSWEA_GLOBAL_CONFIG_DIR", ".config/mini-swe-agent", ("*.traj.json",)),
)


def find_sessions(home: Path, agent: str | None = None) -> Iterator[tuple[str, Path, float]]:
    """(agent, log, time of last change in epoch seconds) of every session log of the user, in no particular order."""
    for place in PLACES:
        if agent is not None and agent != place.agent:
            continue
        moved = os.environ.get(place.variable) if place.variable else None
        base = Path(moved) if moved else home / place.directory
        for pattern in place.globs:
            try:
                matches = list(base.glob(pattern))
            except OSError:
                continue
            for path in matches:
                if path.name.startswith("agent-") and place.agent == "claude":
                    continue  # a sub-agent of a session that is listed itself
                log = path.parent if path.name == "base_state.json" else path
                try:
                    changed = path.stat().st_mtime
                    wal = path.with_name(path.name + "-wal")
                    if path.suffix == ".db" and wal.exists():
                        changed = max(changed, wal.stat().st_mtime)
                except OSError:
                    continue
                yield place.agent, log, changed
    for path in (Path.cwd() / ".aider.chat.history.md",):
        if agent in (None, "aider") and path.is_file():
            yield "aider", path, path.stat().st_mtime
