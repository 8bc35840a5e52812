"""Sealed suites: what agents may see lies open, everything else in one encrypted archive.

A sealed suite can be published without its answers being read into a training set. Its key need not be a secret
from people; it keeps crawlers out, which is what a canary alone cannot do. With the key at hand
(``RIGOR_SUITE_KEY``, or the file that ``RIGOR_SUITE_KEY_FILE`` names) a sealed suite is used like any other.

Format: ``sealed.bin`` beside the category directories is a gzipped tar of the hidden parts of every task, encrypted
with Fernet (AES-128-CBC with HMAC-SHA256; the key is 32 bytes in URL-safe base64). The task files that lie open hold
what an agent's run needs, and neither near misses nor blockers, readings, root causes and tests of requirements.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import shutil
import tarfile
import tempfile
import tomllib
from pathlib import Path
from typing import Any

from .canary import HIDDEN_PARTS

ARCHIVE = "sealed.bin"
KEY = "RIGOR_SUITE_KEY"
KEY_FILE = "RIGOR_SUITE_KEY_FILE"
_OPEN = ("environment", "instruction.md")
# Of a problem package: what its agent gets. Everything else of it is sealed.
_OPEN_OF_PROJECT = frozenset(("attachments", "statement", "problem.yaml"))
_LITTER = shutil.ignore_patterns("__pycache__", ".pytest_cache", "*.pyc")
# Of [metadata.rigor]: what may be known before the work is done.
_PUBLIC = (
    "id",
    "category",
    "pillars",
    "tools",
    "pressure",
    "trivial",
    "commits_asked",
    "change_asked",
    "build",
    "test",
)
_HARBOR = ("task", "metadata", "agent", "verifier", "environment")


class SealError(ValueError):
    """A suite cannot be sealed or opened. One line with the remedy."""


def is_sealed(suite: Path) -> bool:
    return (suite / ARCHIVE).is_file()


def new_key() -> str:
    return str(_fernet().generate_key().decode())


def seal(suite: Path, out: Path, key: str) -> int:
    """Write a sealed copy of a suite into the new directory ``out``; returns the number of its tasks.

    Raises:
        SealError: the suite holds no task or is sealed, ``out`` is taken, or the key is none.
    """
    if is_sealed(suite):
        raise SealError(f"{suite}: is sealed already")
    tasks = sorted(path.parent for path in suite.glob("*/*/task.toml"))
    projects = sorted(path.parent for path in suite.glob("*/problem.yaml"))
    if not tasks and not projects:
        raise SealError(f"{suite}: no task in it; a suite holds <category>/<task>/task.toml or <problem>/problem.yaml")
    _new(out)
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w:gz") as archive:
        for task in tasks:
            place = task.relative_to(suite)
            for part in ("task.toml", *HIDDEN_PARTS):
                if (task / part).exists():
                    archive.add(task / part, str(place / part), filter=_entry)
            for part in _OPEN:
                _copy(task / part, out / place / part)
            (out / place / "task.toml").write_text(_public(task / "task.toml"), encoding="utf-8")
        for project in projects:
            for entry in sorted(project.iterdir()):
                if entry.name in _OPEN_OF_PROJECT:
                    _copy(entry, out / project.name / entry.name)
                else:
                    archive.add(entry, str(entry.relative_to(suite)), filter=_entry)
        for file in sorted(path for path in suite.iterdir() if path.is_file()):
            archive.add(file, file.name, filter=_entry)
    (out / ARCHIVE).write_bytes(_cipher(key).encrypt(data.getvalue()))
    return len(tasks) + len(projects)


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.copytree(source, target, ignore=_LITTER)
    elif source.is_file():
        shutil.copyfile(source, target)


def unseal(suite: Path, out: Path, key: str) -> None:
    """Write the whole of a sealed suite into the new directory ``out``.

    Raises:
        SealError: the suite is not sealed, the key is not its key, or ``out`` is taken.
    """
    if not is_sealed(suite):
        raise SealError(f"{suite}: no {ARCHIVE} in it, so it is not sealed")
    from cryptography.fernet import InvalidToken

    try:
        data = _cipher(key).decrypt((suite / ARCHIVE).read_bytes())
    except InvalidToken:
        raise SealError(f"{suite / ARCHIVE}: damaged, or sealed with another key") from None
    _new(out)
    shutil.copytree(suite, out, ignore=shutil.ignore_patterns(ARCHIVE), dirs_exist_ok=True)
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        archive.extractall(out, filter="data")


def opened(suite: Path) -> Path | None:
    """The whole of a sealed suite, in the user's cache; None: no key is at hand.

    Raises:
        SealError: the key is not its key, or the key's file cannot be read.
    """
    key = find_key()
    if key is None:
        return None
    digest = hashlib.sha256((suite / ARCHIVE).read_bytes()).hexdigest()[:20]
    base = os.environ.get("XDG_CACHE_HOME", "")
    root = (Path(base) if base.startswith("/") else Path.home() / ".cache") / "rigorbench" / "suites"
    place = root / digest / suite.name
    if not place.is_dir():
        (root / digest).mkdir(parents=True, exist_ok=True)
        (root / digest).chmod(0o700)
        draft = Path(tempfile.mkdtemp(prefix=".draft-", dir=root / digest))
        try:
            unseal(suite, draft / suite.name, key)
            try:
                (draft / suite.name).rename(place)
            except OSError:
                if not place.is_dir():  # somebody else was first
                    raise
        finally:
            shutil.rmtree(draft, ignore_errors=True)
    return place


def find_key() -> str | None:
    """The key that the environment names.

    Raises:
        SealError: the file that it names cannot be read.
    """
    if os.environ.get(KEY):
        return os.environ[KEY].strip()
    file = os.environ.get(KEY_FILE)
    return None if not file else read_key(Path(file))


def read_key(file: Path) -> str:
    try:
        return file.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "no text"
        raise SealError(f"{file}: the key cannot be read ({reason})") from None


def _fernet() -> Any:
    try:
        from cryptography.fernet import Fernet
    except ImportError:
        raise SealError("sealing needs the package cryptography: pip install 'rigorbench[bench]'") from None
    return Fernet


def _cipher(key: str) -> Any:
    try:
        return _fernet()(key.encode())
    except ValueError:
        raise SealError("the key is none: expected 32 bytes in URL-safe base64, as `rigor suite seal` makes") from None


def _new(directory: Path) -> None:
    if directory.exists() and any(directory.iterdir()):
        raise SealError(f"{directory}: exists and is not empty; give another name")
    directory.mkdir(parents=True, exist_ok=True)


def _entry(info: tarfile.TarInfo) -> tarfile.TarInfo | None:
    """Nothing of this machine, its users or the hour goes into the archive."""
    name = info.name.rsplit("/", 1)[-1]
    if name in ("__pycache__", ".pytest_cache") or name.endswith(".pyc"):
        return None
    info.uid = info.gid = 0
    info.uname = info.gname = ""
    info.mtime = 0
    info.mode = 0o755 if info.isdir() or info.mode & 0o100 else 0o644
    return info


def _public(file: Path) -> str:
    """The task file without what tells the answer."""
    document = tomllib.loads(file.read_text(encoding="utf-8"))
    rigor = document.get("metadata", {}).get("rigor", {})
    lines = [f"schema_version = {json.dumps(document.get('schema_version', '1.4'))}"]
    for table in _HARBOR:
        values = {k: v for k, v in document.get(table, {}).items() if not isinstance(v, dict)}
        if table == "task":
            # A description for people tells what the trap is.
            values = {k: v for k, v in values.items() if k in ("name", "version")}
        lines += _table(table, values)
        if table == "metadata":
            lines += _table("metadata.rigor", {k: rigor[k] for k in _PUBLIC if k in rigor})
            for requirement in rigor.get("requirements", ()):
                lines += ["", "[[metadata.rigor.requirements]]"]
                lines += [f"{k} = {json.dumps(requirement[k])}" for k in ("id", "text") if k in requirement]
    return "\n".join(lines) + "\n"


def _table(name: str, values: dict[str, Any]) -> list[str]:
    # A JSON text, number, boolean or list of these is a TOML value as well.
    return ["", f"[{name}]", *(f"{key} = {json.dumps(value)}" for key, value in values.items())] if values else []
