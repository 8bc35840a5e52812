"""The files of a package: which count, where links may lead, the digest over all of them; and writing a package."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shutil
import stat
import tempfile
from collections.abc import Collection, Iterable, Iterator
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from typing import Final

from .problem import PackageError

# The format's rule for names; files with other names are ignored.
NAME: Final = re.compile(r"[a-zA-Z0-9_][a-zA-Z0-9_.-]{0,254}")
# Parts that hold somebody's repository, where a file such as .gitignore counts.
_REPOSITORIES: Final = frozenset({"attachments", "submissions"})
_NEVER: Final = frozenset({".git", "__pycache__", ".DS_Store"})
# The settings of a group of test points; its name before 2025-09, where it had other keys.
GROUP_FILE: Final = "test_group.yaml"
OLD_GROUP_FILE: Final = "testdata.yaml"
# The time limit that tools of contests keep beside a package.
TIME_LIMIT: Final = ".timelimit"
# Scripts for scripted agents; they have no effect on judging.
_POLICIES: Final = "policies"
_MOST: Final = 200_000


def visible(inside: PurePosixPath) -> bool:
    """Whether a path relative to the package is part of it."""
    if not _NEVER.isdisjoint(inside.parts) or inside.suffix == ".pyc" or inside.parts[0] == _POLICIES:
        return False
    if inside.parts[0] in _REPOSITORIES or inside.parts == (TIME_LIMIT,):
        return True
    return all(NAME.fullmatch(part) for part in inside.parts)


def walk(root: Path) -> Iterator[tuple[PurePosixPath, Path]]:
    """All files that are part of the package, in order: (path in the package, path on the host).

    Raises: PackageError: a link leads outside, a file is neither a file nor a directory, or cannot be read.
    """
    top = root.resolve()
    count = 0
    pending = [PurePosixPath()]
    while pending:
        place = pending.pop()
        try:
            entries = sorted(os.scandir(root / place), key=lambda entry: entry.name)
        except OSError as error:
            raise PackageError(f"{root / place}: {error.strerror or error}") from None
        directories = []
        for entry in entries:
            inside = place / entry.name
            if not visible(inside):
                continue
            count += 1
            if count > _MOST:
                raise PackageError(f"{root}: more than {_MOST} files; is this a package?")
            path = root / inside
            if entry.is_symlink():
                try:
                    target = path.resolve(strict=True)
                except (OSError, RuntimeError):
                    raise PackageError(f"{path}: broken link; remove it") from None
                if not target.is_relative_to(top):
                    raise PackageError(f"{path}: a link that leads outside the package; replace it by a copy")
            mode = path.stat().st_mode
            if stat.S_ISDIR(mode):
                # A link to a directory above itself would be walked for ever.
                if entry.is_symlink() and path.parent.resolve().is_relative_to(path.resolve()):
                    raise PackageError(f"{path}: a link to a directory that contains it; remove it")
                directories.append(inside)
            elif stat.S_ISREG(mode):
                yield inside, path
            else:
                raise PackageError(f"{path}: neither a file nor a directory; remove it")
        pending.extend(reversed(directories))


def digest(root: Path, *, without: Collection[str] = ()) -> str:
    """SHA-256 over names, executable bits and contents of all files. Raises: PackageError, see `walk`.

    `without`: directories of the package that are left out.
    """
    total = hashlib.sha256(b"rigor-package/1\n")
    for inside, path in sorted(walk(root)):
        if inside.parts[0] in without:
            continue
        try:
            with path.open("rb") as file:
                content = hashlib.file_digest(file, "sha256").hexdigest()
                executable = bool(os.fstat(file.fileno()).st_mode & 0o100)
        except OSError as error:
            raise PackageError(f"{path}: {error.strerror or error}") from None
        total.update(os.fsencode(f"{inside}\0{'x' if executable else '-'}\0{content}\n"))
    return total.hexdigest()


def within(root: Path, name: str) -> Path:
    """The path of a file or directory inside the package, from a name that one of the package's files gives.

    Raises: PackageError: it does not exist, or leads outside the package. The caller says where the name is.
    """
    inside = PurePosixPath(name)
    if inside.is_absolute() or ".." in inside.parts or not inside.parts or "\0" in name:
        raise PackageError(f"{name!r} leads outside the package; name a path inside it")
    path = root.joinpath(*inside.parts)
    if not path.exists():
        raise PackageError(f"{name}: no such file")
    if not path.resolve().is_relative_to(root.resolve()):
        raise PackageError(f"{name} is a link that leads outside the package")
    return path


@contextlib.contextmanager
def new_directory(destination: Path) -> Iterator[Path]:
    """A draft beside `destination`, renamed to it when the block ends well, and removed otherwise.

    Raises: PackageError: `destination` exists. OSError: it cannot be written.
    """
    if destination.exists() or destination.is_symlink():
        raise PackageError(f"{destination}: already exists; name a new directory")
    destination.parent.mkdir(parents=True, exist_ok=True)
    draft = Path(tempfile.mkdtemp(prefix=f".{destination.name}-", dir=destination.parent))
    try:
        draft.chmod(0o755)
        yield draft
        draft.rename(destination)
    finally:
        shutil.rmtree(draft, ignore_errors=True)


_BRACES: Final = re.compile(r"\{([^{}]*)\}")
_MOST_ALTERNATIVES: Final = 1000


def matches(pattern: str, path: str) -> bool:
    """Whether a pattern matches a path, or a directory above it (a group matches all its test points)."""
    parts = path.split("/")
    prefixes = ["/".join(parts[:count]) for count in range(1, len(parts) + 1)]
    # Only `*` is special here: `[` and `?` match themselves.
    plain = [re.sub(r"([\[?])", r"[\1]", one) for one in _alternatives(pattern.strip("/"))]
    return any(_same(one, prefix) for one in plain for prefix in prefixes)


def select(pattern: str, paths: Iterable[str]) -> list[str]:
    """The paths that a pattern matches, in their order. Unlike in `matches`, ``[0-9]`` and ``?`` have their usual
    meaning: these patterns are not part of the format."""
    return [path for path in paths if _same(pattern, path)]


def _alternatives(pattern: str) -> list[str]:
    """The pattern with its braces expanded; the number is bounded because ``{a,b}{a,b}...`` doubles it each time."""
    pending: list[str] = [pattern]
    done: list[str] = []
    while pending and len(pending) + len(done) < _MOST_ALTERNATIVES:
        one = pending.pop()
        found = _BRACES.search(one)
        if found is None:
            done.append(one)
        else:
            pending += [one[: found.start()] + choice + one[found.end() :] for choice in found[1].split(",")]
    return done


def _same(pattern: str, path: str) -> bool:
    """Whether each name of a path matches its part of the pattern."""
    parts, names = pattern.split("/"), path.split("/")
    return len(parts) == len(names) and all(map(fnmatchcase, names, parts))
