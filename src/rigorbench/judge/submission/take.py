"""The sources of a submission: a file, a directory, an archive, a revision of a repository."""

from __future__ import annotations

import io
import os
import stat
from pathlib import Path

from ..judgement import Submission, SubmissionError
from .archive import is_archive, unpack
from .repository import is_bundle, is_repository, read_revision
from .tree import SubmissionTree, shown

LIMIT = 1 << 20
# Bytes of an archive before it is unpacked.
_PACKED = 64 << 20


def take(text: str, place: Path, *, language: str | None = None, limit: int = LIMIT) -> Submission:
    """A submission by name: a file, a directory, an archive, a bundle, a bare repository (its HEAD), or REPO@REVISION.

    Raises: SubmissionError, JudgeError (there is no sandbox to read a repository in).
    """
    path = Path(text)
    if path.exists():
        if path.is_dir() and is_repository(path) and not (path / ".git").exists():
            return from_git(path, "HEAD", place, language=language or "auto", limit=limit)
        return from_path(path, place, language=language, limit=limit)
    repository, at, revision = text.rpartition("@")
    if at and repository and Path(repository).exists():
        return from_git(Path(repository), revision, place, language=language or "auto", limit=limit)
    raise SubmissionError(f"{shown(text)}: no such file or directory (a revision is named as REPOSITORY@REVISION)")


def from_path(path: Path, place: Path, *, language: str | None = None, limit: int = LIMIT) -> Submission:
    """A file, archive, bundle or directory of the host, copied to `place`. Raises: SubmissionError, JudgeError."""
    try:
        if not path.is_dir():
            with open(path, "rb") as file:
                if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                    raise SubmissionError(f"{shown(str(path))} is neither a regular file nor a directory")
                if is_bundle(file.read(64)):
                    return from_git(path, "HEAD", place, language=language or "auto", limit=limit)
                file.seek(0)
                data = file.read(_PACKED + 1)
            if is_archive(data):
                return from_archive(data, place, language=language or "auto", limit=limit)
            return from_bytes(path.name, data, place, language=language or "auto", limit=limit)
        tree = SubmissionTree(limit)
        for directory, directories, files, fd in os.fwalk(path, follow_symlinks=False, onerror=_raise):
            below = os.path.relpath(directory, path)
            directories[:] = sorted(name for name in directories if name != ".git")
            for name in [*directories, *sorted(files)]:
                mode = os.stat(name, dir_fd=fd, follow_symlinks=False).st_mode
                inside = name if below == "." else f"{below}/{name}"
                if stat.S_ISLNK(mode):
                    tree.link(inside, os.readlink(name, dir_fd=fd))
                elif stat.S_ISDIR(mode):
                    tree.directory(inside)
                elif stat.S_ISREG(mode):
                    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK
                    with os.fdopen(os.open(name, flags, dir_fd=fd), "rb") as content:
                        tree.file(inside, content, executable=bool(mode & 0o100))
                elif name != ".git":
                    raise SubmissionError(f"{shown(inside)} is neither a file nor a directory: remove it")
        return tree.write(place, language or "auto")
    except OSError as error:
        raise SubmissionError(f"{shown(str(error.filename or path))}: {error.strerror or error}") from None


def _raise(error: OSError) -> None:
    raise error


def from_bytes(name: str, data: bytes, place: Path, *, language: str, limit: int = LIMIT) -> Submission:
    """One source file. Raises: SubmissionError."""
    if "/" in name:
        raise SubmissionError(f"the file name {shown(name)!r} has a slash: submit a source file by its bare name")
    tree = SubmissionTree(limit)
    tree.file(name, io.BytesIO(data))
    return tree.write(place, language, "file")


def from_archive(data: bytes, place: Path, *, language: str, limit: int = LIMIT) -> Submission:
    """A tar archive, plain or compressed (gzip, bzip2, xz, zstd), or a zip archive; recognised by its content.

    Raises: SubmissionError: it is damaged, contains more than files and directories, or is too large when unpacked.
    """
    if len(data) > _PACKED:
        raise SubmissionError(f"the archive has more than {_PACKED >> 20} MiB")
    tree = SubmissionTree(limit)
    unpack(data, tree)
    return tree.write(place, language)


def from_git(repository: Path, revision: str, place: Path, *, language: str, limit: int = LIMIT) -> Submission:
    """A revision of a repository (bare, or of a work tree) or bundle file that its author controls.

    It is read in a sandbox; no hook, configuration, submodule, filter, replacement or alternate of it has an effect.
    The history is written to a bare repository beside `place`.

    Raises: SubmissionError: the revision does not exist, or the repository is damaged or too large. JudgeError: there
    is no sandbox or no git here.
    """
    tree = SubmissionTree(limit)
    history = place.with_name(f"{place.name}.git")
    commit = read_revision(repository, revision, tree, history)
    return tree.write(place, language, "revision", commit, history)
