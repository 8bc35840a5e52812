# rigorbench-canary 30995173-b7c4-441e-8bd0-91a05f94348c
"""Accepts the inputs of both drivers, by their first word; says what is wrong with others."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from typing import NoReturn

LARGEST = 2**63 - 1
NUMBER, INDEX = (-LARGEST, LARGEST), (0, 10**6)
SEED, REGISTER = (0, 2**32), (0, 7)
MAP = "map"
# What follows the words of commands; MAP: the number of one.
COMMANDS: dict[str, tuple[object, ...]] = {
    **dict.fromkeys(["insert", "add", "try", "set"], (MAP, NUMBER, NUMBER)),
    **dict.fromkeys(["at", "has", "find", "erase"], (MAP, NUMBER)),
    **dict.fromkeys(["size", "show", "reversed", "clear"], (MAP,)),
    "reserve": (MAP, INDEX),
    **dict.fromkeys(["copy", "clone", "move", "take", "swap"], (MAP, MAP)),
    **dict.fromkeys(["none", "forth", "back", "peek"], (REGISTER,)),
    **dict.fromkeys(["begin", "end", "erase-at", "last", "first"], (REGISTER, MAP)),
    "seek": (REGISTER, MAP, NUMBER),
    "equal": (REGISTER, REGISTER),
}
COPYING = {"add", "copy", "clone"}
ORDERS = {"rising", "drawn"}
SHORT, SHIFT = (0, 1000), (0, 48)
FAILURES = "insert insert-moved try try-moved try-old erase find reserve assign copy".split()
# What the lines of the other driver's cases are, by the case's first word.
CHECKS: dict[str, dict[str, tuple[object, ...]]] = {
    "cost": dict.fromkeys(["search", "reserve", "whole", "again"], (ORDERS, (1, 10**6), (0, 40), (0, 10**5), SEED)),
    "failures": dict.fromkeys(FAILURES, ({"hash", "question", "copy", "memory"}, SHORT, SHORT, SEED)),
    "volume": dict.fromkeys(["fill", "sparse", "cache", "swaps", "pages"], (ORDERS, SHIFT, (2000, 10**6), SEED)),
}
# The numbers after the kinds of elements.
KINDS = {"numbers": 1, "records": 2, "singles": 1, "texts": 1}

line = 0


def wrong(message: str) -> NoReturn:
    print(f"line {line}: {message}")
    sys.exit(43)


def rows() -> Iterator[list[str]]:
    global line
    for line, text in enumerate(sys.stdin, 1):
        if not text.endswith("\n") or text != " ".join(text.split()) + "\n" or text == "\n":
            wrong("words are separated by one space, and a line end comes after the last")
        yield text.split()


def number(word: str, low: int, high: int) -> int:
    if not re.fullmatch(r"0|-?[1-9][0-9]{0,18}", word) or not low <= int(word) <= high:
        wrong(f"{word}: not a number from {low} to {high}")
    return int(word)


def fits(row: list[str], table: dict[str, tuple[object, ...]], maps: int) -> None:
    if row[0] not in table:
        wrong(f"{row[0]}: not a word of this kind of case")
    shape = table[row[0]]
    if len(row) != 1 + len(shape):
        wrong(f"{row[0]} with {len(row) - 1} arguments")
    for word, expected in zip(row[1:], shape, strict=True):
        if isinstance(expected, set):
            if word not in expected:
                wrong(f"{word}: not one of {', '.join(sorted(expected))}")
        elif isinstance(expected, tuple):
            number(word, *expected)
        else:
            number(word, 0, maps - 1)


def main() -> int:
    lines = rows()
    first = next(lines, None)
    if first is None:
        wrong("nothing there")
    if len(first) == 1 and first[0] in CHECKS:
        count = 0
        for row in lines:
            fits(row, CHECKS[first[0]], 0)
            count += 1
        if count == 0:
            wrong("no line after the first")
        return 42
    if first[0] not in KINDS or len(first) != 1 + KINDS[first[0]]:
        wrong("no kind of case")
    if first[0] == "records":
        number(first[1], 1, 10**6)
    maps = number(first[-1], 1, 100)
    for row in lines:
        fits(row, COMMANDS, maps)
        if first[0] == "singles" and row[0] in COPYING:
            wrong(f"{row[0]} of elements that cannot be copied")
        if first[0] != "numbers" and row[0] == "set":
            wrong("set requires numbers")
    return 42


if __name__ == "__main__":
    sys.exit(main())
