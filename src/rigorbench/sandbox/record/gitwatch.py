"""The repository's own git directory, read from outside: its branches, and which commits were made.

Nothing in it is trusted once the agent runs: it is read as data, links in it are not followed, and git itself only ever
runs on our store, into which new objects are copied. So a commit that is rewritten away later is still there.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, Final

from .gitobjects import FRESH, HASH, GitObjects
from .procfs import open_beneath
from .treestore import TreeWriter
from .writer import text

_MAX_REFS: Final = 5000
_MAX_DEPTH: Final = 50
_MAX_MOVED: Final = 100
_MAX_SHOWN: Final = 500


@dataclass
class GitState:
    """The content of the git directory."""

    kind: str = "missing"
    """What its name is: "directory", "missing", or something else."""
    head: str | None = None
    """A reference or a commit."""
    refs: dict[str, str] = field(default_factory=dict)
    """{reference: commit or other reference}."""
    hooks: list[str] = field(default_factory=list)
    config: str | None = None
    """A hash of the settings."""
    cut: bool = False
    """Whether there are more references than were read."""

    def commits(self, name: str | None = None) -> set[str]:
        """The commit of a reference, if it exists; else of all references."""
        values = [self.refs[name]] if name in self.refs else self.refs.values()
        return {value for value in values if HASH.fullmatch(value)}

    def tips(self) -> set[str]:
        """The commits of the references and of HEAD."""
        return self.commits() | ({self.head} if self.head and HASH.fullmatch(self.head) else set())


@dataclass
class News:
    """What has happened: ``notes``, as (name, data) of Note records; ``gaps``, reasons why something is not known."""

    notes: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    gaps: list[str] = field(default_factory=list)


class GitWatch:
    """The watch over one repository."""

    def __init__(self, root: Path, store: TreeWriter) -> None:
        self._git = root / ".git"
        self._root = root
        self._objects = GitObjects(root, store)
        self._signature: object = None
        self.state = GitState()

    def start(self) -> None:
        """Store the present content, which only we have written. Raises OSError, such as for a full disk."""
        self._signature = self._sign()
        self.state = self._read()
        if self.state.kind != "directory":
            return
        self._objects.start(self.state.tips())

    def look(self, *, final: bool = False) -> News | None:
        """What has happened since the last look; None: nothing. ``final``: also look for commits of no branch."""
        signature = self._sign()
        if signature == self._signature and not final:
            return None
        old, new = self.state, self._read()
        news = News()
        if new.kind not in ("directory", "missing"):
            news.gaps.append(f"the repository's .git is {new.kind} now, which is not followed")
        if new.cut:
            news.gaps.append(
                f"not all references of the repository are read: there are more than {_MAX_REFS}, or they are deep"
            )
        commits: list[tuple[str, bytes]] = []
        if new.kind == "directory":
            try:
                commits = self._objects.news(new.tips(), news.gaps)
            except OSError as error:
                news.gaps.append(f"new commits could not be copied: {error.strerror}")
        for id_, content in commits:
            header, _, message = content.partition(b"\n\n")
            data: dict[str, Any] = {"tree": None, "parents": [], "message": message.decode("utf-8", "replace")[:20_000]}
            for line in header.split(b"\n"):
                word, _, value = line.partition(b" ")
                if word == b"tree":
                    data["tree"] = value.decode("ascii", "replace")
                elif word == b"parent":
                    data["parents"].append(value.decode("ascii", "replace"))
                elif word in (b"author", b"committer"):
                    data[word.decode()] = value.decode("utf-8", "replace")
            news.notes.append(("commit", {"sha": id_, **data}))
        if old != new:
            names = sorted(
                name for name in old.refs.keys() | new.refs.keys() if old.refs.get(name) != new.refs.get(name)
            )
            moved = [name for name in names if name in old.refs and name.startswith("refs/heads/")]
            if new.cut:  # what is not read is not gone
                moved = [name for name in moved if name in new.refs]
            if len(moved) > _MAX_MOVED:
                news.gaps.append(f"{len(moved)} branches moved at once, of which {_MAX_MOVED} were looked into")
                del moved[_MAX_MOVED:]
            shown = sorted(names, key=lambda name: name not in moved)[:_MAX_SHOWN]
            branches = {text(name): [old.refs.get(name), new.refs.get(name)] for name in shown}
            moves: dict[str, Any] = {
                "head": text(new.head) if new.head is not None else None,
                "refs": branches,
                # A branch no longer contains what it contained; no branch contains it any more.
                "rewritten": any(not self._objects.reachable(old.refs[name], new.commits(name)) for name in moved),
                "lost": any(not self._objects.reachable(old.refs[name], new.commits()) for name in moved),
                "deleted": new.kind == "missing",
            }
            if old.hooks != new.hooks or new.hooks:
                moves["hooks"] = [text(name) for name in new.hooks[:_MAX_SHOWN]]
            if old.config != new.config:
                moves["config"] = [old.config, new.config]
            news.notes.append(("git", moves))
        # Only now: a look that failed is made again.
        self._signature, self.state = signature, new
        return news

    # -- the references

    def _sign(self) -> object:
        """Changes whenever something that `_read` reads has changed."""
        names = ("", "HEAD", "packed-refs", "config", "hooks")
        stats: list[object] = [_key(f"{self._git}/{name}") for name in names]
        fresh = any(isinstance(key, tuple) and time.time_ns() - key[1] < FRESH for key in stats)
        for path in _walk(f"{self._git}/refs"):
            key = _key(path)
            stats.append((path, key))
            fresh |= key is not None and time.time_ns() - key[1] < FRESH
        return (time.monotonic_ns() if fresh else 0, *stats)

    def _read(self) -> GitState:
        try:
            mode = os.lstat(self._git).st_mode
        except OSError:
            return GitState()
        if not stat.S_ISDIR(mode):
            return GitState("a link" if stat.S_ISLNK(mode) else "a file" if stat.S_ISREG(mode) else "no directory")
        state = GitState("directory")
        head = self._file("HEAD")
        if head is not None:
            state.head = head.decode("utf-8", "surrogateescape").strip().removeprefix("ref: ").strip()[:1000]
        for line in (self._file("packed-refs") or b"").decode("utf-8", "surrogateescape").splitlines():
            value, _, name = line.partition(" ")
            if HASH.fullmatch(value) and name:
                state.refs[name] = value
        for path in _walk(f"{self._git}/refs"):
            if path is None:
                state.cut = True
                break
            name = os.path.relpath(path, self._git)
            if name.endswith(".lock"):
                continue  # git's own, while it writes a reference; no reference may be named so
            content = self._file(name)
            if content is not None:
                value = content.decode("utf-8", "surrogateescape").strip().removeprefix("ref: ")
                state.refs[name] = value[:1000]
        config = self._file("config")
        state.config = hashlib.sha1(config, usedforsecurity=False).hexdigest() if config is not None else None
        with contextlib.suppress(OSError):
            hooks = open_beneath(self._root, ".git/hooks", os.O_RDONLY | os.O_DIRECTORY)
            try:
                for entry in os.scandir(hooks):
                    if not entry.name.endswith(".sample") and entry.stat(follow_symlinks=False).st_mode & 0o111:
                        state.hooks.append(entry.name)
            finally:
                os.close(hooks)
        state.hooks.sort()
        return state

    def _file(self, name: str) -> bytes | None:
        try:
            fd = open_beneath(self._root, f".git/{name}", os.O_RDONLY | os.O_NONBLOCK)
        except OSError:
            return None
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            os.close(fd)
            return None
        with open(fd, "rb") as file:
            return file.read(4 << 20)


def _key(path: str | None) -> tuple[int, int, int, int, int] | None:
    if path is None:
        return None
    try:
        info = os.lstat(path)
    except OSError:
        return None
    return info.st_mtime_ns, info.st_ctime_ns, info.st_size, info.st_ino, info.st_mode


def _walk(top: str) -> Iterator[str | None]:
    """The files below a directory, and the directories too, at last None if some are left out.

    Links are not followed. An agent may have made the directories, as deep and as many as it likes: the nearest come
    first.
    """
    waiting = deque([(top, 0)])
    left, cut = _MAX_REFS, False
    while waiting and left > 0:
        directory, depth = waiting.popleft()
        try:
            if not stat.S_ISDIR(os.lstat(directory).st_mode):
                continue
            with os.scandir(directory) as found:
                entries = sorted(islice(found, left), key=lambda entry: entry.name)
        except OSError as error:
            cut |= not isinstance(error, FileNotFoundError | NotADirectoryError)
            continue
        left -= len(entries)
        for entry in entries:
            yield entry.path
            if entry.is_dir(follow_symlinks=False):
                if depth < _MAX_DEPTH:
                    waiting.append((entry.path, depth + 1))
                else:
                    cut = True
    if cut or left <= 0:
        yield None
