# rigorbench-canary 4b5084c6-e651-48cc-9b25-0a9ac5dcd7d9
"""Accepts the inputs of the three drivers, by their first word; says what is wrong with others."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from typing import NoReturn

INTEGER = re.compile(r"0|-?[1-9][0-9]{0,18}")
LARGEST = 2**63 - 1
ONE = {"pop", "extract", "top", "size", "clear", "drain", "again"}
NUMBER = {"push", "insert", "emplace"}
TWO = {"merge", "swap", "move", "take", "copy", "clone"}
COPYING = {"copy", "clone", "again"}
# Operations that need an element.
FILLED = {"pop", "extract", "top", "again"}
OTHERS = {"push", "push-moved", "emplace", "emplace-copied", "merge", "merge-self", "assign", "assign-self", "copy"}
OTHERS |= {"range", "move", "take", "swap", "clear"}
# Of each line of a case: what its fields are; a range of numbers, or the words that may stand there.
SEED = (0, 2**32)
COST = {
    "rounds": ((1, 10**4), (1, 10**4), {"falling", "rising", "drawn", "zigzag"}, SEED),
    "tournament": ((1, 10**5), SEED),
    "range": ((0, 10**5), SEED),
    "copies": ((1, 10**4), (1, 100), (1, 10**4), SEED),
}
VOLUME = {
    "churn": ((1, 10**6), (1, 10**7), SEED),
    "chain": ({"falling", "rising", "drawn"}, (1, 10**6), SEED),
    "swallow": ((1, 10**6), (1, 10**6), SEED),
    "many": ((1, 10**6), SEED),
}
FUSES = {"question", "copy", "memory"}
FAILURES = dict.fromkeys(OTHERS, (FUSES, (0, 2000), (0, 2000), SEED))
FAILURES |= dict.fromkeys(FILLED, (FUSES, (1, 2000), (0, 2000), SEED))
PARTS = {"cost": COST, "failures": FAILURES, "volume": VOLUME}

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


def table(shapes: dict[str, tuple[object, ...]], rows: Iterator[list[str]]) -> None:
    for row in rows:
        shape = shapes.get(row[0])
        if shape is None or len(row) != 1 + len(shape):
            wrong("not one of the lines of this kind of case")
        for word, expected in zip(row[1:], shape, strict=True):
            if isinstance(expected, set):
                if word not in expected:
                    wrong(f"{word}: not one of {', '.join(sorted(expected))}")
            elif isinstance(expected, tuple):
                number(word, *expected)
        if row[0] == "copies" and int(row[3]) > int(row[1]):
            wrong("more pops of a copy than it has elements")


def commands(rows: Iterator[list[str]], first: Sequence[int], copies: bool, counted: bool) -> None:
    """Checks commands. `first`: the order of each queue at the start; queues with different ones are not merged."""
    orders = list(first)
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
        if expected == 0:
            continue
        at = number(rest[0], 0, len(orders) - 1)
        for argument in rest[2:] if word == "range" else rest[1:] if word in NUMBER else []:
            number(argument)
        if word in COPYING and not copies:
            wrong(f"{word} of elements that cannot be copied")
        if word == "range":
            orders[at] = first[at]
        if word not in TWO:
            continue
        other = number(rest[1], 0, len(orders) - 1)
        if word == "take" and other == at:
            wrong(f"{word} of a queue from itself")
        if word == "merge" and orders[at] != orders[other]:
            wrong("queues with different orders are not merged")
        if word == "swap":
            orders[at], orders[other] = orders[other], orders[at]
        elif word != "merge":
            orders[at] = orders[other]


def main() -> int:
    rows = lines()
    first = next(rows, None)
    if first is None:
        wrong("nothing there")
    kind, *rest = first
    if kind in PARTS and not rest:
        table(PARTS[kind], rows)
    elif kind in ("smallest", "greatest") and len(rest) == 1:
        commands(rows, [0] * number(rest[0], 1, 100), copies=True, counted=False)
    elif kind == "records" and len(rest) > 1 and len(rest) == 1 + number(rest[0], 1, 100):
        commands(rows, [number(word, -(10**9), 10**9) for word in rest[1:]], copies=True, counted=True)
    elif kind in ("singles", "texts", "wides") and len(rest) == 1:
        commands(rows, [0] * number(rest[0], 1, 100), copies=kind != "singles", counted=True)
    else:
        wrong(f"{kind}: no kind of case")
    return 42


if __name__ == "__main__":
    sys.exit(main())
