"""Workers: threads that take submissions from the queue, judge them, and store each verdict exactly once."""

from __future__ import annotations

import os
import sys
import threading
import time
import traceback
from collections.abc import Callable, Mapping

from ...base.sanitize import terminal
from ..judgement import JudgeError, Judgement
from ..problems.problem import Problem
from ..submission import Submission
from .events import SubmissionChanges
from .records import ServerSettings, StoredSubmission
from .store import SubmissionStore

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
