"""From times to ranks."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from .chip import NAME, Finish
from .register import Register, Runner


def suspicious(register: Register, finishes: Iterable[Finish]) -> list[str]:
    """What somebody should look at before the ranks are read out: strange bibs, and names that are not those we sent."""
    found = []
    seen: set[int] = set()
    for finish in finishes:
        runner = register.get(finish.bib)
        if runner is None:
            found.append(f"bib {finish.bib} is not entered")
        elif finish.name != runner.name[:NAME].rstrip():
            found.append(f"bib {finish.bib} is {runner.name}, but came back as {finish.name}")
        if finish.bib in seen:
            found.append(f"bib {finish.bib} has two times")
        seen.add(finish.bib)
    return found


def ranking(register: Register, finishes: Iterable[Finish]) -> list[tuple[int, Runner, int]]:
    """(rank, runner, seconds); equal times share a rank, and the next rank is left out."""
    times = []
    for finish in finishes:
        runner = register.get(finish.bib)
        if runner is not None and finish.seconds is not None:
            times.append((finish.seconds, runner.bib, runner))
    times.sort(key=lambda time: time[:2])
    ranks: list[tuple[int, Runner, int]] = []
    for place, (seconds, _, runner) in enumerate(times, 1):
        tied = bool(ranks) and ranks[-1][2] == seconds
        ranks.append((ranks[-1][0] if tied else place, runner, seconds))
    return ranks


def to_csv(ranks: Sequence[tuple[int, Runner, int]]) -> str:
    """The ranks for the web page."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(["rank", "bib", "name", "club", "time"])
    for rank, runner, seconds in ranks:
        minutes, rest = divmod(seconds, 60)
        time = f"{minutes // 60:02d}:{minutes % 60:02d}:{rest:02d}"
        writer.writerow([rank, runner.bib, runner.name, runner.club, time])
    return text.getvalue()
