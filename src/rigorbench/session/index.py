"""Which file every session of a user is in, whatever files its thread, its sub-agents and its history are spread over.

A reader states of each log, from its beginning only, what is in it (:class:`Card`); the index of a store joins these.
A store is all folders in which an agent keeps a user's sessions; for a log elsewhere it is the folder of the log.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import product
from pathlib import Path, PurePath

from msgspec import Struct

from .formats import FOLDERS, SessionFolder


class Card(Struct, frozen=True):
    """What a log states of one session in it."""

    thread: str
    """The id of the session, or of the thread."""
    parent: str | None = None
    """The thread that started this one as its sub-agent."""
    copies: tuple[str, ...] = ()
    """Threads whose history it repeats."""
    messages: tuple[str, ...] = ()
    """The first messages, each named so that only a copy has the same name."""
    order: float = 0.0
    """Of the logs of one thread, the one with the least order is read first."""


Cards = Callable[[Path], list[Card]]


class SessionIndex:
    """The logs of one store by thread, by parent and by their first messages. All paths are absolute."""

    def __init__(self, files: Iterable[Path], cards: Cards) -> None:
        paths = list(files)
        # One log alone has nothing to be joined with.
        self.cards = {path: found for path in paths if len(paths) > 1 and (found := cards(path))}
        self._files: dict[str, list[tuple[float, Path]]] = {}
        self._children: dict[str, dict[str, None]] = {}
        self._alike: dict[str, list[Path]] = {}
        for path, found in self.cards.items():
            for card in found:
                self._files.setdefault(card.thread, []).append((card.order, path))
                if card.parent is not None:
                    self._children.setdefault(card.parent, {})[card.thread] = None
                for name in (card.thread, *card.copies, *card.messages):
                    self._alike.setdefault(name, []).append(path)

    def files(self, thread: str | None) -> list[Path]:
        """The logs of a thread, the first one first."""
        return [path for _, path in sorted(self._files.get(thread or "", ()))]

    def children(self, thread: str) -> list[str]:
        """The threads that this one started as its sub-agents."""
        return [child for child in self._children.get(thread, ()) if child != thread]

    def family(self, path: Path) -> list[Path]:
        """The logs that share threads or first messages with this one, directly or through others; itself included."""
        found, todo = {path}, [path]
        while todo:
            cards = self.cards.get(todo.pop(), ())
            names = (name for card in cards for name in (card.thread, *card.copies, *card.messages))
            new = {other for name in names for other in self._alike.get(name, ())} - found
            found |= new
            todo += new
        return sorted(found)

    def owner(self, path: Path) -> Path:
        """The log whose session this one is a part of: the first of its thread, or that of the topmost parent."""
        seen: list[Path] = []
        while path not in seen:
            seen.append(path)
            threads = self.cards.get(path, ())
            if len(threads) != 1:
                return path
            first = self.files(threads[0].thread)[0]
            parents = self.files(threads[0].parent) if first == path else [first]
            if not parents:
                return path
            path = parents[0]
        return min(seen[seen.index(path) :])


def index_of(path: Path, agent: str, cards: Cards) -> SessionIndex:
    """The index of the store that a log of an agent is in."""
    bases, depth = _store(os.path.dirname(os.path.abspath(path)), path.name, agent)
    return _index(bases, depth, agent, cards)


def absolute(path: Path) -> Path:
    """A path as the indexes have it."""
    return Path(os.path.abspath(path))


def named_like(path: Path, found: Path) -> Path:
    """A path of an index as the user would name it, who named ``path``."""
    if absolute(path) == found:
        return path
    return found if path.is_absolute() else Path(os.path.relpath(found))


def forget() -> None:
    """Files may be new from now on: every index is made again."""
    for known in (_index, _store, _bases):
        known.cache_clear()


@lru_cache(maxsize=32)
def _index(bases: tuple[Path, ...], depth: int, agent: str, cards: Cards) -> SessionIndex:
    patterns = dict.fromkeys(
        "/".join(parts) for folder in _folders(agent) for glob in folder.globs if (parts := glob.split("/")[depth:])
    )
    files = {path: None for base in bases for pattern in patterns for path in sorted(base.glob(pattern))}
    return SessionIndex(files, cards)


@lru_cache(maxsize=50_000)
def _store(directory: str, name: str, agent: str) -> tuple[tuple[Path, ...], int]:
    """The directories of the store of a log, and how many parts its folder's globs are to be shortened by there."""
    path, globs = Path(directory, name), [glob.split("/") for folder in _folders(agent) for glob in folder.globs]
    deepest = max(map(len, globs))
    for depth, parts in product(range(deepest), globs):
        last = depth == len(parts) - 1
        if depth < len(parts) and (last or parts[depth] != "*") and path.match("/".join(parts[depth:])):
            base = path.parents[len(parts) - depth - 1]
            return (base,) if depth else _bases(base, agent), depth
    return (path.parent,), deepest - 1


@lru_cache(maxsize=1024)
def _bases(base: Path, agent: str) -> tuple[Path, ...]:
    """All directories in which the agent keeps the sessions of the user whose directory this is."""
    own = _folders(agent)
    homes = [Path.home()]
    for folder in own:
        parts = PurePath(folder.directory or "").parts
        if parts and base.parts[-len(parts) :] == parts:
            homes.insert(0, Path(*base.parts[: -len(parts)]))
    for home in homes:
        bases = {os.path.realpath(place): place for folder in own for place in folder.bases(home)}
        if os.path.realpath(base) in bases:
            return tuple((bases | {os.path.realpath(base): base}).values())
    return (base,)


@lru_cache(maxsize=8)
def _folders(agent: str) -> tuple[SessionFolder, ...]:
    return tuple(folder for folder in FOLDERS if folder.agent == agent)
