"""Workers: threads that take submissions from the queue, judge them, and store each verdict exactly once."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
import time
import traceback
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping

import msgspec

from ...base.sanitize import terminal
from ..judgement import JudgeError, Judgement
from ..problems.problem import Problem
from ..submission import Submission
from .answers import SubmissionAnswer
from .records import ServerSettings, StoredSubmission
from .store import SubmissionStore

# What an author may see now; whether nothing will follow; when it changes without a notification (seconds since 1970).
Look = Callable[[], Awaitable[tuple[SubmissionAnswer, bool, float | None]]]
# Seconds of silence after which a comment shows that a stream lives, and between two looks for a change.
_BEAT, _TICK = 15.0, 0.05


class SubmissionChanges:
    """Counts changes; `count`: of all submissions together, and of the queue."""

    def __init__(self) -> None:
        self.count = 0
        self._of: Counter[int] = Counter()
        self._changed = threading.Condition()

    def notify(self, number: int | None = None) -> None:
        """A submission changed, or there is something to do. May be called from any thread."""
        with self._changed:
            self.count += 1
            if number is not None:
                self._of[number] += 1
            self._changed.notify_all()

    def wait(self, seen: int, seconds: float) -> int:
        """Wait for a change after the count `seen`, or for so many seconds; returns the count. Not for the loop."""
        with self._changed:
            self._changed.wait_for(lambda: self.count != seen, seconds)
            return self.count

    async def follow(self, number: int, look: Look, longest: float) -> AsyncIterator[bytes]:
        """Server-sent events of a submission: one now and one for each new status, until nothing more will be shown.

        `longest`: seconds after which the stream ends; the client may ask again.
        """
        last, end = None, time.monotonic() + longest
        while time.monotonic() < end:
            seen = self._of[number]
            shown, over, until = await look()
            if shown.status != last:
                last = shown.status
                yield b"event: status\ndata: " + msgspec.json.encode(shown) + b"\n\n"
            if over:
                return
            pause = _BEAT if until is None else min(_BEAT, max(0.0, until - time.time()))
            again = time.monotonic() + pause
            while self._of[number] == seen and time.monotonic() < again:
                await asyncio.sleep(min(_TICK, pause))
            if pause == _BEAT and self._of[number] == seen:
                yield b": still there\n\n"


# Judges a submission; ends early once the third argument returns true. Raises: JudgeError.
JudgeFunction = Callable[[Problem, Submission, Callable[[], bool]], Judgement]
# Seconds after which an idle worker looks again, should it have missed a call.
_IDLE = 1.0


class Workers:
    """The workers of a server."""

    def __init__(
        self,
        store: SubmissionStore,
        problems: Mapping[str, Problem],
        judge: JudgeFunction,
        settings: ServerSettings,
        changes: SubmissionChanges,
    ) -> None:
        self._store, self._problems, self._judge = store, problems, judge
        self._settings, self._changes = settings, changes
        self._stopping = threading.Event()
        # What is judged in vain, until its judging has ended.
        self._aborted: set[int] = set()
        self._threads: list[threading.Thread] = []

    def start(self, number: int) -> None:
        for n in range(number):
            thread = threading.Thread(target=self._work, name=f"rigor-judge-{n}", daemon=True)
            thread.start()
            self._threads.append(thread)

    def abort(self, number: int) -> None:
        """Let the judging of a submission end early; its verdict is not needed any more."""
        self._aborted.add(number)

    def stop(self, patience: float) -> None:
        """End all judging early and put it back into the queue."""
        self._stopping.set()
        self._changes.notify()
        until = time.monotonic() + patience
        for thread in self._threads:
            thread.join(max(0.0, until - time.monotonic()))

    def _work(self) -> None:
        while not self._stopping.is_set():
            seen, pause = self._changes.count, _IDLE
            try:
                entry = self._store.claim(list(self._problems))
                if entry is not None:
                    self._changes.notify(entry.id)
                    try:
                        # It may have been aborted meanwhile.
                        if self._store.running(entry.id):
                            self._one(entry)
                    finally:
                        self._aborted.discard(entry.id)
                        self._changes.notify(entry.id)
                    continue
                # Until the next attempt that is due, or until the next check.
                due = self._store.due(list(self._problems))
                pause = _IDLE if due is None else min(_IDLE, max(0.001, due - time.time()))
            except Exception as error:
                # For example a full disk: the queue stays as it is.
                log_error(error)
            if not self._stopping.is_set():
                self._changes.wait(seen, pause)

    def _one(self, entry: StoredSubmission) -> None:
        until = time.monotonic() + self._settings.longest

        def cancelled() -> bool:
            return self._stopping.is_set() or entry.id in self._aborted or time.monotonic() > until

        judgement: Judgement | None = None
        try:
            judgement = self._judge(self._problems[entry.problem], entry.submission, cancelled)
            error = ""
            if judgement.verdict == "judge_error":
                # Why the judge failed, for its owner.
                failed = (p for group in judgement.groups for p in group.points if p.verdict == "judge_error")
                reasons = (f"{point.id}: {point.details or point.message}" for point in failed)
                error = next(reasons, "; ".join(judgement.notes) or "the judge failed")
        except JudgeError as failure:
            error = str(failure)
        except Exception as failure:
            # A defect of the judge must not stop the queue; it is retried, and then reported to the owner.
            error = f"{type(failure).__name__}: {failure}"
        if self._stopping.is_set():
            # The judgement may be incomplete, because the server stops.
            self._store.release(entry.id)
            return
        if time.monotonic() > until:
            judgement, error = None, f"judging took more than {self._settings.longest:.0f} s"
        if not error and judgement is not None:
            # If it was aborted it is not running any more, and nothing is stored.
            self._store.finish(entry.id, judgement)
        else:
            final = entry.attempts + 1 >= self._settings.attempts
            pause = self._settings.retry_pause * 2**entry.attempts
            self._store.fail(entry.id, error, final=final, pause=pause, judgement=judgement)


def log_error(error: Exception) -> None:
    """A line on stderr for the judge's owner, about a failure that clients do not see."""
    if os.environ.get("RIGOR_DEBUG"):
        traceback.print_exception(error)
    else:
        text = f"judge: {type(error).__name__}: {error} (RIGOR_DEBUG=1 shows where)"
        sys.stderr.write(terminal(text, 500) + "\n")
