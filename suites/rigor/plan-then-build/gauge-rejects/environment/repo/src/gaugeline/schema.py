"""The fields of a reading: how each is read and written. Described in docs/format.md."""

from __future__ import annotations

import datetime
import json
import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .errors import Reject

Reading = dict[str, Any]
UNITS = ("m", "cm", "ft")
_STATION = re.compile(r"[A-Z0-9]+(?:-[A-Z0-9]+)*")
_REQUIRED = object()


def time_text(time: datetime.datetime) -> str:
    """A time as it is written everywhere."""
    return time.astimezone(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def parse_time(value: Any) -> datetime.datetime:
    """A time with an offset, in UTC and to the second.

    Raises:
        ValueError: it is none.
    """
    time = datetime.datetime.fromisoformat(value) if isinstance(value, str) else None
    if time is None or time.tzinfo is None:
        raise ValueError("no time with an offset")
    return time.astimezone(datetime.UTC).replace(microsecond=0)


def _station(value: Any) -> str:
    if not isinstance(value, str) or not _STATION.fullmatch(value):
        raise ValueError("no name of a station")
    return value


def _level(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError("no number")
    return float(value)


def _unit(value: Any) -> str:
    if value not in UNITS:
        raise ValueError(f"none of {', '.join(UNITS)}")
    return str(value)


def _flags(value: Any) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(flag, str) for flag in value):
        raise ValueError("no list of words")
    return list(value)


@dataclass(frozen=True)
class Field:
    """``parse`` raises ValueError; ``write`` gives what stands in JSON."""

    name: str
    parse: Callable[[Any], Any]
    default: Any = _REQUIRED
    write: Callable[[Any], Any] = lambda value: value


FIELDS = (
    Field("station", _station),
    Field("time", parse_time, write=time_text),
    Field("level", _level),
    Field("unit", _unit, "m"),
    Field("flags", _flags, []),
)


def parse_line(line: bytes) -> Reading:
    """The reading on a line.

    Raises:
        Reject: there is none, or it is not as it should be.
    """
    try:
        document = json.loads(line.decode("utf-8"))
    except ValueError:
        raise Reject("json", "the line is no JSON") from None
    if not isinstance(document, dict):
        raise Reject("json", "the line is no object")
    unknown = sorted(set(document) - {field.name for field in FIELDS})
    if unknown:
        raise Reject("unknown", unknown[0])
    reading = {}
    for field in FIELDS:
        if field.name not in document:
            if field.default is _REQUIRED:
                raise Reject("missing", field.name)
            reading[field.name] = field.parse(field.default)
            continue
        try:
            reading[field.name] = field.parse(document[field.name])
        except ValueError as error:
            raise Reject("value", f"{field.name}: {error}") from None
    return reading


def format_line(reading: Reading) -> bytes:
    """A reading as a line, without the fields that have their default value."""
    shown = {field.name: field.write(reading[field.name]) for field in FIELDS if reading[field.name] != field.default}
    return json.dumps(shown, ensure_ascii=False).encode("utf-8") + b"\n"
