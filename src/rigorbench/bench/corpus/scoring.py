"""Scores one log: what a worker does, on this machine or on another."""

from __future__ import annotations

import hashlib
import os
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import msgspec
from msgspec import Struct, field

from ...review.reader.ask import ReaderSpec
from .identity import Stamp, digest, stamp
from .schema import log_values, session_values

if TYPE_CHECKING:
    from ...review.reader.ask import Readers
    from ...session.task import Task

# How often a log is read if it changes while it is read.
_TRIES = 2


class CorpusOptions(Struct, frozen=True):
    """How logs are scored."""

    task: str | None = None
    """Absolute path of the task file; None: without."""
    reader: ReaderSpec | None = None
    """Who is asked to read the sessions; None: nobody."""

    @property
    def fingerprint(self) -> str:
        """A digest of the content that scores depend on."""
        known = b"-" if self.task is None or not os.path.exists(self.task) else digest(Path(self.task)).encode()
        who = b"" if self.reader is None else msgspec.json.encode(self.reader)
        return hashlib.sha256(known + who).hexdigest()[:16]


class Order(Struct):
    """A log to score. ``known``: the digest of the content whose score the tables already have. ``files``: further
    files of the log, relative to its directory."""

    path: str
    reader: str | None = None
    known: str | None = None
    files: list[str] = field(default_factory=list)


class LogOutcome(Struct):
    """``rows``: of scores or failures, with values in the order of the columns (none for "same": nothing changed)."""

    source: str
    kind: Literal["scores", "failures", "same"]
    rows: list[list[Any]] = field(default_factory=list)


class ScoringWork(Struct, frozen=True):
    """What is done to every log. ``fingerprint``: that of the options."""

    options: CorpusOptions
    fingerprint: str

    def __call__(self, order: Order) -> LogOutcome:
        """Scores a log; an error is an outcome as well."""
        from ...session.logfile import LogError

        seen: Stamp | None = None
        path = Path(order.path)
        try:
            seen = stamp(path)
            if order.known is not None and _digest(path, order.files) == order.known:
                return LogOutcome(order.path, "same")
            return self._score(order)
        except LogError as error:
            sha = _digest(path, [])
            # This content will fail again, unless it was still being written.
            whole = sha is not None and _unchanged(path, seen)
            return self.failed(
                order.path, str(error), lasting=whole, sha=sha if whole else None, seen=seen if sha else None
            )
        except OSError as error:
            text = f"{order.path}: cannot be read ({error.strerror}); check the path and its permissions"
        except MemoryError:
            text = f"{order.path}: too large for this machine's memory; split the log or score it elsewhere"
        except Exception as error:
            if os.environ.get("RIGOR_DEBUG"):
                raise
            text = (
                f"{order.path}: rigor failed on it ({type(error).__name__}: {' '.join(str(error).split())[:200]}); "
                "please report it (RIGOR_DEBUG=1 shows where)"
            )
        return self.failed(order.path, text, lasting=False)

    def _score(self, order: Order) -> LogOutcome:
        from ...session.logfile import LogFile
        from ...session.registry import read_log
        from ..rigorscore.reviewing import score_and_review

        path = Path(order.path)
        options = self.options
        task = _task(options.task, self.fingerprint)
        for attempt in range(_TRIES):
            log = LogFile(path, reader=order.reader)
            before = stamp(path)
            trajectories = read_log(log)
            # The other files of a log that is a file, relative to its directory.
            if log.is_directory or log.path is None:
                files = []
            else:
                files = sorted({os.path.relpath(p, log.path.parent) for p in log.siblings})
            seen, sha = stamp(path, files), digest(path, files)
            settled = before == stamp(path) and seen == stamp(path, files)
            if settled or attempt == _TRIES - 1:
                break
        name = task.id if task is not None else None
        readers = _readers(options.reader, self.fingerprint)
        reports = [score_and_review(trajectory, task=task, reader=readers) for trajectory in trajectories]
        # A log of which an answer is missing is not known yet: the next run asks again.
        known = settled and not any(report.unread for report in reports)
        when = None if settled and not known else seen if settled else before
        values = log_values(order.path, sha if known else None, when, files, self.fingerprint)
        rows = [[*values, *session_values(report, number, name)] for number, report in enumerate(reports)]
        return LogOutcome(order.path, "scores", rows)

    def failed(
        self, source: str, reason: str, *, lasting: bool, sha: str | None = None, seen: Stamp | None = None
    ) -> LogOutcome:
        """``lasting``: it would fail again, so it is not tried again while the log is unchanged."""
        values = log_values(source, sha, seen, [], self.fingerprint)
        return LogOutcome(source, "failures", [[*values, reason, lasting]])


def _digest(path: Path, files: list[str]) -> str | None:
    try:
        return digest(path, files)
    except OSError:
        return None  # one of its files is gone: the log has changed


def _unchanged(path: Path, seen: Stamp | None) -> bool:
    try:
        return stamp(path) == seen
    except OSError:
        return False


@lru_cache(maxsize=1)
def _readers(spec: ReaderSpec | None, _fingerprint: str) -> Readers | None:
    return None if spec is None else spec.open()


@lru_cache(maxsize=1)
def _task(path: str | None, _fingerprint: str) -> Task | None:
    from ...session.task import load_task

    return None if path is None else load_task(Path(path))
