"""One log as bytes: plain, gzip or zstandard, a file or standard input. It is only read, and as far as possible."""

from __future__ import annotations

import gzip
import io
import re
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any

import jiter
import orjson

from .model import Skipped

# New objects between two runs of the garbage collector while logs are read. Sessions are trees: looking for cycles in
# them again and again costs up to a tenth of the time and finds none.
COLLECT_EVERY = 20_000
HEAD_BYTES = 256 * 1024
_BUFFER = 256 * 1024
_GZIP, _ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"


class LogError(Exception):
    """An input that yields no trajectory. One line, naming the file (and line, where there is one) and the remedy."""

    def __init__(self, file: str, reason: str, *, line: int | None = None) -> None:
        self.file, self.line, self.reason = file, line, reason
        super().__init__(f"{file}:{line}: {reason}" if line else f"{file}: {reason}")


class LogFile:
    """A log file, or a directory that is one log.

    Readers report what they could not use through :meth:`skip`; nothing is dropped silently. ``path`` is None for
    standard input, ``name`` is how the user named it, ``reader`` the class of the reader that discovery found for it.
    """

    def __init__(
        self, path: Path | None, *, name: str | None = None, content: bytes | None = None, reader: str | None = None
    ) -> None:
        self.path = path
        self.reader = reader
        self.name = name if name is not None else (str(path) if path is not None else "<stdin>")
        self.skipped: list[Skipped] = []
        self.siblings: list[Path] = []  # the other files of the same log that were read so far
        self.cut = False  # the end is missing: the archive or the document ends early
        self.last_cut = False  # the last line that was read is the beginning of a JSON value
        self._content = content

    @property
    def is_directory(self) -> bool:
        return self.path is not None and self._content is None and self.path.is_dir()

    @property
    def stem(self) -> str:
        """The file's name without its last suffix: an id for a session whose log states none."""
        return self.path.stem if self.path is not None else self.name

    @property
    def short_name(self) -> str:
        """The file's name up to its first dot, "session" for standard input."""
        return self.path.name.split(".", 1)[0] if self.path is not None else "session"

    @property
    def plain_path(self) -> Path | None:
        """The file, if it is one that is not compressed."""
        if self.path is None or self._content is not None:
            return None
        with self.path.open("rb") as stream:
            return None if stream.read(4).startswith((_GZIP, _ZSTD)) else self.path

    def name_without(self, *suffixes: str) -> str:
        """The file's name without these suffixes and that of its compression."""
        name = Path(self.name).name if self.path is not None else self.name.strip("<>")
        for suffix in (".gz", ".zst", *suffixes):
            if name.endswith(suffix) and len(name) > len(suffix):
                name = name[: -len(suffix)]
        return name

    def skip(self, line: int | None, reason: str, *, file: str | None = None, lost: bool = True) -> None:
        self.skipped.append(Skipped(file or self.name, line, reason, lost))

    def sibling(self, path: Path) -> LogFile:
        """Another file of the same log (a sub-agent's, an event file); what it skips is reported with this one's."""
        other = LogFile(path)
        other.skipped, other.siblings = self.skipped, self.siblings
        self.siblings.append(path)
        return other

    def _unreadable(self, what: str, error: OSError) -> LogError:
        return LogError(self.name, f"cannot be {what} ({error.strerror}); check the path and its permissions")

    @cached_property
    def head(self) -> bytes:
        """The first 256 KiB, decompressed: all that detection may look at."""
        if self._content is not None:
            return self._content[:HEAD_BYTES]
        if self.path is None or self.path.is_dir():
            return b""
        try:
            with self.path.open("rb") as stream:
                raw = stream.read(HEAD_BYTES)
        except OSError as error:
            raise self._unreadable("opened", error) from None
        return decompress(raw, HEAD_BYTES)[0]

    @cached_property
    def head_objects(self) -> list[Any]:
        """Up to 40 JSON objects and lists from the lines of :attr:`head`; other lines are left out."""
        found: list[Any] = []
        for line in self.head.split(b"\n"):
            if line.startswith((b"{", b"[", b" ")) and line.rstrip().endswith((b"}", b"]")) and len(found) < 40:
                with suppress(orjson.JSONDecodeError):
                    found.append(orjson.loads(line))
        return found

    @cached_property
    def head_document(self) -> Any:
        """:attr:`head` read as one JSON document as far as it goes, or None."""
        head = self.head.lstrip(b"\xef\xbb\xbf \t\r\n")
        return _longest_prefix(_clean(head)) if head[:1] in (b"{", b"[") else None

    def content(self) -> bytes:
        """The whole log, decompressed. A cut archive is read as far as it goes, and that is reported."""
        if self._content is not None:
            return self._content
        assert self.path is not None
        try:
            raw = self.path.read_bytes()
        except OSError as error:
            raise self._unreadable("read", error) from None
        content, whole = decompress(raw, None)
        if not whole:
            self.cut = True
            self.skip(None, "the compressed file is damaged or cut off; read as far as it goes")
        return content

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """(1-based number, line without its end), blank lines left out. A plain file is never in memory as a whole."""
        stream: io.BufferedIOBase | None = None
        if self._content is None and self.path is not None:
            try:
                plain = io.BufferedReader(io.FileIO(self.path), _BUFFER)
            except OSError as error:
                raise self._unreadable("read", error) from None
            stream = None if plain.peek(4).startswith((_GZIP, _ZSTD)) else plain
        with io.BytesIO(self.content()) if stream is None else stream as source:
            for number, line in enumerate(source, 1):
                if line.endswith(b"\n"):
                    line = line[:-1]
                if line and not line.isspace():
                    yield number, line

    def json_lines(self) -> Iterator[tuple[int, Any]]:
        """(line number, value). Damaged lines are repaired where that is safe, else skipped and reported.

        Two objects on one line are two values. NULs and invalid UTF-8 are replaced. Values may be of any JSON type.
        """
        for number, line in self.lines():
            for value in self.parse_line(number, line):
                yield number, value

    def json_objects(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """The values of :meth:`json_lines` that are objects; the others are skipped and reported."""
        for number, value in self.json_lines():
            if isinstance(value, dict):
                yield number, value
            else:
                self.skip(number, "the line is not a JSON object; skipped")

    def parse_line(self, number: int, line: bytes) -> list[Any]:
        """The values on one line, as :meth:`json_lines`."""
        self.last_cut = False
        try:
            return [orjson.loads(line)]
        except orjson.JSONDecodeError:
            pass
        cleaned = _clean(line)
        values, reason = split_values(cleaned)
        self.last_cut = reason is not None and cleaned.lstrip(b"\xef\xbb\xbf \t").startswith((b'{"', b'[{"'))
        if reason is not None:
            self.skip(number, reason)
        elif cleaned != line:
            self.skip(number, "invalid bytes (NUL or not UTF-8) were replaced", lost=False)
        return values

    def document(self) -> Any:
        """The whole log as one JSON document; a cut one as far as it goes (reported).

        Raises:
            LogError: if not even the beginning is JSON.
        """
        content = self.content()
        try:
            return orjson.loads(content)
        except orjson.JSONDecodeError as error:
            line = content.count(b"\n", 0, error.pos) + 1
        cleaned = _clean(content).lstrip(b"\xef\xbb\xbf \t\r\n")
        if cleaned.strip():
            try:
                value = orjson.loads(cleaned)
                self.skip(line, "invalid bytes (NUL or not UTF-8) were replaced", lost=False)
                return value
            except orjson.JSONDecodeError:
                pass
            try:
                value = jiter.from_json(cleaned, partial_mode="trailing-strings", catch_duplicate_keys=False)
                self.cut = True
                self.skip(line, "the JSON document is cut off; read as far as it goes")
                return value
            except ValueError:
                lost: list[int] = []
                if (value := salvage(cleaned, 1, lost.append)) is not MISSING and value is not None:
                    for number in lost[:100]:
                        self.skip(number, "a damaged value of the JSON document; skipped")
                    return value
                value = _longest_prefix(cleaned)
                if value is not None:
                    self.cut = True
                    self.skip(line, "the JSON document is damaged; read up to the damage")
                    return value
        raise LogError(self.name, "is not a JSON document; give the agent's own log file", line=line)


def split_values(line: bytes) -> tuple[list[Any], str | None]:
    """The JSON values on one line, and why the rest of it could not be read (None: all read)."""
    import json  # the only JSON parser here that reports where a value ends

    text = line.decode("utf-8", "replace")
    decoder = json.JSONDecoder(strict=False)
    values: list[Any] = []
    at, end = 0, len(text)
    while at < end:
        while at < end and text[at] in " \t\r\n,":
            at += 1
        if at >= end:
            break
        try:
            value, at = decoder.raw_decode(text, at)
        except (json.JSONDecodeError, RecursionError):
            return values, "the rest of the line is not JSON; skipped" if values else "the line is not JSON; skipped"
        try:
            orjson.dumps(value)
        except (orjson.JSONEncodeError, RecursionError):
            # Half a surrogate pair (JavaScript cuts emoji in two) is valid in JSON and nowhere else.
            value = _replaced(value)
        values.append(value)
    return values, None


def _replaced(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, list):
        return [_replaced(v) for v in value]
    if isinstance(value, dict):
        return {_replaced(k): _replaced(v) for k, v in value.items()}
    return value


def _longest_prefix(content: bytes) -> Any:
    """The value of a document up to its first syntax error, by the position that the parser reports."""
    for _ in range(4):
        try:
            return jiter.from_json(content, partial_mode="trailing-strings", catch_duplicate_keys=False)
        except ValueError as error:
            words = str(error).rsplit(" line ", 1)
            if len(words) != 2:
                return None
            try:
                row, column = (int(part) for part in words[1].split(" column "))
            except ValueError:
                return None
            start = 0
            for _ in range(row - 1):
                start = content.find(b"\n", start) + 1
            offset = start + column - 2
            if offset <= 0 or offset >= len(content):
                return None
            content = content[:offset]
    return None


def _clean(raw: bytes) -> bytes:
    if b"\x00" in raw:
        raw = raw.replace(b"\x00", b"")
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("utf-8", "replace").encode()
    return raw


def beginning(path: Path, size: int) -> bytes:
    """The beginning of a file, decompressed; of one that cannot be read nothing."""
    try:
        with path.open("rb") as stream:
            return decompress(stream.read(size), size)[0]
    except OSError:
        return b""


def decompress(raw: bytes, limit: int | None) -> tuple[bytes, bool]:
    """(content, whole?) of possibly compressed bytes; at most ``limit`` bytes where given."""
    damages: tuple[type[Exception], ...] = (EOFError, OSError, zlib.error)
    stream: Any
    if raw[:2] == _GZIP:
        stream = gzip.GzipFile(fileobj=io.BytesIO(raw))
    elif raw[:4] == _ZSTD:
        import zstandard

        damages = (zstandard.ZstdError,)
        stream = zstandard.ZstdDecompressor().stream_reader(raw, read_across_frames=True)
    else:
        return raw, True
    out = io.BytesIO()
    try:
        with stream:
            while chunk := stream.read(1 << 20):
                out.write(chunk)
                if limit is not None and out.tell() >= limit:
                    break
    except damages:
        return out.getvalue(), False
    return out.getvalue(), True


# A JSON document that is damaged in the middle, if it is written one value per line: the indentation shows where each
# member of an object and each item of a list begins, whatever is between them.


_DEEPEST = 8
_FIRST = re.compile(rb"\s*[\[{]\r?\n( +|\t+)\S")
_MEMBER = rb'^%s"((?:[^"\\\n]|\\.)*)": ?'
_ITEM = rb"^%s(?=[^\s\]}])"
MISSING = object()


def salvage(data: bytes, line: int, lost: Callable[[int], None], depth: int = 0) -> Any:
    """The value without the members and items that cannot be read; MISSING if it has another layout.

    ``lost`` is called with the line of each of them; the first is ``line``.
    """
    try:
        return orjson.loads(data)
    except orjson.JSONDecodeError:
        pass
    first = _FIRST.match(data)
    if first is None or depth == _DEEPEST:
        lost(line)
        return MISSING
    kind = data.lstrip()[:1]
    starts = list(re.compile((_MEMBER if kind == b"{" else _ITEM) % first[1], re.MULTILINE).finditer(data))
    if not starts:
        lost(line)
        return MISSING
    ends = [m.start() for m in starts[1:]]
    bracket = data.rfind(b"}" if kind == b"{" else b"]", starts[-1].end())
    ends.append(bracket if bracket > 0 else len(data))
    members: dict[str, Any] = {}
    items: list[Any] = []
    counted, at = starts[0].start(), line + data.count(b"\n", 0, starts[0].start())
    for start, end in zip(starts, ends, strict=True):
        at, counted = at + data.count(b"\n", counted, start.start()), start.start()
        value = salvage(data[start.end() : end].rstrip().rstrip(b","), at, lost, depth + 1)
        if value is MISSING:
            continue
        if kind == b"{":
            members[start[1].decode("utf-8", "replace")] = value
        else:
            items.append(value)
    return members if kind == b"{" else items
