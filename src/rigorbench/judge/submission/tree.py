"""The files of a submission, collected and checked in memory and then written: the only way to make one."""

from __future__ import annotations

import posixpath
import unicodedata
from pathlib import Path
from typing import IO, Literal

from ...base.sanitize import one_line
from ..build.cache import key
from ..judgement import Submission, SubmissionError

FILES = 2000
_DEPTH = 32
_NAME = 200
_PATH = 1000
_LINKS = 8
# Names that some file systems take for git's own directory.
_GIT = (".git", "git~1")


def shown(name: str | bytes) -> str:
    """An untrusted name, made fit for a message."""
    return one_line(name.decode("utf-8", "replace") if isinstance(name, bytes) else name, 120)


def clean(name: str | bytes) -> str | None:
    """The relative path; None: it is in a ``.git`` directory, or one.

    Raises: SubmissionError: it is absolute, leads upwards, or has a name that differs between file systems.
    """
    try:
        text = name.decode("utf-8") if isinstance(name, bytes) else name
        text.encode("utf-8")
    except UnicodeError:
        raise SubmissionError(f"the file name {shown(name)!r} is not UTF-8: rename it") from None
    if text.startswith("/"):
        raise SubmissionError(f"the path {shown(text)!r} is absolute: only paths below the submission are accepted")
    parts = [part for part in text.split("/") if part not in ("", ".")]
    if not parts or ".." in parts:
        raise SubmissionError(f"the path {shown(text)!r} leads out of the submission")
    if ".git" in parts:
        return None
    for part in parts:
        folded = unicodedata.normalize("NFKC", part).casefold().rstrip(" .")
        if folded in _GIT:
            raise SubmissionError(f"the name {shown(part)!r} can be taken for git's own directory: rename it")
        if "\\" in part or not part.isprintable():
            raise SubmissionError(f"the name {shown(part)!r} has characters that are not allowed: rename it")
        if len(part.encode()) > _NAME:
            raise SubmissionError(f"the name {shown(part)!r} is longer than {_NAME} bytes: rename it")
    path = "/".join(parts)
    if len(parts) > _DEPTH or len(path.encode()) > _PATH:
        raise SubmissionError(f"the path {shown(path)!r} is too deep or too long")
    return path


class SubmissionTree:
    """The files of a submission. `limit`: bytes of all files together; `files`: their number."""

    def __init__(self, limit: int, files: int = FILES) -> None:
        self.limit = limit
        self.most = files
        self.notes: list[str] = []
        self._files: dict[str, tuple[bool, bytes]] = {}
        self._links: dict[str, str] = {}
        self._folded: dict[str, str] = {}
        self._directories: set[str] = set()
        self._size = 0

    def file(self, name: str | bytes, content: IO[bytes], *, executable: bool = False) -> None:
        """Add a file; no more of its content is read than the limit allows.

        Raises: SubmissionError: its name is refused or exists, or there is too much.
        """
        path = clean(name)
        if path is None:
            return
        self._claim(path)
        left = self.limit - self._size
        data = content.read(left + 1)
        if len(data) > left:
            raise SubmissionError(f"the submission has more than the {self.limit:,} bytes allowed (at {shown(path)})")
        self._size += len(data)
        self._files[path] = (executable, data)

    def link(self, name: str | bytes, target: str | bytes) -> None:
        """Add a symbolic link; it becomes a copy of the file that it points to. Raises: SubmissionError."""
        path = clean(name)
        if path is None:
            return
        self._claim(path)
        try:
            self._links[path] = target.decode("utf-8") if isinstance(target, bytes) else target
        except UnicodeError:
            raise SubmissionError(f"the symbolic link {shown(path)} leads out of the submission: remove it") from None

    def directory(self, name: str | bytes) -> None:
        """Note a directory: no file may have its name."""
        path = clean(name)
        if path is not None:
            self._parents(path + "/")

    def _claim(self, path: str) -> None:
        if len(self._files) + len(self._links) >= self.most:
            raise SubmissionError(f"the submission has more than {self.most:,} files")
        self._parents(path)
        if path in self._files or path in self._links:
            raise SubmissionError(f"{shown(path)} appears twice")
        if path in self._directories:
            raise SubmissionError(f"{shown(path)} is both a file and a directory")
        self._fold(path)

    def _parents(self, path: str) -> None:
        parts = path.split("/")[:-1]
        for n in range(1, len(parts) + 1):
            parent = "/".join(parts[:n])
            if parent in self._directories:
                continue
            if parent in self._files or parent in self._links:
                raise SubmissionError(f"{shown(parent)} is both a file and a directory")
            if len(self._directories) >= self.most:
                raise SubmissionError(f"the submission has more than {self.most:,} directories")
            self._fold(parent)
            self._directories.add(parent)

    def _fold(self, path: str) -> None:
        """Refuse two names that some file systems take for one: the submission would depend on the machine."""
        folded = unicodedata.normalize("NFC", path).casefold()
        other = self._folded.setdefault(folded, path)
        if other != path:
            raise SubmissionError(f"{shown(other)} and {shown(path)} differ in letter case only: rename one")

    def write(
        self,
        place: Path,
        language: str,
        kind: Literal["file", "tree", "revision"] = "tree",
        revision: str | None = None,
        history: Path | None = None,
    ) -> Submission:
        """Write everything to `place`, which must be empty or not exist.

        Raises: SubmissionError: a link does not lead to a file of the submission, or there is no file.
        """
        for path in list(self._links):
            at, found = path, None
            for _ in range(_LINKS):
                if self._links[at].startswith("/"):
                    break
                at = posixpath.normpath(posixpath.join(posixpath.dirname(at), self._links[at]))
                found = self._files.get(at)
                if found is not None or at not in self._links:
                    break
            if found is None:
                raise SubmissionError(
                    f"the symbolic link {shown(path)} does not lead to a file of the submission: remove it, or commit "
                    "the file"
                )
            self._size += len(found[1])
            if self._size > self.limit:
                raise SubmissionError(f"the submission has more than the {self.limit:,} bytes allowed (links copied)")
            self._files[path] = found
        if not self._files:
            raise SubmissionError("the submission has no files")
        place.mkdir(parents=True, exist_ok=True)
        if any(place.iterdir()):
            raise FileExistsError(17, "a submission needs an empty directory", str(place))
        parts: list[str | bytes] = []
        for path, (executable, data) in sorted(self._files.items()):
            target = place / path
            target.parent.mkdir(parents=True, exist_ok=True)
            with open(target, "xb") as file:
                file.write(data)
            target.chmod(0o755 if executable else 0o644)
            parts += [path, "x" if executable else "-", data]
        for directory in (place, *(place / name for name in self._directories)):
            if directory.is_dir():
                directory.chmod(0o755)
        return Submission(place, language, key(parts), kind, revision, history, tuple(self.notes))
