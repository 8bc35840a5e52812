# rigorbench-canary a25b6a18-b249-4263-8654-8ba6031f129a
"""Accepts the inputs of both drivers, by their first word; says what is wrong with others."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from typing import NoReturn

LARGEST = 2**63 - 1
NUMBER = (-LARGEST, LARGEST)
SEED, REGISTER = (0, 2**32), (0, 7)
LIST = "list"
# What follows the words of commands; LIST: the number of one.
COMMANDS: dict[str, tuple[object, ...]] = {
    **dict.fromkeys(["push", "add", "front", "add-front"], (LIST, NUMBER)),
    **dict.fromkeys(["pop", "pop-front", "ends", "size", "show", "reversed", "clear"], (LIST,)),
    **dict.fromkeys(["reverse", "sort", "sort-tens", "sort-down", "unique", "unique-tens"], (LIST,)),
    "remove": (LIST, (1, 1000)),
    **dict.fromkeys(["merge", "append", "copy", "clone", "move", "take", "swap"], (LIST, LIST)),
    **dict.fromkeys(["none", "forth", "back", "peek"], (REGISTER,)),
    **dict.fromkeys(["begin", "end", "again", "erase"], (REGISTER, LIST)),
    **dict.fromkeys(["insert", "place"], (REGISTER, LIST, NUMBER)),
    "equal": (REGISTER, REGISTER),
    "cut": (REGISTER, LIST, REGISTER),
    "splice": (REGISTER, LIST, LIST),
    "transfer": (REGISTER, LIST, LIST, REGISTER),
}
COPYING = {"add", "add-front", "copy", "clone", "again"}
ORDERS = {"rising", "falling", "drawn"}
SHORT = (0, 1000)
FAILURES = "push push-moved insert insert-moved assign copy range sort merge unique remove".split()
# What the lines of the other driver's cases are, by the case's first word.
CHECKS: dict[str, dict[str, tuple[object, ...]]] = {
    "cost": dict.fromkeys(["sort", "merge", "splice"], (ORDERS, (0, 10**5), SEED)),
    "failures": dict.fromkeys(FAILURES, ({"question", "copy", "memory"}, SHORT, SHORT, SEED)),
    "volume": dict.fromkeys(["sort", "tournament", "splice", "pages"], (ORDERS, (1000, 10**6), SEED)),
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
    if not re.fullmatch(r"0|-?[1-9][0-9]{0,18}", word) or not low <= int(word) <= high:
        wrong(f"{word}: not a number from {low} to {high}")
    return int(word)


def fits(row: list[str], table: dict[str, tuple[object, ...]], lists: int) -> None:
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
            number(word, 0, lists - 1)


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
            if row[0] in ("insert", "insert-moved") and row[2] == "0":
                wrong("there must be an element to insert behind")
        if count == 0:
            wrong("no line after the first")
        return 42
    if len(first) != 2 or first[0] not in KINDS:
        wrong("no kind of case")
    lists = number(first[1], 1, 100)
    for row in lines:
        if row[0] == "range" and len(row) > 2:
            number(row[1], 0, lists - 1)
            if len(row) != 3 + number(row[2], 0, 1000):
                wrong("range with another number of elements")
            for word in row[3:]:
                number(word, *NUMBER)
        else:
            fits(row, COMMANDS, lists)
        if first[0] == "singles" and row[0] in COPYING:
            wrong(f"{row[0]} of elements that cannot be copied")
    return 42


if __name__ == "__main__":
    sys.exit(main())
