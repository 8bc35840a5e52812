"""Files that others may have written: read, copied and removed without trusting names, modes or links."""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from ..sandbox.kit import trees


def open_regular(path: Path | str, directory: int | None = None) -> IO[bytes] | None:
    """A regular file (below an open directory); None: there is none, or it is a link, a FIFO or something else."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=directory)
    except OSError:
        return None
    if stat.S_ISREG(os.fstat(descriptor).st_mode):
        return open(descriptor, "rb")
    os.close(descriptor)
    return None


def read_regular(path: Path, most: int) -> bytes | None:
    """At most `most` bytes of a regular file; None: as `open_regular`."""
    file = open_regular(path)
    if file is None:
        return None
    with file:
        return file.read(most)


def copy_readable(source: Path, target: Path) -> None:
    """Copy a file, or the regular files of a directory, with modes that every user can read."""
    if not source.is_dir():
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
        target.chmod(0o755 if os.access(source, os.X_OK) else 0o644)
        return
    target.mkdir(parents=True, exist_ok=True)
    for entry in os.scandir(source):
        # Links are not followed: a submission has none, and a package's own could show files outside it.
        if entry.is_dir(follow_symlinks=False):
            copy_readable(Path(entry.path), target / entry.name)
        elif entry.is_file(follow_symlinks=False):
            place = target / entry.name
            shutil.copyfile(entry.path, place)
            place.chmod(0o755 if entry.stat().st_mode & stat.S_IXUSR else 0o644)
    target.chmod(0o755)


@contextmanager
def scratch(prefix: str) -> Iterator[Path]:
    """A temporary directory of the host; at the end it is removed with all that programs left in it."""
    directory = Path(tempfile.mkdtemp(prefix=f"rigor-{prefix}-"))
    try:
        yield directory
    finally:
        trees.remove(directory)
