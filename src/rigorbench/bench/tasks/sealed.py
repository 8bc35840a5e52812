"""Opens sealed suites: agents' files are public, everything else is in one encrypted archive.

A sealed suite can be published without its answers getting into a training set. Its key need not be a secret from
people: it keeps crawlers out, which a canary alone cannot do. With the key (``RIGOR_SUITE_KEY``, or the file that
``RIGOR_SUITE_KEY_FILE`` names) a sealed suite is used like any other.

Format: ``sealed.bin`` beside the category directories is a gzipped tar of the hidden parts of every task, encrypted
with Fernet (AES-128-CBC with HMAC-SHA256; the key is 32 bytes in URL-safe base64). The public task files contain what a
run needs, but no near misses, blockers, readings, root causes or tests of requirements.
"""

from __future__ import annotations

import hashlib
import io
import os
import shutil
import tarfile
import tempfile
from pathlib import Path
from typing import Any

from ...base.cache import cache_directory
from ...base.errors import GivenError
from ...base.extras import install
from ...base.files import extract_inside
from ...base.sealed import ARCHIVE, is_sealed

KEY = "RIGOR_SUITE_KEY"
KEY_FILE = "RIGOR_SUITE_KEY_FILE"


class SealError(GivenError):
    """A suite cannot be sealed or opened. One line with the remedy."""


def unseal(suite: Path, out: Path, key: str) -> None:
    """Write the whole content of a sealed suite into the new directory ``out``.

    Raises:
        SealError: the suite is not sealed, the key is not its key, or ``out`` is not empty.
    """
    if not is_sealed(suite):
        raise SealError(f"{suite}: no {ARCHIVE} in it, so it is not sealed")
    fernet = cipher(key)
    from cryptography.fernet import InvalidToken

    try:
        data = fernet.decrypt((suite / ARCHIVE).read_bytes())
    except InvalidToken:
        raise SealError(f"{suite / ARCHIVE}: damaged, or sealed with another key") from None
    make_directory(out)
    shutil.copytree(suite, out, ignore=shutil.ignore_patterns(ARCHIVE), dirs_exist_ok=True)
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        for member in archive:
            extract_inside(archive, member, out)


def opened(suite: Path) -> Path | None:
    """The opened copy of a sealed suite, in the user's cache; None: the environment names no key.

    Raises:
        SealError: the key is not its key, or the key's file cannot be read.
    """
    key = find_key()
    if key is None:
        return None
    digest = hashlib.sha256((suite / ARCHIVE).read_bytes()).hexdigest()[:20]
    directory = cache_directory().with_name("suites") / digest
    copy = directory / suite.name
    if not copy.is_dir():
        directory.mkdir(parents=True, exist_ok=True)
        directory.chmod(0o700)
        draft = Path(tempfile.mkdtemp(prefix=".draft-", dir=directory))
        try:
            unseal(suite, draft / suite.name, key)
            try:
                (draft / suite.name).rename(copy)
            except OSError:
                if not copy.is_dir():  # otherwise another process was first
                    raise
        finally:
            shutil.rmtree(draft, ignore_errors=True)
    return copy


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


def fernet_class() -> Any:
    try:
        from cryptography.fernet import Fernet
    except ImportError:
        raise SealError(f"sealing needs the package cryptography: {install('bench')}") from None
    return Fernet


def cipher(key: str) -> Any:
    try:
        return fernet_class()(key.encode())
    except ValueError:
        raise SealError("this is no key: expected 32 bytes in URL-safe base64, as `rigor suite seal` makes") from None


def make_directory(directory: Path) -> None:
    if directory.exists() and any(directory.iterdir()):
        raise SealError(f"{directory}: exists and is not empty; give another name")
    directory.mkdir(parents=True, exist_ok=True)
