"""The two files of the timing system."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from .errors import EntryError
from .fields import digits, fit
from .register import Runner

BIB, NAME, CLUB, YEAR, TIME = 5, 24, 16, 4, 8
_TIME = re.compile(r"(\d\d):([0-5]\d):([0-5]\d)")


@dataclass(frozen=True)
class Finish:
    """What the timing system measured; ``seconds`` is None for those who did not finish."""

    bib: int
    name: str
    seconds: int | None


def start_file(runners: Iterable[Runner]) -> bytes:
    """The file that tells the timing system who starts."""
    records = [_record(runner) for runner in sorted(runners, key=lambda runner: runner.bib)]
    return "".join(f"{record}\r\n" for record in records).encode("utf-8")


def _record(runner: Runner) -> str:
    return digits(runner.bib, BIB) + fit(runner.name, NAME) + fit(runner.club, CLUB) + digits(runner.year, YEAR)


def read_times(data: bytes) -> list[Finish]:
    """The times, in the order of the file.

    Raises:
        EntryError: a record cannot be read; the message names its line.
    """
    finishes = []
    for number, line in enumerate(data.decode("utf-8").splitlines(), 1):
        try:
            finishes.append(_finish(line))
        except ValueError as error:
            raise EntryError(f"line {number}: {error}") from None
    return finishes


def _finish(line: str) -> Finish:
    if len(line) != BIB + NAME + TIME:
        raise EntryError(f"expected {BIB + NAME + TIME} bytes, found {len(line)}")
    bib, name, time = line[:BIB], line[BIB : BIB + NAME], line[BIB + NAME :]
    if not bib.isdecimal():
        raise EntryError(f"no bib number: {bib!r}")
    return Finish(int(bib), name.rstrip(" "), _seconds(time.rstrip(" ")))


def _seconds(text: str) -> int | None:
    if text == "DNF":
        return None
    match = _TIME.fullmatch(text)
    if match is None:
        raise EntryError(f"no time: {text!r}")
    hours, minutes, seconds = map(int, match.groups())
    return (hours * 60 + minutes) * 60 + seconds
