"""The store of Cursor's command line: ``store.db`` of each session. It has no tokens and no times of messages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ..logfile import LogFile
from ..model import Result, Shell, Source, ToolCall, Trajectory
from ..reader import Reader
from ..tools import text_of
from .cursor_transcript import CursorSession
from .shared.sqlite import has_tables, json_value, opened, rows
from .shared.values import flag, mapping, millis, optional, seconds, string

_EXIT = re.compile(r"\AExit code: (-?\d{1,10})\s+(?:Command output:\s+```\n(.*?)\n?```)?", re.DOTALL)


class CursorStoreReader(Reader):
    """``store.db`` of the command line: messages by their hashes, and roots that list them."""

    format = "cursor-store"

    def matches(self, log: LogFile) -> bool:
        return has_tables(log, "blobs", "meta")

    def read(self, log: LogFile) -> Iterator[Trajectory]:
        with opened(log) as database:
            blobs = {key: _bytes(data) for key, data in rows(database, log, "SELECT id, data FROM blobs")}
            metas = [_meta(value) for (value,) in rows(database, log, "SELECT value FROM meta")]
        meta = next((found for found in metas if found), {})
        session = _Store(log)
        session.model = optional(meta.get("lastUsedModel"))
        session.at(seconds(meta.get("createdAt")))
        root = blobs.get(string(meta.get("latestRootBlobId")))
        if root is None:
            log.skip(None, "the list of the messages is missing; read in the order in which they are stored")
        listed = (
            [message for data in blobs.values() if (message := _message(data))]
            if root is None
            else _listed(root, blobs)
        )
        for message in listed:
            session.close()
            session.options = mapping(mapping(message.get("providerOptions")).get("cursor"))
            session.message(string(message.get("role")), message.get("content"), Source(log.name))
        folder = log.path.resolve().parent.name if log.path is not None else None
        found = session.trajectory(self.format, optional(meta.get("agentId")) or folder)
        if found is not None:
            yield found


class _Store(CursorSession):
    def __init__(self, log: LogFile) -> None:
        super().__init__(log)
        self.options: dict[str, Any] = {}  # of the message under way

    def receive(self, call: ToolCall, block: dict[str, Any], source: Source, time: float | None) -> None:
        stated = mapping(self.options.get("highLevelToolCallResult"))
        output = mapping(stated.get("output"))
        result = Result(text_of(block.get("result", block.get("output"))), source=source)
        result.text = result.text or text_of(block.get("experimental_content"))
        failed = flag(stated.get("isError")) if "isError" in stated else flag(output.get("isError"))
        result.is_error = flag(block.get("is_error")) if failed is None else failed
        took = millis(mapping(output.get("success")).get("executionTime"))
        if isinstance(call.action, Shell) and (ended := _EXIT.match(result.text)) is not None:
            result.exit_status, result.stdout, result.duration = int(ended[1]), ended[2], took
        self.settle(call, result)


def _bytes(data: Any) -> bytes:
    return data if isinstance(data, bytes) else data.encode() if isinstance(data, str) else b""


def _meta(value: Any) -> dict[str, Any]:
    """JSON, or JSON in hexadecimal digits."""
    try:
        return mapping(json_value(bytes.fromhex(value) if isinstance(value, str) else value) or json_value(value))
    except ValueError:
        return mapping(json_value(value))


def _message(data: bytes) -> dict[str, Any]:
    found = mapping(json_value(data)) if data.startswith(b"{") else {}
    return found if "role" in found else {}


def _listed(node: bytes, blobs: dict[str, bytes], depth: int = 0) -> Iterator[dict[str, Any]]:
    """The messages that a root lists, itself or through the lists that it names, in order."""
    for value in _fields(node):
        named = blobs.get(value.hex()) if len(value) == 32 else None
        if named is not None and (message := _message(named)):
            yield message
        elif named is not None and depth < 4:
            yield from _listed(named, blobs, depth + 1)


def _fields(node: bytes) -> Iterator[bytes]:
    """The fields with a length of a protobuf message, up to the first byte that is none."""
    at = 0
    while at < len(node):
        key, at = _varint(node, at)
        if key & 7 == 2:
            length, at = _varint(node, at)
            yield node[at : at + length]
            at += length
        elif key & 7 == 0:
            _, at = _varint(node, at)
        elif key & 7 in (1, 5):
            at += 8 if key & 7 == 1 else 4
        else:
            return


def _varint(node: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while at < len(node):
        value, shift, at = value | (node[at] & 127) << shift, shift + 7, at + 1
        if node[at - 1] < 128:
            break
    return value, at


READERS: tuple[Reader, ...] = (CursorStoreReader(),)
