"""Codex CLI: rollout files of every generation, and the streams of ``codex exec --json``."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ...logfile import LogFile
from ...model import Lane, Source, Spawn, ToolCall, Trajectory
from ...reader import Reader
from ..shared.values import mapping, objects, optional, string
from .exec_stream import read_streams
from .files import owner, spawn_of, threads_of
from .results import IGNORED
from .rollout import Rollout

_ENVELOPES = frozenset(
    ("session_meta", "response_item", "event_msg", "turn_context", "compacted", "world_state", "token_usage_record")
)
_BARE_ITEMS = frozenset(
    "message reasoning function_call function_call_output local_shell_call custom_tool_call "
    "custom_tool_call_output".split()
)
_ITEMS = ("item.started", "item.updated", "item.completed")


class CodexReader(Reader):
    """``~/.codex/sessions/**/rollout-*.jsonl``; the bare lines of 2025 and the single document before them too."""

    not_read = IGNORED | {"history.jsonl", "session_index.jsonl", "state*.sqlite", "logs*.sqlite", "log/"}
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
            rollout.read(None if log.path is None else threads_of(log.path))
        if not rollout.steps and rollout.meta is None:
            return []
        meta = mapping(rollout.meta)
        if rollout.threads is not None and (own := optional(meta.get("id"))) is not None:
            _read_children(own, rollout, rollout)
            rollout.interleave()
        trajectory = Trajectory(
            id=optional(meta.get("id")) or optional(meta.get("session_id")) or log.stem,
            format="codex",
            source=Source(log.name, 1),
            agent="codex",
            agent_version=optional(meta.get("cli_version")),
            start_commit=rollout.commit,
            continues=rollout.continues,
        )
        return [rollout.finish(trajectory)]

    def owner(self, path: Path) -> Path:
        return owner(path)


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


def _read_children(own: str, parent: Rollout, main: Rollout) -> None:
    """Reads the threads that a thread started, as lanes of the main one, and those that they started."""
    threads = parent.threads
    assert threads is not None
    for child in threads.children(own):
        path = threads.files(child)[0]
        if child in main.lanes or child == optional(mapping(main.meta).get("id")):
            continue
        rollout = Rollout(parent.log.sibling(path), lane=child)
        rollout.read(threads)
        meta = mapping(rollout.meta)
        spawn = {**spawn_of(meta), **{name: value for name, value in meta.items() if value is not None}}
        lane = main.lanes[child] = Lane(child, parent=parent.lane, agent_type=optional(spawn.get("agent_role")))
        call = parent.calls.get(parent.started.get(child, "")) or _spawned(parent, main, child, spawn.get("agent_path"))
        if call is not None and isinstance(call.action, Spawn):
            call.action.lane = child
            lane.parent_call, lane.prompt = call.id, call.action.prompt or None
        if rollout.steps:
            main.agent_files.append(rollout.steps)
        main.at(rollout.started_at)
        main.at(rollout.ended_at)
        _read_children(child, rollout, main)


def _spawned(parent: Rollout, main: Rollout, child: str, name: Any) -> ToolCall | None:
    """The call whose result has the id of a sub-agent, or its name."""
    results = {c.id: c.result.text for c in parent.calls.values() if isinstance(c.action, Spawn) and c.result}
    taken = {lane.parent_call for lane in main.lanes.values()}
    named = (key for key, text in results.items() if f'"{name}"' in text and key not in taken)
    found = next((key for key, text in results.items() if child in text), None) or next(named, None)
    return None if found is None else parent.calls[found]


READERS: tuple[Reader, ...] = (CodexReader(), CodexExecReader())
