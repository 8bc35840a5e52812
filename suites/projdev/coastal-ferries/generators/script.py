# rigorbench-canary 5371e1d0-6a9b-4fbf-af89-0bc6e4a18505
"""Randomness of our own, so that no version of Python changes a file, and the commands of one run with their answers."""

from __future__ import annotations

from typing import Any

from model import Line, Run, Server

NAMES = "abcdefghijklmnopqrstuvwxyz0123456789"
VISIBLE = "".join(map(chr, range(33, 127))).replace("=", "").replace(",", "")
COAST = (
    "ALESUND", "ALTA", "BERGEN", "BODO", "BRONNOYSUND", "FINNSNES", "FLORO", "HAMMERFEST", "HARSTAD", "HONNINGSVAG", "KIRKENES",
    "KRISTIANSUND", "MALOY", "MOLDE", "NARVIK", "ORNES", "RORVIK", "SANDNESSJOEN", "SKJERVOY", "SORTLAND", "STAMSUND", "STAVANGER",
    "SVOLVAER", "TORVIK", "TROMSO", "TRONDHEIM", "VADSO", "VARDO",
)  # fmt: skip
COAST = tuple(port[:16] for port in COAST)


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

    def between(self, least: int, most: int) -> int:
        return least + self.below(most - least + 1)

    def of(self, items: Any) -> Any:
        return items[self.below(len(items))]

    def some(self, items: Any, count: int) -> list[Any]:
        """Different items, in random order."""
        left = list(items)
        return [left.pop(self.below(len(left))) for _ in range(count)]

    def word(self, characters: str, longest: int) -> str:
        return "".join(self.of(characters) for _ in range(1 + self.below(longest)))


class Script:
    """The commands of one run. Each is also done, so that later ones can aim at what is there."""

    def __init__(self, chance: Chance, server: Server) -> None:
        self.chance, self.server, self.run = chance, server, Run(server)
        self.lines: list[str] = []
        self.answers: list[str] = []

    def say(self, *words: object) -> list[str]:
        line = " ".join(map(str, words))
        self.lines.append(line)
        # Only the last command of a run is `stop`.
        found = [] if line == "stop" else self.run.answer(line)
        self.answers += found
        return found

    def enter(self, *names: str) -> None:
        for name in names:
            self.say("enter", name, self.server.accounts[name].password)

    def staff(self, *others: str) -> None:
        """The master enters, makes these accounts if they are not there, and they enter."""
        self.enter("master")
        for name in others:
            if name not in self.server.accounts:
                self.say("@master enrol", name, f"pw-{name}", name.title(), 0 if name != "clerk" else 5)
        self.enter(*others)

    def draft(self, name: str, berths: int, days: tuple[int, int], time: str, *lists: list[Any]) -> None:
        """Ports, prices, minutes of the legs, minutes of the stays."""
        words = [",".join(map(str, words)) or "-" for words in lists]
        self.say("@master draft", name, berths, *days, time, *words)

    def line(self, name: str, berths: int, days: tuple[int, int], time: str, *lists: list[Any]) -> None:
        self.draft(name, berths, days, time, *lists)
        self.say("@master launch", name)

    def any_draft(self, name: str, ports: tuple[str, ...], most: int, season: int) -> None:
        """A line over a part of these ports, often with times near midnight."""
        chance = self.chance
        count = chance.between(2, most)
        first = chance.between(1, max(1, season // 3))
        last = min(100, chance.between(first, season))
        time = chance.of(["00:00", "00:01", "06:15", "12:00", "18:40", "22:30", "23:59"])
        prices = [chance.of([1, 10, 25, 40, 100, 100_000]) for _ in range(count - 1)]
        sail = [chance.of([1, 30, 60, 90, 300, 720, 1439, 1440]) for _ in range(count - 1)]
        stay = [chance.of([0, 0, 10, 30, 60, 719, 720]) for _ in range(count - 2)]
        self.draft(name, chance.of([2, 4, 6, 40]), (first, last), time, chance.some(ports, count), prices, sail, stay)

    def leaving(self, line: Line, first: int) -> int:
        """The day on which a random sailing leaves a port; sometimes just outside of the season."""
        day = self.chance.between(line.first, line.last)
        edge = self.chance.below(12)
        if edge == 0:
            day = line.first - 1
        elif edge == 1:
            day = line.last + 1
        return max(1, day + line.departure[first] // 1440)

    def voyage(self, line: Line) -> tuple[int, int]:
        first = self.chance.below(len(line.ports) - 1)
        return first, self.chance.between(first + 1, len(line.ports) - 1)

    def book(self, actor: str, line: Line, most: int, wait: bool = False) -> list[str]:
        first, last = self.voyage(line)
        words = [line.name, self.leaving(line, first), line.ports[first], line.ports[last]]
        return self.say(f"@{actor} book", *words, self.chance.between(1, most), *["wait"] * wait)

    def launched(self) -> list[Line]:
        return [line for line in self.server.lines.values() if line.launched]
