"""opencode's files before it had a database: ``session/<project>/``, ``message/<session>/``, ``part/<message>/``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson

from ...logfile import LogFile
from ...model import Source
from ..shared.values import integer, mapping, string
from .steps import Message, Session, families


def read_storage(log: LogFile) -> Iterator[Session]:
    """The root sessions by time of creation, each with its sub-agents' sessions inside."""
    root = log.path
    assert root is not None
    infos = [(path, info) for path in sorted((root / "session").rglob("*.json")) if (info := _load(log, path))]
    infos.sort(key=lambda entry: (_created(entry[1]), string(entry[1].get("id"))))
    rows = [(string(info.get("id")), string(info.get("parentID")), (path, info)) for path, info in infos]
    yield from families(rows, lambda stored: _session(log, root, *stored))


def _session(log: LogFile, root: Path, path: Path, info: dict[str, Any]) -> Session:
    key = string(info.get("id"))
    messages: list[Message] = []
    if _is_name(key):
        for file in _files(root / "message" / key):
            message = _load(log, file)
            if message:
                name = string(message.get("id")) or file.stem
                parts = [_load(log, part) for part in _files(root / "part" / name)] if _is_name(name) else []
                messages.append((message, [part for part in parts if part]))
    messages.sort(key=lambda entry: (_created(entry[0]), string(entry[0].get("id"))))
    return Session(info, messages, Source(str(path)))


def _files(folder: Path) -> list[Path]:
    try:
        return sorted(path for path in folder.iterdir() if path.suffix == ".json")
    except OSError:
        return []


def _load(log: LogFile, path: Path) -> dict[str, Any]:
    try:
        return mapping(orjson.loads(path.read_bytes()))
    except (OSError, orjson.JSONDecodeError):
        log.skip(None, "cannot be read as JSON; skipped", file=str(path))
        return {}


def _created(info: dict[str, Any]) -> int:
    return integer(mapping(info.get("time")).get("created")) or 0


def _is_name(name: str) -> bool:
    """Whether an id from a file may be used as a file name: nothing outside the folder is ever opened."""
    return bool(name) and "/" not in name and "\\" not in name and "\x00" not in name and name not in (".", "..")
