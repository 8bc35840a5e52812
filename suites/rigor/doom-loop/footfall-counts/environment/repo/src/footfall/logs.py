"""Reads the log of a gate."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

from .errors import FootfallError
from .events import Event, Log

MOST = 2**32 - 1
_OFFSET = re.compile(r"([+-])(\d\d):(\d\d)")
_GATE = re.compile(r"[A-Za-z0-9./-]+")
_EVENT = re.compile(r"(\d+) (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ) (in|out)")


def read_log(path: Path) -> Log:
    """Read a whole log.

    Raises:
        FootfallError: it is missing, cut off, or has a line that is none of a log.
    """
    try:
        lines = path.read_text(encoding="ascii").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise FootfallError(f"{path.name}: {getattr(error, 'strerror', None) or 'is no text'}") from None
    head: dict[str, str] = {}
    events: list[Event] = []
    for number, line in enumerate(lines, 1):
        if line.startswith("#"):
            key, _, value = line[1:].partition(" ")
            head[key] = value
        else:
            events.append(_event(f"{path.name}:{number}", line, head))
    if head.get("end") != str(len(events)):
        raise FootfallError(f"{path.name}: {len(events)} events, but #end says {head.get('end', 'nothing')}")
    return Log(path.name, _gate(path.name, head), _offset(path.name, head), tuple(events))


def _event(place: str, line: str, head: dict[str, str]) -> Event:
    match = _EVENT.fullmatch(line)
    if match is None:
        raise FootfallError(f"{place}: {line!r} is no event")
    if int(match[1]) > MOST:
        raise FootfallError(f"{place}: {match[1]} is more than a gate can count")
    try:
        time = datetime.strptime(match[2], "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
    except ValueError:
        raise FootfallError(f"{place}: {match[2]} is no time") from None
    return Event(_gate(place, head), int(match[1]), time, match[3])


def _gate(place: str, head: dict[str, str]) -> str:
    if not _GATE.fullmatch(head.get("gate", "")):
        raise FootfallError(f"{place}: #gate with the name of the gate is missing")
    return head["gate"]


def _offset(place: str, head: dict[str, str]) -> timedelta:
    match = _OFFSET.fullmatch(head.get("offset", ""))
    if match is None:
        raise FootfallError(f"{place}: #offset such as +02:00 is missing")
    found = timedelta(hours=int(match[2]), minutes=int(match[3]))
    return -found if match[1] == "-" else found
