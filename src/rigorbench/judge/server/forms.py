"""Bodies of requests: read within limits of size, time and memory, and parsed strictly as forms, as bytes.

Starlette's own form parser is not used: it decodes text that is not UTF-8 as Latin-1, and accepts a form that
breaks off.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import unquote_to_bytes

from starlette.requests import ClientDisconnect, Request

from .model import Refused, Settings

_URLENCODED, _MULTIPART = "application/x-www-form-urlencoded", "multipart/form-data"
_KNOWN = {name.encode(): name for name in ("language", "code", "file", "group", "question")}
_MOST_FIELDS = 256
_LONGEST_NAME = 255


class Form:
    """The known fields by name; others are counted and ignored. `file_name`: None if the file has no name."""

    def __init__(self) -> None:
        self.fields: dict[str, bytes] = {}
        self.file_name: str | None = None
        self._number = 0

    def add(self, name: bytes, value: bytes, file_name: bytes | None = None) -> None:
        self._number += 1
        if self._number > _MOST_FIELDS:
            raise _bad(f"more than {_MOST_FIELDS} fields")
        field = _KNOWN.get(name)
        if field is None:
            return
        if field in self.fields:
            raise _bad(f"the field {field} is given twice")
        if field == "file" and file_name is not None:
            if len(file_name) > _LONGEST_NAME:
                raise _bad(f"the name of the file is longer than {_LONGEST_NAME} bytes")
            self.file_name = _text(file_name, "the name of the file")
        self.fields[field] = value

    def text(self, name: str) -> str | None:
        value = self.fields.get(name)
        return None if value is None else _text(value, name)


class Bodies:
    """All bodies in memory: each limited in size, and all of one run to half of the total."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._all = 0
        self._of: Counter[str] = Counter()

    @asynccontextmanager
    async def read(self, request: Request, run: str) -> AsyncIterator[bytes]:
        """The body; it counts until the end of the block.

        Raises:
            Refused: it is too large, comes too slowly, breaks off, or too many are in memory.
        """
        length = request.headers.get("content-length", "")
        if length.isdigit() and int(length) > self.settings.request:
            raise self._too_large()
        body = bytearray()
        try:
            try:
                async with asyncio.timeout(self.settings.body_time):
                    async for chunk in request.stream():
                        self._take(run, len(chunk), len(body))
                        body += chunk
            except TimeoutError:
                raise Refused(408, "too_slow", "the body of the request came too slowly") from None
            except ClientDisconnect:
                raise _bad("the connection broke off within the request") from None
            yield bytes(body)
        finally:
            self._all -= len(body)
            self._of[run] -= len(body)
            if not self._of[run]:
                del self._of[run]

    def _take(self, run: str, size: int, before: int) -> None:
        if before + size > self.settings.request:
            raise self._too_large()
        limit = self.settings.bodies
        if self._all + size > limit or self._of[run] + size > max(limit // 2, self.settings.request):
            raise Refused(429, "busy", "too many large requests at a time", retry_after=2)
        self._all += size
        self._of[run] += size

    def _too_large(self) -> Refused:
        return Refused(413, "too_large", f"a request may have at most {self.settings.request} bytes")


def parse(content_type: str, body: bytes) -> Form:
    """The fields of a form. Raises: Refused: it is not a form, or a bad one."""
    kind = content_type.split(";", 1)[0].strip().lower()
    if kind == _URLENCODED:
        return _urlencoded(body)
    if kind == _MULTIPART:
        return _multipart(content_type, body)
    raise Refused(415, "no_form", f"send a form: {_MULTIPART} or {_URLENCODED}")


def _urlencoded(body: bytes) -> Form:
    form = Form()
    pairs = body.split(b"&", _MOST_FIELDS)
    for pair in pairs:
        if pair:
            name, _, value = pair.partition(b"=")
            form.add(unquote_to_bytes(name.replace(b"+", b" ")), unquote_to_bytes(value.replace(b"+", b" ")))
    return form


def _multipart(content_type: str, body: bytes) -> Form:
    from python_multipart.exceptions import FormParserError
    from python_multipart.multipart import MultipartParser, parse_options_header

    form = Form()
    header, value = bytearray(), bytearray()
    headers: dict[bytes, bytes] = {}
    data = bytearray()
    ended = False

    def begin() -> None:
        headers.clear()
        data.clear()

    def header_end() -> None:
        headers[bytes(header).strip().lower()] = bytes(value)
        header.clear()
        value.clear()

    def part_end() -> None:
        disposition, options = parse_options_header(headers.get(b"content-disposition", b""))
        if disposition != b"form-data" or b"name" not in options:
            raise _bad("a part of the form has no name")
        form.add(options[b"name"], bytes(data), options.get(b"filename"))

    def end() -> None:
        nonlocal ended
        ended = True

    _, options = parse_options_header(content_type)
    boundary = options.get(b"boundary", b"")
    if not boundary:
        raise _bad("the form has no boundary")
    try:
        parser = MultipartParser(
            boundary,
            {
                "on_part_begin": begin,
                "on_header_field": lambda d, start, stop: header.extend(d[start:stop]),
                "on_header_value": lambda d, start, stop: value.extend(d[start:stop]),
                "on_header_end": header_end,
                "on_part_data": lambda d, start, stop: data.extend(d[start:stop]),
                "on_part_end": part_end,
                "on_end": end,
            },
        )
        parser.write(body)
        parser.finalize()
    except (FormParserError, ValueError):
        raise _bad("the form cannot be read") from None
    if not ended:
        raise _bad("the form breaks off")
    return form


def _text(value: bytes, what: str) -> str:
    try:
        text = value.decode()
    except UnicodeDecodeError:
        raise _bad(f"{what} is not UTF-8") from None
    if "\0" in text:
        raise _bad(f"{what} contains a zero byte")
    return text


def _bad(message: str) -> Refused:
    return Refused(400, "bad_form", message)
