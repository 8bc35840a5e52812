"""Workers: threads that take submissions from the queue, have them judged, and store the verdict, each exactly once."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from typing import Final

from ...problems.model import Problem
from ...problems.verdicts import Verdict
from ..model import JudgeError, Judgement
from ..submission import Submission
from .log import tell
from .model import Entry, Settings
from .store import Store

# Judges a submission; ends early once the third argument says so. Raises: JudgeError.
JudgeFunction = Callable[[Problem, Submission, Callable[[], bool]], Judgement]
# Verdict of a judgement in which the judge failed.
_FAILED: Final[Verdict] = "judge_error"
# How often a worker without work looks whether another's lease ran out.
_IDLE = 1.0


class Workers:
    """``changed`` is called, by any thread, with the number of a submission that got on."""

    def __init__(
        self,
        store: Store,
        problems: Mapping[str, Problem],
        judge: JudgeFunction,
        settings: Settings,
        changed: Callable[[int], None],
    ) -> None:
        self._store, self._problems, self._judge = store, problems, judge
        self._settings, self._changed = settings, changed
        self._wake = threading.Condition()
        self._news = 0
        self._stopping = threading.Event()
        self._aborted: set[int] = set()
        self._running: set[int] = set()
        self._threads: list[threading.Thread] = []

    def start(self, number: int) -> None:
        for n in range(number):
            thread = threading.Thread(target=self._work, name=f"rigor-judge-{n}", daemon=True)
            thread.start()
            self._threads.append(thread)

    def wake(self) -> None:
        """There is something to do."""
        with self._wake:
            self._news += 1
            self._wake.notify()

    def abort(self, number: int) -> None:
        """Let the judging of a submission end early; its verdict is not wanted any more."""
        with self._wake:
            if number in self._running:
                self._aborted.add(number)

    def stop(self, patience: float) -> bool:
        """Let all judging end early and put back what was under way. False: some thread has not ended by then."""
        self._stopping.set()
        with self._wake:
            self._wake.notify_all()
        until = time.monotonic() + patience
        for thread in self._threads:
            thread.join(max(0.0, until - time.monotonic()))
        return not any(thread.is_alive() for thread in self._threads)

    def _work(self) -> None:
        while not self._stopping.is_set():
            seen, pause = self._news, _IDLE
            try:
                found = self._next()
                if found is not None:
                    self._attend(*found)
                    continue
                pause = self._pause()
            except Exception as error:
                # A full disk and the like: what is queued stays queued, and a lease runs out.
                tell(error)
            with self._wake:
                if self._news == seen and not self._stopping.is_set():
                    self._wake.wait(pause)

    def _pause(self) -> float:
        """Seconds until there may be something to do by itself: an attempt that is to be repeated falls due."""
        due = self._store.due(list(self._problems))
        return _IDLE if due is None else min(_IDLE, max(0.001, due - time.time()))

    def _next(self) -> tuple[Entry, str] | None:
        for number in self._store.expire():
            self._changed(number)
        # The lease outlasts the attempt: only a worker that hangs loses it.
        return self._store.claim(list(self._problems), seconds=self._settings.longest + 60)

    def _attend(self, entry: Entry, lease: str) -> None:
        with self._wake:
            self._running.add(entry.id)
        try:
            self._changed(entry.id)
            # Taken back before it was noted as running: nobody told it to end.
            if self._store.holds(entry.id, lease):
                self._one(entry, lease)
        finally:
            with self._wake:
                self._running.discard(entry.id)
                self._aborted.discard(entry.id)
            self._changed(entry.id)

    def _one(self, entry: Entry, lease: str) -> None:
        until = time.monotonic() + self._settings.longest

        def cancelled() -> bool:
            return self._stopping.is_set() or entry.id in self._aborted or time.monotonic() > until

        judgement: Judgement | None = None
        try:
            judgement = self._judge(self._problems[entry.problem], entry.submission, cancelled)
            error = _reason(judgement) if judgement.verdict == _FAILED else None
        except JudgeError as failure:
            error = str(failure)
        except Exception as failure:
            # A defect of ours must not stop the queue; it is retried, and then told to the judge's owner.
            error = f"{type(failure).__name__}: {failure}"
        if self._stopping.is_set():
            # It may be a part only, cut off since we stop.
            self._store.release(entry.id, lease)
        elif time.monotonic() > until:
            self._fail(entry, lease, f"judging took more than {self._settings.longest:.0f} s", None)
        elif error is None and judgement is not None:
            # Of an aborted one the lease is gone, and nothing is stored.
            self._store.finish(entry.id, lease, judgement)
        else:
            self._fail(entry, lease, error or "", judgement)

    def _fail(self, entry: Entry, lease: str, error: str, judgement: Judgement | None) -> None:
        final = entry.attempts + 1 >= self._settings.attempts
        pause = self._settings.retry_pause * 2**entry.attempts
        self._store.fail(entry.id, lease, error, final=final, pause=pause, judgement=judgement)


def _reason(judgement: Judgement) -> str:
    """What went wrong, for the judge's owner."""
    for group in judgement.groups:
        for point in group.points:
            if point.verdict == _FAILED:
                return f"{point.id}: {point.details or point.message}"
    return "; ".join(judgement.notes) or "the judge failed"
