"""Reads a request's form within limits of size and time. Starlette parses it."""

from __future__ import annotations

import asyncio

from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.types import Message

from .records import Refused, ServerSettings

URLENCODED, MULTIPART = "application/x-www-form-urlencoded", "multipart/form-data"
_FIELDS = ("language", "code", "file", "group", "question")
_MOST_FIELDS = 256


class Form:
    """The known fields of a form; others are ignored.

    Text in a form is UTF-8; other text is read as Latin-1 (multipart) or with replacements. A file keeps its bytes.
    """

    def __init__(self, fields: dict[str, bytes], file_name: str) -> None:
        self.fields = fields
        self.file_name = file_name

    def text(self, name: str) -> str | None:
        """A field that is no program. Raises: Refused: it contains a zero byte or is not text."""
        try:
            text = self.fields[name].decode()
        except KeyError:
            return None
        except UnicodeDecodeError:
            raise _bad(f"{name} is not UTF-8") from None
        if "\0" in text:
            raise _bad(f"{name} contains a zero byte")
        return text


async def read_form(request: Request, settings: ServerSettings) -> Form:
    """The form in a request. Raises: Refused: it is none, a bad one, too large, too slow or breaks off."""
    kind = request.headers.get("content-type", "").split(";", 1)[0].strip().lower()
    if kind not in (URLENCODED, MULTIPART):
        raise Refused(415, "no_form", f"send a form: {MULTIPART} or {URLENCODED}")
    too_large = Refused(413, "too_large", f"a request may have at most {settings.request} bytes")
    length = request.headers.get("content-length", "")
    if length.isdigit() and int(length) > settings.request:
        raise too_large
    size = 0

    async def receive() -> Message:
        nonlocal size
        message = await request.receive()
        size += len(message.get("body", b""))
        if size > settings.request:
            raise too_large
        return message

    limited = Request(request.scope, receive)
    try:
        async with asyncio.timeout(settings.body_time):
            opened = limited.form(max_files=8, max_fields=_MOST_FIELDS, max_part_size=settings.request)
            async with opened as form:
                fields: dict[str, bytes] = {}
                file_name = ""
                for name, value in form.multi_items():
                    if name in fields:
                        raise _bad(f"the field {name} is given twice")
                    if isinstance(value, UploadFile) and name in _FIELDS:
                        fields[name] = await value.read()
                        file_name = value.filename or "" if name == "file" else file_name
                    elif isinstance(value, str) and name in _FIELDS:
                        fields[name] = value.encode("utf-8", "surrogatepass")
                return Form(fields, file_name)
    except TimeoutError:
        raise Refused(408, "too_slow", "the body of the request came too slowly") from None
    except ClientDisconnect:
        raise _bad("the connection broke off within the request") from None
    except HTTPException as error:
        raise _bad(error.detail) from None
    except ValueError as error:
        raise _bad(f"the form cannot be read: {error}") from None


def _bad(message: str) -> Refused:
    return Refused(400, "bad_form", message)
