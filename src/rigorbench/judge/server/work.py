"""Workers: threads that take submissions from the queue, judge them, and store each verdict exactly once."""

from __future__ import annotations

import os
import sys
import threading
import time
import traceback
from collections.abc import Callable, Mapping
from typing import Final

from ...base.sanitize import terminal
from ..judgement import JudgeError, Judgement
from ..problems.problem import Problem
from ..problems.verdicts import Verdict
from ..submission import Submission
from .records import ServerSettings, StoredSubmission
from .store import SubmissionStore

# Judges a submission; ends early once the third argument returns true. Raises: JudgeError.
JudgeFunction = Callable[[Problem, Submission, Callable[[], bool]], Judgement]
# Verdict of a judgement in which the judge failed.
_FAILED: Final[Verdict] = "judge_error"
# Seconds after which an idle worker looks again, should it have missed a call.
_IDLE = 1.0


class Workers:
    """The workers of a server; `changed` is called from any thread with the number of a submission that changed."""

    def __init__(
        self,
        store: SubmissionStore,
        problems: Mapping[str, Problem],
        judge: JudgeFunction,
        settings: ServerSettings,
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
        """Wake a worker: there is something to do."""
        with self._wake:
            self._news += 1
            self._wake.notify()

    def abort(self, number: int) -> None:
        """Let the judging of a submission end early; its verdict is not needed any more."""
        with self._wake:
            if number in self._running:
                self._aborted.add(number)

    def stop(self, patience: float) -> None:
        """End all judging early and put it back into the queue."""
        self._stopping.set()
        with self._wake:
            self._wake.notify_all()
        until = time.monotonic() + patience
        for thread in self._threads:
            thread.join(max(0.0, until - time.monotonic()))

    def _work(self) -> None:
        while not self._stopping.is_set():
            seen, pause = self._news, _IDLE
            try:
                entry = self._store.claim(list(self._problems))
                if entry is not None:
                    with self._wake:
                        self._running.add(entry.id)
                    try:
                        self._changed(entry.id)
                        # It may have been aborted before `_running` told of it.
                        if self._store.running(entry.id):
                            self._one(entry)
                    finally:
                        with self._wake:
                            self._running.discard(entry.id)
                            self._aborted.discard(entry.id)
                        self._changed(entry.id)
                    continue
                # Until the next attempt that is due, or until the next check.
                due = self._store.due(list(self._problems))
                pause = _IDLE if due is None else min(_IDLE, max(0.001, due - time.time()))
            except Exception as error:
                # For example a full disk: the queue stays as it is.
                log_error(error)
            with self._wake:
                if self._news == seen and not self._stopping.is_set():
                    self._wake.wait(pause)

    def _one(self, entry: StoredSubmission) -> None:
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
            # A defect of the judge must not stop the queue; it is retried, and then reported to the owner.
            error = f"{type(failure).__name__}: {failure}"
        if self._stopping.is_set():
            # The judgement may be incomplete, because the server stops.
            self._store.release(entry.id)
        elif time.monotonic() > until:
            self._fail(entry, f"judging took more than {self._settings.longest:.0f} s", None)
        elif error is None and judgement is not None:
            # If it was aborted it is not running any more, and nothing is stored.
            self._store.finish(entry.id, judgement)
        else:
            self._fail(entry, error or "", judgement)

    def _fail(self, entry: StoredSubmission, error: str, judgement: Judgement | None) -> None:
        final = entry.attempts + 1 >= self._settings.attempts
        pause = self._settings.retry_pause * 2**entry.attempts
        self._store.fail(entry.id, error, final=final, pause=pause, judgement=judgement)


def _reason(judgement: Judgement) -> str:
    """Why the judge failed, for its owner."""
    for group in judgement.groups:
        for point in group.points:
            if point.verdict == _FAILED:
                return f"{point.id}: {point.details or point.message}"
    return "; ".join(judgement.notes) or "the judge failed"


def log_error(error: Exception) -> None:
    """A line on stderr for the judge's owner, about a failure that clients do not see."""
    if os.environ.get("RIGOR_DEBUG"):
        traceback.print_exception(error)
    else:
        text = f"judge: {type(error).__name__}: {error} (RIGOR_DEBUG=1 shows where)"
        sys.stderr.write(terminal(text, 500) + "\n")
