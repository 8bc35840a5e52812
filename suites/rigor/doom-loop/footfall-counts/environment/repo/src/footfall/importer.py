"""Imports logs into a store."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from .events import Log
from .logs import read_log
from .store import Store

WORKERS = 4


@dataclass(frozen=True)
class Imported:
    """What became of the events of a log."""

    log: str
    events: int
    new: int

    def __str__(self) -> str:
        sent_before = f", {self.events - self.new} sent before" if self.new < self.events else ""
        return f"{self.log}: {self.events} events, {self.new} new{sent_before}"


def import_logs(store: Store, paths: Sequence[Path]) -> list[Imported]:
    """Import logs, in the order in which they are given; the store is saved if all of them can be read.

    Raises:
        FootfallError: a log cannot be used; nothing is imported then.
    """
    # The logs come over a slow line: they are read side by side, and counted one after the other.
    with ThreadPoolExecutor(WORKERS) as pool:
        logs = list(pool.map(read_log, paths))
    done = [_take(store, log) for log in logs]
    store.save()
    return done


def _take(store: Store, log: Log) -> Imported:
    new = 0
    for event in log.events:
        if store.seen.add(event):
            store.counts.add(event, log.offset)
            new += 1
    return Imported(log.name, len(log.events), new)
