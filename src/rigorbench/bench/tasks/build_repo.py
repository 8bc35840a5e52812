"""Builds the starter repository of a task, with its history, always with the same hashes.

Stands alone (standard library and git only), because a copy of this file lies in the ``environment/`` of every task,
where the task's Dockerfile runs it: ``python3 build_repo.py ENVIRONMENT DEST``. ENVIRONMENT holds ``repo/`` (the files)
and, optionally, ``commits.toml`` (the history)::

    [[commit]]
    message = "Parse amounts"
    author = "Dana Reyes <dana@example.org>"
    date = "2024-03-04T09:12:00+00:00"
    paths = ["src/**", "pyproject.toml"]

A file belongs to the first commit one of whose ``paths`` matches it: ``*`` and ``?`` stay within one part of a path,
``**`` is any depth, and the name of a directory stands for all in it. The last commit takes the rest.
"""

from __future__ import annotations

import os
import re
import shutil
import stat
import subprocess
import sys
import tomllib
from datetime import datetime
from pathlib import Path

LITTER_DIRECTORIES = frozenset({"__pycache__", ".pytest_cache", ".mypy_cache", ".ruff_cache", ".hypothesis"})
LITTER_FILES = frozenset({".DS_Store", ".coverage"})

_DEFAULT = {
    "message": "Initial commit",
    "author": "Developer <developer@example.org>",
    "date": "2024-01-01T00:00:00+00:00",
}
_AUTHOR = re.compile(r"^\s*([^<>\n]*[^<>\s])\s*<([^<>\s]+)>\s*$")

# Settings that make hashes and checkouts the same whoever runs git, and let whoever works there commit.
_CONFIG = """[core]
\trepositoryformatversion = 0
\tfilemode = true
\tbare = false
\tlogallrefupdates = true
\tautocrlf = false
[gc]
\tauto = 0
[user]
\tname = Developer
\temail = developer@example.org
"""


class RepositoryError(ValueError):
    """The repository cannot be built. The message is one line that names the file and, where there is one, the key."""


def build(environment: Path, dest: Path) -> str:
    """Make the repository in `dest` (missing or empty) and return the id of its last commit.

    Raises:
        RepositoryError: a file is missing, damaged or of a kind that has no place in a starter repository.
    """
    source = environment / "repo"
    if not source.is_dir():
        raise RepositoryError(f"{source}: no such directory; it must hold the files of the starter repository")
    if dest.exists() and (not dest.is_dir() or any(dest.iterdir())):
        raise RepositoryError(f"{dest}: is not an empty directory")
    files = _files(source)
    if not files:
        raise RepositoryError(f"{source}: holds no file")
    commits = _commits(environment / "commits.toml", files)
    dest.mkdir(parents=True, exist_ok=True)
    for name in files:
        target = dest / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source / name, target)
        target.chmod(0o755 if os.access(source / name, os.X_OK) else 0o644)
    git(dest, "init", "-q", "--template=", "--object-format=sha1", "--initial-branch=main", ".")
    (dest / ".git" / "config").write_text(_CONFIG)
    for entry, names in commits:
        commit(dest, names, entry["message"], entry["author"], entry["date"])
    return git(dest, "rev-parse", "HEAD").strip()


def commit(repository: Path, names: list[str], message: str, author: str, date: str) -> str:
    """Commit the files `names` with a fixed author and date and return the commit's id."""
    match = _AUTHOR.match(author)
    if match is None:
        raise RepositoryError(f"author {author!r}: expected NAME <MAIL>")
    who = {"NAME": match.group(1), "EMAIL": match.group(2), "DATE": date}
    identity = {f"GIT_{role}_{key}": value for role in ("AUTHOR", "COMMITTER") for key, value in who.items()}
    # -f: what the starter's ignore rules name is still part of the starter.
    git(repository, "add", "-f", "--pathspec-from-file=-", "--pathspec-file-nul", input="\0".join(names))
    git(
        repository,
        "commit",
        "-q",
        "--no-verify",
        "--no-gpg-sign",
        "--cleanup=strip",
        "-F",
        "-",
        input=message,
        env=identity,
    )
    return git(repository, "rev-parse", "HEAD").strip()


def git(repository: Path, *arguments: str, input: str = "", env: dict[str, str] | None = None) -> str:
    """Run git there, without the settings of this machine or its user."""
    clean = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    clean |= {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull, "GIT_LITERAL_PATHSPECS": "1", "LC_ALL": "C"}
    # The directory may belong to another user than the one who builds it (a container's volume).
    command = ["git", "-c", f"safe.directory={repository.absolute()}", *arguments]
    try:
        done = subprocess.run(
            command, cwd=repository, input=input.encode(), env=clean | (env or {}), capture_output=True, check=False
        )
    except FileNotFoundError:
        raise RepositoryError("git: not found; install git") from None
    if done.returncode:
        why = " ".join(done.stderr.decode(errors="replace").split())
        raise RepositoryError(f"{repository}: git {arguments[0]}: {why or f'exit status {done.returncode}'}")
    return done.stdout.decode(errors="replace")


def _files(source: Path) -> list[str]:
    found = []
    for directory, names, files in os.walk(source):
        names[:] = sorted(name for name in names if name not in LITTER_DIRECTORIES)
        for name in [*names, *files]:
            path = Path(directory, name)
            mode = path.lstat().st_mode
            if name == ".git":
                raise RepositoryError(f"{path}: a repository within the starter; its history belongs into commits.toml")
            if stat.S_ISDIR(mode):
                continue
            if not stat.S_ISREG(mode):
                raise RepositoryError(f"{path}: neither a file nor a directory; links and devices are refused")
            if name not in LITTER_FILES and not name.endswith(".pyc"):
                found.append(path.relative_to(source).as_posix())
    return sorted(found)


def _commits(path: Path, files: list[str]) -> list[tuple[dict[str, str], list[str]]]:
    if not path.exists():
        return [(_DEFAULT, files)]
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise RepositoryError(f"{path}: {' '.join(str(error).split())}") from None
    entries = document.get("commit")
    unknown = next((key for key in document if key != "commit"), None)
    if unknown is not None:
        raise RepositoryError(f"{path}: {unknown}: unknown key; only [[commit]] tables are expected")
    if not isinstance(entries, list) or not entries or not all(isinstance(entry, dict) for entry in entries):
        raise RepositoryError(f"{path}: commit: expected at least one [[commit]] table")
    left, result = list(files), []
    for number, entry in enumerate(entries):
        place = f"{path}: commit[{number}]"
        last = number == len(entries) - 1
        fields, globs = _entry(place, entry, last)
        patterns = [_pattern(glob) for glob in globs]
        for glob, pattern in zip(globs, patterns, strict=True):
            if not any(pattern.fullmatch(name) for name in left):
                raise RepositoryError(f"{place}.paths: {glob!r} matches no file that no commit before has taken")
        taken = left if last else [name for name in left if any(pattern.fullmatch(name) for pattern in patterns)]
        if not taken:
            raise RepositoryError(f"{place}: no file is left for it")
        result.append((fields, taken))
        left = [name for name in left if name not in set(taken)]
    return result


def _entry(place: str, entry: dict[str, object], last: bool) -> tuple[dict[str, str], list[str]]:
    fields: dict[str, str] = {}
    for key in entry:
        if key not in ("message", "author", "date", "paths"):
            raise RepositoryError(f"{place}.{key}: unknown key; allowed are message, author, date, paths")
    for key in ("message", "author", "date"):
        value = entry.get(key)
        if isinstance(value, datetime):
            value = value.isoformat()
        if not isinstance(value, str) or not value.strip():
            raise RepositoryError(f"{place}.{key}: expected a text")
        fields[key] = value
    if _AUTHOR.match(fields["author"]) is None:
        raise RepositoryError(f"{place}.author: expected NAME <MAIL>, not {fields['author']!r}")
    try:
        zoned = datetime.fromisoformat(fields["date"]).utcoffset() is not None
    except ValueError:
        zoned = False
    if not zoned:
        raise RepositoryError(f"{place}.date: expected a date and time with zone, not {fields['date']!r}")
    globs = entry.get("paths", [])
    if not isinstance(globs, list) or not all(isinstance(glob, str) and glob for glob in globs):
        raise RepositoryError(f"{place}.paths: expected a list of glob patterns")
    if not globs and not last:
        raise RepositoryError(f"{place}.paths: required in every commit but the last")
    return fields, globs


def _pattern(glob: str) -> re.Pattern[str]:
    parts = []
    for part in re.split(r"(\*\*/|\*\*|\*|\?)", glob.rstrip("/")):
        parts.append({"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}.get(part, re.escape(part)))
    return re.compile("".join(parts) + "(?:/.*)?")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: build_repo.py ENVIRONMENT DEST")
    try:
        sys.stdout.write(build(Path(sys.argv[1]), Path(sys.argv[2])) + "\n")
    except RepositoryError as error:
        sys.exit(str(error))
