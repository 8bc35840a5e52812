"""Git objects written by our own code: a bare repository that git can read, made without starting it."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Final

FILE, PROGRAM, LINK, TREE = 0o100644, 0o100755, 0o120000, 0o40000
_BLOCK: Final = 4096  # a file takes whole blocks
_STORED: Final = 1 << 20  # larger objects are stored without compressing them

_CONFIG: Final = "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = true\n[gc]\n\tauto = 0\n"


class TreeWriter:
    """Writes objects, each once, each appearing whole under its name. Errors of the disk are raised as OSError."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.limit: int | None = None
        """Bytes on disk that the objects may take; one more is refused with OSError."""
        self.offered = 0
        """Bytes on disk of the objects so far, those that were refused included."""
        for name in ("objects/info", "objects/pack", "refs/heads", "refs/tags", "refs/rigor"):
            (path / name).mkdir(parents=True, exist_ok=True, mode=0o700)
        for name, content in (("HEAD", "ref: refs/heads/none\n"), ("config", _CONFIG)):
            if not (path / name).exists():
                (path / name).write_text(content)
        self._objects = f"{path}/objects"
        self._known: set[bytes] = set()
        self._kept: set[str] = set()

    def blob(self, data: bytes) -> bytes:
        return self.put("blob", data)

    def tree(self, entries: Iterable[tuple[bytes, int, bytes]]) -> bytes:
        """A tree of (name, mode, id); git's order counts a directory's name as if it ended in a slash."""
        rows = sorted((name + b"/" if mode == TREE else name, name, mode, id_) for name, mode, id_ in entries)
        return self.put("tree", b"".join(b"%o %s\0%s" % (mode, name, id_) for _, name, mode, id_ in rows))

    def put(self, kind: str, data: bytes) -> bytes:
        """Store an object; its id (20 bytes)."""
        header = b"%s %d\0" % (kind.encode(), len(data))
        id_ = hashlib.sha1(header + data, usedforsecurity=False).digest()
        if not self.has(id_):
            self.put_raw(id_, zlib.compress(header + data, 1 if len(data) <= _STORED else 0))
        return id_

    def put_raw(self, id_: bytes, compressed: bytes) -> None:
        """Store a loose object as git has it on disk. The caller has checked the id."""
        self.offered += -(-len(compressed) // _BLOCK) * _BLOCK
        if self.limit is not None and self.offered > self.limit:
            raise OSError(errno.EDQUOT, "the limit of the recording is reached")
        name = id_.hex()
        directory = f"{self._objects}/{name[:2]}"
        temporary = f"{self._objects}/tmp_obj_rigor"
        fd = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
        try:
            view = memoryview(compressed)
            while view:
                view = view[os.write(fd, view) :]
        finally:
            os.close(fd)
        try:
            os.rename(temporary, f"{directory}/{name[2:]}")
        except FileNotFoundError:
            os.mkdir(directory, 0o700)
            os.rename(temporary, f"{directory}/{name[2:]}")
        self._known.add(id_)

    def has(self, id_: bytes) -> bool:
        """Whether it is there as an object of its own (one in a pack does not count)."""
        if id_ in self._known:
            return True
        name = id_.hex()
        if os.path.exists(f"{self._objects}/{name[:2]}/{name[2:]}"):
            self._known.add(id_)
            return True
        return False

    def keep(self, kind: str, id_: str) -> None:
        """Make a reference, so that git never removes the object as garbage."""
        if id_ in self._kept:
            return
        directory = f"{self.path}/refs/rigor/{kind}"
        with contextlib.suppress(FileExistsError):
            os.mkdir(directory, 0o700)
        temporary = f"{self.path}/refs/rigor/new.lock"
        fd = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
        try:
            os.write(fd, id_.encode() + b"\n")
        finally:
            os.close(fd)
        os.rename(temporary, f"{directory}/{id_}")
        self._kept.add(id_)
