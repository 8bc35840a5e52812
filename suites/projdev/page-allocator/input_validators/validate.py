# rigorbench-canary 62ca5553-4657-4d84-81b4-2ec70a7e17ce
"""Accepts (status 42) an input that the statement allows; else ends with 43."""

import re
import sys

NUMBER = re.compile(r"0|-?[1-9][0-9]{0,18}")
FAR = 10**9
ANY = (-FAR, FAR)
SLOT = (0, 3)
COMMANDS = {
    "open": ((1, 1_000_000),),
    "take": (ANY,),
    "at": (ANY, ANY),
    "give": (ANY,),
    "shrink": (ANY, ANY),
    "find": (ANY,),
    "count": (ANY,),
    "counts": (),
    "storm": ((0, 2**62), (1, 3_000_000), (0, 12), (0, 100)),
}


def complaint(data):
    try:
        text = data.decode("ascii")
    except UnicodeDecodeError:
        return "not ASCII"
    if not text.endswith("\n"):
        return "the last line has no end"
    opened, calls = set(), 0
    for place, line in enumerate(text.split("\n")[:-1], 1):
        name, *words = line.split(" ")
        ranges = COMMANDS.get(name)
        if ranges is None or len(words) != 1 + len(ranges) or not all(map(NUMBER.fullmatch, words)):
            return f"line {place}: not a command"
        slot, *values = map(int, words)
        if not SLOT[0] <= slot <= SLOT[1] or not all(low <= value <= high for value, (low, high) in zip(values, ranges)):
            return f"line {place}: a number is too small or too large"
        if name == "open":
            opened.add(slot)
        elif slot not in opened:
            return f"line {place}: no zone is open there"
        if name == "storm":
            calls += values[1]
    return None if calls <= 4_000_000 else f"{calls} calls in storms"


reason = complaint(sys.stdin.buffer.read())
if reason:
    sys.stderr.write(f"{reason}\n")
    sys.exit(43)
sys.exit(42)
