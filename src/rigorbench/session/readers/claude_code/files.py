"""What belongs to a Claude Code session besides its own log, and which lines of a log were copied from another.

A fork begins with the lines of the session that it goes on from. A line counts in the session where it was written:
the logs that repeat it leave it out. A session that went on in another folder has a log in each.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from pathlib import Path, PurePath
from typing import Any, NamedTuple

import orjson

from ...index import Card, SessionIndex, absolute, index_of, named_like
from ...logfile import LogError, LogFile, beginning
from ..shared.values import iso_time, mapping, objects, optional, string

# How much of a log is looked at for its first messages; more where a picture is longer than that.
_HEADS = (16 * 1024, 1024 * 1024)
_FIRST = 4
_SAID = ("user", "assistant")
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_SESSION = re.compile(rb'"sessionId"\s*:\s*"([^"]{1,100})"')
_SAVED = "tool-results"
# A saved output that is longer is not read, and what it shows stays unknown.
_LONGEST = 16 * 1024 * 1024

Line = dict[str, Any]


def cards(path: Path) -> list[Card]:
    """What the head of a log states. A log whose name is not its session's stands alone."""
    stem, folder = _stem(path), _folder_of_session(path)
    if folder is not None:
        return [Card(str(path), parent=folder.name)]
    if stem.startswith("agent-"):
        return [Card(str(path), parent=session)] if (session := session_of(path)) is not None else []
    lines = _first_messages(path)
    # A resumed session may have the old id in all lines that it copied.
    if not lines or (stem not in (line.get("sessionId") for line in lines) and _UUID.fullmatch(stem) is None):
        return []
    copied = {name for line in lines for name in _sources(line)} - {stem}
    messages = tuple(key for line in lines if (key := _key(line)) is not None)
    return [Card(stem, None, tuple(sorted(copied)), messages, iso_time(lines[0].get("timestamp")) or 0.0)]


def owner(path: Path) -> Path:
    """The log of the session that a log is a part of (a sub-agent's), or nothing but a copy of; else the log itself."""
    folder, own, index = _folder_of_session(path), absolute(path), _index(path)
    found = index.owner(own)
    if found == own and folder is not None:
        return next((p for s in _SUFFIXES if (p := folder.with_name(folder.name + s)).is_file()), path)
    if found == own and (earlier := _earlier(own, index)):
        messages = [line for line in _lines(own) if "message" in line]
        if messages and all(map(SessionFiles(path).origin, messages)):
            found = owner(earlier[-1])
    return named_like(path, found)


class SessionFiles:
    """The other files of the session in a log, and the logs of the sessions that it goes on from, the nearest last."""

    def __init__(self, path: Path) -> None:
        self._path, self._index = path, _index(path)
        own = absolute(path)
        threads = self._index.cards.get(own, [])
        logs = self._index.files(threads[0].thread) if threads else []
        self.further = logs[1:] if logs[:1] == [own] else []
        self.earlier = _earlier(own, self._index)
        self._written: dict[str | None, str] = {}  # the name of a line -> the session where it was written
        for log in self.earlier:
            for found in map(_outline, (log, *self._of_agents(_stem(log)))):
                for name in (*found.keys, *found.uuids):
                    self._written.setdefault(name, _stem(log))

    def origin(self, line: Line) -> str | None:
        """The earlier session in which a line was written; None: it is of this one."""
        if not self._written:
            return None
        forked = optional(mapping(line.get("forkedFrom")).get("messageUuid"))
        return self._written.get(_key(line)) or self._written.get(forked)

    def subagents(self, session: str | None) -> list[Path]:
        """The logs of the session's sub-agents."""
        names = dict.fromkeys((_stem(self._path), session or _stem(self._path)))
        below = [p for n in names for p in sorted((self._path.parent / n / "subagents").rglob("agent-*.jsonl*"))]
        known = {absolute(p) for p in below}
        return [p for p in below if p.is_file()] + [p for p in self._of_agents(session) if p not in known]

    def _of_agents(self, session: str | None) -> list[Path]:
        index = self._index
        return [path for child in index.children(session or "") for path in index.files(child)[:1]]

    def saved(self, name: str) -> Path | None:
        """The file of an output that was too long for the log; ``name`` is its path where the agent ran."""
        parts = PurePath(name.replace("\\", "/")).parts[-4:]
        if len(parts) < 4 or parts[2] != _SAVED or ".." in parts:
            return None
        own, there = self._path.with_name(_stem(self._path)), self._path.parent.parent / parts[0] / parts[1]
        files = (folder / _SAVED / parts[3] for folder in (own, there))
        return next((file for file in files if file.is_file() and file.stat().st_size <= _LONGEST), None)


_SUFFIXES = (".jsonl", ".jsonl.gz", ".jsonl.zst")


def _stem(path: Path) -> str:
    return path.name.split(".json", 1)[0]


def _folder_of_session(path: Path) -> Path | None:
    """The folder ``<session>`` above the log of a sub-agent; None: the log is not below one."""
    return next((p.parent for p in path.parents if p.name == "subagents"), None) if "subagents" in path.parts else None


def _index(path: Path) -> SessionIndex:
    folder = _folder_of_session(path)
    return index_of(path if folder is None else folder.with_name(folder.name + ".jsonl"), "claude", cards)


def session_of(path: Path) -> str | None:
    """The session that the head of a log names."""
    found = _SESSION.search(beginning(path, _HEADS[0]))
    return found[1].decode("utf-8", "replace") if found is not None else None


# The lines of logs: their names, and in which session they were written


def is_document(log: LogFile) -> bool:
    """Whether a log is the one document of a session on the web."""
    return b'"loglines"' in log.head and isinstance(mapping(log.head_document).get("loglines"), list)


def lines_of(log: LogFile) -> Iterator[tuple[int | None, Line]]:
    """The lines of a session, with their numbers if they are lines of the log."""
    if not is_document(log):
        yield from log.json_objects()
    else:
        yield from ((None, line) for line in objects(mapping(log.document()).get("loglines")))


def _first_messages(path: Path) -> list[Line]:
    """The first messages of a log, if it is one of Claude Code."""
    if path.suffix == ".json":
        return [line for line in _lines(path) if line.get("type") in _SAID][:_FIRST]
    for size in _HEADS:
        head = beginning(path, size)
        found: list[Line] = []
        for line in head.split(b"\n"):
            if b'"sessionId"' in line and b'"message"' in line and len(found) < _FIRST:
                with suppress(orjson.JSONDecodeError):
                    found += [v for v in objects([orjson.loads(line)]) if v.get("type") in _SAID]
        if found or b'"sessionId"' not in head:
            return found
    return []


def _key(line: Line) -> str | None:
    """A name of a line that only its copies have as well; None: it has none."""
    time, name = optional(line.get("timestamp")), optional(line.get("uuid"))
    if name is None and line.get("type") == "queue-operation":
        name = f"{line.get('operation')} {string(line.get('content'))[:200]}"
    return None if time is None or name is None else f"{name} {time}"


def _sources(line: Line) -> Iterator[str]:
    """The sessions that a line names as those where it was written."""
    for name in (line.get("sessionId"), mapping(line.get("forkedFrom")).get("sessionId")):
        if isinstance(name, str):
            yield name


def _lines(path: Path) -> Iterator[Line]:
    with suppress(LogError):
        yield from (line for _, line in lines_of(LogFile(path)))


class _Outline(NamedTuple):
    """The names of the lines of a log, with and without their times, and the sessions that they name."""

    keys: list[str]
    uuids: set[str]
    sources: set[str]


def _outline(path: Path) -> _Outline:
    try:
        return _outline_at(path, path.stat().st_mtime_ns)
    except OSError:
        return _Outline([], set(), set())


@lru_cache(maxsize=64)
def _outline_at(path: Path, changed: int) -> _Outline:
    found = _Outline([], set(), set())
    for line in _lines(path):
        if (key := _key(line)) is not None:
            found.keys.append(key)
        if (uuid := optional(line.get("uuid"))) is not None:
            found.uuids.add(uuid)
        found.sources.update(_sources(line))
    return found


def _earlier(path: Path, index: SessionIndex) -> list[Path]:
    """The logs of other sessions in the family of a log that were begun before it, in their order."""
    family = tuple(index.family(path))
    if len(family) < 2:
        return []
    ranks, own = _ranks(family, index), index.cards[path][0].thread
    return sorted(
        (p for p in family if index.cards[p][0].thread != own and ranks[p] < ranks[path]), key=ranks.__getitem__
    )


_Rank = tuple[int, str, str]


@lru_cache(maxsize=8)
def _ranks(family: tuple[Path, ...], index: SessionIndex) -> dict[Path, _Rank]:
    """For each log how many sessions it goes on from, one from the other, and when it first had a line of its own."""
    thread = {path: index.cards[path][0].thread for path in family}
    outlines = {path: _outline(path) for path in family}
    named: dict[str, set[str]] = {}
    logs = Counter(key for path in family for key in set(outlines[path].keys))
    for path in family:
        named.setdefault(thread[path], set()).update(outlines[path].sources & set(thread.values()))

    def depth(name: str, above: frozenset[str]) -> int:
        return max((1 + depth(s, above | {s}) for s in named[name] - above), default=0)

    def began(path: Path) -> str:
        """The time of its first line that no other log has; "" if it has none: then all others go on from it."""
        return min((key.rsplit(" ", 1)[-1] for key in outlines[path].keys if logs[key] == 1), default="")

    return {path: (depth(thread[path], frozenset({thread[path]})), began(path), str(path)) for path in family}
