"""Carries the words of a program to an interactor and back, and sees who ended first and whether both wait.

Each side has pipes of its own, so that neither can do anything to the other's ends. What the relay has not passed on
the other side cannot know: "ended first" is therefore exact, not a matter of clocks.
"""

from __future__ import annotations

import fcntl
import os
import select
import termios
import time
from array import array
from collections import deque
from collections.abc import Callable, Iterable
from typing import Final, Literal

Side = Literal["program", "interactor"]

_CHUNK: Final = 64 << 10
# Of a transcript, at each end.
_KEPT: Final = 4 << 10
_TICK: Final = 0.25


class _Party:
    """One side: what it says (``heard``, our end for reading) and what it is told (``told``, for writing)."""

    def __init__(self, name: Side) -> None:
        self.name: Side = name
        # Its own ends, which it is started with.
        self.stdin, told = os.pipe()
        heard, self.stdout = os.pipe()
        os.set_blocking(told, False)
        os.set_blocking(heard, False)
        self.told: int | None = told
        self.heard: int | None = heard
        self.said = 0
        self.pending = b""
        # Its standard input has no reader any more.
        self.deaf = False
        # Nothing of it is left.
        self.over = False
        # Since when it says no more.
        self.silent: float | None = None

    @property
    def ended(self) -> bool:
        return self.heard is None and (self.deaf or self.over)

    def close_ours(self) -> None:
        for descriptor in (self.told, self.heard):
            if descriptor is not None:
                os.close(descriptor)
        self.told = self.heard = None

    def close_theirs(self) -> None:
        for descriptor in (self.stdin, self.stdout):
            if descriptor >= 0:
                os.close(descriptor)
        self.stdin = self.stdout = -1

    def no_reader(self) -> None:
        self.deaf = True
        self.stop_telling()

    def stop_telling(self) -> None:
        if self.told is not None:
            os.close(self.told)
            self.told = None


class Relay:
    """``limits``: bytes that each side may say; ``idle``: seconds in which nothing moves before ``waiting`` is asked
    whether both only wait. ``stop`` is called, with the reason, once; :meth:`run` goes on until :meth:`over` was called
    for both sides.

    ``first``: who ended first, None: neither. The program by ending its output before the interactor was gone; the
    interactor by being gone.
    """

    def __init__(
        self,
        limits: dict[Side, int],
        idle: float,
        waiting: Callable[[], bool],
        stop: Callable[[Literal["idle"] | Side], None],
    ) -> None:
        self.program = _Party("program")
        self.interactor = _Party("interactor")
        self.first: Side | None = None
        self.stopped: Literal["idle"] | Side | None = None
        self._limits = limits
        self.idle = idle
        self._waiting = waiting
        self._stop = stop
        self._flooding: Side | None = None
        self._begin: list[tuple[Side, bytes]] = []
        self._end: deque[tuple[Side, bytes]] = deque()
        self._begin_size = 0
        self._end_size = 0
        self._cut = False
        self._wake_read, self._wake_write = os.pipe()

    def run(self) -> None:
        sides = (self.program, self.interactor)
        moved = time.monotonic()
        while not all(side.over for side in sides):
            events = self._wait(sides)
            progress = False
            for side, other in (sides, sides[::-1]):
                progress |= self._pass_on(side, other, events)
            if self.first is None:
                # The program is looked at first: where both ended at the same time, neither knew of the other's end.
                if self.program.heard is None:
                    self.first = "program"
                elif self.interactor.ended:
                    self.first = "interactor"
            now = time.monotonic()
            if progress:
                moved = now
            elif self._flooding is not None and not events and self._drained():
                self._end_it(self._flooding)
            elif now - moved > self.idle:
                if self._waiting():
                    self._end_it(self._flooding or "idle")
                moved = now

    def _wait(self, sides: tuple[_Party, _Party]) -> dict[int, int]:
        poll = select.poll()
        poll.register(self._wake_read, select.POLLIN)
        for side, other in (sides, sides[::-1]):
            if side.heard is not None and not side.pending and self._flooding != side.name:
                poll.register(side.heard, select.POLLIN)
            if other.told is not None:
                # An error is reported whatever was asked for: it tells that nobody reads there.
                poll.register(other.told, select.POLLOUT if side.pending else 0)
        events = dict(poll.poll(_TICK * 1000))
        if self._wake_read in events:
            os.read(self._wake_read, 2)
        return events

    def _pass_on(self, side: _Party, other: _Party, events: dict[int, int]) -> bool:
        progress = False
        if other.told is not None and events.get(other.told, 0) & select.POLLERR:
            other.no_reader()
            progress = True
        if side.heard is not None and not side.pending and events.get(side.heard, 0):
            progress = True
            said = _read(side.heard)
            if said:
                self._note(side.name, said)
                # Once the other has ended nobody is bothered by it any more, and how much of it comes before the
                # speaker is ended, too, is a matter of chance: it counts for nothing.
                if not other.ended:
                    side.said += len(said)
                if side.said > self._limits[side.name]:
                    # Not at once: the other may just be about to end, and then that counts.
                    self._flooding = side.name
                # What nobody will read is dropped, and the speaker goes on: it is not killed by a broken pipe.
                side.pending = b"" if other.told is None else said
            elif said is not None:
                os.close(side.heard)
                side.heard = None
        if side.pending:
            if other.told is None:
                side.pending = b""
            else:
                try:
                    count = os.write(other.told, side.pending)
                    side.pending = side.pending[count:]
                    progress = True
                except BlockingIOError:
                    pass
                except BrokenPipeError:
                    side.pending = b""
                    other.no_reader()
        if other.ended and self._flooding == side.name:
            self._flooding = None
        if side.heard is None and not side.pending and not self._held_back(side):
            other.stop_telling()
        return progress

    def _drained(self) -> bool:
        """Whoever is flooded has read all of it, and waits for more. (One who is about to end does not read.)"""
        side, other = self.program, self.interactor
        if self._flooding == "interactor":
            side, other = other, side
        if side.pending or other.told is None:
            return False
        left = array("i", [0])
        fcntl.ioctl(other.told, termios.FIONREAD, left)
        return left[0] == 0

    def _held_back(self, side: _Party) -> bool:
        """The interactor ended its output. If it is about to end as a whole, that comes first, and the program hears
        of it only then: the kernel closes a process's pipes one after the other, and may take a break in between."""
        if side.name == "program" or side.ended:
            return False
        if side.silent is None:
            side.silent = time.monotonic()
        return time.monotonic() - side.silent < _TICK

    def _end_it(self, reason: Literal["idle"] | Side) -> None:
        if self.stopped is None:
            self.stopped = reason
            self._stop(reason)

    def over(self, name: Side) -> None:
        """From another thread: this side is gone."""
        (self.program if name == "program" else self.interactor).over = True
        os.write(self._wake_write, b"x")

    def close(self) -> None:
        for side in (self.program, self.interactor):
            side.close_ours()
            side.close_theirs()
        os.close(self._wake_read)
        os.close(self._wake_write)

    def _note(self, name: Side, data: bytes) -> None:
        begin = data[: _KEPT - self._begin_size]
        if begin:
            self._begin.append((name, begin))
            self._begin_size += len(begin)
            data = data[len(begin) :]
        if not data:
            return
        self._end.append((name, data[-_KEPT:]))
        self._end_size += len(self._end[-1][1])
        self._cut |= len(data) > _KEPT
        while self._end_size - len(self._end[0][1]) >= _KEPT:
            self._end_size -= len(self._end.popleft()[1])
            self._cut = True

    def transcript(self) -> str:
        """The beginning and the end of what was said: ``>`` marks the program's lines, ``<`` the interactor's."""
        lines = _lines(self._begin)
        if self._cut:
            lines.append("...")
        return "\n".join([*lines, *_lines(self._end)])


def _read(descriptor: int) -> bytes | None:
    try:
        return os.read(descriptor, _CHUNK)
    except BlockingIOError:
        return None


def _lines(said: Iterable[tuple[Side, bytes]]) -> list[str]:
    lines: list[str] = []
    speaker: Side | None = None
    whole = True
    for name, data in said:
        for number, line in enumerate(data.decode(errors="replace").splitlines()):
            if number == 0 and name == speaker and not whole:
                lines[-1] += line
            else:
                lines.append(("> " if name == "program" else "< ") + line)
        whole = data.endswith(b"\n")
        speaker = name
    return lines
