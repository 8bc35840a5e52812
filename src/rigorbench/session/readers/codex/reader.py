"""Codex CLI: rollout files of every generation, and the streams of ``codex exec --json``."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from ...logfile import LogFile
from ...model import Lane, Source, Spawn, Trajectory
from ...reader import Reader
from ..shared.values import mapping, objects, optional, string
from .exec_stream import read_streams
from .rollout import Rollout

_ENVELOPES = frozenset(
    ("session_meta", "response_item", "event_msg", "turn_context", "compacted", "world_state", "token_usage_record")
)
_BARE_ITEMS = frozenset(
    "message reasoning function_call function_call_output local_shell_call custom_tool_call "
    "custom_tool_call_output".split()
)
_ITEMS = ("item.started", "item.updated", "item.completed")
_UUID = re.compile(rb"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_UUID_LENGTH = 36
_SPAWN = re.compile(rb'"name":\s?"spawn_agent"')


class CodexReader(Reader):
    """``~/.codex/sessions/**/rollout-*.jsonl``; the bare lines of 2025 and the single document before them too."""

    format, marks = "codex", (b'"payload"', b'"instructions"', b'_text"', b'"call_id"')

    def is_record(self, value: dict[str, Any]) -> bool:
        kind = value.get("type")
        if "payload" in value:
            return string(kind) in _ENVELOPES and isinstance(value["payload"], dict)
        if kind is None and "instructions" in value and "timestamp" in value:
            return isinstance(value.get("id"), str)
        if kind == "message" and "role" in value:
            return any(part.get("type") in ("input_text", "output_text") for part in objects(value.get("content")))
        made = kind in ("function_call", "function_call_output", "custom_tool_call") and "call_id" in value
        return made or _is_document(value)

    def read(self, log: LogFile) -> Iterable[Trajectory]:
        rollout = Rollout(log)
        if _is_document(mapping(log.head_document)):
            rollout.read_document(log.document())
        else:
            rollout.read()
        if not rollout.steps and rollout.meta is None:
            return []
        meta = mapping(rollout.meta)
        if log.path is not None and (own := optional(meta.get("id"))) is not None:
            for child, path in _children(log, rollout, own):
                _read_child(log, path, child, rollout, rollout)
            rollout.interleave()
        trajectory = Trajectory(
            id=optional(meta.get("id")) or optional(meta.get("session_id")) or log.stem,
            format="codex",
            source=Source(log.name, 1),
            agent="codex",
            agent_version=optional(meta.get("cli_version")),
            start_commit=rollout.commit,
        )
        return [rollout.finish(trajectory)]

    def owner(self, path: Path) -> Path:
        meta = _meta_of(path)
        parent = _parent_thread(meta)
        if parent is None or not meta.get("id"):
            return path
        for name in _rollouts(path.parent):
            if name.endswith(f"{parent}.jsonl"):
                with suppress(OSError):
                    if str(meta["id"]).encode() in _named((path.parent / name).read_bytes()):
                        return path.parent / name
        return path


class CodexExecReader(Reader):
    """The streams of ``codex exec --json``, old and new."""

    format, marks = "codex-exec", (b'"thread.started"', b'"turn.', b'"item.', b'"msg"')

    def is_record(self, value: dict[str, Any]) -> bool:
        kind, message = string(value.get("type")), mapping(value.get("msg"))
        if kind in _ITEMS:
            return isinstance(value.get("item"), dict)
        threads = ("thread.started", "turn.started", "turn.completed", "turn.failed")
        return kind in threads or isinstance(message.get("type"), str)

    def read(self, log: LogFile) -> Iterable[Trajectory]:
        return read_streams(log)


def _is_document(value: dict[str, Any]) -> bool:
    return isinstance(value.get("session"), dict) and any(
        string(item.get("type")) in _BARE_ITEMS for item in objects(value.get("items"))
    )


# Sub-agents have rollout files of their own, beside their parent's.


def _meta_of(path: Path) -> dict[str, Any]:
    found = (value for value in objects(LogFile(path).head_objects[:3]) if value.get("type") == "session_meta")
    return next((value["payload"] for value in found if isinstance(value.get("payload"), dict)), {})


def _thread_spawn(source: Any) -> dict[str, Any]:
    """What the source of a thread states of its start by another thread."""
    return mapping(mapping(mapping(source).get("subagent")).get("thread_spawn"))


def _parent_thread(meta: dict[str, Any]) -> str | None:
    if mapping(meta.get("source")).get("subagent") is None:
        return None
    return optional(_thread_spawn(meta["source"]).get("parent_thread_id") or meta.get("parent_thread_id"))


def _rollouts(directory: Path) -> list[str]:
    try:
        return sorted(name for name in os.listdir(directory) if name.startswith("rollout-") and name.endswith(".jsonl"))
    except OSError:
        return []


def _named(content: bytes) -> set[bytes]:
    return set(_UUID.findall(content)) if _SPAWN.search(content) is not None else set()


def _children(log: LogFile, rollout: Rollout, own: str) -> Iterator[tuple[str, Path]]:
    """(thread id, file) of the sub-agents that a thread started; the other side of :meth:`CodexReader.owner`."""
    assert log.path is not None
    if not any(call.name == "spawn_agent" for call in rollout.calls.values()):
        return
    named = _named(log.content())
    for name in _rollouts(log.path.parent):
        child = name[: -len(".jsonl")][-_UUID_LENGTH:]
        path = log.path.parent / name
        if path != log.path and child != own and child.encode() in named and _parent_thread(_meta_of(path)) == own:
            yield child, path


def _read_child(log: LogFile, path: Path, child: str, parent: Rollout, main: Rollout) -> None:
    rollout = Rollout(log.sibling(path), lane=child)
    rollout.read()
    lane = Lane(child, parent=parent.lane)
    meta = mapping(rollout.meta)
    role = meta.get("agent_role") or _thread_spawn(meta.get("source")).get("agent_role")
    lane.agent_type = optional(role)
    for call in parent.calls.values():
        if isinstance(call.action, Spawn) and call.result is not None and child in call.result.text:
            call.action.lane = child
            lane.parent_call, lane.prompt = call.id, call.action.prompt or None
            break
    main.lanes[child] = lane
    if rollout.steps:
        main.agent_files.append(rollout.steps)
    main.at(rollout.started_at)
    main.at(rollout.ended_at)
    for grandchild, its_path in _children(rollout.log, rollout, child):
        if grandchild not in main.lanes:
            _read_child(log, its_path, grandchild, rollout, main)


READERS: tuple[Reader, ...] = (CodexReader(), CodexExecReader())
