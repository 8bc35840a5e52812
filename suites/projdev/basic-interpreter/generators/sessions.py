# rigorbench-canary a434b772-c12c-41be-acce-e6e88575a926
"""Random sessions: programs of random lines, edited, listed, renumbered and run."""

from __future__ import annotations

import random

NAMES = ["a", "b", "count", "X1"]
ARRAYS = ["a", "data"]


class Writer:
    def __init__(self, chance: random.Random, errors: float = 0.05) -> None:
        self.chance, self.errors = chance, errors
        self.lines = [10 * i for i in range(1, 30)]

    def pick(self, *choices: str) -> str:
        return self.chance.choice(choices)

    def expression(self, depth: int = 2) -> str:
        kind = self.chance.randrange(9) if depth > 0 else self.chance.randrange(3)
        if kind == 0:
            return str(self.chance.choice([0, 1, 2, 3, 10, 9223372036854775807, self.chance.randint(0, 50)]))
        if kind <= 2:
            return self.chance.choice(NAMES) if self.chance.random() > self.errors else "unknown"
        a, b = self.expression(depth - 1), self.expression(depth - 1)
        gap = self.pick("", " ")
        if kind == 3:
            return f"({a}{gap}{self.pick('+', '-')}{gap}{b})"
        if kind == 4:
            return f"{self.pick('ABS', 'SGN')}({a})" if self.chance.random() < 0.5 else f"{self.pick('MIN', 'MAX')}({a}, {b})"
        if kind == 5:
            return f"-{gap}{a}"
        if kind == 6:
            return f"{self.chance.choice(ARRAYS)}({self.pick('0', '1', '2', a)})"
        return f"{a}{gap}{self.pick('+', '-', '*', '/', '%')}{gap}{b}"

    def condition(self) -> str:
        one = f"{self.pick('', '', 'NOT ')}{self.expression(1)} {self.pick('=', '<>', '<', '>', '<=', '>=')} {self.expression(1)}"
        return one if self.chance.random() < 0.7 else f"{one} {self.pick('AND', 'OR')} {self.condition()}"

    def target(self) -> str:
        return str(self.chance.choice(self.lines) if self.chance.random() > self.errors else 7)

    def simple(self) -> str:
        items = self.pick(" ", "; ", ", ").join([self.pick('"text"', self.expression()), self.expression(1)])
        return self.chance.choice(
            [
                f"LET {self.chance.choice(NAMES)} = {self.expression()}",
                f"LET {self.chance.choice(ARRAYS)}({self.pick('0', '1', self.expression(1))}) = {self.expression()}",
                f"PRINT {self.expression()}{self.pick('', '', ';')}",
                f"PRINT {items}",
                "PRINT",
                f"INPUT {self.chance.choice(NAMES)}",
            ]
        )

    def statement(self) -> str:
        name = self.chance.choice(NAMES)
        if self.chance.random() < 0.45:
            return self.simple()
        return self.chance.choice(
            [
                f"IF {self.condition()} THEN {self.target()}",
                f"IF {self.condition()} THEN {self.simple()}",
                f"IF {self.condition()} THEN {self.pick('END', 'RETURN', 'GOTO ' + self.target(), 'GOSUB ' + self.target())}",
                f"GOSUB {self.target()}",
                f"FOR {name} = {self.expression(1)} TO {self.chance.randint(0, 4)}{self.pick('', ' STEP 2', ' STEP -1')}",
                f"NEXT {name}",
                f"NEXT {name}",
                "RETURN",
                f"DIM {self.chance.choice(ARRAYS)}({self.chance.randint(0, 5)})",
                "REM " + self.pick("a note", "10 GOTO 20", ""),
                self.pick("END", "PRINT 1 2", "LET = 3", "FOO", "GOTO", "IF 1 THEN 10", 'PRINT "open', "LET IF = 1", "PRINT ,", "NEXT"),
            ]
        )

    def session(self, rounds: int) -> str:
        """Every GOTO goes forward but those of loops, so that programs end: jumps back are drawn seldom and end in errors of input."""
        said = []
        for _ in range(rounds):
            said += [f"LET {name} = {self.chance.randint(0, 9)}" for name in NAMES[:2]]
            for number in self.lines:
                if self.chance.random() < 0.6:
                    later = [each for each in self.lines if each > number] or [7]
                    keep, self.lines = self.lines, later
                    said.append(f"{number}{self.pick(' ', ' ', '  ')}{self.statement()}")
                    self.lines = keep
            said += [f"{number} LET {name} = {self.chance.randint(0, 9)}" for number, name in enumerate(NAMES, 1)]
            said.append("5 DIM data(4)")
            said.append(self.pick("RUN", "LIST\nRUN", "RENUMBER\nLIST\nRUN", "RUN\nRENUMBER\nRUN"))
            said += [self.pick("5", "-3", "12x", "", " 7 ") for _ in range(3)]
            said.append(self.pick("PRINT a; b", "PRINT count, X1", "CLEAR", "NEW", self.simple(), "PRINT data(1)", "20"))
        return "".join(f"{line}\n" for line in [*said, "LIST"])
