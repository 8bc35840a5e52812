"""Trees of a captured run: read from the git store beside the journal, and compared as file changes."""

from __future__ import annotations

import os
import subprocess
import threading
import zlib
from pathlib import Path
from types import TracebackType
from typing import Self

from msgspec import Struct

from ....base.text import differences
from ...model import FileChange
from ...patches import hunks
from ...products import is_product

# Larger files, and those that are not text, are compared by their hash alone.
LARGEST_TEXT = 1 << 20
# A removed and an added file count as one renamed file if they share this part of their lines.
_SAME_FILE = 0.6
_MOST_RENAMES = 40
# More files than a recorded work tree can have; only a tree made to burst its reader has them.
_MAX_FILES = 1_000_000
# How a compiled program begins, and what CMake writes into the directory in which it builds.
_ELF = b"\x7fELF"
_CACHE = "CMakeCache.txt"


class MissingObject(Exception):
    """An object is not in the store (the run was killed before it was written, or the store was tampered with)."""


class TreeEntry(Struct, frozen=True):
    """One file of a tree: git's mode and the blob's hash."""

    mode: str
    sha: str


class TreeReader:
    """Objects of one git repository; loose ones are read without running git. Use as a context manager.

    Threads may share one.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._git: subprocess.Popen[bytes] | None = None
        self._no_git = not path.is_dir()
        self._lock = threading.Lock()
        self._trees: dict[str, dict[str, TreeEntry]] = {}
        self._files: dict[str, dict[str, TreeEntry]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, at: TracebackType | None) -> None:
        if self._git is not None:
            assert self._git.stdin is not None
            assert self._git.stdout is not None
            self._git.stdin.close()
            self._git.wait()
            self._git.stdout.close()
            self._git = None

    def read(self, sha: str) -> tuple[str, bytes]:
        """(kind, content) of an object.

        Raises:
            MissingObject: it is missing or damaged.
        """
        try:
            with open(f"{self.path}/objects/{sha[:2]}/{sha[2:]}", "rb", buffering=0) as file:
                raw = zlib.decompress(file.read())
            header, _, content = raw.partition(b"\0")
            return header.split(b" ")[0].decode("ascii", "replace"), content
        except (OSError, ValueError, zlib.error):
            with self._lock:
                return self._from_git(sha)

    def _from_git(self, sha: str) -> tuple[str, bytes]:
        if self._git is None and not self._no_git:
            environment = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
            environment |= {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull, "GIT_NO_LAZY_FETCH": "1"}
            try:
                self._git = subprocess.Popen(
                    ["git", f"--git-dir={self.path}", "cat-file", "--batch"],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    env=environment,
                )
            except OSError:
                self._no_git = True
        if self._git is None or not sha.isalnum():
            raise MissingObject(sha)
        assert self._git.stdin is not None
        assert self._git.stdout is not None
        try:
            self._git.stdin.write(sha.encode() + b"\n")
            self._git.stdin.flush()
            header = self._git.stdout.readline().split()
            if len(header) != 3:
                raise MissingObject(sha)
            content = self._git.stdout.read(int(header[2]))
            self._git.stdout.read(1)
        except (OSError, ValueError):
            raise MissingObject(sha) from None
        return header[1].decode("ascii", "replace"), content

    def tree_of(self, commit: str) -> str | None:
        """The tree of a commit, None if it is not in the store."""
        try:
            kind, data = self.read(commit)
        except MissingObject:
            return None
        return data[5:].split(b"\n", 1)[0].decode("ascii", "replace") if kind == "commit" else None

    def entries(self, sha: str) -> dict[str, TreeEntry]:
        """The entries of one tree object, by name; directories have the mode "40000"."""
        if sha not in self._trees:
            kind, data = self.read(sha)
            if kind != "tree":
                raise MissingObject(sha)
            found: dict[str, TreeEntry] = {}
            at, width = 0, len(sha) // 2
            while at < len(data):
                space, end = data.find(b" ", at), data.find(b"\0", at)
                if space < 0 or end < 0:
                    raise MissingObject(sha)
                name = os.fsdecode(data[space + 1 : end])
                found[name] = TreeEntry(
                    data[at:space].decode("ascii", "replace"), data[end + 1 : end + 1 + width].hex()
                )
                at = end + 1 + width
            self._trees[sha] = found
        return self._trees[sha]

    def files(self, tree: str) -> dict[str, TreeEntry]:
        """The files of a tree by path."""
        if tree not in self._files:
            self._files[tree] = {path: pair[1] for path, pair in self.differing(None, tree).items() if pair[1]}
        return self._files[tree]

    def differing(self, old: str | None, new: str | None) -> dict[str, tuple[TreeEntry | None, TreeEntry | None]]:
        """The files that differ between two trees (None: an empty one), with their entry in each, by path.

        Without recursion: an agent can commit directories of any depth, and a tree that contains another many times.

        Raises:
            MissingObject: a tree is not there, or it has more files than a work tree may have.
        """
        found: dict[str, tuple[TreeEntry | None, TreeEntry | None]] = {}
        waiting = [(old, new, "")] if old != new else []
        looked = 0
        while waiting:
            old, new, prefix = waiting.pop()
            looked += 1
            if looked + len(found) > _MAX_FILES:
                raise MissingObject(new or old)
            before = {} if old is None else self.entries(old)
            after = {} if new is None else self.entries(new)
            for name in {*before, *after}:
                a, b = before.get(name), after.get(name)
                if a == b:
                    continue
                path = prefix + name
                tree_a = a.sha if a is not None and a.mode == "40000" else None
                tree_b = b.sha if b is not None and b.mode == "40000" else None
                if tree_a is not None or tree_b is not None:
                    waiting.append((tree_a, tree_b, path + "/"))
                file_a, file_b = (a if tree_a is None else None), (b if tree_b is None else None)
                if file_a is not None or file_b is not None:
                    found[path] = (file_a, file_b)
        return dict(sorted(found.items(), key=lambda item: item[0].split("/")))

    def text(self, entry: TreeEntry | None) -> str | None:
        """The text of a file; None for no file, for what is not text, and for what is too large."""
        if entry is None or entry.mode not in ("100644", "100755"):
            return None
        try:
            data = self.read(entry.sha)[1]
        except MissingObject:
            return None
        if len(data) > LARGEST_TEXT or b"\0" in data[:8000]:
            return None
        return data.decode("utf-8", "replace")


def changes(store: TreeReader, old: str, new: str, at_start: set[str]) -> list[FileChange]:
    """What differs between two trees, as changes of files by path from the root, without build products.

    Raises:
        MissingObject: a tree is not in the store.
    """
    found = {
        path: (a, b)
        for path, (a, b) in store.differing(old, new).items()
        if not is_product(path, at_start)
        and (path in at_start or not (is_program(store, b or a) or built_by_cmake(store, new if b else old, path)))
    }
    gone = {p: a for p, (a, b) in found.items() if b is None and a is not None}
    came = {p: b for p, (a, b) in found.items() if a is None and b is not None}
    renamed = _renames(store, gone, came)
    sources = {new_path: old_path for old_path, new_path in renamed.items()}
    result: list[FileChange] = []
    for path, (a, b) in found.items():
        if path in renamed:
            continue
        source = sources.get(path)
        if source is not None:
            a = gone[source]
            change = FileChange(source, "rename", new_path=path)
        else:
            change = FileChange(path, "delete" if b is None else "create" if a is None else "modify")
        if source is None or gone[source].sha != came[path].sha:
            change.before, change.after = store.text(a), store.text(b)
        if change.before is not None and change.after is not None:
            change.hunks = list(hunks(change.before, change.after))
        result.append(change)
    return result


def is_program(store: TreeReader, entry: TreeEntry | None) -> bool:
    """Whether a file is a compiled program."""
    if entry is None or entry.mode != "100755":
        return False
    try:
        return store.read(entry.sha)[1].startswith(_ELF)
    except MissingObject:
        return False


def built_by_cmake(store: TreeReader, tree: str, path: str) -> bool:
    """Whether a file is in a directory in which CMake built, other than the root, which has the sources as well."""
    for name in path.split("/")[:-1]:
        below = store.entries(tree).get(name)
        if below is None or below.mode != "40000":
            return False
        tree = below.sha
        if _CACHE in store.entries(tree):
            return True
    return False


def _renames(store: TreeReader, gone: dict[str, TreeEntry], came: dict[str, TreeEntry]) -> dict[str, str]:
    """Old path to new for files that were moved, changed or not."""
    renamed: dict[str, str] = {}
    left = dict(came)
    alike: dict[tuple[str, str], list[str]] = {}
    for path, entry in reversed(came.items()):
        alike.setdefault((entry.sha, _kind(path)), []).append(path)
    for path, entry in gone.items():
        if same := alike.get((entry.sha, _kind(path))):
            renamed[path] = same.pop()
            del left[renamed[path]]
    rest = {p: e for p, e in gone.items() if p not in renamed}
    if not rest or not left or len(rest) * len(left) > _MOST_RENAMES:
        return renamed
    for path, entry in rest.items():
        before = store.text(entry)
        if not before:
            continue
        best, score = None, _SAME_FILE
        for candidate, other in left.items():
            after = store.text(other)
            if after and _kind(candidate) == _kind(path):
                old, new = before.splitlines(), after.splitlines()
                ratio = 1 - sum(i2 - i1 + j2 - j1 for i1, i2, j1, j2 in differences(old, new)) / (len(old) + len(new))
                if ratio >= score:
                    best, score = candidate, ratio
        if best is not None:
            renamed[path] = best
            del left[best]
    return renamed


def _kind(path: str) -> str:
    return path.rsplit("/", 1)[-1].rpartition(".")[2]
