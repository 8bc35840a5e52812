"""Takes an artefact out of a directory that a submission's build wrote, and that may contain anything."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class ArtefactError(Exception):
    """The build did not produce what it must. One line for the author."""


@contextmanager
def _opened(root: Path, path: str) -> Iterator[int]:
    """A file below `root`, opened without following links in any part of its path, and without waiting for a FIFO."""
    parts = path.split("/")
    if not path or any(part in ("", ".", "..") for part in parts):
        raise ArtefactError(f"{path!r} is not a path below the build's directory")
    held = [os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)]
    try:
        for n, part in enumerate(parts):
            flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY
            if n < len(parts) - 1:
                flags |= os.O_DIRECTORY
            held.append(os.open(part, flags, dir_fd=held[-1]))
        yield held[-1]
    finally:
        for fd in held:
            os.close(fd)


def take_file(root: Path, path: str, target: Path, *, most: int, program: bool) -> None:
    """Copy a regular file out.

    `most`: bytes. `program`: it must be an executable program. Raises: ArtefactError: it is missing, not a regular file
    (a link, a directory, a device), or too large.
    """
    try:
        with _opened(root, path) as fd:
            status = os.fstat(fd)
            if not stat.S_ISREG(status.st_mode):
                kind = {stat.S_IFDIR: "a directory", stat.S_IFIFO: "a FIFO"}.get(
                    stat.S_IFMT(status.st_mode), "a device"
                )
                raise ArtefactError(f"{path} is {kind}, not a regular file")
            if status.st_size > most:
                raise ArtefactError(f"{path} has {status.st_size:,} bytes, more than {most:,}")
            if program and not status.st_mode & 0o111:
                raise ArtefactError(f"{path} is not executable")
            # A script would be in another language than the one whose limits apply.
            if program and not os.pread(fd, 4, 0).startswith(b"\x7fELF"):
                raise ArtefactError(f"{path} is not a compiled program (ELF)")
            left = most
            with open(target, "xb") as out:
                while block := os.read(fd, min(1 << 20, left + 1)):
                    left -= len(block)
                    if left < 0:
                        raise ArtefactError(f"{target.name} grew while it was copied")
                    out.write(block)
    except FileNotFoundError:
        raise ArtefactError(f"the build left no {path}") from None
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.ENXIO):
            kind = "a symbolic link" if error.errno == errno.ELOOP else "a socket"
            raise ArtefactError(f"{path} is {kind}, not a regular file") from None
        raise ArtefactError(f"{path} cannot be taken: {error.strerror}") from None
    target.chmod(0o755)


def take_tree(root: Path, path: str, target: Path, *, most: int, files: int = 20_000, programs: bool = False) -> None:
    """Copy a directory of regular files out; anything else in it is refused.

    `programs`: executable files stay executable. Raises: ArtefactError: as for `take_file`, or there are too many
    files.
    """
    left = most
    count = 0
    start = root / path
    if not stat.S_ISDIR(_mode(start)):
        raise ArtefactError(f"the build left no directory {path}")
    for directory, directories, names, fd in os.fwalk(start, follow_symlinks=False):
        below = Path(directory).relative_to(start)
        for name in directories:
            if os.stat(name, dir_fd=fd, follow_symlinks=False).st_mode & 0o170000 != stat.S_IFDIR:
                raise ArtefactError(f"{below / name} is a symbolic link, not a directory")
            (target / below / name).mkdir(mode=0o755)
        for name in names:
            count += 1
            if count > files:
                raise ArtefactError(f"{path} has more than {files:,} files")
            place = target / below / name
            take_file(start, str(below / name), place, most=left, program=False)
            place.chmod(0o755 if programs and _mode(start / below / name) & 0o100 else 0o644)
            left -= place.stat().st_size


def _mode(path: Path) -> int:
    try:
        return os.stat(path, follow_symlinks=False).st_mode
    except OSError:
        return 0
