"""Discovery: from files, directories and globs to the logs in them."""

from __future__ import annotations

import glob
import os
import sys
from codecs import getincrementaldecoder
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Literal

import orjson
from msgspec import Struct

from .logfile import HEAD_BYTES, LogError, LogFile, decompress
from .reader import Reader


class FileTally:
    """What became of the files in directories that are no logs of their own. Together with the logs, these are all."""

    def __init__(self, on_suspicious: Callable[[str], None] = lambda _: None) -> None:
        self.parts = 0  # files that belong to a log found elsewhere (a sub-agent's, an event file)
        self.ignored: Counter[str] = Counter()  # files left out and directories not entered, by the reason
        self.on_suspicious = on_suspicious  # gets one line for a file that was left out and may well be a log


class Discovery:
    """Finds logs, each once, in a stable order. ``tally`` counts the other files."""

    def __init__(
        self,
        readers: Callable[[], Iterable[Reader]],
        detect: Callable[[LogFile], Reader | None],
        tally: FileTally,
    ) -> None:
        self._readers, self._detect, self._tally = readers, detect, tally
        self._found: dict[str, str] = {}  # path without links -> the name that it was found by
        self._others: set[str] = set()  # files that are no logs of their own

    def logs(self, names: Iterable[str]) -> Iterator[LogFile | LogError]:
        """The logs under paths and globs; "-" is standard input."""
        for name in names:
            if name == "-":
                yield LogFile(None, content=_standard_input())
            elif Path(name).exists():
                yield from self._expand(Path(name), named=True)
            elif matched := sorted(glob.glob(name, recursive=True, include_hidden=True)):
                for match in matched:
                    yield from self._expand(Path(match), named=not Path(match).is_dir())
            else:
                yield LogError(name, "does not exist; check the path, or quote the glob")

    def _expand(self, path: Path, *, named: bool) -> Iterator[LogFile | LogError]:
        if path.is_file():
            yield from self._once(path)
            return
        before, real = len(self._found), os.path.realpath(path)
        yield from self._walk(path, real)
        inside = real.rstrip(os.sep) + os.sep
        if (
            named
            and len(self._found) == before
            and not any(found == real or found.startswith(inside) for found in self._found)
        ):
            yield LogError(str(path), "contains no agent log; `rigor doctor --formats` lists what can be read")

    def _once(self, path: Path, real: str | None = None, reader: Reader | None = None) -> Iterator[LogFile]:
        real = real if real is not None else os.path.realpath(path)
        if real not in self._found:
            self._found[real] = os.path.abspath(path)
            yield LogFile(path, reader=None if reader is None else type(reader).__name__)

    def _walk(self, directory: Path, real: str) -> Iterator[LogFile | LogError]:
        """The logs under a directory; ``real`` is its path without links. One file at a time is open."""
        whole = LogFile(directory)
        for reader in self._readers():
            if reader.matches(whole):
                yield from self._once(directory, real, reader)
                return
        if _is_experiment(directory):
            # The runs are its sessions; the engine's logs beside them describe the same sessions.
            yield from self._walk(directory / "runs", os.path.join(real, "runs"))
            for folder, folders, files in os.walk(directory):
                if folder == str(directory):
                    folders.remove("runs")
                for file in files:
                    if self._is_new(Path(folder, file), None):
                        self._tally.ignored["beside the runs of an experiment"] += 1
            return
        try:
            with os.scandir(directory) as listing:
                entries = sorted((e.name, _kind(e), e.is_symlink()) for e in listing)
        except OSError as error:
            yield LogError(str(directory), f"cannot be listed ({error.strerror}); check its permissions")
            return
        for name, kind, is_link in entries:
            if kind is None:
                self._leave_out(directory / name, "a broken link" if is_link else "a pipe, socket or device")
            elif kind == "file":
                yield from self._file(directory / name, None if is_link else os.path.join(real, name))
            elif name == "tool-results" and directory.with_name(directory.name + ".jsonl").is_file():
                # Outputs of a session of Claude Code, one of which may be the text of a log.
                self._tally.parts += sum(self._is_new(path, None) for path in (directory / name).glob("*"))
            elif name == ".git" or is_link:
                self._leave_out(directory / name, "a linked directory" if is_link else "a .git directory")
            else:
                yield from self._walk(directory / name, os.path.join(real, name))

    def _file(self, path: Path, real: str | None) -> Iterator[LogFile | LogError]:
        try:
            reader = self._detect(LogFile(path))
        except LogError as error:
            yield error
            return
        if reader is None:
            if self._is_new(path, real):
                unknown = why_unknown(LogFile(path))
                self._tally.ignored[unknown.what] += 1
                if unknown.suspicious:
                    self._tally.on_suspicious(f"{path}:1: {unknown.reason}")
            return
        owner = reader.owner(path)
        if owner == path:
            real = real if real is not None else os.path.realpath(path)
            name = os.path.abspath(path)
            if self._found.get(real, name) != name:
                self._leave_out(path, "another name of a log")
            yield from self._once(path, real, reader)
            return
        if self._is_new(path, real):
            self._tally.parts += 1
        yield from self._once(owner)

    def _leave_out(self, path: Path, why: str) -> None:
        if self._is_new(path, os.path.abspath(path)):
            self._tally.ignored[why] += 1

    def _is_new(self, path: Path, real: str | None) -> bool:
        """Whether a file that is no log of its own is met for the first time."""
        real = real if real is not None else os.path.realpath(path)
        known = real in self._others
        self._others.add(real)
        return not known


@cache
def _standard_input() -> bytes:
    """Standard input, unpacked; it can be read once only, and a command may look for its logs twice."""
    return decompress(sys.stdin.buffer.read(), None)[0]


def _kind(entry: os.DirEntry[str]) -> Literal["directory", "file"] | None:
    """What an entry of a directory is, or leads to; None: neither (a device, a pipe, a link to nothing)."""
    try:
        return "directory" if entry.is_dir() else "file" if entry.is_file() else None
    except OSError:  # a link to itself
        return None


def _is_experiment(directory: Path) -> bool:
    """Whether a directory is that of an experiment: its manifest says so, and there are runs."""
    manifest = directory / "manifest.json"
    if not manifest.is_file() or not (directory / "runs").is_dir():
        return False
    try:
        return b'"rigor-experiment/' in LogFile(manifest).head[:4096]
    except LogError:
        return False


# Why a file is no log that can be read: what it is instead, and the remedy


# How UTF-16 text begins: with a byte order mark, or with JSON of which every second byte is NUL.
_UTF_16 = (b"\xff\xfe", b"\xfe\xff", b"{\x00", b"[\x00", b"\x00{", b"\x00[")
_LOG_SUFFIXES = (".json", ".jsonl", ".ndjson", ".traj", ".gz", ".zst")


class Unknown(Struct, frozen=True):
    """What a file of no known format is. ``suspicious``: it may well be a log, and leaving it out would hide a loss."""

    what: str
    remedy: str
    suspicious: bool = True

    @property
    def reason(self) -> str:
        return f"is {self.what}; {self.remedy}"


_OTHER = Unknown("not a known agent log", "`rigor doctor --formats` lists what can be read", suspicious=False)
_WIDE = Unknown("UTF-16 text", "convert it to UTF-8 first (iconv -f UTF-16 -t UTF-8)")
_CUT = Unknown("cut off before its format shows", "fetch the whole file")
_BINARY = Unknown("binary data", "give the log that the agent itself wrote, unpacked")
_MESSAGES = Unknown("a bare list of chat messages", "give the log that the agent itself wrote, if it wrote one")


def why_unknown(log: LogFile) -> Unknown:
    if log.is_directory:
        return _OTHER
    head = log.head
    if not head.strip(b"\x00 \t\r\n"):
        return Unknown("empty", "nothing to read", suspicious=log.name.endswith(_LOG_SUFFIXES))
    if head.startswith(_UTF_16):
        return _WIDE
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n")
    if start.startswith((b'{"', b"[")):
        whole = len(head) < HEAD_BYTES
        if start.startswith((b'{"', b'[{"')) and whole and not log.head_objects:
            try:
                orjson.loads(head)
            except orjson.JSONDecodeError:
                return _CUT
        value = log.head_document
        if isinstance(value, list) and value and isinstance(value[0], dict) and {"role", "content"} <= value[0].keys():
            return _MESSAGES
    return _BINARY if log.name.endswith(_LOG_SUFFIXES) and not _is_text(head) else _OTHER


def _is_text(head: bytes) -> bool:
    """Whether it is UTF-8, of which the end may be cut inside a character."""
    try:
        getincrementaldecoder("utf-8")().decode(head)
    except UnicodeDecodeError:
        return False
    return b"\x00" not in head
