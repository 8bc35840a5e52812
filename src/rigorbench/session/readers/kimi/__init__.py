"""Kimi Code, and Kimi CLI before it: the events of a session folder, ``wire.jsonl``.

A session of Kimi CLI also has its messages in ``context.jsonl``, which are read where there are no events.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import orjson

from ...logfile import LogFile
from ...model import MAIN_LANE, Trajectory
from ...reader import Reader
from ..shared.values import mapping, objects, optional, string
from .cli import PRIVATE
from .code import KimiSession


def _cwd(folder: Path) -> str | None:
    """The directory that a session worked in: Kimi CLI names the folder above by the MD5 sum of its path."""
    state = _load(folder / "state.json")
    for known in objects(_load(folder.parent.parent.parent / "kimi.json").get("work_dirs")):
        path = string(known.get("path"))
        if hashlib.md5(path.encode(), usedforsecurity=False).hexdigest() == folder.parent.name:
            return path
    return optional(state.get("cwd")) or optional(state.get("workDir"))


def _load(path: Path) -> dict[str, Any]:
    try:
        return mapping(orjson.loads(path.read_bytes()))
    except (OSError, orjson.JSONDecodeError):
        return {}


def _main_file(path: Path) -> Path:
    """The file with the events of the main agent, where this is another one of the same session."""
    folder = path.parent
    if path.name != "wire.jsonl":
        places = [folder / "wire.jsonl"] if path.name.startswith("context") else []
    elif folder.parent.name == "agents":
        places = [folder.parent / "main" / "wire.jsonl"]
    else:
        places = [folder.parent.parent / "wire.jsonl"] if folder.parent.name == "subagents" else []
    found = next((place for place in places if place.is_file() and place.stat().st_size), None)
    return path if found is None or found == path else _main_file(found)


class KimiReader(Reader):
    format = "kimi"
    marks = (b'"protocol_version"', b'"payload"', b'"context.append_', *(b'"%s"' % m.encode() for m in PRIVATE))

    def is_record(self, value: dict[str, Any]) -> bool:
        message, kind = mapping(value.get("message")), string(value.get("type"))
        if kind == "metadata" or kind.startswith("context.append_"):
            return "protocol_version" in value or "message" in value or "event" in value
        return value.get("role") in PRIVATE or ({"type", "payload"} == message.keys() and "timestamp" in value)

    def owner(self, path: Path) -> Path:
        return _main_file(path)

    def read(self, log: LogFile) -> Iterable[Trajectory]:
        session, path = KimiSession(log), log.path
        session.read_file(log, MAIN_LANE)
        folder = path.parent if path is not None and path.name.startswith(("wire.jsonl", "context")) else None
        if folder is not None and folder.parent.name == "agents":
            if folder.name == "main":
                for other in sorted(folder.parent.glob("*/wire.jsonl")):
                    if other.parent != folder:
                        session.read_agent_file(other, session.read_file, other.parent.name)
            folder = folder.parent.parent
        found = session.trajectory(log.stem, None) if folder is None else session.trajectory(folder.name, _cwd(folder))
        return [] if found is None else [found]


READERS = (KimiReader(),)
