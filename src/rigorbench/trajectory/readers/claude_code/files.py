"""Finds the logs of a Claude Code session's sub-agents."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from ...logfile import LogError, LogFile

_SESSION = re.compile(rb'"sessionId"\s*:\s*"([^"]{1,100})"')
_HEADS = 16 * 1024


def owner_of(path: Path) -> Path:
    """The session's log that a sub-agent's log belongs to, if it is in the expected place; else the path itself."""
    if not path.name.startswith("agent-"):
        return path
    for parent in path.parents[:4]:
        if parent.name == "subagents":
            return existing(parent.parent.parent, parent.parent.name) or path
    identity = session_of(path)
    return (existing(path.parent, identity) if identity is not None else None) or path


def existing(directory: Path, session: str) -> Path | None:
    for suffix in (".jsonl", ".jsonl.gz", ".jsonl.zst"):
        path = directory / (session + suffix)
        if path.is_file():
            return path
    return None


def session_of(path: Path) -> str | None:
    try:
        found = _SESSION.search(LogFile(path).head, 0, _HEADS)
    except LogError:
        return None
    return found[1].decode("utf-8", "replace") if found is not None else None


def subagent_files(path: Path, session: str | None) -> list[Path]:
    stem = path.name.split(".jsonl", 1)[0]
    found = [
        p
        for name in dict.fromkeys((stem, session or stem))
        for p in sorted((path.parent / name / "subagents").rglob("agent-*.jsonl*"))
        if p.is_file()
    ]
    if session is not None:
        try:
            stamp = path.parent.stat().st_mtime_ns
        except OSError:
            return found
        found += [Path(name) for name in _beside(str(path.parent), stamp).get(session, ())]
    return found


@lru_cache(maxsize=4)
def _beside(directory: str, stamp: int) -> dict[str, list[str]]:
    """The sub-agent files in a directory by session, looked up once for all the sessions in it."""
    found: dict[str, list[str]] = {}
    for path in sorted(Path(directory).glob("agent-*.jsonl*")):
        session = session_of(path) if path.is_file() else None
        if session is not None:
            found.setdefault(session, []).append(str(path))
    return found
