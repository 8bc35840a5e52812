"""The work tree as a git tree, read repeatedly: only files whose stat data have changed are opened."""

from __future__ import annotations

import fcntl
import os
import signal
import stat
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from .treestore import FILE, LINK, PROGRAM, TREE, TreeWriter

MAX_FILE: Final = 32 << 20
MAX_FILES: Final = 200_000
TOO_MANY: Final = f"more than {MAX_FILES} files"
_MAX_DEPTH: Final = 100
# A file changed less than this before it was read may change again without its times showing it: coarse clocks tick
# every 4 to 10 ms. Nanoseconds.
_TICK: Final = 20_000_000
# How long a look waits for programs that are writing files, and when a file was emptied just now. Nanoseconds.
_PATIENCE: Final = 500_000_000
_PAUSE: Final = 0.005  # seconds
_LEASING: Final = {"ext2", "ext3", "ext4", "xfs", "tmpfs"}
_COARSE_CLOCK: Final = 5  # CLOCK_REALTIME_COARSE, the one that files get their times from
_KINDS: Final = {
    stat.S_IFIFO: "a FIFO", stat.S_IFSOCK: "a socket", stat.S_IFCHR: "a device", stat.S_IFBLK: "a device"
}  # fmt: skip

Key = tuple[int, int, int, int, int]
Ignored = Callable[[str, list[tuple[str, bool]]], set[str]]


@dataclass(slots=True)
class _File:
    key: Key | None  # None: to be read again, whatever its stat data
    mode: int
    id: bytes


@dataclass(slots=True)
class _Directory:
    files: dict[str, _File] = field(default_factory=dict)
    directories: dict[str, _Directory] = field(default_factory=dict)
    ignored: set[str] = field(default_factory=set)
    id: bytes | None = None  # None: nothing below it


@dataclass
class TreeLook:
    """One look at the work tree."""

    tree: str
    """The id of the git tree."""
    paths: list[str]
    """What differs from the look before, sorted."""
    skipped: dict[str, str]
    """{path that is not in the tree: why}."""


class Scanner:
    """Scans the directory ``root``. ``ignored``: as `Ignoring.ignored`; it is asked once per path."""

    def __init__(self, root: str, store: TreeWriter, ignored: Ignored) -> None:
        self.root = root
        self._store = store
        self._ignored = ignored
        self._top = _Directory()
        self._changed: list[str] = []
        self._skipped: dict[str, str] = {}
        self._count = 0  # of recorded files
        self._everything = False
        self._passing = False
        self._until = 0
        # Files whose writers were waited for in vain (the log of a server).
        self._kept_open: set[str] = set()
        # Whether a file that has changed may be mapped without our knowing: then it is read at each look.
        self._unsure = False
        # Files that were being written at the last look, by path, with their times.
        self._written: dict[str, Key] = {}
        self._writing: dict[str, Key] = {}

    def look(self, *, everything: bool = False, passing: bool = False) -> TreeLook:
        """The tree now. Files that a program is writing are waited for.

        Args:
            everything: Read all files again.
            passing: Do not wait, but leave files that are being written as they were.

        Raises:
            OSError: the root cannot be read or the store cannot be written.
        """
        self._changed, self._skipped = [], {}
        self._everything, self._passing = everything, passing
        self._until = time.monotonic_ns() + _PATIENCE
        self._written, self._writing = self._writing, {}
        fd = os.open(self.root, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
        try:
            self._scan(fd, self._top, "", 0)
            id_ = self._top.id if self._top.id is not None else self._store.tree(())
            # Whether `_has_writer` knows of all maps: an overlay forgets one whose file is closed, others have no
            # leases.
            device = os.fstat(fd).st_dev
            number = f"{os.major(device)}:{os.minor(device)}"
            with open("/proc/self/mountinfo", encoding="utf-8", errors="replace") as file:
                kinds = [line.partition(" - ")[2].split(" ")[0] for line in file if line.split(" ")[2] == number]
            self._unsure = not (bool(kinds) and _LEASING.issuperset(kinds))
        except BaseException:
            self._top, self._count = _Directory(), 0  # half read: the next look starts afresh
            raise
        finally:
            os.close(fd)
        return TreeLook(id_.hex(), sorted(self._changed), self._skipped)

    def _scan(self, fd: int, node: _Directory, prefix: str, depth: int) -> bool:
        """Whether anything below has changed."""
        files, directories, ignored = node.files, node.directories, node.ignored
        found: set[str] = set()  # of the files
        below: list[str] = []  # the directories
        new: list[tuple[str, bool]] = []
        todo: list[tuple[str, os.stat_result]] = []
        trusting = not self._everything
        with os.scandir(fd) as entries:
            for entry in entries:
                name = entry.name
                if entry.is_dir(follow_symlinks=False):
                    if name in directories:
                        below.append(name)
                    elif name.lower() != ".git" and name + "/" not in ignored:
                        new.append((name, True))
                    continue
                if name in ignored or name.lower() == ".git":  # nor does git take ".GIT"
                    continue
                old = files.get(name)
                if old is None and self._count + len(new) >= MAX_FILES:
                    self._skipped[prefix] = TOO_MANY  # those that are known stay, wherever they are
                    continue
                try:
                    info = entry.stat(follow_symlinks=False)
                except OSError:
                    continue  # gone already
                if old is None:
                    new.append((name, False))
                elif trusting and old.key == _key(info):
                    found.add(name)
                    continue
                todo.append((name, info))
        if new:
            out = self._ignored(prefix, new)
            ignored.update(name + "/" if is_directory else name for name, is_directory in new if name in out)
            todo = [(name, info) for name, info in todo if name not in out]
            below.extend(name for name, is_directory in new if is_directory and name not in out)
        changed = False
        for name, info in todo:
            old = files.get(name)
            file = self._read(fd, name, info, prefix, old)
            if file is None:
                continue
            found.add(name)
            self._count += old is None
            if old is None or (old.id, old.mode) != (file.id, file.mode):
                changed = True
                self._changed.append(prefix + name)
            files[name] = file
        there: set[str] = set()
        for name in below:
            inner = self._enter(fd, prefix + name, name, depth)
            if inner is None:
                continue
            there.add(name)
            child = directories.get(name)
            if child is None:
                child = directories[name] = _Directory()
            try:
                changed |= self._scan(inner, child, f"{prefix}{name}/", depth + 1)
            except RecordStoreError:
                raise
            except OSError as error:
                self._skipped[prefix + name] = error.strerror or "unreadable"
            finally:
                os.close(inner)
        if len(found) != len(files) or len(there) != len(directories):
            changed |= self._remove(node, found, there, prefix)
        if changed:
            self._write(node)
        return changed

    def _enter(self, fd: int, path: str, name: str, depth: int) -> int | None:
        if depth >= _MAX_DEPTH:
            self._skipped[path] = f"more than {_MAX_DEPTH} directories deep"
            return None
        try:
            return os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=fd)
        except OSError as error:
            if not isinstance(error, FileNotFoundError):
                self._skipped[path] = error.strerror or "unreadable"
            return None

    def _remove(self, node: _Directory, found: set[str], there: set[str], prefix: str) -> bool:
        gone_files = [name for name in node.files if name not in found]
        changed = bool(gone_files)
        for name in gone_files:
            del node.files[name]
            self._changed.append(prefix + name)
        self._count -= len(gone_files)
        for name in [name for name in node.directories if name not in there]:
            child = node.directories.pop(name)
            changed |= child.id is not None
            paths = _paths(child, f"{prefix}{name}/")
            self._changed.extend(paths)
            self._count -= len(paths)
        return changed

    def _read(self, fd: int, name: str, info: os.stat_result, prefix: str, old: _File | None) -> _File | None:
        path = prefix + name
        kind = stat.S_IFMT(info.st_mode)
        key: Key | None = _key(info)
        now = time.clock_gettime_ns(_COARSE_CLOCK)
        try:
            if kind == stat.S_IFLNK:
                return _File(key, LINK, self._put(os.fsencode(os.readlink(name, dir_fd=fd))))
            if kind != stat.S_IFREG:
                self._skipped[path] = _KINDS.get(kind, "no regular file")
                return None
            flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
            file = os.open(name, flags, dir_fd=fd)
        except RecordStoreError:
            raise
        except OSError as error:
            if not isinstance(error, FileNotFoundError):
                self._skipped[path] = error.strerror or "unreadable"
            return None
        try:
            before = os.fstat(file)
            if not stat.S_ISREG(before.st_mode):
                self._skipped[path] = "no regular file"
                return None
            if before.st_size > MAX_FILE:
                self._skipped[path] = f"larger than {MAX_FILE >> 20} MiB"
                return None
            if not self._passing and path not in self._kept_open:
                self._wait_for_writers(file, path, before.st_ctime_ns)
            data = _content(file, before.st_size)
            written = _has_writer(file)
            if not written:
                self._kept_open.discard(path)
        except OSError as error:
            self._skipped[path] = error.strerror or "unreadable"
            return None
        finally:
            os.close(file)
        if written or (self._passing and not data and now - info.st_ctime_ns < _PATIENCE):
            seen = self._writing[path] = _key(info)
            # What has been left alone since the last look may stay open as it is, such as a memory map.
            if self._passing and (not data or self._written.get(path) != seen):
                return old
        as_listed = len(data) == info.st_size and before.st_ctime_ns == info.st_ctime_ns
        if written or self._unsure or not as_listed or now - info.st_ctime_ns < _TICK:
            key = None  # it was being written; a mapped file changes without its times showing it
        mode = PROGRAM if before.st_mode & 0o100 else FILE
        return _File(key, mode, self._put(data))

    def _wait_for_writers(self, file: int, path: str, changed: int) -> None:
        """Wait until no program has a file open for writing that was changed just now."""
        if time.clock_gettime_ns(_COARSE_CLOCK) - changed > _PATIENCE:
            return
        while _has_writer(file):
            if time.monotonic_ns() > self._until:
                self._kept_open.add(path)
                return
            time.sleep(_PAUSE)

    def _put(self, data: bytes) -> bytes:
        try:
            return self._store.blob(data)
        except OSError as error:
            raise RecordStoreError(error.errno, error.strerror) from error

    def _write(self, node: _Directory) -> None:
        rows = [(os.fsencode(name), file.mode, file.id) for name, file in node.files.items()]
        rows += [
            (os.fsencode(name), TREE, child.id) for name, child in node.directories.items() if child.id is not None
        ]
        try:
            node.id = self._store.tree(rows) if rows else None
        except OSError as error:
            raise RecordStoreError(error.errno, error.strerror) from error


class RecordStoreError(OSError):
    """The store cannot be written (a full disk)."""


def _key(info: os.stat_result) -> Key:
    return info.st_mtime_ns, info.st_ctime_ns, info.st_size, info.st_ino, info.st_mode


def _has_writer(fd: int) -> bool:
    """Whether a program has a file open for writing, or mapped so: then the kernel gives no lease to read it."""
    try:
        # Without this the kernel would end us if the file were opened in between.
        fcntl.fcntl(fd, fcntl.F_SETSIG, signal.SIGURG)
        fcntl.fcntl(fd, fcntl.F_SETLEASE, fcntl.F_RDLCK)
        fcntl.fcntl(fd, fcntl.F_SETLEASE, fcntl.F_UNLCK)
    except BlockingIOError:
        return True
    except OSError:
        return False  # a file system without leases
    return False


def _content(fd: int, size: int) -> bytes:
    data = os.read(fd, size + 1)
    if len(data) == size:
        return data
    parts = [data]
    total = len(data)
    while data and total <= MAX_FILE:
        data = os.read(fd, 1 << 20)
        parts.append(data)
        total += len(data)
    return b"".join(parts)


def _paths(node: _Directory, prefix: str) -> list[str]:
    paths = [prefix + name for name in node.files]
    for name, child in node.directories.items():
        paths.extend(_paths(child, f"{prefix}{name}/"))
    return paths
