"""The files of submissions: received, written to disk durably before a submission is accepted, and read again."""

from __future__ import annotations

import os
import re
import secrets
import shutil
from collections.abc import Callable
from pathlib import Path

import msgspec

from ..build.table import languages
from ..submission import Submission, SubmissionError, from_git, from_path
from ..submission.archive import is_archive
from ..submission.repository import is_bundle
from .records import GIT

_PAYLOAD = "payload"
_SUBMISSION = msgspec.json.Decoder(Submission, dec_hook=lambda _, text: Path(text))
_PLAIN = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+-]{0,99}")
_PUBLIC = re.compile(
    rb"^public (?:(?:final|abstract|sealed|strictfp) ){0,3}(?:class|interface|enum|record) ([A-Za-z_]\w{0,80})\b",
    re.MULTILINE,
)


class SubmissionRequest(msgspec.Struct, frozen=True):
    """What was sent to be judged."""

    language: str
    code: bytes | None
    """Source text, or a revision if the language is "git"."""
    file: bytes | None
    """A source file, a tar archive or a git bundle; `name`: what the client calls it."""
    name: str
    repository: Path | None
    """Of the token."""


# Makes a submission of at most so many bytes in a directory. Raises: SubmissionError, JudgeError.
Taker = Callable[[SubmissionRequest, Path, int], Submission]


def take(request: SubmissionRequest, place: Path, limit: int) -> Submission:
    """Unpack what was sent into `place`, and keep the original there. Raises: SubmissionError, JudgeError."""
    tree = place / "tree"
    if request.file is None and request.language == GIT:
        if request.repository is None:
            raise SubmissionError("this token has no repository: send a git bundle as the file")
        return _from_git(request.repository, "this run's repository", request, tree, limit)
    data = request.code or b"" if request.file is None else request.file
    bundle, archive = (request.file is not None and holds(data) for holds in (is_bundle, is_archive))
    name = "submitted.bundle" if bundle else "submitted.tar" if archive else _file_name(request)
    kept = place / _PAYLOAD / name
    kept.parent.mkdir()
    kept.write_bytes(data)
    if bundle:
        return _from_git(kept, "the bundle", request, tree, limit)
    if request.language == GIT:
        raise SubmissionError("the file is not a git bundle: make one with 'git bundle create FILE HEAD'")
    return from_path(kept, tree, language=request.language, limit=limit)


def _from_git(repository: Path, called: str, request: SubmissionRequest, tree: Path, limit: int) -> Submission:
    try:
        text = "HEAD" if request.code is None else request.code.decode("utf-8", "replace").strip()
        if "://" in text or text.endswith(".git"):
            raise SubmissionError("code must be a revision of this run's repository (such as HEAD), not an address")
        return from_git(repository, text or "HEAD", tree, language="auto", limit=limit)
    except SubmissionError as error:
        # The author must not see its path on this machine.
        raise SubmissionError(str(error).replace(str(repository), called)) from None


def payload(place: Path, submission: Submission) -> Path:
    """The file that was sent; for a revision of the token's repository, the bare repository made from it."""
    files = list((place / _PAYLOAD).glob("*"))
    if files:
        return files[0]
    return submission.root if submission.history is None else submission.history


def _file_name(request: SubmissionRequest) -> str:
    """A name with the language's suffix: the client's if it is plain; of code in Java, that of the public type."""
    known = languages().get(request.language)
    # "main" for kinds of repository and "auto".
    name = entry_point = known.main[0] if known is not None and known.main else "main"
    if request.file is not None:
        name = request.name
    elif request.language == "java" and (match := _PUBLIC.search(request.code or b"")) is not None:
        name = f"{match[1].decode()}.java"
    name = name.replace("\\", "/").rpartition("/")[2]
    return name if _PLAIN.fullmatch(name) else entry_point


class Contents:
    """The directory in which each submission has one of its own."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        directory.mkdir(exist_ok=True)

    def new(self) -> str:
        name = secrets.token_hex(16)
        (self.directory / name).mkdir()
        return name

    def path(self, name: str) -> Path:
        return self.directory / name

    def sync(self, name: str) -> None:
        """Return after everything has been written to disk."""
        for directory, _, files in os.walk(self.directory / name):
            for path in (*(os.path.join(directory, file) for file in files), directory):
                if not os.path.islink(path):
                    _sync(path)
        _sync(self.directory)

    def drop(self, name: str) -> None:
        shutil.rmtree(self.directory / name, ignore_errors=True)

    def clean(self, known: set[str]) -> None:
        """Delete files of submissions that were never accepted, because the server died before."""
        for name in os.listdir(self.directory):
            if name not in known:
                path = self.directory / name
                path.unlink() if not path.is_dir() or path.is_symlink() else self.drop(name)


def _sync(path: str | Path) -> None:
    fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def packed(submission: Submission, place: Path) -> bytes:
    """The submission as JSON, with paths relative to `place`."""
    history = None if submission.history is None else Path(os.path.relpath(submission.history, place))
    root = Path(os.path.relpath(submission.root, place))
    return msgspec.json.encode(msgspec.structs.replace(submission, root=root, history=history), enc_hook=str)


def unpacked(blob: bytes, place: Path) -> Submission:
    """The submission in what `packed` returned."""
    found = _SUBMISSION.decode(blob)
    history = None if found.history is None else place / found.history
    return msgspec.structs.replace(found, root=place / found.root, history=history)
