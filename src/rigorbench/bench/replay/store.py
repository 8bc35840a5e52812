"""Git trees of the snapshots, in an object store of their own that reads from the store of the run.

Nothing is written into the run's store: a bare repository in a temporary directory has its objects as alternates and
gets every new object. No hook, filter or configuration of the store or of the user is in effect, and trees contain the
files' bytes as they were on disk.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import stat
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

from ...sandbox.record import safegit
from ...session.readers.capture.store import MissingObject, TreeEntry, TreeReader

Entry = TreeEntry
Change = Entry | None

DIRECTORY, LINK, SUBMODULE = "40000", "120000", "160000"


class ObjectStoreError(Exception):
    """A git operation failed; the message is one line."""


def git(path: Path, *arguments: str, stdin: bytes = b"", extra: dict[str, str] | None = None) -> bytes:
    """What git prints. ``extra``: environment variables.

    Raises:
        ObjectStoreError: it failed, or is not installed.
    """
    command = safegit.command(path, *arguments)
    try:
        done = subprocess.run(command, input=stdin, capture_output=True, env=safegit.environment() | (extra or {}))
    except FileNotFoundError:
        raise ObjectStoreError("git is not installed") from None
    if done.returncode != 0:
        message = " ".join(done.stderr.decode("utf-8", "replace").split()) or f"exit status {done.returncode}"
        raise ObjectStoreError(f"git {arguments[0]}: {message[:300]}")
    return done.stdout


class ObjectStore(TreeReader):
    """The temporary object store of a project that is mounted at ``root``; ``source``: the git directory that it reads.

    Use as a context manager: it keeps a git process running.
    """

    def __init__(self, source: Path, root: Path, directory: Path) -> None:
        self.root = root
        path = directory / "store.git"
        # The run is the user's own, so its store is read whoever owns it.
        hash_name = git(source, "rev-parse", "--show-object-format").decode().strip()
        git(path, "init", "--quiet", "--bare", f"--object-format={hash_name}")
        super().__init__(path)
        (path / "objects" / "info").mkdir(exist_ok=True)
        (path / "objects" / "info" / "alternates").write_text(f"{source / 'objects'}\n")
        self._hash = hashlib.sha256 if hash_name == "sha256" else hashlib.sha1
        self._new: dict[str, bytes] = {}
        self._count = 0
        self._writing = threading.Lock()

    def listing(self, tree: str) -> dict[str, Entry]:
        """One directory: its names with git's mode and hash. Callers must not change it.

        Raises:
            ObjectStoreError: the store does not have it.
        """
        with _all_there():
            return self.entries(tree)

    def files(self, tree: str) -> dict[str, Entry]:
        """The files of a tree by path, in git's order. Raises: as `listing`."""
        return {path: new for path, (_, new) in self.changed(None, tree).items() if new is not None}

    def changed(self, old: str | None, new: str) -> dict[str, tuple[Change, Change]]:
        """Files that differ between two trees (None: an empty one), with their entry in each. Raises: as `listing`."""
        with _all_there():
            return dict(sorted(self.differing(old, new).items()))

    def blob(self, sha: str) -> bytes:
        """The content of a blob.

        Raises:
            ObjectStoreError: the run does not have it.
        """
        if (new := self._new.get(sha)) is not None:
            return new
        with _all_there():
            return self.read(sha)[1]

    def put(self, content: bytes) -> str:
        """The hash of a new blob; it is written with the next :meth:`write_trees`."""
        sha = self._hash(b"blob %d\0" % len(content) + content).hexdigest()
        with self._writing:
            self._new.setdefault(sha, content)
        return sha

    def write_trees(self, base: str, overlays: list[dict[str, Change]]) -> list[str]:
        """Tree hashes of ``base`` with each overlay of changed files (None: deleted)."""
        with self._writing:
            return self._write(base, overlays) if overlays else []

    def _write(self, base: str, overlays: list[dict[str, Change]]) -> list[str]:
        out: list[bytes] = []
        marks: dict[str, int] = {}
        for sha, content in self._new.items():
            marks[sha] = len(marks) + 1
            out.append(b"blob\nmark :%d\ndata %d\n%b\n" % (marks[sha], len(content), content))
        first = self._count
        for overlay in overlays:
            ref = f"refs/snapshots/{self._count}"
            self._count += 1
            out.append(f'commit {ref}\ncommitter r <r> 0 +0000\ndata 0\nM 040000 {base} ""\n'.encode())
            # Deletions first: a file may have made room for a directory of its name.
            for path, entry in sorted(overlay.items(), key=lambda item: item[1] is not None):
                raw = os.fsencode(path)
                if raw.startswith(b'"') or b"\n" in raw:
                    name = b'"' + raw.replace(b"\\", b"\\\\").replace(b'"', b'\\"').replace(b"\n", b"\\n") + b'"'
                else:
                    name = raw
                if entry is None:
                    out.append(b"D " + name + b"\n")
                else:
                    what = f":{marks[entry.sha]}" if entry.sha in marks else entry.sha
                    out.append(f"M {entry.mode} {what} ".encode() + name + b"\n")
            out.append(b"\n")
        git(self.path, "fast-import", "--quiet", "--force", stdin=b"".join(out))
        self._new.clear()
        listing = git(self.path, "for-each-ref", "--format=%(refname) %(tree)", "refs/snapshots").decode()
        trees = dict(line.split(" ") for line in listing.splitlines())
        return [trees[f"refs/snapshots/{number}"] for number in range(first, self._count)]

    def renamed(self, old: str, new: str) -> dict[str, str]:
        """Renamed files between two trees (git's similarity rule), old path to new."""
        fields = iter(git(self.path, "diff-tree", "-r", "-z", "-M", "--diff-filter=R", old, new).split(b"\0"))
        return {os.fsdecode(next(fields)): os.fsdecode(next(fields)) for about in fields if about}


@contextlib.contextmanager
def _all_there() -> Iterator[None]:
    try:
        yield
    except MissingObject as missing:
        raise ObjectStoreError(f"object {missing} is missing from the store of the run") from None


# Names that no tree may hold: git itself refuses to check them out.
_FORBIDDEN = frozenset({"", ".", "..", ".git"})
# mode, size, modified, changed, inode
_Status = tuple[int, int, int, int, int]


class ReplayTree:
    """One checked-out directory that is moved from tree to tree; only what differs is written.

    Untrusted code runs in it between two moves, so nothing in it is trusted: every step goes through the handle of the
    directory it is in, no symbolic link is followed, and a file counts as unchanged only if its whole status is the one
    that it had when it was written (the kernel's time of change cannot be set back).
    """

    def __init__(self, store: ObjectStore, directory: Path) -> None:
        self.store = store
        self.path = directory
        directory.mkdir(parents=True)
        self._written: dict[str, tuple[Entry, _Status]] = {}
        self._clock = 0

    def switch(self, tree: str) -> None:
        """Make the directory's content exactly ``tree``: files that a run left or changed are corrected as well.

        Raises:
            ObjectStoreError: an object is missing, or the directory cannot be written.
        """
        self._clock += 1
        try:
            before, self._written = self._written, {}
            handle = os.open(self.path, os.O_RDONLY | os.O_DIRECTORY)
            try:
                self._level(handle, "", self.store.listing(tree), before)
            finally:
                os.close(handle)
        except OSError as error:
            raise ObjectStoreError(f"a state cannot be checked out: {error}") from None

    def _level(
        self, handle: int, prefix: str, entries: dict[str, Entry], before: dict[str, tuple[Entry, _Status]]
    ) -> None:
        """Correct one directory, and those in it."""
        if not _FORBIDDEN.isdisjoint(entries) or any("/" in n or n.lower() == ".git" for n in entries):
            raise ObjectStoreError(f"a state has a file that may not be checked out (in {prefix or '.'})")
        present = set()
        with os.scandir(handle) as listing:
            found = [(e.name, e.stat(follow_symlinks=False)) for e in listing]
        for name, status in found:
            path, entry = prefix + name, entries.get(name)
            if stat.S_ISDIR(status.st_mode):
                if entry is not None and entry.mode in (DIRECTORY, SUBMODULE):
                    present.add(name)
                else:
                    shutil.rmtree(name, dir_fd=handle)
            elif entry is not None and before.get(path) == (entry, _status(status)):
                self._written[path] = before[path]
                present.add(name)
            else:
                os.unlink(name, dir_fd=handle)
        for name, entry in entries.items():
            path = prefix + name
            if entry.mode in (DIRECTORY, SUBMODULE):
                if name not in present:
                    os.mkdir(name, dir_fd=handle)
                below = self.store.listing(entry.sha) if entry.mode == DIRECTORY else {}
                inner = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=handle)
                try:
                    self._level(inner, path + "/", below, before)
                finally:
                    os.close(inner)
            elif name not in present:
                content = self.store.blob(entry.sha)
                if entry.mode == LINK:
                    os.symlink(content, os.fsencode(name), dir_fd=handle)
                    made = os.stat(name, dir_fd=handle, follow_symlinks=False)
                else:
                    mode = 0o777 if int(entry.mode, 8) & 0o100 else 0o666
                    with open(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode, dir_fd=handle), "wb") as file:
                        file.write(content)
                        file.flush()
                        self._age(file.fileno())
                        made = os.fstat(file.fileno())
                self._written[path] = entry, _status(made)

    def _age(self, file: int | Path) -> None:
        """Give a rewritten file a time of its own.

        Python trusts its compiled files by size and whole second; two states within one second would be mixed up.
        """
        os.utime(file, (1_000_000_000 + self._clock, 1_000_000_000 + self._clock))

    def write(self, path: str, content: bytes) -> None:
        """Overwrite one file; the next :meth:`switch` restores it."""
        self._clock += 1
        target = self.path / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.unlink(missing_ok=True)
        target.write_bytes(content)
        self._age(target)


def _status(status: os.stat_result) -> _Status:
    return status.st_mode, status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino
