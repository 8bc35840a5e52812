"""A votes directory: every vote, and the panel that was asked. Scores need nothing else.

``votes.jsonl`` contains the votes, ``panel.json`` the seats without keys, ``spending.jsonl`` what was reserved and
spent.
"""

from __future__ import annotations

import contextlib
import os
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from ..base.files import write_json
from ..base.jsonl import Lines
from .model import VOTE_SCHEMA, Vote
from .rubrics import RUBRICS

PANEL_SCHEMA = "rigor-panel/1"
T = TypeVar("T")


class StoreError(ValueError):
    """A votes directory that cannot be used. One line that names the file and the remedy."""


class SeatRecord(Struct, omit_defaults=True):
    """A seat with the settings it was asked with. ``judge`` as in :class:`~rigorbench.panel.model.Vote`."""

    name: str
    model: str
    judge: str
    base_url: str | None = None
    settings: dict[str, Any] = {}
    price: dict[str, float] | None = None


class PanelRecord(Struct):
    """The panel whose votes count: ``panel.json``. ``quorum``: how many valid votes make a verdict."""

    schema: str
    seats: list[SeatRecord]
    quorum: int
    prompt_version: int


class VoteStore:
    """The votes in a directory, which is created by the first write; a missing one is empty.

    Several processes may add votes at once. A vote counts if its judge, with these settings, is on the panel of
    ``panel.json`` (if there is one). Reading raises :class:`StoreError` if a file exists and cannot be read.
    """

    def __init__(self, directory: str | os.PathLike[str]) -> None:
        self.directory = Path(directory)
        self._votes = _Votes(self.directory / "votes.jsonl")
        self._panel_stamp: tuple[int, int, int] | None = None
        self._panel_read: tuple[PanelRecord | None, str | None] = None, None

    def find(self, case: str, rubric: str, *, counting: bool = True) -> list[Vote]:
        """The votes on a case, by the digests of case and rubric, in the order of the seats; failed ones are left out.

        ``counting``: only those that count.
        """
        found = self.on(case, rubric)
        if counting:
            found = [vote for vote in found if self.counts(vote)]
        order = self._order()
        last = len(order)
        return sorted(found, key=lambda vote: (order.get((vote.model, vote.judge), last), vote.model, vote.key))

    def on(self, case: str, rubric: str) -> list[Vote]:
        """All votes on a case that did not fail, in the order of their arrival, whether they count or not."""
        return [vote for vote in self._votes.on(case, rubric) if vote.status == "voted"]

    def counts(self, vote: Vote) -> bool:
        seated = self.panel() is None or (vote.model, vote.judge) in self._order()
        return vote.status == "voted" and seated

    def add(self, vote: Vote) -> None:
        """Store a vote. It is on disk when this returns.

        Raises:
            StoreError: the directory cannot be written.
        """
        with _writing(self.directory):
            self._votes.lines.append(vote)

    def all(self, *, counting: bool = False) -> list[Vote]:
        """One vote per key, in the order in which their keys first came. Failed ones are included unless only
        ``counting`` ones are requested."""
        return [vote for vote in self._votes.all() if not counting or self.counts(vote)]

    def by_key(self, key: str) -> Vote | None:
        return self._votes.get(key)

    def answered(self, key: str) -> Vote | None:
        """The vote of this key, unless it failed; if there is one, the judge is not asked again."""
        vote = self._votes.get(key)
        return vote if vote is not None and vote.status == "voted" else None

    def panel(self) -> PanelRecord | None:
        """The panel that was asked last; None if none was, or if its file cannot be read (see :attr:`damaged`)."""
        return self._panel()[0]

    def write_panel(self, panel: PanelRecord) -> None:
        """Raises: StoreError when the directory cannot be written."""
        with _writing(self.directory):
            self.directory.mkdir(parents=True, exist_ok=True)
            if self.panel() != panel:
                write_json(self.directory / "panel.json", panel)

    @property
    def damaged(self) -> list[str]:
        """What cannot be read in the directory, one line each."""
        problem = self._panel()[1]
        return [*self._votes.damaged(), *([problem] if problem else [])]

    def _order(self) -> dict[tuple[str, str], int]:
        panel = self.panel()
        return {} if panel is None else {(seat.model, seat.judge): n for n, seat in enumerate(panel.seats)}

    def _panel(self) -> tuple[PanelRecord | None, str | None]:
        path = self.directory / "panel.json"
        try:
            found = os.stat(path)
            stamp = (found.st_mtime_ns, found.st_size, found.st_ino)
            if self._panel_stamp != stamp:
                self._panel_read = _read_panel(path)
                self._panel_stamp = stamp
            return self._panel_read
        except FileNotFoundError:
            return None, None
        except OSError as error:
            return None, f"{path}: {error.strerror}"


class _Votes:
    """One file of votes, by key and by case. If a key occurs twice (two processes asked at once), the earliest vote
    that did not fail counts, of equal ones the smallest as bytes, whatever their order in the file."""

    def __init__(self, path: Path) -> None:
        self.lines = Lines(path, Vote)
        self._generation, self._seen = -1, 0

    def _fresh(self) -> None:
        records = _read(self.lines)
        if self._generation != self.lines.generation or self._seen > len(records):
            self._generation, self._seen = self.lines.generation, 0
            self._by_key: dict[str, Vote] = {}
            self._by_case: defaultdict[tuple[str, str], dict[str, None]] = defaultdict(dict)
        for vote in records[self._seen :]:
            if vote.schema == VOTE_SCHEMA and vote.kind in RUBRICS:
                key = vote.key
                known = self._by_key.get(key)
                if known is None or _rank(vote) < _rank(known):
                    self._by_key[key] = vote
                self._by_case[vote.case, vote.rubric][key] = None
        self._seen = len(records)

    def get(self, key: str) -> Vote | None:
        self._fresh()
        return self._by_key.get(key)

    def on(self, case: str, rubric: str) -> list[Vote]:
        self._fresh()
        return [self._by_key[key] for key in self._by_case.get((case, rubric), ())]

    def all(self) -> list[Vote]:
        self._fresh()
        return list(self._by_key.values())

    def damaged(self) -> list[str]:
        self._fresh()
        foreign = {vote.schema for vote in self.lines.records() if vote.schema != VOTE_SCHEMA}
        unknown = {vote.kind for vote in self.lines.records()} - RUBRICS.keys()
        return [
            *self.lines.damaged,
            *(
                f"{self.lines.path}: votes on the kind {kind[:40]!r} are not read by this version"
                for kind in sorted(unknown)
            ),
            *(f"{self.lines.path}: votes of schema {s[:40]!r} are not read by this version" for s in sorted(foreign)),
        ]


def _rank(vote: Vote) -> tuple[bool, float, bytes]:
    time = vote.time if vote.time is not None else float("inf")
    # The last failure is the one to show; the first vote is the one that counted.
    return (vote.status != "voted", time if vote.status == "voted" else -time, msgspec.json.encode(vote))


def _read_panel(path: Path) -> tuple[PanelRecord | None, str | None]:
    try:
        panel = msgspec.json.decode(path.read_bytes(), type=PanelRecord)
    except (msgspec.DecodeError, RecursionError) as error:
        return None, f"{path}: damaged ({error}); `rigor panel ask` writes it again"
    if panel.schema != PANEL_SCHEMA:
        return None, f"{path}: schema {panel.schema[:40]!r}, this version reads {PANEL_SCHEMA!r}"
    return panel, None


def _read(lines: Lines[T]) -> list[T]:
    try:
        return lines.records()
    except OSError as error:
        raise StoreError(f"{lines.path}: cannot be read ({error.strerror})") from None


@contextlib.contextmanager
def _writing(directory: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StoreError(f"{directory}: votes cannot be written ({error.strerror})") from None
