"""Git trees of the snapshots, in an object store of their own that reads from the store of the run.

Nothing is written into the run's store: a bare repository in a temporary directory has its objects as alternates and
gets every new object. No hook, filter or configuration of the store or of the user is in effect, and trees contain the
files' bytes as they were on disk.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import threading
from pathlib import Path
from typing import IO

from msgspec import Struct


class StoreError(Exception):
    """A git operation failed; the message is one line."""


class Entry(Struct, frozen=True):
    """One file of a tree: git's mode ("100644", "100755", "120000" link, "160000" submodule) and blob hash."""

    mode: str
    sha: str


Change = Entry | None

DIRECTORY, LINK, SUBMODULE = "40000", "120000", "160000"

_QUIET = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "LC_ALL": "C",
}
# Disables the programs that a repository's own configuration could make git run.
_SAFE = ("-c", "core.fsmonitor=false", "-c", f"core.hooksPath={os.devnull}", "-c", "core.pager=cat")


def _environment() -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
    return {**kept, **_QUIET}


def _git(arguments: list[str], *, stdin: bytes | None = None, extra: dict[str, str] | None = None) -> bytes:
    try:
        done = subprocess.run(
            ["git", *_SAFE, *arguments],
            input=stdin,
            stdin=subprocess.DEVNULL if stdin is None else None,
            capture_output=True,
            env={**_environment(), **(extra or {})},
            check=False,
        )
    except FileNotFoundError:
        raise StoreError("git is not installed") from None
    if done.returncode != 0:
        message = " ".join(done.stderr.decode("utf-8", "replace").split()) or f"exit status {done.returncode}"
        command = arguments[2] if arguments[0] in ("-C", "--git-dir") else arguments[0]
        raise StoreError(f"git {command}: {message[:300]}")
    return done.stdout


class Store:
    """The temporary object store of a project that is mounted at ``root``; ``source``: the git directory that it reads.

    Use as a context manager: it keeps a git process running.
    """

    def __init__(self, source: Path, root: Path, directory: Path) -> None:
        self.root = root
        self.path = directory / "store.git"
        # The run is the user's own, so its store is read whoever owns it.
        safe = {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "safe.directory", "GIT_CONFIG_VALUE_0": "*"}
        hash_name = _git(["--git-dir", str(source), "rev-parse", "--show-object-format"], extra=safe).decode().strip()
        _git(["init", "--quiet", "--bare", f"--object-format={hash_name}", str(self.path)])
        (self.path / "objects" / "info").mkdir(exist_ok=True)
        (self.path / "objects" / "info" / "alternates").write_text(f"{source / 'objects'}\n")
        self._hash = hashlib.sha256 if hash_name == "sha256" else hashlib.sha1
        self._reader: subprocess.Popen[bytes] | None = None
        self._listings: dict[str, dict[str, Entry]] = {}
        self._new: dict[str, bytes] = {}
        self._count = 0
        self._lock = threading.Lock()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        if self._reader is not None:
            _stream(self._reader.stdin).close()
            self._reader.wait()
            _stream(self._reader.stdout).close()
            self._reader = None

    def git(self, *arguments: str, stdin: bytes | None = None, extra: dict[str, str] | None = None) -> bytes:
        return _git(["--git-dir", str(self.path), *arguments], stdin=stdin, extra=extra)

    def listing(self, tree: str) -> dict[str, Entry]:
        """One directory: its names with git's mode and hash. Callers must not change it.

        Raises:
            StoreError: the store does not have it.
        """
        with self._lock:
            found = self._listings.get(tree)
            if found is None:
                found = self._listings[tree] = self._parsed(self._read(tree + "^{tree}"))
            return found

    def _parsed(self, content: bytes) -> dict[str, Entry]:
        listing, at, size = {}, 0, self._hash().digest_size
        while at < len(content):
            end = content.index(b"\0", at)
            mode, _, name = content[at:end].partition(b" ")
            at = end + 1 + size
            listing[os.fsdecode(name)] = Entry(mode.decode(), content[end + 1 : at].hex())
        return listing

    def files(self, tree: str) -> dict[str, Entry]:
        """The files of a tree by path."""
        files: dict[str, Entry] = {}
        self._collect(tree, "", files)
        return files

    def _collect(self, tree: str, prefix: str, files: dict[str, Entry]) -> None:
        for name, entry in self.listing(tree).items():
            if entry.mode == DIRECTORY:
                self._collect(entry.sha, f"{prefix}{name}/", files)
            else:
                files[prefix + name] = entry

    def blob(self, sha: str) -> bytes:
        """The content of a blob.

        Raises:
            StoreError: the run does not have it.
        """
        with self._lock:
            return self._new[sha] if sha in self._new else self._read(sha)

    def _read(self, sha: str) -> bytes:
        if self._reader is None:
            self._reader = subprocess.Popen(
                ["git", *_SAFE, "--git-dir", str(self.path), "cat-file", "--batch"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=_environment(),
            )
        request, answer = _stream(self._reader.stdin), _stream(self._reader.stdout)
        request.write(sha.encode() + b"\n")
        request.flush()
        header = answer.readline().split()
        if len(header) != 3:
            raise StoreError(f"object {sha} is missing from the store of the run")
        content = answer.read(int(header[2]))
        answer.read(1)
        return content

    def put(self, content: bytes) -> str:
        """The hash of a new blob; it is written with the next :meth:`write_trees`."""
        sha = self._hash(b"blob %d\0" % len(content) + content).hexdigest()
        with self._lock:
            self._new.setdefault(sha, content)
        return sha

    def write_trees(self, base: str, overlays: list[dict[str, Change]]) -> list[str]:
        """Tree hashes of ``base`` with each overlay of changed files (None: deleted)."""
        if not overlays:
            return []
        with self._lock:
            return self._write(base, overlays)

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
                name = _quoted(path)
                if entry is None:
                    out.append(b"D " + name + b"\n")
                else:
                    what = f":{marks[entry.sha]}" if entry.sha in marks else entry.sha
                    out.append(f"M {entry.mode} {what} ".encode() + name + b"\n")
            out.append(b"\n")
        self.git("fast-import", "--quiet", "--force", stdin=b"".join(out))
        self._new.clear()
        listing = self.git("for-each-ref", "--format=%(refname) %(tree)", "refs/snapshots").decode()
        trees = dict(line.split(" ") for line in listing.splitlines())
        return [trees[f"refs/snapshots/{number}"] for number in range(first, self._count)]

    def changed(self, old: str, new: str) -> dict[str, tuple[Change, Change]]:
        """Files that differ between two trees, with their entry in each."""
        before, after = self.files(old), self.files(new)
        differing = {path for path, _ in before.items() ^ after.items()}
        return {path: (before.get(path), after.get(path)) for path in sorted(differing)}

    def renamed(self, old: str, new: str) -> dict[str, str]:
        """Renamed files between two trees (git's similarity rule), old path to new."""
        fields = iter(self.git("diff-tree", "-r", "-z", "-M", "--diff-filter=R", old, new).split(b"\0"))
        return {os.fsdecode(next(fields)): os.fsdecode(next(fields)) for about in fields if about}


def _stream(stream: IO[bytes] | None) -> IO[bytes]:
    assert stream is not None  # opened with a pipe
    return stream


def _quoted(path: str) -> bytes:
    raw = os.fsencode(path)
    if raw.startswith(b'"') or b"\n" in raw:
        return b'"' + raw.replace(b"\\", b"\\\\").replace(b'"', b'\\"').replace(b"\n", b"\\n") + b'"'
    return raw
