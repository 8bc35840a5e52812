# rigorbench-canary 5371e1d0-6a9b-4fbf-af89-0bc6e4a18505
"""Writes the test data from seeds, answers by ``model.py``.

Usage: ``python3 generators/make.py [DIRECTORY]`` writes what is stored in the package (default: its ``data``);
``python3 generators/make.py --large DIRECTORY`` what is made when the package is judged.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import cases
import series
from model import Server
from script import Chance, Script

Made = Callable[[Script, int], None]

# group -> test -> (what writes a run, number of runs; None: one that is in no chain). Seeds are the numbers of group and test.
SMALL: dict[str, dict[str, tuple[Made, int | None]]] = {
    "1-accounts": {
        "01-first": (cases.first_accounts, None),
        "02-ranks": (cases.every_rank, None),
        "03-alter": (cases.alterations, None),
        "04-any": (cases.any_accounts, None),
    },
    "2-lines": {
        "01-one": (cases.one_line, None),
        "02-midnight": (cases.midnight, None),
        "03-orders": (cases.orders, None),
        "04-scrapped": (cases.scrapped, None),
        "05-any": (cases.any_lines, None),
        "06-long": (cases.long_lines, None),
    },
    "3-bookings": {
        "01-legs": (cases.legs, None),
        "02-days": (cases.days, None),
        "03-refusals": (cases.refusals, None),
        "04-money": (cases.money, None),
        "05-any": (cases.any_bookings, None),
        "06-more": (cases.any_bookings, None),
    },
    "4-queue": {
        "01-order": (cases.queue_order, None),
        "02-overtaking": (cases.overtaking, None),
        "03-cancelled": (cases.cancelled, None),
        "04-any": (cases.any_queue, None),
        "05-more": (cases.any_queue, None),
    },
    "5-change": {
        "01-first": (series.first_changes, None),
        "02-minutes": (series.minutes, None),
        "03-days": (series.waiting_days, None),
        "04-ties": (series.ties, None),
        "05-more-ties": (series.ties, None),
        "06-any": (series.any_changes, None),
    },
    "6-restart": {
        "01-accounts": (series.restart_accounts, 4),
        "02-lines": (series.restart_lines, 5),
        "03-all": (series.restart_all, 8),
        "04-quiet": (series.restart_quiet, 7),
    },
}
LARGE: dict[str, dict[str, tuple[Made, int | None]]] = {"7-volume": {"01-season": (series.volume, 7)}}

SAMPLE = """enter master master
@master enrol kari fjord Kari 0
@master draft north 4 3 20 22:30 BERGEN,FLORO,BODO 100,250 300,900 30
@master draft lofot 9 1 30 20:00 BODO,SVOLVAER 80 240 -
@master launch north
@kari book north 3 BERGEN BODO 1
enter kari fjord
@kari book north 3 BERGEN BODO 3
@kari book north 4 FLORO BODO 1
@kari book north 4 FLORO BODO 2 wait
show north 3
@kari refund 1
@kari bookings 2
search BERGEN BODO 3 time
change BERGEN SVOLVAER 3 price
@master launch lofot
change BERGEN SVOLVAER 3 price
@master manifest north 3
@master cancel north 3
@kari bookings 5
@master profile kari
@kari profile master
@kari alter kari name=Kari-Anne password=fjell
@kari leave
stop
"""
SAMPLE_RUNS = ["""enter master master
@master enrol ola pw Ola 5
@master draft short 1 1 2 07:00 ALTA,HAMMERFEST 30 90 -
@master launch short
enter ola pw
@ola book short 2 ALTA HAMMERFEST 1
""", """@ola bookings 1
enter ola pw
@ola book short 2 ALTA HAMMERFEST 1 wait
show short 2
stop
""", """enter ola pw
@ola refund 1
@ola bookings 9
@ola draft short 1 1 2 07:00 ALTA,HAMMERFEST 30 90 -
@ola scrap short
"""]


def put(path: Path, lines: list[str], answers: list[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.with_suffix(".in").write_text("".join(f"{line}\n" for line in lines), "ascii")
    path.with_suffix(".ans").write_text("".join(f"{line}\n" for line in answers), "ascii")


def write(directory: Path, name: str, seed: int, made: Made, runs: int | None) -> None:
    chance, server = Chance(seed), Server()
    for number in range(runs or 1):
        script = Script(chance, server)
        made(script, number)
        put(directory / (name if runs is None else f"{name}-run{number + 1}"), script.lines, script.answers)


def say_all(text: str) -> Made:
    def made(script: Script, _: int) -> None:
        for line in text.splitlines():
            script.say(line)

    return made


def main() -> None:
    words = sys.argv[1:]
    groups = LARGE if "--large" in words else SMALL
    words = [word for word in words if word != "--large"]
    data = Path(words[0]) if words else Path(__file__).resolve().parent.parent / "data"
    for group, tests in groups.items():
        for name, (made, runs) in tests.items():
            write(data / "secret" / group, name, int(group[0]) * 100 + int(name[:2]), made, runs)
    if groups is SMALL:
        write(data / "sample", "1", 0, say_all(SAMPLE), None)
        write(data / "sample", "2", 0, lambda script, number: say_all(SAMPLE_RUNS[number])(script, 0), len(SAMPLE_RUNS))


if __name__ == "__main__":
    main()
