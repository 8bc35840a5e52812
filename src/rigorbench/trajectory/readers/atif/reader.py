"""ATIF documents (1.0 to 1.8) and Harbor's trial directories."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import orjson

from ...logfile import LogError, LogFile
from ...model import Trajectory
from ...reader import ContainerReader, NestedLogs, Reader
from .harbor import describe, is_trial, read_trial, trial_of
from .own import is_document, is_own

_VERSION = re.compile(rb'"schema_version"\s*:\s*"(ATIF|v?1\.\d)')


class AtifReader(Reader):
    format = "atif"

    def matches(self, log: LogFile) -> bool:
        head = log.head
        found = _VERSION.search(head)
        if found is None:
            return False
        start = head[: found.start()].lstrip(b"\xef\xbb\xbf \t\r\n")
        if found[1] == b"ATIF" and re.fullmatch(rb"\[?\s*\{\s*", start):
            return True
        value = log.head_document
        if not isinstance(value, dict | list) and log.head_objects:
            value = log.head_objects[0]
        return is_document(value[0] if isinstance(value, list) and value else value)

    def read(self, log: LogFile) -> Iterable[Trajectory]:
        from .document import import_document
        from .restore import restore

        trial = trial_of(log)
        for document in _documents(log):
            if is_own(document):
                trajectory = restore(document, lambda reason: log.skip(None, reason))
            else:
                trajectory = import_document(document, log)
                if trial is not None:
                    describe(trajectory, trial)
            yield trajectory

    def owner(self, path: Path) -> Path:
        """The document that refers to this one as a sub-agent's or as its continuation: ``a.json`` for ``a.b.json``."""
        name = path.name
        for at, letter in enumerate(name):
            if letter == "." and 0 < at < len(name) - 5:
                parent = path.with_name(name[:at] + ".json")
                if parent != path and parent.is_file() and _refers(parent, name):
                    return self.owner(parent)
        return path


class HarborTrialReader(ContainerReader):
    """A trial directory as one log, so that the several logs of one session in it are not read as several."""

    format = "atif"

    def matches(self, log: LogFile) -> bool:
        return log.is_directory and log.path is not None and is_trial(log.path)

    def read_container(self, log: LogFile, nested: NestedLogs) -> Iterable[Trajectory]:
        return read_trial(log, nested)


def _documents(log: LogFile) -> Iterator[dict[str, Any]]:
    """One document, a list of them, or lines of documents (or of one document's head and its steps)."""
    try:
        values = orjson.loads(log.content())
    except orjson.JSONDecodeError:
        first = log.content().split(b"\n", 1)[0]
        try:
            lines = isinstance(orjson.loads(first), dict)
        except orjson.JSONDecodeError:
            lines = False
        values = _lines(log) if lines else log.document()
    found = False
    for value in values if isinstance(values, list) else [values]:
        if is_document(value) or (isinstance(value, dict) and isinstance(value.get("steps"), list)):
            found = True
            yield value
        else:
            log.skip(None, "a value that is not an ATIF document; skipped")
    if not found:
        raise LogError(log.name, "contains no ATIF document; give the trajectory.json itself", line=1)


def _lines(log: LogFile) -> list[dict[str, Any]]:
    documents: list[dict[str, Any]] = []
    for number, value in log.json_lines():
        if isinstance(value, dict) and ("schema_version" in value or isinstance(value.get("steps"), list)):
            documents.append(value)
        elif isinstance(value, dict) and "source" in value and documents:
            steps = documents[-1].setdefault("steps", [])
            if isinstance(steps, list):
                steps.append(value)
        else:
            log.skip(number, "not a part of an ATIF document; skipped")
    return documents


def _refers(parent: Path, name: str) -> bool:
    try:
        content = parent.read_bytes()
    except OSError:
        return False
    pattern = rb'"(?:trajectory_path|continued_trajectory_ref)"\s*:\s*"[^"]*' + re.escape(name.encode()) + rb'"'
    return name.encode() in content and re.search(pattern, content) is not None


READERS: tuple[Reader, ...] = (HarborTrialReader(), AtifReader())
