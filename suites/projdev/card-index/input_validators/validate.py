# rigorbench-canary af2a9595-30e3-4ce1-b98c-b2b53c6d44b8
"""Accepts (status 42) an input that the statement allows, as far as one run can tell; else ends with 43."""

import re
import sys

WORD = re.compile(r"[a-z][a-z0-9-]{0,39}")
STEM = re.compile(r"[a-z][a-z0-9-]{0,15}")
END = re.compile(r"[a-z][a-z0-9-]{0,39}|~")
NUMBER = re.compile(r"0|[1-9][0-9]{0,9}")
MOST_CARDS = 50_000


def number(low, high):
    return lambda word: NUMBER.fullmatch(word) is not None and low <= int(word) <= high


CARD = number(0, 2**32 - 1)
SKIP = number(0, 4_000_000_000)
LIMIT = number(0, 50)
COMMANDS = {
    "put": (WORD.fullmatch, CARD),
    "drop": (WORD.fullmatch, CARD),
    "has": (WORD.fullmatch, CARD),
    "bulk": (STEM.fullmatch, CARD, number(1, MOST_CARDS), number(1, MOST_CARDS), CARD),
    "weed": (WORD.fullmatch, END.fullmatch, number(1, 2**32 - 1), CARD),
    "move": (WORD.fullmatch, WORD.fullmatch),
    "cards": (WORD.fullmatch, SKIP, LIMIT),
    "count": (WORD.fullmatch, END.fullmatch),
    "words": (WORD.fullmatch, END.fullmatch, SKIP, LIMIT),
    "list": (WORD.fullmatch, END.fullmatch, SKIP, LIMIT),
    "next": (WORD.fullmatch,),
    "prev": (WORD.fullmatch,),
}
RANGES = {"weed", "count", "words", "list"}


def line_complaint(line):
    name, *words = line.split(" ")
    checks = COMMANDS.get(name)
    if checks is None:
        return f"no command {name!r}"
    if len(words) != len(checks):
        return f"{name} has {len(checks)} words after it, not {len(words)}"
    for word, check in zip(words, checks, strict=True):
        if not check(word):
            return f"{word!r} is not allowed here"
    if name in RANGES and words[0] > words[1]:
        return "the range ends before it begins"
    if name == "weed" and int(words[3]) >= int(words[2]):
        return "the remainder is not less than the divisor"
    if name == "bulk" and int(words[2]) * int(words[3]) > MOST_CARDS:
        return f"one bulk of more than {MOST_CARDS} cards"
    return None


def complaint(data):
    try:
        text = data.decode("ascii")
    except UnicodeDecodeError:
        return "not ASCII"
    if text and not text.endswith("\n"):
        return "the last line has no end"
    lines = text.split("\n")[:-1]
    if len(lines) > 60_000:
        return f"{len(lines)} commands, more than 60000"
    cards = 0
    for place, line in enumerate(lines, 1):
        wrong = line_complaint(line)
        if wrong:
            return f"line {place}: {wrong}"
        if line.startswith("bulk "):
            count, each = line.split(" ")[3:5]
            cards += int(count) * int(each)
    if cards > 600_000:
        return f"{cards} cards are asked of bulk, more than 600000"
    return None


reason = complaint(sys.stdin.buffer.read())
if reason:
    sys.stderr.write(f"{reason}\n")
    sys.exit(43)
sys.exit(42)
