# rigorbench-canary 74a1702a-6ecf-460f-ad58-eec864a688ab
"""Accepts (status 42) an input that the statement allows, as far as one run can tell; else ends with 43."""

import re
import sys

CORE = re.compile(r"[a-z][a-z0-9-]{0,11}")
TAG = re.compile(r"[a-z0-9.-]{1,16}")
SHORT_TAG = re.compile(r"[a-z0-9.-]{1,10}")
NUMBER = re.compile(r"0|[1-9][0-9]{0,9}")
BOTTOM = 9_999_999


def number(low, high):
    return lambda word: NUMBER.fullmatch(word) is not None and low <= int(word) <= high


DEPTH = number(0, BOTTOM)
GRAMS = number(1, 1_000_000)
COMMANDS = {
    "add": (CORE.fullmatch, DEPTH, GRAMS, TAG.fullmatch),
    "saw": (CORE.fullmatch, number(0, 2**32 - 1), number(1, 20_000), SHORT_TAG.fullmatch),
    "take": (CORE.fullmatch, DEPTH, GRAMS),
    "tag": (CORE.fullmatch, DEPTH, TAG.fullmatch),
    "rename": (CORE.fullmatch, CORE.fullmatch),
    "melt": (CORE.fullmatch, DEPTH, DEPTH),
    "show": (CORE.fullmatch, DEPTH),
    "weigh": (CORE.fullmatch, DEPTH, DEPTH),
    "heaviest": (CORE.fullmatch, DEPTH, DEPTH),
    "find": (TAG.fullmatch, number(0, 50)),
    "cores": (),
}
RANGES = {"melt", "weigh", "heaviest"}


def complaint(data):
    try:
        text = data.decode("ascii")
    except UnicodeDecodeError:
        return "not ASCII"
    if text and not text.endswith("\n"):
        return "the last line has no end"
    lines = text.split("\n")[:-1]
    if len(lines) > 20_000:
        return f"{len(lines)} commands, more than 20000"
    sawn = 0
    for place, line in enumerate(lines, 1):
        name, *words = line.split(" ")
        checks = COMMANDS.get(name)
        if checks is None:
            return f"line {place}: no command {name!r}"
        if len(words) != len(checks):
            return f"line {place}: {name} has {len(checks)} words after it, not {len(words)}"
        for word, check in zip(words, checks, strict=True):
            if not check(word):
                return f"line {place}: {word!r} is not allowed here"
        if name in RANGES and int(words[1]) > int(words[2]):
            return f"line {place}: the range ends before it begins"
        if name == "saw":
            sawn += int(words[2])
    if sawn > 400_000:
        return f"{sawn} pieces are asked of the saw, more than 400000"
    return None


reason = complaint(sys.stdin.buffer.read())
if reason:
    sys.stderr.write(f"{reason}\n")
    sys.exit(43)
sys.exit(42)
