"""A garden for practice: lets a program play a season as the judge does, and tells what it collected.

    python garden.py [--barrels N] [--hours T] [--looks Q] [--gusts G] [--weather] [--turns] [--seed S] COMMAND...
    python garden.py --barrels 12 --hours 400 --looks 80 --weather --gusts 40 ./gardener

`--log` shows the conversation on standard error. Status 0: the season was played by the rules.
"""

from __future__ import annotations

import argparse
import math
import random
import subprocess
import sys


class Season:
    def __init__(self, options: argparse.Namespace) -> None:
        chance = random.Random(options.seed)
        self.hours, self.gusts, self.hour, self.collected = options.hours, options.gusts, 0, 0

        def rate(capacity: int) -> int:
            return max(1, round(capacity / (options.barrels * math.exp(chance.uniform(-math.log(5), math.log(5))))))

        self.capacities = [round(math.exp(chance.uniform(math.log(1000), math.log(40000)))) for _ in range(options.barrels)]
        self.rates = [(rate(capacity), rate(capacity)) for capacity in self.capacities]
        self.turn = chance.randint(options.hours * 2 // 5, options.hours * 3 // 5) if options.turns else options.hours
        wet, self.sky = chance.random() < 0.5, []
        for hour in range(options.hours):
            if hour > 0 and chance.random() < 0.08:
                wet = not wet
            self.sky.append((160 if wet else 40) if options.weather else 100)
        self.gust = random.Random(chance.random())
        self.contents = [0] * options.barrels
        self.rain()

    def rate(self, barrel: int) -> int:
        return self.rates[barrel][self.hour >= self.turn]

    def rain(self) -> None:
        if self.hour < self.hours:
            for barrel, capacity in enumerate(self.capacities):
                gust = self.gust.randint(100 - self.gusts, 100 + self.gusts)
                gain = self.rate(barrel) * self.sky[self.hour] * gust // 10000
                self.contents[barrel] = min(capacity, self.contents[barrel] + gain)

    def empty(self, barrel: int) -> int:
        taken, self.contents[barrel] = self.contents[barrel], 0
        self.collected += taken
        self.hour += 1
        self.rain()
        return taken


def informed(options: argparse.Namespace) -> int:
    """Empties where content times fullness is the largest, fullness to the power 1 or 2, whichever brings more."""
    best = 0
    for power in (1, 2):
        season = Season(options)
        while season.hour < season.hours:

            def worth(barrel: int) -> float:
                content = season.contents[barrel]
                return content * (content / season.capacities[barrel]) ** power

            season.empty(max(range(len(season.contents)), key=worth))
        best = max(best, season.collected)
    return best


def play(season: Season, looks: int, command: list[str], log: bool) -> str | None:
    """Lets the program play; returns what it did wrong, or None."""
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdin is not None and program.stdout is not None

        def tell(text: str) -> None:
            if log:
                print("<", text, file=sys.stderr)
            try:
                print(text, file=program.stdin, flush=True)
            except BrokenPipeError:
                pass  # seen when its output ends

        def heard() -> str | None:
            for line in program.stdout:
                if log:
                    print(">", line.rstrip("\n"), file=sys.stderr)
                if line.strip():
                    return line.strip()
            return None

        def rules() -> str | None:
            nonlocal looks
            tell(f"{len(season.contents)} {season.hours} {looks}")
            while season.hour < season.hours:
                line = heard()
                if line is None:
                    return f"hour {season.hour + 1}: no more commands"
                if line == "stop":
                    break
                word, _, number = line.partition(" ")
                barrel = int(number) - 1 if number.strip().isdecimal() else -1
                if word not in ("look", "empty") or not 0 <= barrel < len(season.contents):
                    return f"hour {season.hour + 1}: not understood: {line}"
                if word == "look":
                    looks -= 1
                    if looks < 0:
                        return f"hour {season.hour + 1}: one look too many"
                tell(str(season.contents[barrel] if word == "look" else season.empty(barrel)))
            line = heard()
            return None if line is None else f"after the season: {line}"

        wrong = rules()
        if wrong is not None:
            program.kill()
    if wrong is None and program.returncode != 0:
        wrong = f"ended with status {program.returncode}"
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description="A garden for practice.")
    for name, value in (("barrels", 12), ("hours", 400), ("looks", 80), ("gusts", 0), ("seed", 1)):
        parser.add_argument(f"--{name}", type=int, default=value)
    for name in ("weather", "turns", "log"):
        parser.add_argument(f"--{name}", action="store_true")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    if not options.command:
        parser.error("name the program that plays")
    season = Season(options)
    wrong = play(season, options.looks, options.command, options.log)
    if wrong is not None:
        print(wrong)
        return 1
    reference = informed(options)
    print(f"collected {season.collected} cl, {season.collected / reference:.3f} of the informed gardener's {reference}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
