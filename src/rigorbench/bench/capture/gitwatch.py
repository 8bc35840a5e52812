"""The repository's own git directory, read from outside: where its branches stand, which commits were made.

Nothing in it is trusted once the agent runs: it is read as data, links in it are not followed, and git itself only ever
runs on our store, into which new objects are copied. So a commit that is rewritten away later is still there.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shutil
import stat
import subprocess
import time
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from rigorbench.bench.capture import safegit
from rigorbench.bench.capture.procfs import open_beneath
from rigorbench.bench.capture.treestore import TreeStore
from rigorbench.bench.capture.writer import text

_HASH: Final = re.compile(r"[0-9a-f]{40}")
_MAX_OBJECT: Final = 64 << 20
_MAX_PACK: Final = 512 << 20
_MAX_REFS: Final = 5000
_FRESH: Final = 20_000_000  # nanoseconds within which a second change may show in no time stamp


@dataclass
class State:
    """What the git directory says. ``kind``: "directory", "missing", or what else is in its place."""

    kind: str = "missing"
    head: str | None = None
    refs: dict[str, str] = field(default_factory=dict)
    hooks: list[str] = field(default_factory=list)
    config: str | None = None

    def tips(self) -> set[str]:
        found = {value for value in self.refs.values() if _HASH.fullmatch(value)}
        return found | {self.head} if self.head and _HASH.fullmatch(self.head) else found


@dataclass
class News:
    """``notes``: (name, data) of Note records; ``gaps``: reasons why something is not known."""

    notes: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    gaps: list[str] = field(default_factory=list)


class GitWatch:
    def __init__(self, root: Path, store: TreeStore) -> None:
        self._git = root / ".git"
        self._root = root
        self._store = store
        self._signature: object = None
        self._seen_loose: set[str] = set()
        self._directories: dict[str, int] = {}
        self._seen_packs: set[str] = set()
        self._known: set[str] = set()  # commits whose history is no news
        self._told: set[str] = set()
        self.state = State()

    def start(self) -> None:
        """Takes over what is there now, which nobody but us has written. May raise OSError when the disk is full."""
        self._signature = self._sign()
        self.state = self._read()
        if self.state.kind != "directory":
            return
        packs = self._git / "objects" / "pack"
        if packs.is_dir():
            for pack in sorted(packs.glob("*.pack")):
                index = pack.with_suffix(".idx")
                if index.exists():
                    for file in (pack, index):
                        shutil.copyfile(file, self._store.path / "objects" / "pack" / file.name)
                    self._seen_packs.add(pack.name)
        commits, _ = self._import_loose(verify=False)
        self._told.update(id_ for id_, _ in commits)
        self._known = self.state.tips()
        for tip in self._known:
            self._store.keep("base", tip)

    def look(self, *, final: bool = False) -> News | None:
        """What has happened since the last look; None: nothing. ``final``: also look for commits of no branch."""
        signature = self._sign()
        if signature == self._signature and not final:
            return None
        self._signature = signature
        old, new = self.state, self._read()
        self.state = new
        news = News()
        if new.kind not in ("directory", "missing"):
            news.gaps.append(f"the repository's .git is {new.kind} now, which is not followed")
        commits: list[tuple[str, bytes]] = []
        if new.kind == "directory":
            try:
                commits = self._objects(old, new, news.gaps)
            except OSError as error:
                news.gaps.append(f"new commits could not be copied: {error.strerror}")
        for id_, content in commits:
            news.notes.append(("commit", {"sha": id_, **_commit(content)}))
        data = self._compare(old, new)
        if data is not None:
            news.notes.append(("git", data))
        self._known |= new.tips()
        return news

    def _compare(self, old: State, new: State) -> dict[str, Any] | None:
        if old == new:
            return None
        names = sorted(name for name in old.refs.keys() | new.refs.keys() if old.refs.get(name) != new.refs.get(name))
        branches = {text(name): [old.refs.get(name), new.refs.get(name)] for name in names}
        moved = [name for name in names if name in old.refs and name.startswith("refs/heads/")]
        data: dict[str, Any] = {
            "head": text(new.head) if new.head is not None else None,
            "refs": branches,
            # A branch does not contain any more what it contained; nothing contains it any more.
            "rewritten": any(
                not self._reachable(old.refs[name], [new.refs[name]] if name in new.refs else new.refs.values())
                for name in moved
            ),
            "lost": any(not self._reachable(old.refs[name], new.refs.values()) for name in moved),
            "deleted": new.kind == "missing",
        }
        if old.hooks != new.hooks or new.hooks:
            data["hooks"] = [text(name) for name in new.hooks]
        if old.config != new.config:
            data["config"] = [old.config, new.config]
        return data

    def _reachable(self, tip: str, refs: Iterable[str]) -> bool:
        """Whether the commit is one of ``refs`` or of their ancestors."""
        values = {value for value in refs if _HASH.fullmatch(value)}
        if tip in values:
            return True
        if not _HASH.fullmatch(tip) or not values:
            return False
        found = safegit.run(self._store.path, "rev-list", "--max-count=1", tip, "--not", *sorted(values))
        return found == b""

    # -- the objects

    def _objects(self, old: State, new: State, gaps: list[str]) -> list[tuple[str, bytes]]:
        """Copies what is new; returns the new commits, parents first."""
        packed = self._import_packs(gaps)
        loose, broken = self._import_loose(verify=True)
        if broken:
            gaps.append(f"{broken} objects of the repository are damaged or too large and were not copied")
        commits = {id_: content for id_, content in loose if id_ not in self._told}
        tips = {tip for tip in new.tips() if tip not in self._known and tip not in commits and tip not in self._told}
        if tips or (packed and not commits):
            commits.update(self._listed(tips, gaps))
        ordered = _parents_first(commits)
        self._told.update(commits)
        if ordered:
            ids = [id_ for id_, _ in ordered]
            whole = self._whole(ids)
            for id_ in ids:
                if whole or self._whole([id_]):
                    self._store.keep("commits", id_)
                else:
                    gaps.append(f"commit {id_} refers to objects that the repository does not have")
        return ordered

    def _whole(self, ids: list[str]) -> bool:
        exclude = ["--not", *sorted(self._known)] if self._known else []
        return safegit.run(self._store.path, "rev-list", "--objects", "--quiet", *ids, *exclude) is not None

    def _listed(self, tips: set[str], gaps: list[str]) -> dict[str, bytes]:
        """Commits that came in packs, found from where the branches stand."""
        if not tips:
            return {}
        exclude = ["--not", *sorted(self._known)] if self._known else []
        listed = safegit.run(self._store.path, "rev-list", "--max-count=2000", *sorted(tips), *exclude)
        if listed is None:
            gaps.append("the history of a branch cannot be read: objects are missing")
            return {}
        ids = [id_ for id_ in listed.decode().split() if id_ not in self._told]
        batch = (
            safegit.run(self._store.path, "cat-file", "--batch", data="".join(f"{i}\n" for i in ids).encode()) or b""
        )
        found: dict[str, bytes] = {}
        at = 0
        while at < len(batch):
            end = batch.index(b"\n", at)
            id_, kind, size = batch[at:end].decode().split()
            if kind == "commit":
                found[id_] = batch[end + 1 : end + 1 + int(size)]
            at = end + 1 + int(size) + 1
        return found

    def _import_loose(self, *, verify: bool) -> tuple[list[tuple[str, bytes]], int]:
        """New loose objects: the commits among them, and how many could not be taken."""
        commits: list[tuple[str, bytes]] = []
        broken = 0
        try:
            top = open_beneath(self._root, ".git/objects", os.O_RDONLY | os.O_DIRECTORY)
        except OSError:
            return commits, 0
        try:
            for name in sorted(os.listdir(top)):
                if len(name) != 2 or not _HASH.fullmatch(name * 20):
                    continue
                changed = os.stat(name, dir_fd=top, follow_symlinks=False)
                if self._directories.get(name) == changed.st_mtime_ns:
                    continue
                fresh = time.time_ns() - changed.st_mtime_ns < _FRESH
                self._directories[name] = 0 if fresh else changed.st_mtime_ns
                for rest in self._new_names(top, name):
                    commit = self._import_object(top, name, rest, verify)
                    broken += commit is None
                    if commit:
                        commits.append((name + rest, commit))
        finally:
            os.close(top)
        return commits, broken

    def _new_names(self, top: int, name: str) -> Iterator[str]:
        try:
            fd = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=top)
        except OSError:
            return
        try:
            names = os.listdir(fd)
        finally:
            os.close(fd)
        for rest in names:
            if name + rest not in self._seen_loose and _HASH.fullmatch(name + rest):
                self._seen_loose.add(name + rest)
                yield rest

    def _import_object(self, top: int, name: str, rest: str, verify: bool) -> bytes | None:
        """The content if it is a commit, b"" if something else, None if it is of no use."""
        id_ = bytes.fromhex(name + rest)
        try:
            flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
            fd = os.open(f"{name}/{rest}", flags, dir_fd=top)
            with open(fd, "rb") as file:
                info = os.fstat(fd)
                if not stat.S_ISREG(info.st_mode) or info.st_size > _MAX_OBJECT:
                    return None
                compressed = file.read()
            inflater = zlib.decompressobj()
            data = inflater.decompress(compressed, _MAX_OBJECT if verify else 64)
            if verify and (not inflater.eof or hashlib.sha1(data, usedforsecurity=False).digest() != id_):
                return None
        except (OSError, zlib.error):
            return None
        if not self._store.has(id_):
            self._store.put_raw(id_, compressed)
        if not data.startswith(b"commit "):
            return b""
        return data.partition(b"\0")[2] or b"\n"

    def _import_packs(self, gaps: list[str]) -> bool:
        done = False
        try:
            fd = open_beneath(self._root, ".git/objects/pack", os.O_RDONLY | os.O_DIRECTORY)
        except OSError:
            return False
        try:
            for name in sorted(os.listdir(fd)):
                if not name.endswith(".pack") or name in self._seen_packs:
                    continue
                self._seen_packs.add(name)
                why = self._import_pack(fd, name)
                done |= why is None
                if why is not None:
                    gaps.append(f"a pack of the repository was not copied: {why}")
        finally:
            os.close(fd)
        return done

    def _import_pack(self, directory: int, name: str) -> str | None:
        try:
            flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
            fd = os.open(name, flags, dir_fd=directory)
        except OSError as error:
            return error.strerror
        try:
            if os.fstat(fd).st_size > _MAX_PACK:
                return f"larger than {_MAX_PACK >> 20} MiB"
            subprocess.run(
                safegit.command(self._store.path, "index-pack", "--stdin"),
                stdin=fd,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=safegit.environment(),
                timeout=60,
                check=True,
            )
        except (OSError, subprocess.SubprocessError) as error:
            return f"git index-pack failed ({type(error).__name__})"
        finally:
            os.close(fd)
        return None

    # -- the references

    def _sign(self) -> object:
        """Changes whenever something that `_read` reads has changed."""
        names = ("", "HEAD", "packed-refs", "config", "hooks")
        stats: list[object] = [_key(f"{self._git}/{name}") for name in names]
        fresh = any(isinstance(key, tuple) and time.time_ns() - key[1] < _FRESH for key in stats)
        for count, path in enumerate(_walk(f"{self._git}/refs")):
            key = _key(path)
            stats.append((path, key))
            fresh |= key is not None and time.time_ns() - key[1] < _FRESH
            if count > _MAX_REFS:
                break
        return (time.monotonic_ns() if fresh else 0, *stats)

    def _read(self) -> State:
        try:
            mode = os.lstat(self._git).st_mode
        except OSError:
            return State()
        if not stat.S_ISDIR(mode):
            return State("a link" if stat.S_ISLNK(mode) else "a file" if stat.S_ISREG(mode) else "no directory")
        state = State("directory")
        head = self._file("HEAD")
        if head is not None:
            state.head = head.decode("utf-8", "surrogateescape").strip().removeprefix("ref: ").strip()[:1000]
        for line in (self._file("packed-refs") or b"").decode("utf-8", "surrogateescape").splitlines():
            value, _, name = line.partition(" ")
            if _HASH.fullmatch(value) and name:
                state.refs[name] = value
        for count, path in enumerate(_walk(f"{self._git}/refs")):
            if count > _MAX_REFS:
                break
            name = os.path.relpath(path, self._git)
            content = self._file(name)
            if content is not None:
                value = content.decode("utf-8", "surrogateescape").strip().removeprefix("ref: ")
                state.refs[name] = value[:1000]
        config = self._file("config")
        state.config = hashlib.sha1(config, usedforsecurity=False).hexdigest() if config is not None else None
        with contextlib.suppress(OSError):
            for entry in os.scandir(self._git / "hooks"):
                if not entry.name.endswith(".sample") and entry.stat(follow_symlinks=False).st_mode & 0o111:
                    state.hooks.append(entry.name)
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


def _key(path: str) -> tuple[int, int, int, int, int] | None:
    try:
        info = os.lstat(path)
    except OSError:
        return None
    return info.st_mtime_ns, info.st_ctime_ns, info.st_size, info.st_ino, info.st_mode


def _walk(top: str) -> Iterator[str]:
    """The files below a directory, and the directories too; links are not followed."""
    try:
        entries = sorted(os.scandir(top), key=lambda entry: entry.name)
    except OSError:
        return
    for entry in entries:
        yield entry.path
        if entry.is_dir(follow_symlinks=False):
            yield from _walk(entry.path)


def _commit(content: bytes) -> dict[str, Any]:
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
    return data


def _parents_first(commits: dict[str, bytes]) -> list[tuple[str, bytes]]:
    done: dict[str, bytes] = {}

    def time_of(id_: str) -> int:
        match = re.search(rb"^committer .*> (\d+)", commits[id_], re.MULTILINE)
        return int(match[1]) if match else 0

    for first in sorted(commits, key=lambda id_: (time_of(id_), id_)):
        waiting = [first]
        while waiting:
            id_ = waiting[-1]
            parents = [p.decode("ascii", "replace") for p in re.findall(rb"^parent (\S+)", commits[id_], re.MULTILINE)]
            todo = [p for p in parents if p in commits and p not in done and p not in waiting]
            if todo:
                waiting.extend(todo)
            else:
                done.setdefault(waiting.pop(), commits[id_])
    return list(done.items())
