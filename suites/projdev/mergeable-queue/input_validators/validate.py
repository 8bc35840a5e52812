# rigorbench-canary 4b5084c6-e651-48cc-9b25-0a9ac5dcd7d9
"""Accepts the inputs of the five drivers, by their first word; says what is wrong with others."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from typing import NoReturn

INTEGER = re.compile(r"0|-?[1-9][0-9]{0,18}")
LARGEST = 2**63 - 1
ONE = {"pop", "extract", "top", "size", "clear", "drain"}
NUMBER = {"push", "insert", "emplace"}
TWO = {"merge", "swap", "move", "take", "copy", "clone"}
ATTEMPTS = {"push", "push-moved", "emplace", "pop", "extract", "merge", "assign", "copy", "range"}
# Of each line of a case: what its fields are; a range of numbers, or the words that may stand there.
SEED = (0, 2**32)
COST = {
    "rounds": ((1, 10**4), (1, 10**4), {"falling", "rising", "drawn"}, SEED),
    "tournament": ((1, 10**5), SEED),
    "range": ((0, 10**5), SEED),
}
VOLUME = {
    "churn": ((1, 10**6), (1, 10**7), SEED),
    "chain": ({"falling", "rising", "drawn"}, (1, 10**6), SEED),
    "swallow": ((1, 10**6), (1, 10**6), SEED),
    "many": ((1, 10**6), SEED),
}
FUSES = {"question", "copy", "memory"}
THROWING = dict.fromkeys(ATTEMPTS, (FUSES, (0, 2000), (0, 2000), SEED))

line = 0


def wrong(message: str) -> NoReturn:
    print(f"line {line}: {message}")
    sys.exit(43)


def lines() -> Iterator[list[str]]:
    global line
    for line, text in enumerate(sys.stdin, 1):
        if not text.endswith("\n") or text != " ".join(text.split()) + "\n" or text == "\n":
            wrong("words are separated by one space, and a line end comes after the last")
        yield text.split()


def number(word: str, low: int = -LARGEST, high: int = LARGEST) -> int:
    if not INTEGER.fullmatch(word) or not low <= int(word) <= high:
        wrong(f"{word}: not a number from {low} to {high}")
    return int(word)


def table(shapes: dict[str, tuple[object, ...]], rows: Iterator[list[str]], first: list[str]) -> None:
    for row in [first, *rows]:
        shape = shapes.get(row[0])
        if shape is None or len(row) != 1 + len(shape):
            wrong("not one of the lines of this kind of case")
        for word, expected in zip(row[1:], shape, strict=True):
            if isinstance(expected, set):
                if word not in expected:
                    wrong(f"{word}: not one of {', '.join(sorted(expected))}")
            elif isinstance(expected, tuple):
                number(word, *expected)
        if row[0] in ("pop", "extract") and row[2] == "0":
            wrong("an empty queue has nothing to pop")


def commands(rows: Iterator[list[str]], queues: int, copies: bool, counted: bool) -> None:
    for word, *rest in rows:
        if word == "live" and counted:
            expected = 0
        elif word in ONE:
            expected = 1
        elif word in NUMBER or word in TWO:
            expected = 2
        elif word == "range":
            expected = 2 + number(rest[1], 0, 1000) if len(rest) > 1 else 2
        else:
            wrong(f"{word}: no command here")
        if len(rest) != expected:
            wrong(f"{word} with {len(rest)} arguments")
        if expected > 0:
            number(rest[0], 0, queues - 1)
        for argument in rest[2:] if word == "range" else rest[1:] if word in NUMBER else []:
            number(argument)
        if word in TWO and number(rest[1], 0, queues - 1) == int(rest[0]) and word == "take":
            wrong(f"{word} of a queue from itself")
        if word in ("copy", "clone") and not copies:
            wrong(f"{word} of elements that cannot be copied")


def main() -> int:
    rows = lines()
    first = next(rows, None)
    if first is None:
        wrong("nothing there")
    failing = len(first) > 1 and first[1] in FUSES  # "range" begins lines of two kinds of case
    if first[0] in COST and not failing:
        table(COST, rows, first)
    elif first[0] in VOLUME:
        table(VOLUME, rows, first)
    elif first[0] in ATTEMPTS:
        table(THROWING, rows, first)
    elif first[0] in ("smallest", "greatest") and len(first) == 2:
        commands(rows, number(first[1], 1, 100), copies=True, counted=False)
    elif first[0] == "records" and len(first) == 3:
        number(first[2], -(10**9), 10**9)
        commands(rows, number(first[1], 1, 100), copies=True, counted=True)
    elif first[0] in ("singles", "texts", "wides") and len(first) == 2:
        commands(rows, number(first[1], 1, 100), copies=first[0] != "singles", counted=True)
    else:
        wrong(f"{first[0]}: no kind of case")
    return 42


if __name__ == "__main__":
    sys.exit(main())
