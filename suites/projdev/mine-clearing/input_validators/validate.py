# rigorbench-canary 9a625236-3290-4684-9d26-901f0e50fcf0
"""Accepts conversations and games that keep the statement's promises."""

from __future__ import annotations

import re
import sys
from typing import NoReturn

NUMBER = re.compile(r"[1-9][0-9]{0,9}")


def wrong(line: int, message: str) -> NoReturn:
    print(f"line {line}: {message}")
    sys.exit(43)


def numbers(words: list[str], line: int, *ranges: tuple[int, int]) -> list[int]:
    if len(words) != len(ranges):
        wrong(line, f"{len(ranges)} numbers with one space between them belong here")
    for word, (low, high) in zip(words, ranges, strict=True):
        if not NUMBER.fullmatch(word) or not low <= int(word) <= high:
            wrong(line, f"{word}: not a number from {low} to {high}")
    return [int(word) for word in words]


def games(lines: list[str]) -> None:
    (count,) = numbers(lines[0].split(" ")[1:], 1, (1, 40))
    if len(lines) != count + 1:
        wrong(len(lines), f"{count} fields belong here")
    for at, line in enumerate(lines[1:], 2):
        sizes = ((1, 40), (3, 40), (1, 480), (1, 3), (1, 2**32 - 1))
        rows, columns, mines, _lives, _seed = numbers(line.split(" "), at, *sizes)
        # The sample's field is smaller than those of the tests.
        if not (60 if count > 1 else 30) <= rows * columns <= 480:
            wrong(at, "60 to 480 cells belong into a field")
        if mines * 3 > rows * columns:
            wrong(at, "too many mines to leave the first cell free")


def conversation(lines: list[str]) -> None:
    at = commands = 0
    while (at := at + 1) < len(lines):
        words = lines[at].split(" ")
        commands += 1
        if not lines[at].isascii() or not lines[at].isprintable() or len(lines[at]) > 100:
            wrong(at + 1, "a command is up to 100 printable ASCII characters")
        if words[0] == "new":
            rows, columns, _ = numbers(words[1:], at + 1, (1, 1000), (3, 1000), (1, 10**9 - 1))
            field = lines[at + 1 : at + 1 + rows]
            if len(field) != rows or any(len(row) != columns or set(row) - set(".*") for row in field):
                wrong(at + 2, f"{rows} lines of {columns} characters . or * belong here")
            if "." not in "".join(field):
                wrong(at + 2, "a cell without a mine is missing")
            at += rows
        elif words[0] == "make":
            sizes = ((1, 1000), (3, 1000), (1, 250_000), (1, 10**9 - 1), (1, 2**32 - 1))
            rows, columns, mines, _, _ = numbers(words[1:], at + 1, *sizes)
            if mines >= rows * columns:
                wrong(at + 1, "a cell without a mine is missing")
        else:
            continue
        if rows * columns > 250_000:
            wrong(at + 1, "more than 250,000 cells")
    if not 1 <= commands <= 20_000:
        wrong(len(lines), "1 to 20,000 commands belong here")


def main() -> int:
    text = sys.stdin.read()
    if not text.endswith("\n"):
        wrong(text.count("\n") + 1, "no line end")
    lines = text[:-1].split("\n")
    if lines[0] == "serve":
        conversation(lines)
    elif lines[0].startswith("play "):
        games(lines)
    else:
        wrong(1, "neither serve nor play")
    return 42


if __name__ == "__main__":
    sys.exit(main())
