# rigorbench-canary 3946732e-f346-4ca6-977b-b81bb144cf12
"""Accepts gardens that keep the statement's promises, written in the one way that the generator writes them."""

from __future__ import annotations

import re
import sys
from typing import NoReturn

NUMBER = re.compile(r"0|[1-9][0-9]{0,9}")


def wrong(line: int, message: str) -> NoReturn:
    print(f"line {line}: {message}")
    sys.exit(43)


def numbers(lines: list[str], at: int, *ranges: tuple[int, int]) -> list[int]:
    words = lines[at].split(" ") if at < len(lines) else []
    if len(words) != len(ranges):
        wrong(at + 1, f"{len(ranges)} numbers with one space between them belong here")
    for word, (low, high) in zip(words, ranges, strict=True):
        if not NUMBER.fullmatch(word) or not low <= int(word) <= high:
            wrong(at + 1, f"{word}: not a number from {low} to {high}")
    return [int(word) for word in words]


def main() -> int:
    text = sys.stdin.read()
    if not text.endswith("\n"):
        wrong(text.count("\n") + 1, "no line end")
    lines = text[:-1].split("\n")
    count, hours, _looks = numbers(lines, 0, (1, 60), (1, 1000), (0, 1000))
    numbers(lines, 1, (0, 2**32 - 1), (0, 60), (0, hours))
    sky = lines[2] if len(lines) > 2 else ""
    if len(sky) != hours or not (set(sky) <= {"o"} or set(sky) <= {"w", "d"}):
        wrong(3, f"{hours} letters belong here: only o, or only w and d")
    if len(lines) != 3 + count:
        wrong(len(lines), f"there are to be {3 + count} lines")
    for at in range(3, 3 + count):
        # The sample's barrels are smaller than those of the tests.
        capacity, *_ = numbers(lines, at, (1, 40000), (1, 40000), (1, 40000))
        if count > 3 and capacity < 1000:
            wrong(at + 1, f"{capacity}: less than 1000")
    return 42


if __name__ == "__main__":
    sys.exit(main())
