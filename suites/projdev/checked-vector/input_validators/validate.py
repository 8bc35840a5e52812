# rigorbench-canary ff6c925b-e7ec-441b-b728-dfa192fd87f2
"""Accepts the inputs of both drivers, by their first word; says what is wrong with others."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from typing import NoReturn

LARGEST = 2**63 - 1
VALUE, OFFSET, INDEX = (-LARGEST, LARGEST), (-LARGEST - 1, LARGEST), (0, 2 * LARGEST + 1)
SEED, REGISTER = (0, 2**32), (0, 7)
COUNT = (0, 10**7)
VECTOR = "vector"
# What follows the words of commands; VECTOR: the number of one.
COMMANDS: dict[str, tuple[object, ...]] = {
    **dict.fromkeys(["push", "add", "emplace"], (VECTOR, VALUE)),
    **dict.fromkeys(["pop", "ends", "size", "shrink", "clear", "show", "reversed"], (VECTOR,)),
    **dict.fromkeys(["get", "double", "reserve"], (VECTOR, INDEX)),
    "resize": (VECTOR, (0, 1000), VALUE),
    **dict.fromkeys(["copy", "clone", "move", "take", "swap"], (VECTOR, VECTOR)),
    **dict.fromkeys(["insert", "place"], (VECTOR, OFFSET, VALUE)),
    "again": (VECTOR, OFFSET, INDEX),
    "erase": (VECTOR, OFFSET),
    "cut": (VECTOR, OFFSET, OFFSET),
    **dict.fromkeys(["begin", "end", "erase-at"], (REGISTER, VECTOR)),
    **dict.fromkeys(["none", "forth", "back", "peek"], (REGISTER,)),
    **dict.fromkeys(["jump", "leap", "look"], (REGISTER, OFFSET)),
    "near": (REGISTER, OFFSET, OFFSET),
    **dict.fromkeys(["minus", "equal", "order"], (REGISTER, REGISTER)),
    **dict.fromkeys(["insert-at", "place-at"], (REGISTER, VECTOR, VALUE)),
    "cut-at": (REGISTER, VECTOR, REGISTER),
}
COPYING = {"add", "double", "again", "resize", "copy", "clone"}
SHORT = (0, 2000)
FAILURES = "push push-moved emplace insert insert-moved again reserve shrink resize assign copy range".split()
# What the lines of the other driver's cases are, by the case's first word.
CHECKS: dict[str, dict[str, tuple[object, ...]]] = {
    "cost": dict.fromkeys(["grow", "reserve", "erase", "copy"], (COUNT, SEED)),
    "failures": dict.fromkeys(FAILURES, ({"copy", "memory"}, SHORT, SHORT, SEED)),
    "volume": dict.fromkeys(["grow", "middle", "cuts", "rounds", "swaps"], (COUNT, SEED)),
}
KINDS = {"numbers", "records", "singles", "texts", "wides"}

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
    if not re.fullmatch(r"0|-?[1-9][0-9]{0,19}", word) or not low <= int(word) <= high:
        wrong(f"{word}: not a number from {low} to {high}")
    return int(word)


def fits(row: list[str], table: dict[str, tuple[object, ...]], vectors: int) -> None:
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
            number(word, 0, vectors - 1)


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
            if row[0] == "again" and row[2] == "0":
                wrong("again requires an element")
        if count == 0:
            wrong("no line after the first")
        return 42
    if len(first) != 2 or first[0] not in KINDS:
        wrong("no kind of case")
    vectors = number(first[1], 1, 100)
    for row in lines:
        if row[0] == "range" and len(row) > 2:
            number(row[1], 0, vectors - 1)
            if len(row) != 3 + number(row[2], 0, 1000):
                wrong("range with another number of elements")
            for word in row[3:]:
                number(word, *VALUE)
        else:
            fits(row, COMMANDS, vectors)
        if first[0] == "singles" and row[0] in COPYING:
            wrong(f"{row[0]} of elements that cannot be copied")
    return 42


if __name__ == "__main__":
    sys.exit(main())
