"""The rollout files of a thread's sub-agents and of its own history; each thread has a file, and may have several.

A sub-agent's thread names its parent, whatever folder (each day has one) or archive either file is in. A fork begins
with a copy of the history of the thread that it was forked from, and so may a sub-agent.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

import orjson

from ...index import Card, SessionIndex, absolute, index_of, named_like
from ...logfile import LogError, LogFile, beginning
from ..shared.values import mapping, objects, optional

_HEADS = (64 * 1024, 1024 * 1024)


def cards(path: Path) -> list[Card]:
    """What the head of a rollout states, if the file has the name that Codex gave it."""
    meta = next((found for size in _HEADS if (found := _meta_in(beginning(path, size)))), {})
    own = optional(meta.get("id"))
    if own is None or own not in path.name:
        return []
    compressed = float(not path.name.endswith(".jsonl"))  # the plain one is in use
    return [Card(own, parent_of(meta), tuple(filter(None, [optional(meta.get("forked_from_id"))])), (), compressed)]


def owner(path: Path) -> Path:
    """The rollout of the session that a rollout is a part of; else itself."""
    return named_like(path, threads_of(path).owner(absolute(path)))


def threads_of(path: Path) -> SessionIndex:
    """The index of the store that a rollout is in."""
    return index_of(path, "codex", cards)


def other_files(path: Path, index: SessionIndex) -> list[Path]:
    """The further files of the thread whose first file this is."""
    own = absolute(path)
    found = [log for card in index.cards.get(own, ()) for log in index.files(card.thread)]
    return found[1:] if found[:1] == [own] else []


def origin_of(meta: dict[str, Any], index: SessionIndex) -> list[Path]:
    """The files of the threads whose history a thread may begin with."""
    return [p for name in {optional(meta.get("forked_from_id")), parent_of(meta)} for p in index.files(name)]


def spawn_of(meta: dict[str, Any]) -> dict[str, Any]:
    """What a thread states of its start by another thread."""
    return mapping(mapping(mapping(meta.get("source")).get("subagent")).get("thread_spawn"))


def parent_of(meta: dict[str, Any]) -> str | None:
    """The thread that started this one as its sub-agent."""
    if mapping(meta.get("source")).get("subagent") is None and meta.get("thread_source") != "subagent":
        return None
    return optional(spawn_of(meta).get("parent_thread_id") or meta.get("parent_thread_id"))


def history_of(paths: list[Path]) -> frozenset[bytes]:
    """What the records of rollouts say, without their times."""
    return frozenset().union(*(_records_at(path, path.stat().st_mtime_ns) for path in paths))


@lru_cache(maxsize=4)
def _records_at(path: Path, changed: int) -> frozenset[bytes]:
    try:
        values = [value for _, value in LogFile(path).json_lines()]
    except LogError:
        return frozenset()
    return frozenset(said(mapping(value.get("payload"))) for value in objects(values))


def said(payload: dict[str, Any]) -> bytes:
    """A record as its copies have it."""
    return orjson.dumps(payload, option=orjson.OPT_SORT_KEYS)


def _meta_in(head: bytes) -> dict[str, Any]:
    for line in head.split(b"\n")[:3]:
        try:
            value = mapping(orjson.loads(line))
        except orjson.JSONDecodeError:
            continue
        if value.get("type") == "session_meta":
            return mapping(value.get("payload"))
    return {}
