"""Files that are written whole or not at all."""

from __future__ import annotations

import contextlib
import os
import tarfile
import tempfile
from pathlib import Path
from typing import Any, Literal, TypeVar

import msgspec

from .decoding import decoder

T = TypeVar("T")
# Python before 3.11.4, which Debian 12 has, knows no filters; those after it warn where none is named.
_CHECKED: dict[str, Any] = {"filter": "fully_trusted"} if hasattr(tarfile, "fully_trusted_filter") else {}


def encode_json(value: Any, order: Literal["sorted"] | None = None) -> bytes:
    """A value as JSON. Bytes of file names that are no UTF-8, which JSON cannot hold, are written out (``\\udce9``)."""
    try:
        return msgspec.json.encode(value, order=order)
    except UnicodeEncodeError:
        return msgspec.json.encode(_encodable(msgspec.to_builtins(value, order=order)))


def _encodable(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode("utf-8")
    if isinstance(value, dict):
        return {_encodable(key): _encodable(item) for key, item in value.items()}
    return [_encodable(item) for item in value] if isinstance(value, list | tuple) else value


def write_json(path: Path, value: Any) -> None:
    """Write a document in full or not at all, even if the machine stops meanwhile."""
    replace_file(path, msgspec.json.format(encode_json(value), indent=2) + b"\n", sync=True)


def replace_file(path: Path, data: bytes, mode: int = 0o644, *, sync: bool = False) -> None:
    """Write a file in full or not at all; whoever reads it meanwhile gets the former one.

    Args:
        sync: it is on the disk when this returns.

    Raises:
        OSError: it cannot be written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, draft = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            os.fchmod(file.fileno(), mode)
            if sync:
                file.flush()
                os.fsync(file.fileno())
        os.replace(draft, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(draft)
        raise
    if sync:
        sync_directory(path.parent)


def write_record(path: Path, record: Any) -> None:
    """Replace a document that goes into version control, so with sorted keys. Raises: OSError."""
    replace_file(path, msgspec.json.format(encode_json(record, order="sorted"), indent=1) + b"\n")


def read_json(path: Path, kind: type[T]) -> T | None:
    """The document in a file; None if there is none, or none of this kind that can be read."""
    try:
        found: T = decoder(kind).decode(path.read_bytes())
        return found
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def sync_directory(directory: Path) -> None:
    """Sync the names in a directory to disk, where its file system can."""
    with contextlib.suppress(OSError):
        descriptor = os.open(directory, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def extract_inside(archive: tarfile.TarFile, member: tarfile.TarInfo, root: Path, *, set_attrs: bool = True) -> None:
    """Extract a member of an archive below ``root``, as the user's own.

    Raises OSError: it would be written elsewhere, is a hard link to elsewhere, or a device.
    """
    member.name = member.name.lstrip("/")
    names = ("", member.name, member.linkname if member.islnk() else "")
    base, *ends = (os.path.realpath(os.path.join(root, name)) for name in names)
    if member.isdev() or os.path.commonpath([base, *ends]) != base:
        raise OSError(f"{member.name} leads out of the archive")
    member.uid, member.gid, member.uname, member.gname = os.getuid(), os.getgid(), "", ""
    member.mode = member.mode & 0o755 | 0o600
    archive.extract(member, root, set_attrs=set_attrs, **_CHECKED)
