"""Test data that a package does not contain, because a program of it makes them: the key ``generated``."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Final

from ...base.cache import cache_directory
from . import files
from .model import Generated
from .yamlfile import Table

_FILE: Final = re.compile(r"secret(/[a-zA-Z0-9_][a-zA-Z0-9_.-]*)+\.(in|ans)")
_SHA256: Final = re.compile(r"[0-9a-f]{64}")


def read_generated(table: Table, root: Path) -> Generated | None:
    """The key ``generated`` of ``problem.yaml``.

    The directory of the files is named by all their hashes, so that its content never changes.

    Raises:
        PackageError: the program is missing, a file is committed as well, or a name or hash is not one.
    """
    key = table.table("generated")
    if key is None:
        return None
    name = key.text("program")
    if name is None:
        key.fail("program", "missing; name the file of the package that makes the data, such as generators/make.py")
    program = files.within(root, name, f"{key.file}: generated.program")
    if not program.is_file():
        key.fail("program", f"{name} is a directory; name the file in it that is run")
    args = key.texts("args") or ()
    listed = key.table("files")
    hashes: dict[str, str] = {}
    for file in listed or ():
        assert listed is not None
        hashes[file] = _hash_of(listed, root, file)
    if not hashes:
        key.fail("files", "missing; write `secret/GROUP/NAME.in: SHA256` for each file that the program makes")
    key.done()
    total = hashlib.sha256("".join(f"{file}\0{hashes[file]}\n" for file in sorted(hashes)).encode()).hexdigest()
    return Generated(program, args, hashes, cache_directory().parent / "judge" / "generated" / total)


def _hash_of(listed: Table, root: Path, file: str) -> str:
    if not _FILE.fullmatch(file):
        listed.fail(file, "must be the path of an input or answer below data, such as secret/2-large/01.in")
    value = listed.text(file)
    if value is None or not _SHA256.fullmatch(value):
        listed.fail(file, "must be the file's SHA-256 as 64 digits (0-9, a-f)")
    path = root / "data" / file
    if path.exists():
        listed.fail(file, f"{path} is in the package as well; remove it, or this line")
    if not path.parent.is_dir():
        listed.fail(file, f"there is no directory {path.parent}; make it, with a test_group.yaml if it is a group")
    return value
