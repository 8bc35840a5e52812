"""Reads and writes the files of a git tree unchanged: attributes, filters and hooks of the repository do not apply."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

from msgspec import Struct

_ENVIRONMENT = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "LC_ALL": "C",
    "PATH": os.environ.get("PATH", os.defpath),
}


class TreeError(Exception):
    """A tree cannot be read. One line."""


class Entry(Struct, frozen=True):
    """``mode``: git's ("100644", "100755", "120000" link)."""

    mode: str
    sha: str


def read_tree(store: Path, tree: str) -> dict[str, Entry]:
    """The files of a tree by path; submodules are left out.

    Raises:
        TreeError: the store does not contain it, or git fails.
    """
    found: dict[str, Entry] = {}
    for record in _git(store, "ls-tree", "-r", "-z", "--full-tree", tree).split(b"\0"):
        if record:
            about, _, path = record.partition(b"\t")
            mode, kind, sha = about.decode().split(" ")
            if kind == "blob":
                found[os.fsdecode(path)] = Entry(mode, sha)
    return found


def write_files(
    store: Path, files: dict[str, Entry], directory: Path, selects: Callable[[str], bool] | None = None
) -> None:
    """Write files of a store into a directory, replacing what is there.

    Raises:
        TreeError: an object is missing, or a path would lead out of the directory.
    """
    chosen = {path: entry for path, entry in files.items() if selects is None or selects(path)}
    made: set[str] = set()
    for path, content in _contents(store, chosen):
        parts = path.split("/")
        if any(part in ("", ".", "..") or part.lower() == ".git" for part in parts):
            raise TreeError(f"{store}: the path {path!r} leads out of the tree")
        parent = ""
        for part in parts[:-1]:
            parent = os.path.join(parent, part)
            if parent not in made:
                folder = directory / parent
                if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
                    folder.unlink()
                folder.mkdir(exist_ok=True)
                made.add(parent)
        target = directory / path
        if target.is_symlink() or target.is_file():
            target.unlink()
        mode = chosen[path].mode
        if mode == "120000":
            os.symlink(os.fsdecode(content), target)
        else:
            target.write_bytes(content)
            target.chmod(0o755 if mode == "100755" else 0o644)


def read_file(store: Path, entry: Entry) -> bytes:
    """Raises: TreeError when the store does not contain it."""
    return _git(store, "cat-file", "blob", entry.sha)


def _contents(store: Path, files: dict[str, Entry]) -> Iterator[tuple[str, bytes]]:
    if not files:
        return
    request = "".join(f"{entry.sha}\n" for entry in files.values()).encode()
    data = _git(store, "cat-file", "--batch", stdin=request)
    at = 0
    for path in files:
        end = data.index(b"\n", at)
        header = data[at:end].split()
        if len(header) != 3:
            raise TreeError(f"{store}: the content of {path!r} is missing")
        size = int(header[2])
        yield path, data[end + 1 : end + 1 + size]
        at = end + 2 + size


def _git(store: Path, *arguments: str, stdin: bytes | None = None) -> bytes:
    command = ["git", "-c", "safe.directory=*", "--git-dir", str(store), *arguments]
    try:
        done = subprocess.run(command, input=stdin or b"", capture_output=True, env=_ENVIRONMENT, check=False)
    except OSError as error:
        raise TreeError(f"git: {error.strerror}") from None
    if done.returncode != 0:
        message = " ".join(done.stderr.decode("utf-8", "replace").split())[:200]
        raise TreeError(f"{store}: git {arguments[0]}: {message or f'exit status {done.returncode}'}")
    return done.stdout
