"""Sessions by their number in the last list: ``rigor score 3``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from ..base.files import read_json, replace_file
from ..session.logfile import LogError, LogFile
from ..session.registry import read_log
from .common import UsageError, message

if TYPE_CHECKING:
    from ..session.model import Trajectory

_FILE = "last-list.json"


class Pick(Struct):
    """A session of the last list: the path of its log, its id in it, and its title."""

    path: str
    id: str
    title: str


def keep(picks: Sequence[Pick]) -> bool:
    """Remembers a list, as the one that numbers mean from now on. False: it could not be written, which is said."""
    from .rows import cached_directory

    path = cached_directory() / _FILE
    try:
        replace_file(path, msgspec.json.encode(list(picks)), 0o600)
    except OSError as error:
        message(f"{path}: cannot be written ({error.strerror}); the numbers of this list stand for nothing")
        return False
    return True


def picked(paths: Sequence[str]) -> tuple[list[str], dict[str, list[str]]]:
    """Paths with the numbers among them resolved, and for each log of these the ids of its sessions that are meant.

    A number is one only where no file has that name. Says on stderr what each number means.

    Raises:
        Usage: there is no list, it has no such number, or the log is gone.
    """
    resolved: list[str] = []
    wanted: dict[str, list[str]] = {}
    for path in paths:
        pick = _pick(path) if path.isascii() and path.isdigit() and not Path(path).exists() else None
        if pick is None:
            resolved.append(path)
            continue
        message(f"{path}: {pick.title} ({pick.path})")
        if pick.path not in resolved:
            resolved.append(pick.path)
        wanted.setdefault(pick.path, []).append(pick.id)
    return resolved, wanted


def _pick(number: str) -> Pick:
    from .rows import cached_directory

    path = cached_directory() / _FILE
    picks = read_json(path, list[Pick])
    if picks is None:
        raise UsageError(f"{number}: no such file, and there is no list of sessions yet; `rigor sessions` makes one")
    if not 1 <= int(number) <= len(picks):
        have = f"numbers 1 to {len(picks)}" if picks else "no session"
        raise UsageError(f"{number}: the last list has {have}; `rigor sessions --limit N` lists more")
    pick = picks[int(number) - 1]
    if not Path(pick.path).exists():
        raise UsageError(f"{number}: {pick.path} is gone; run `rigor sessions` again")
    return pick


def chosen_sessions(log: LogFile, ids: Sequence[str] | None) -> list[Trajectory]:
    """The sessions of a log that are meant; ``ids`` None: all. Raises: LogError."""
    found = read_log(log)
    if ids is None:
        return found
    kept = [trajectory for trajectory in found if trajectory.id in ids]
    if not kept:
        raise LogError(found[0].source.file, f"has no session {ids[0]} any more; run `rigor sessions` again")
    return kept
