"""New objects of a repository, copied into our store: loose ones as files, packs through git; nothing is trusted."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import stat
import subprocess
import time
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from . import safegit
from .procfs import open_beneath
from .treestore import TreeWriter

HASH: Final = re.compile(r"[0-9a-f]{40}")
_MAX_OBJECT: Final = 64 << 20
_MAX_PACK: Final = 512 << 20
_MAX_ALONE: Final = 20
FRESH: Final = 20_000_000  # nanoseconds within which a second change may show in no time stamp


class GitObjects:
    """Copies from ``root``/.git into ``store``."""

    def __init__(self, root: Path, store: TreeWriter) -> None:
        self._root = root
        self._store = store
        self._seen_loose: set[str] = set()
        self._directories: dict[str, int] = {}
        self._seen_packs: set[str] = set()
        self._known: set[str] = set()  # commits whose history is no news
        self._reported: set[str] = set()

    def start(self, tips: set[str]) -> None:
        """Store the present content as it is: only we have written it. ``tips``: the commits of the references."""
        packs = self._root / ".git" / "objects" / "pack"
        if packs.is_dir():
            for pack in sorted(packs.glob("*.pack")):
                index = pack.with_suffix(".idx")
                if index.exists():
                    for file in (pack, index):
                        shutil.copyfile(file, self._store.path / "objects" / "pack" / file.name)
                    self._seen_packs.add(pack.name)
        commits, _ = self._import_loose(verify=False)
        self._reported.update(id_ for id_, _ in commits)
        self._known = set(tips)
        for tip in tips:
            self._store.keep("base", tip)

    def reachable(self, tip: str, values: set[str]) -> bool:
        """Whether the commit ``tip`` is one of ``values`` or of their ancestors."""
        if tip in values:
            return True
        if not HASH.fullmatch(tip) or not values:
            return False
        return self._rev_list(["--max-count=1"], [tip], values) == b""

    def news(self, tips: set[str], gaps: list[str]) -> list[tuple[str, bytes]]:
        """Copy what is new. The new commits (id, content), parents first; errors are added to ``gaps``."""
        try:
            fd = open_beneath(self._root, ".git/objects/pack", os.O_RDONLY | os.O_DIRECTORY)
        except OSError:
            pass
        else:
            try:
                for name in sorted(os.listdir(fd)):
                    if not name.endswith(".pack") or name in self._seen_packs:
                        continue
                    self._seen_packs.add(name)
                    why = self._import_pack(fd, name)
                    if why is not None:
                        gaps.append(f"a pack of the repository was not copied: {why}")
            finally:
                os.close(fd)
        loose, broken = self._import_loose(verify=True)
        if broken:
            gaps.append(f"{broken} objects of the repository are damaged or too large and were not copied")
        commits = {id_: content for id_, content in loose if id_ not in self._reported}
        missing = {tip for tip in tips if tip not in self._known and tip not in commits and tip not in self._reported}
        commits.update(self._listed(missing, gaps))
        ordered = _parents_first(commits)
        self._reported.update(commits)
        if ordered:
            ids = [id_ for id_, _ in ordered]
            whole = self._whole(ids)
            for id_ in ids:
                if whole or self._whole([id_]):
                    self._store.keep("commits", id_)
                else:
                    gaps.append(f"commit {id_} refers to objects that the repository does not have")
        # Only what is really there: git refuses every question that names an object it does not have.
        self._known |= {tip for tip in tips if tip in self._reported}
        return ordered

    def _whole(self, ids: list[str]) -> bool:
        return self._rev_list(["--objects", "--quiet"], ids, self._known) is not None

    def _rev_list(self, options: list[str], ids: Iterable[str], exclude: Iterable[str]) -> bytes | None:
        # On standard input: thousands of ids are no command line.
        data = "".join(f"{id_}\n" for id_ in ids) + "".join(f"^{id_}\n" for id_ in exclude)
        return safegit.run(self._store.path, "rev-list", *options, "--stdin", data=data.encode())

    def _listed(self, tips: set[str], gaps: list[str]) -> dict[str, bytes]:
        """Commits that came in packs, found from the branches."""
        if not tips:
            return {}
        listed = self._rev_list(["--max-count=2000"], sorted(tips), self._known)
        if listed is None:
            gaps.append("the history of a branch cannot be read: objects are missing")
            alone = [self._rev_list(["--max-count=2000"], [tip], self._known) for tip in sorted(tips)[:_MAX_ALONE]]
            listed = b"".join(found for found in alone if found)
        ids = [id_ for id_ in listed.decode().split() if id_ not in self._reported]
        batch = (
            safegit.run(self._store.path, "cat-file", "--batch", data="".join(f"{i}\n" for i in ids).encode()) or b""
        )
        found: dict[str, bytes] = {}
        at = 0
        while at < len(batch):
            end = batch.index(b"\n", at)
            id_, kind, *rest = batch[at:end].decode().split()
            if not rest:
                at = end + 1  # "<id> missing"
                continue
            size = rest[0]
            if kind == "commit":
                found[id_] = batch[end + 1 : end + 1 + int(size)]
            at = end + 1 + int(size) + 1
        return found

    def _import_loose(self, *, verify: bool) -> tuple[list[tuple[str, bytes]], int]:
        """New loose objects: the commits among them, and how many could not be copied."""
        commits: list[tuple[str, bytes]] = []
        broken = 0
        try:
            top = open_beneath(self._root, ".git/objects", os.O_RDONLY | os.O_DIRECTORY)
        except OSError:
            return commits, 0
        try:
            for name in sorted(os.listdir(top)):
                if len(name) != 2 or not HASH.fullmatch(name * 20):
                    continue
                changed = os.stat(name, dir_fd=top, follow_symlinks=False)
                if self._directories.get(name) == changed.st_mtime_ns:
                    continue
                fresh = time.time_ns() - changed.st_mtime_ns < FRESH
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
            if name + rest not in self._seen_loose and HASH.fullmatch(name + rest):
                self._seen_loose.add(name + rest)
                yield rest

    def _import_object(self, top: int, name: str, rest: str, verify: bool) -> bytes | None:
        """The content if it is a commit, b"" if something else, None if it cannot be used."""
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


def _parents_first(commits: dict[str, bytes]) -> list[tuple[str, bytes]]:
    done: dict[str, bytes] = {}

    def time_of(id_: str) -> tuple[int, bytes]:
        # Compared as digits: an agent may write a number of any length.
        match = re.search(rb"^committer .*> 0*(\d+)", commits[id_], re.MULTILINE)
        return (len(match[1]), match[1]) if match else (0, b"")

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
