# rigorbench-canary 5371e1d0-6a9b-4fbf-af89-0bc6e4a18505
"""Lines and their timetables."""

import json
import os
from collections import defaultdict

FILE = "lines.json"
DAY = 24 * 60


def moment(minutes):
    hours, minute = divmod(minutes, 60)
    return f"{hours // 24}/{hours % 24:02d}:{minute:02d}"


class Line:
    """`words` are those of `draft`; `cancelled` has the days of sailings that do not take place."""

    __slots__ = ("words", "launched", "cancelled", "name", "number", "berths", "days", "ports", "costs", "comes", "goes")

    def __init__(self, words, number, launched=False, cancelled=()):
        self.words, self.number, self.launched, self.cancelled = words, number, launched, set(cancelled)
        self.name, self.berths = words[0], int(words[1])
        self.days = range(int(words[2]), int(words[3]) + 1)
        hour, minute = words[4].split(":")
        now = int(hour) * 60 + int(minute)
        prices, sails = ([int(word) for word in words[place].split(",")] for place in (6, 7))
        stays = [] if words[8] == "-" else [int(word) for word in words[8].split(",")]
        self.ports = {port: place for place, port in enumerate(words[5].split(","))}
        self.costs, self.comes, self.goes = [0], [now], [now]
        for place, minutes in enumerate(sails):
            self.costs.append(self.costs[-1] + prices[place])
            self.comes.append(self.goes[-1] + minutes)
            self.goes.append(self.comes[-1] + (stays[place] if place < len(stays) else 0))

    def takes_place(self, day):
        return day in self.days and day not in self.cancelled

    def leaving(self, place, day):
        """The day of the sailing that leaves the port at this place on this day, or None."""
        sailing = day - self.goes[place] // DAY
        return sailing if self.takes_place(sailing) else None


class Lines:
    def __init__(self):
        self.by_name = {}
        self.launched = []
        self.calls = defaultdict(list)
        if os.path.exists(FILE):
            with open(FILE, encoding="ascii") as file:
                for words, number, cancelled in json.load(file):
                    line = self.by_name[words[0]] = Line(words, number, number is not None, cancelled)
                    if line.launched:
                        self.launched.append(line)
            self.launched.sort(key=lambda line: line.number)
            for line in self.launched:
                self._call(line)

    def save(self):
        rows = [(line.words, line.number, sorted(line.cancelled)) for line in self.by_name.values()]
        with open(FILE, "w", encoding="ascii") as file:
            json.dump(rows, file, separators=(",", ":"))

    def _call(self, line):
        for port, place in line.ports.items():
            self.calls[port].append((line, place))

    def sailing(self, name, day):
        """The launched line of this name, if it sails on this day."""
        line = self.by_name.get(name)
        return line if line is not None and line.launched and line.takes_place(int(day)) else None

    def draft(self, *words):
        if words[0] in self.by_name:
            return None
        self.by_name[words[0]] = Line(words, None)
        return "ok"

    def scrap(self, name):
        if name not in self.by_name or self.by_name[name].launched:
            return None
        del self.by_name[name]
        return "ok"

    def launch(self, name):
        line = self.by_name.get(name)
        if line is None or line.launched:
            return None
        line.launched, line.number = True, len(self.launched)
        self.launched.append(line)
        self._call(line)
        return "ok"
