"""Work on many items in several processes, each of which may die: killed for its memory, a crash in a C library.

Every process has a pipe of its own and one item at a time, so a death affects that item only, and a half-written result
blocks no other process. An item whose process died is tried once more with nothing else running: if the process dies
again, the item is the cause, and not the memory that other items used.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from types import FrameType
from typing import Any, Generic, TypeVar

T = TypeVar("T")
R = TypeVar("R")

# Items and results in memory for each process: enough that one long item does not stop the others.
_AHEAD = 4
# Seconds that a stopped process has to clean up.
_GRACE = 3.0


class Died(Exception):
    """The process that worked on an item died. The text is ``killed by SIGSEGV``, ``exit status 1`` or similar."""


def in_processes(
    items: Iterator[T],
    work: Callable[[T], R],
    count: int,
    died: Callable[[T, Died], R],
    *,
    most: int | None = None,
) -> Iterator[R]:
    """Apply ``work`` to every item in several processes; the results in order.

    At most four items per process are in memory. Leaving early (Ctrl-C, a closed pipe) stops the processes. An
    exception of ``work`` is raised here when its turn comes.

    Args:
        died: Gives the result of an item whose process died twice.
        most: A process is replaced after so many items, which frees its memory; None: never.
    """
    crew = _Crew(work, count, died, most)
    finished = False
    try:
        yield from crew.run(items)
        finished = True
    finally:
        crew.close(finished)


class _Worker(Generic[T]):
    """A process and the item it works on: (number, item), None while idle."""

    def __init__(self, work: Callable[[T], Any]) -> None:
        self.pipe, end = multiprocessing.Pipe()
        self.process = multiprocessing.Process(target=_serve, args=(end, work))
        self.process.start()
        end.close()
        self.item: tuple[int, T] | None = None
        self.served = 0

    def give(self, number: int, item: T) -> None:
        self.item = number, item
        self.served += 1
        with suppress(OSError):  # it died idle: receiving will show that
            self.pipe.send((item,))

    def receive(self) -> tuple[bool, Any]:
        """(True, result) or (False, exception) of its item."""
        try:
            return self.pipe.recv()  # type: ignore[no-any-return]
        except (EOFError, OSError):
            self.process.join(_GRACE)
            raise Died(_how(self.process.exitcode)) from None


class _Crew(Generic[T, R]):
    def __init__(
        self, work: Callable[[T], R], count: int, died: Callable[[T, Died], R], most: int | None = None
    ) -> None:
        self.work, self.count, self.died, self.most = work, count, died, most
        self.workers: list[_Worker[T]] = []
        self.backlog: deque[tuple[int, T]] = deque()
        self.suspects: list[tuple[int, T]] = []
        self.answers: dict[int, tuple[bool, Any]] = {}

    def run(self, items: Iterator[T]) -> Iterator[R]:
        numbered = enumerate(items)
        more, due, taken = True, 0, 0
        while True:
            self.hand_out()
            if due in self.answers:
                good, value = self.answers.pop(due)
                due += 1
                if not good:
                    raise value
                yield value
                continue
            busy = [w for w in self.workers if w.item is not None]
            # Finding the next item takes time as well, so it is done while the processes work.
            room = more and taken - due < self.count * _AHEAD
            if busy and self.collect(busy, 0 if room else None):
                continue
            if room:
                found = next(numbered, None)
                more = found is not None
                if found is not None:
                    taken += 1
                    self.backlog.append(found)
            elif self.suspects and not busy:
                self.retry(*self.suspects.pop(0))
            elif not busy and not self.backlog:
                return

    def hand_out(self) -> None:
        """Give the waiting items to idle processes, unless a suspect waits for all of them to become idle."""
        while self.backlog and not self.suspects:
            worker = next((w for w in self.workers if w.item is None), None)
            if worker is not None and self.most is not None and worker.served >= self.most:
                self.retire(worker)
                worker = None
            if worker is None:
                if len(self.workers) == self.count:
                    return
                worker = _Worker(self.work)
                self.workers.append(worker)
            worker.give(*self.backlog.popleft())

    def collect(self, busy: list[_Worker[T]], timeout: float | None) -> bool:
        """Receive finished results, waiting ``timeout`` seconds for one (None: without limit)."""
        ready = wait([w.pipe for w in busy], timeout)
        for worker in busy:
            if worker.pipe in ready and worker.item is not None:
                number, item = worker.item
                try:
                    self.answers[number] = worker.receive()
                    worker.item = None
                except Died:
                    self.workers.remove(worker)
                    self.suspects.append((number, item))
        return bool(ready)

    def retry(self, number: int, item: T) -> None:
        worker = _Worker(self.work)
        self.workers.append(worker)
        worker.give(number, item)
        try:
            self.answers[number] = worker.receive()
            worker.item = None
        except Died as error:
            self.workers.remove(worker)
            self.answers[number] = True, self.died(item, error)

    def retire(self, worker: _Worker[T]) -> None:
        """End an idle process."""
        self.workers.remove(worker)
        with suppress(OSError):
            worker.pipe.send(())
        worker.process.join(_GRACE)
        worker.process.kill()
        worker.process.join()
        worker.pipe.close()

    def close(self, finished: bool) -> None:
        for worker in self.workers:
            if finished:
                with suppress(OSError):
                    worker.pipe.send(())
            else:
                worker.process.terminate()
        deadline = time.monotonic() + _GRACE
        for worker in self.workers:
            worker.process.join(max(0.0, deadline - time.monotonic()))
            worker.process.kill()
            worker.process.join()
            worker.pipe.close()


def _how(exit_code: int | None) -> str:
    if exit_code is None or exit_code >= 0:
        return f"exit status {exit_code}"
    try:
        return f"killed by {signal.Signals(-exit_code).name}"
    except ValueError:
        return f"killed by signal {-exit_code}"


# -- in the other process ---------------------------------------------------------------------------------------------


def _serve(pipe: Connection, work: Callable[[Any], Any]) -> None:
    # A handler and not SIG_IGN, which the programs that this process starts would inherit.
    signal.signal(signal.SIGINT, _leave)
    signal.signal(signal.SIGTERM, _leave)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    while order := pipe.recv():
        try:
            answer: tuple[bool, Any] = True, work(order[0])
        except Exception as error:
            error.add_note(f"in process {os.getpid()}:\n{traceback.format_exc()}")
            answer = False, error
        pipe.send(answer)


def _leave(number: int, frame: FrameType | None) -> None:
    # A second signal would interrupt the cleaning up after the first one: Ctrl-C is followed by the parent's SIGTERM.
    signal.signal(signal.SIGINT, _ignore)
    signal.signal(signal.SIGTERM, _ignore)
    sys.exit(1)


def _ignore(number: int, frame: FrameType | None) -> None:
    pass


def _end_with_parent() -> None:
    """End this process when the one that started it was killed, of which there is no signal."""
    if hasattr(signal, "pthread_sigmask"):
        # A signal to this thread would not wake the main one, and only that can handle it.
        signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT, signal.SIGTERM))
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
