"""Codex CLI: rollout files of every generation, and the streams of ``codex exec --json``."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from ...logfile import LogFile
from ...model import Lane, Source, Spawn, Step, Trajectory
from ...reader import Reader
from ..shared.values import mapping, objects, optional, string

if TYPE_CHECKING:
    from .rollout import Rollout

_ENVELOPES = frozenset(
    ("session_meta", "response_item", "event_msg", "turn_context", "compacted", "world_state", "token_usage_record")
)
_FIRST = re.compile(
    rb'\{"timestamp":"[^"]{8,40}",(?:"ordinal":\d+,)?"type":"(?:'
    + "|".join(sorted(_ENVELOPES)).encode()
    + rb')","payload":\{"'
)
_BARE_ITEMS = frozenset(
    "message reasoning function_call function_call_output local_shell_call custom_tool_call "
    "custom_tool_call_output".split()
)
_STREAM = re.compile(
    rb'"type":\s?"(?:thread\.started|turn\.(?:started|completed|failed)|item\.(?:started|updated|completed))"'
)
_EVENT = re.compile(rb'"msg":\s?\{\s?"type":\s?"[a-z_]+"')
_UUID = re.compile(rb"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_UUID_LENGTH = 36
_SPAWN = re.compile(rb'"name":\s?"spawn_agent"')


class CodexReader(Reader):
    """``~/.codex/sessions/**/rollout-*.jsonl``; the bare lines of 2025 and the single document before them too."""

    format = "codex"

    def matches(self, log: LogFile) -> bool:
        head = log.head
        if _FIRST.match(head) is not None:
            return True
        if b'"payload"' in head and any(name in head for name in _MARKS):
            return any(
                string(value.get("type")) in _ENVELOPES and isinstance(value.get("payload"), dict)
                for value in objects(log.head_objects)
            )
        if b'"instructions"' in head or b'_text"' in head or b'"call_id"' in head:
            return _is_bare(log) or _is_document(log)
        return False

    def read(self, log: LogFile) -> Iterable[Trajectory]:
        from .rollout import Rollout

        rollout = Rollout(log)
        if _is_document(log):
            rollout.read_document(log.document())
        else:
            rollout.read()
        if not rollout.steps and rollout.meta is None:
            return []
        if log.path is not None and rollout.meta is not None and rollout.meta.id:
            for child, path in _children(log, rollout, rollout.meta.id):
                rollout.steps = _merge(rollout.steps, _read_child(log, path, child, rollout.lanes, rollout))
        from .records import epoch

        meta = rollout.meta
        identity = (meta.id or meta.session_id) if meta is not None else None
        trajectory = Trajectory(
            id=identity or log.stem,
            format="codex",
            source=Source(log.name, 1),
            steps=[],
            agent="codex",
            agent_version=meta.cli_version if meta is not None else None,
            start_commit=rollout.commit,
            started_at=epoch(rollout.first_stamp),
            ended_at=epoch(rollout.last_stamp),
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

    format = "codex-exec"

    def matches(self, log: LogFile) -> bool:
        head = log.head
        if b'"thread.started"' in head or b'"turn.' in head or b'"item.' in head:
            # By the lines that look like it: other output may fill the first hundreds.
            return any(_is_thread_event(head, found.start()) for found in _STREAM.finditer(head))
        return (b'"msg"' in head and _EVENT.search(head) is not None) and any(
            isinstance(mapping(mapping(value).get("msg")).get("type"), str) for value in log.head_objects
        )

    def read(self, log: LogFile) -> Iterable[Trajectory]:
        from .exec_stream import read_streams

        return read_streams(log)


def _is_thread_event(head: bytes, at: int) -> bool:
    try:
        value = mapping(orjson.loads(head[head.rfind(b"\n", 0, at) + 1 :].split(b"\n", 1)[0]))
    except orjson.JSONDecodeError:
        return False
    kind = string(value.get("type"))
    if kind in ("item.started", "item.updated", "item.completed"):
        return isinstance(value.get("item"), dict)
    return kind == "thread.started" or kind.startswith("turn.")


def _is_bare(log: LogFile) -> bool:
    for value in objects(log.head_objects):
        kind = value.get("type")
        if "payload" in value:
            continue
        if kind is None and "instructions" in value and "timestamp" in value and isinstance(value.get("id"), str):
            return True
        if kind in ("function_call", "function_call_output", "custom_tool_call") and "call_id" in value:
            return True
        if kind == "message" and isinstance(value.get("content"), list) and "role" in value:
            return any(part.get("type") in ("input_text", "output_text") for part in objects(value["content"]))
    return False


def _is_document(log: LogFile) -> bool:
    if b'"session"' not in log.head[:4096] or b'"items"' not in log.head:
        return False
    value = mapping(log.head_document)
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


def _read_child(log: LogFile, path: Path, child: str, lanes: dict[str, Lane], parent: Rollout) -> list[Step]:
    from .rollout import Rollout

    rollout = Rollout(log.sibling(path), lane=child)
    rollout.read()
    steps = rollout.steps
    lane = Lane(child, parent=parent.lane)
    if rollout.meta is not None:
        lane.agent_type = rollout.meta.agent_role or optional(_thread_spawn(rollout.meta.source).get("agent_role"))
    for call in parent.calls.values():
        if isinstance(call.action, Spawn) and call.result is not None and child in call.result.text:
            call.action.lane = child
            lane.parent_call, lane.prompt = call.id, call.action.prompt or None
            break
    lanes[child] = lane
    for grandchild, its_path in _children(rollout.log, rollout, child):
        if grandchild not in lanes:
            steps = _merge(steps, _read_child(log, its_path, grandchild, lanes, rollout))
    parent.join_times(rollout)
    return steps


def _merge(one: list[Step], other: list[Step]) -> list[Step]:
    """Both by time, each in its own order."""
    merged: list[Step] = []
    at = 0
    for step in one:
        while at < len(other) and (other[at].time or 0.0) < (step.time or 0.0):
            merged.append(other[at])
            at += 1
        merged.append(step)
    merged.extend(other[at:])
    return merged


_MARKS = tuple(f'"{name}"'.encode() for name in sorted(_ENVELOPES))

READERS: tuple[Reader, ...] = (CodexReader(), CodexExecReader())
