"""The cache of compiles: what was built, by the content of everything that it was built from.

An entry is a directory that appears complete, by one rename, and never changes; two processes may make the same one.
An entry is used only if its digest is right, so that a damaged disk causes a new compile and not a wrong verdict.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec
from msgspec import Struct

from ...base.cache import cache_directory
from ...base.decoding import decoder
from ..judgement import ProgramUsage

# Bytes of all entries. Recently used ones stay whatever their size: they may be mounted in a cell.
LIMIT = int(os.environ.get("RIGOR_JUDGE_CACHE", str(4 << 30)))
_LATELY = 6 * 3600
_ENTRY = "entry.json"
_CODE = "code"


class CacheEntry(Struct):
    """What was built at the path `code`; `facts`: what the build found out, such as the name of the main class."""

    ok: bool
    log: str
    usage: ProgramUsage
    digest: str | None = None
    facts: dict[str, str] = {}
    code: str = ""


def place() -> Path:
    return cache_directory().parent / "judge" / "compiles"


def key(parts: Iterable[str | bytes]) -> str:
    """SHA-256 over parts, each preceded by its length."""
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogateescape") if isinstance(part, str) else part
        digest.update(b"%d:" % len(data))
        digest.update(data)
    return digest.hexdigest()


def tree_digest(root: Path) -> str:
    """SHA-256 over a file, or over names, executable bits and contents of a directory's regular files."""
    if not root.is_dir():
        return key(("file", root.read_bytes()))
    parts: list[str | bytes] = []
    for directory, directories, files in os.walk(root):
        directories.sort()
        for name in sorted(files):
            path = Path(directory, name)
            if path.is_file():
                mode = "x" if os.access(path, os.X_OK) else "-"
                parts += [str(path.relative_to(root)), mode, path.read_bytes()]
    return key(parts)


def get(name: str, *, verify: bool = True) -> CacheEntry | None:
    """The entry of a key; None: there is none, or it was damaged and is now removed.

    `verify`: compare its content with its digest.
    """
    directory = place() / name[:2] / name
    try:
        entry: CacheEntry = decoder(CacheEntry).decode((directory / _ENTRY).read_bytes())
    except FileNotFoundError:
        return None
    except (OSError, msgspec.MsgspecError):
        shutil.rmtree(directory, ignore_errors=True)
        return None
    code = directory / _CODE
    if entry.ok and (not code.is_dir() or (verify and tree_digest(code) != entry.digest)):
        shutil.rmtree(directory, ignore_errors=True)
        return None
    with suppress(OSError):
        os.utime(directory)
    entry.code = str(code)
    return entry


@contextmanager
def lock(name: str) -> Iterator[None]:
    """A lock among threads and processes, for compiles that take long and that many need at the same time."""
    directory = place() / "locks"
    directory.mkdir(parents=True, exist_ok=True)
    with open(directory / name, "w", encoding="ascii") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def draft() -> Path:
    """A new directory on the cache's file system, with ``code`` for the artefact; pass it to `put` or `drop`."""
    root = place()
    root.mkdir(parents=True, exist_ok=True, mode=0o700)
    made = Path(tempfile.mkdtemp(prefix="draft-", dir=root))
    (made / _CODE).mkdir(mode=0o755)
    return made


def put(name: str, made: Path, entry: CacheEntry) -> CacheEntry:
    """Publish a draft; if another process was faster, its entry is used."""
    entry.digest = tree_digest(made / _CODE) if entry.ok else None
    if not entry.ok:
        shutil.rmtree(made / _CODE)
    (made / _ENTRY).write_bytes(msgspec.json.encode(entry))
    made.chmod(0o755)
    target = place() / name[:2] / name
    target.parent.mkdir(exist_ok=True)
    try:
        made.rename(target)
    except OSError:
        drop(made)
        existing = get(name)
        if existing is not None:
            return existing
        raise
    entry.code = str(target / _CODE)
    _shrink()
    return entry


def drop(made: Path) -> None:
    shutil.rmtree(made, ignore_errors=True)


def _shrink() -> None:
    """Remove the least recently used entries while all are too large, and drafts of processes that died.

    Sizes are checked only every ten minutes: walking thousands of entries costs more than a compile.
    """
    root = place()
    stamp = root / "looked"
    now = time.time()
    with suppress(OSError):
        if now - stamp.stat().st_mtime < 600:
            return
    with suppress(OSError):
        stamp.touch()
    entries: list[tuple[float, int, Path]] = []
    for path in (*root.glob("draft-*"), *root.glob("??/*")):
        with suppress(OSError):
            size = sum(file.lstat().st_size for file in path.rglob("*") if not file.is_dir())
            entries.append((path.stat().st_mtime, size, path))
    total = sum(size for _, size, _ in entries)
    for used, size, path in sorted(entries, key=lambda entry: entry[0]):
        stale = path.name.startswith("draft-")
        if now - used < _LATELY or (total <= LIMIT and not stale):
            continue
        shutil.rmtree(path, ignore_errors=True)
        total -= size
