# rigorbench-canary 9f053aa7-50d0-4793-a06a-a46ec9262edc
"""Writes the test data from seeds, answers by ``model.py``.

Usage: ``python3 generators/make.py [DIRECTORY]`` writes what is stored in the package (default: its ``data``);
``python3 generators/make.py --large DIRECTORY`` what is made when the package is judged. Randomness is our own, so that
no version of Python changes a file.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from model import VERDICTS, answers

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
FAILED = VERDICTS[1:]


class Chance:
    """Numbers by splitmix64."""

    def __init__(self, seed: int) -> None:
        self.state = seed

    def below(self, limit: int) -> int:
        self.state = (self.state + 0x9E3779B97F4A7C15) & (1 << 64) - 1
        mixed = self.state
        mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9 & (1 << 64) - 1
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & (1 << 64) - 1
        return (mixed ^ mixed >> 31) % limit

    def of(self, items: Any) -> Any:
        return items[self.below(len(items))]

    def word(self, length: int) -> str:
        return "".join(self.of("ABYZabyz0189_") for _ in range(length))


class Script:
    """The lines of one input."""

    def __init__(self, seed: int, problems: int, penalty: int) -> None:
        self.chance = Chance(seed)
        self.letters = LETTERS[:problems]
        self.lines = [f"contest {problems} {penalty}"]
        self.names: list[str] = []
        self.time = 0
        self.made = 0
        self.cells: dict[tuple[str, str], int] = {}
        self.board = 40_000

    def say(self, *words: object) -> None:
        self.lines.append(" ".join(map(str, words)))

    def enter(self, names: list[str]) -> None:
        for name in names:
            self.say("team", name)
        self.names += names

    def teams(self, count: int) -> None:
        """Teams with names of all lengths."""
        taken: set[str] = set()
        while len(taken) < count:
            taken.add(self.chance.word(1 + self.chance.below(16)))
        self.enter(sorted(taken, key=lambda name: (sum(map(ord, name)) * 7919 % 1009, name)))

    def submit(self, accepted: int = 40, step: int = 30) -> None:
        """A submission to a cell that has room for it; `accepted`: of 100."""
        chance = self.chance
        self.time += chance.below(step)
        cell = chance.of(self.names), chance.of(self.letters)
        if self.cells.get(cell, 0) == 200:
            return
        self.cells[cell] = self.cells.get(cell, 0) + 1
        self.made += 1
        verdict = "accepted" if chance.below(100) < accepted else chance.of(FAILED)
        self.say("submit", *cell, verdict, self.time)

    def show(self, first: int = 1, count: int | None = None) -> None:
        count = len(self.names) if count is None else count
        if count and count <= self.board:
            self.board -= count
            self.say("board", first, count)

    def ask(self) -> None:
        self.say("rank", self.chance.of(self.names))

    def wrong_words(self) -> None:
        """Names, problems and numbers that do not exist."""
        name, letter = self.chance.of(self.names), self.chance.of(self.letters)
        self.say("submit", "nobody", letter, "wrong", self.time)
        self.say("rank", name + "x" if len(name) < 16 and name + "x" not in self.names else "nobody")
        if len(self.letters) < 26:
            beyond = LETTERS[len(self.letters)]
            self.say("submit", name, beyond, "accepted", self.time)
            self.say("submit", "nobody", beyond, "accepted", self.time)
            self.say("first", beyond)
            self.say("tally", beyond)

    def jury(self) -> None:
        """One of the jury's commands, or a question that shows what it did."""
        chance = self.chance
        name, letter = chance.of(self.names), chance.of(self.letters)
        kind = chance.below(12)
        if kind < 3 and self.made:
            self.say("rejudge", 1 + chance.below(self.made + (chance.below(20) == 0)), chance.of(VERDICTS))
        elif kind == 3:
            self.say("disqualify", name)
        elif kind == 4:
            self.say("reinstate", name)
        elif kind == 5:
            self.say("first", letter)
        elif kind == 6:
            self.say("tally", letter)
        elif kind < 9:
            self.say("last", name, chance.of([letter, "*"]), chance.of([*VERDICTS, "*"]))
        else:
            self.ask()


# --------------------------------------------------------------------------------------------------------------- basic
def basic(teams: int, problems: int, count: int, accepted: int) -> Callable[[int], Script]:
    def made(seed: int) -> Script:
        script = Script(seed, problems, 20 * 60)
        script.say("start")
        script.say("end")
        script.say("freeze")
        script.teams(teams)
        script.say("team", script.names[0])
        script.say("submit", script.names[0], "A", "accepted", 0)
        script.show()
        script.say("start")
        script.say("team", "late")
        script.say("start")
        for number in range(count):
            script.submit(accepted)
            if number % 3 == 0:
                script.ask()
            if number % 40 == 20:
                script.show()
                script.wrong_words()
        script.show(2, 3)
        script.show(teams, 5)
        script.show(teams + 1, 5)
        script.say("end")
        script.say("submit", script.names[0], "A", "accepted", script.time)
        script.say("end")
        script.show()
        return script

    return made


def nothing(seed: int) -> Script:
    script = Script(seed, 3, 0)
    script.say("start")
    script.say("end")
    script.say("board", 1, 10)
    script.say("rank", "nobody")
    return script


# -------------------------------------------------------------------------------------------------------------- freeze
def freeze(teams: int, problems: int, rounds: int, count: int, jury: int = 0) -> Callable[[int], Script]:
    def made(seed: int) -> Script:
        script = Script(seed, problems, 300)
        script.teams(teams)
        script.say("scroll")
        script.say("freeze")
        script.say("start")
        script.say("scroll")
        for turn in range(rounds):
            for phase in ("open", "frozen"):
                for number in range(count):
                    script.submit(25)
                    if script.chance.below(100) < jury:
                        script.jury()
                    if number % 9 == 0:
                        script.ask()
                script.show()
                if phase == "open":
                    script.say("freeze")
            script.say("freeze")
            if turn == rounds - 1:
                script.say("end")
                script.say("freeze")
            script.say("scroll")
            script.show()
            script.say("scroll")
        for _ in range(jury):
            script.jury()
        script.show()
        return script

    return made


def withdrawn(seed: int) -> Script:
    """Solutions that the jury takes back while the board is frozen: what was sent to a solved cell covers it then."""
    script = Script(seed, 5, 700)
    script.teams(8)
    script.say("start")
    for _ in range(2):
        for _ in range(30):
            script.submit(60)
        script.say("freeze")
        for _ in range(30):
            script.submit(30)
        script.show()
        for _ in range(12):
            script.say("rejudge", 1 + script.chance.below(script.made), script.chance.of(["wrong", "crash", "compile"]))
            script.show()
        script.say("scroll")
        script.show()
    return script


# ---------------------------------------------------------------------------------------------------------------- jury
def jury(teams: int, problems: int, count: int) -> Callable[[int], Script]:
    def made(seed: int) -> Script:
        script = Script(seed, problems, 500)
        script.teams(teams)
        script.say("disqualify", script.names[0])
        script.say("rejudge", 1, "wrong")
        script.say("first", "A")
        script.say("last", script.names[0], "*", "*")
        script.say("last", "nobody", "A", "*")
        script.show()
        script.say("start")
        for number in range(count):
            script.submit(30)
            script.jury()
            if number % 25 == 24:
                script.wrong_words()
                script.say("disqualify", "nobody")
                script.say("reinstate", "nobody")
                script.show()
        script.say("end")
        for _ in range(60):
            script.jury()
        script.show()
        return script

    return made


def shared(seed: int) -> Script:
    """Many teams with the same problems, penalties and last times; scrolls among them."""
    script = Script(seed, 4, 0)
    script.teams(30)
    script.say("start")
    for turn in range(3):
        for phase in range(2):
            for letter in script.letters:
                for name in script.names:
                    if script.chance.below(3) == 0:
                        script.say("submit", name, letter, script.chance.of(["accepted", "accepted", "wrong"]), script.time)
                        script.made += 1
                    script.time += script.chance.below(40) == 0
            for name in script.names:
                script.say("rank", name)
            script.show()
            script.say("freeze" if phase == 0 else "scroll")
        for _ in range(10):
            script.jury()
        script.show()
    return script


def last_times(seed: int) -> Script:
    """Equal penalties that come from other times and attempts."""
    script = Script(seed, 6, 10)
    script.teams(40)
    script.say("start")
    for time in range(0, 200, 10):
        script.time = time
        for name in script.names:
            if script.chance.below(4) == 0:
                letter = script.chance.of(script.letters)
                for _ in range(script.chance.below(3)):
                    script.say("submit", name, letter, script.chance.of(["wrong", "compile"]), time)
                    script.made += 1
                script.say("submit", name, letter, "accepted", time)
                script.made += 1
        script.show()
        for _ in range(6):
            script.say("rejudge", 1 + script.chance.below(max(1, script.made)), script.chance.of(VERDICTS))
    return script


def large_sums(seed: int) -> Script:
    script = Script(seed, 26, 100_000)
    script.teams(25)
    script.say("start")
    script.time = 900_000_000
    for number in range(900):
        script.submit(70, 100_000)
        if number == 500:
            script.say("freeze")
        if number % 20 == 0:
            script.ask()
        if number % 300 == 299:
            script.show()
    script.say("scroll")
    script.show()
    return script


def names(seed: int) -> Script:
    """Names that are prefixes of each other, and differ only in case."""
    script = Script(seed, 2, 1)
    script.enter(["a", "A", "aa", "a_", "a0", "aA", "_", "0", "00", "Z", "z", "Zz", "ABCDEFGHIJKLMNOP", "ABCDEFGHIJKLMNO"])
    script.enter(["abcdefghijklmnop", "abcdefghijklmnoo", "9", "10", "1"])
    script.say("team", "aa")
    script.show()
    script.say("start")
    for _ in range(120):
        script.submit(20, 2)
        script.jury()
    script.say("freeze")
    for _ in range(60):
        script.submit(50, 2)
    script.show()
    script.say("scroll")
    script.show()
    return script


def full_cells(seed: int) -> Script:
    """Cells with 200 submissions, only `compile`, none shown; corrections within them."""
    script = Script(seed, 3, 7)
    script.teams(4)
    script.say("start")
    for number in range(2400):
        if number == 1200:
            script.say("freeze")
        script.submit(1, 3)
        if number % 4 == 0:
            script.say("rejudge", 1 + script.chance.below(max(1, script.made)), script.chance.of(["compile", "compile", *VERDICTS]))
        if number % 60 == 0:
            script.show()
    script.show()
    script.say("scroll")
    script.show()
    for _ in range(200):
        script.jury()
    script.show()
    return script


def quiet(seed: int) -> Script:
    """A freeze without submissions, a scroll of cells that were solved before, one team, one problem."""
    script = Script(seed, 1, 0)
    script.enter(["solo"])
    script.say("start")
    script.say("freeze")
    script.say("scroll")
    script.say("submit", "solo", "A", "compile", 0)
    script.show()
    script.say("submit", "solo", "A", "accepted", 0)
    script.say("freeze")
    script.say("submit", "solo", "A", "wrong", 5)
    script.show()
    script.say("rejudge", 2, "crash")
    script.show()
    script.say("disqualify", "solo")
    script.show()
    script.say("first", "A")
    script.say("scroll")
    script.say("reinstate", "solo")
    script.show()
    script.say("rejudge", 3, "accepted")
    script.say("rank", "solo")
    script.say("first", "A")
    script.say("end")
    script.show()
    return script


# --------------------------------------------------------------------------------------------------------------- large
def ranks(seed: int) -> Script:
    """Questions about the rank after each change, among 10,000 teams."""
    script = Script(seed, 26, 1200)
    script.teams(10_000)
    script.say("start")
    while len(script.lines) < 299_000:
        script.submit(60)
        script.ask()
        if script.chance.below(4) == 0:
            script.say("rejudge", 1 + script.chance.below(max(1, script.made)), script.chance.of(VERDICTS))
    script.show(4_000, 500)
    script.say("end")
    return script


def questions(seed: int) -> Script:
    """first, tally and last about long lists."""
    script = Script(seed, 2, 60)
    script.teams(4_000)
    script.say("start")
    while len(script.lines) < 150_000:
        script.submit(35, 4)
        if script.chance.below(8) == 0:
            script.jury()
    while len(script.lines) < 299_000:
        script.jury()
    script.show(1, 200)
    return script


def one_scroll(seed: int) -> Script:
    """Tens of thousands of covered cells, uncovered at once."""
    script = Script(seed, 20, 600)
    script.teams(9_000)
    script.say("start")
    for _ in range(60_000):
        script.submit(30)
    script.say("freeze")
    for number in range(120_000):
        script.submit(45)
        if number % 10 == 0:
            script.ask()
    script.show(1, 300)
    script.say("end")
    script.say("scroll")
    script.show(1, 1000)
    return script


def many_scrolls(seed: int) -> Script:
    """Scrolls of few cells among many teams: work for each scroll must follow what is covered."""
    script = Script(seed, 12, 600)
    script.teams(10_000)
    script.say("start")
    while len(script.lines) < 299_000:
        script.say("freeze")
        for _ in range(1 + script.chance.below(12)):
            script.submit(40)
        if script.chance.below(6) == 0:
            script.jury()
        script.say("scroll")
        script.ask()
    script.show(5_000, 300)
    return script


SMALL: dict[str, dict[str, tuple[int, Callable[[int], Script]]]] = {
    "secret/1-basic": {
        "01-nothing": (11, nothing),
        "02-one-problem": (12, basic(3, 1, 60, 30)),
        "03-few": (13, basic(5, 3, 150, 40)),
        "04-many-failures": (14, basic(8, 5, 400, 12)),
        "05-dozen": (15, basic(12, 8, 500, 35)),
    },
    "secret/2-freeze": {
        "01-once": (21, freeze(6, 4, 1, 40)),
        "02-end": (22, freeze(10, 6, 1, 120)),
        "03-again": (23, freeze(8, 10, 4, 40)),
        "04-often": (24, freeze(12, 12, 9, 30)),
    },
    "secret/3-jury": {
        "01-open": (31, jury(6, 4, 200)),
        "02-more": (32, jury(12, 9, 300)),
        "03-frozen": (33, freeze(7, 5, 3, 60, 40)),
        "04-frozen-more": (34, freeze(12, 7, 6, 50, 70)),
        "05-withdrawn": (35, withdrawn),
    },
    "secret/4-edges": {
        "01-shared-ranks": (41, shared),
        "02-last-times": (42, last_times),
        "03-large-sums": (43, large_sums),
        "04-names": (44, names),
        "05-full-cells": (45, full_cells),
        "06-quiet": (46, quiet),
    },
}
LARGE: dict[str, dict[str, tuple[int, Callable[[int], Script]]]] = {
    "secret/5-ranks": {"01-ranks": (51, ranks), "02-questions": (52, questions)},
    "secret/6-scroll": {"01-one": (61, one_scroll), "02-many": (62, many_scrolls)},
}
SAMPLES = {
    "1": """contest 3 1200
start
team owls
team bears
team otters
team owls
start
submit owls B wrong 300
submit owls B accepted 600
submit bears A compile 650
submit bears A accepted 1800
submit ravens A wrong 1900
submit bears D wrong 1900
rank owls
rank bears
rank otters
board 1 3
end
submit otters A accepted 2000
""",
    "2": """contest 2 100
team ants
team bees
team cats
start
submit ants A accepted 50
freeze
submit bees A wrong 60
submit bees A accepted 70
submit cats A wrong 80
submit cats B accepted 90
submit ants A wrong 95
board 1 9
rank cats
scroll
board 1 3
scroll
""",
    "3": """contest 2 10
team x
team Y
team z
start
submit x A accepted 5
submit Y A accepted 5
submit z B slow 6
board 1 3
first A
rejudge 1 wrong
first A
last x * *
last x A accepted
tally A
disqualify Y
rank Y
first A
board 1 3
reinstate Y
rejudge 9 wrong
rank Y
end
rejudge 3 accepted
rank z
""",
}


def write(directory: Path, name: str, text: str) -> None:
    directory.mkdir(parents=True, exist_ok=True)
    (directory / f"{name}.in").write_text(text, "ascii")
    (directory / f"{name}.ans").write_text("".join(f"{line}\n" for line in answers(text.splitlines())), "ascii")


def main() -> None:
    words = sys.argv[1:]
    groups = LARGE if "--large" in words else SMALL
    words = [word for word in words if word != "--large"]
    data = Path(words[0]) if words else Path(__file__).resolve().parent.parent / "data"
    for group, tests in groups.items():
        for name, (seed, made) in tests.items():
            write(data / group, name, "".join(f"{line}\n" for line in made(seed).lines))
    if groups is SMALL:
        for name, text in SAMPLES.items():
            write(data / "sample", name, text)


if __name__ == "__main__":
    main()
