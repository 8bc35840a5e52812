# rigorbench-canary 579b0d88-8290-490f-b38c-6908e7f20bb5
"""Accepts (status 42) a script of the driver's commands with numbers in their limits that shows something; else ends with 43."""

import re
import sys

NAME, SIGN, INTEGER = re.compile("[a-z]"), re.compile("[+-]"), re.compile("0|-?[1-9][0-9]*")


def number(low, high):
    return lambda word: INTEGER.fullmatch(word) is not None and low <= int(word) <= high


DIGITS = number(1, 400_000)
THREE, TWO = (NAME.fullmatch,) * 3, (NAME.fullmatch,) * 2
COMMANDS = {
    "draw": (NAME.fullmatch, SIGN.fullmatch, DIGITS, number(0, 10**9)),
    "ones": (NAME.fullmatch, SIGN.fullmatch, re.compile("[19]").fullmatch, DIGITS),
    "text": (NAME.fullmatch, re.compile("[!-~]{1,100}").fullmatch),
    "small": (NAME.fullmatch, number(-(2**63), 2**63 - 1)),
    "show": (NAME.fullmatch,),
    "digest": (NAME.fullmatch,),
    "fib": (NAME.fullmatch, number(1, 100_000)),
    "fact": (NAME.fullmatch, number(0, 5_000)),
    "power": (*TWO, number(0, 100_000)),
    **{name: THREE for name in ("add", "sub", "mul", "div", "mod")},
    **{name: TWO for name in ("add-to", "sub-from", "mul-by", "div-by", "mod-by", "negate", "copy", "move", "compare", "check")},
}


def complaint(data):
    try:
        text = data.decode("ascii")
    except UnicodeDecodeError:
        return "not ASCII"
    if not text.endswith("\n"):
        return "the last line has no end"
    shows = False
    for place, line in enumerate(text.split("\n")[:-1], 1):
        command, *words = line.split(" ")
        checks = COMMANDS.get(command, ())
        if not checks or len(words) != len(checks):
            return f"line {place}: {line!r} is no command"
        if not all(check(word) for check, word in zip(checks, words, strict=True)):
            return f"line {place}: {line!r} has a word that is not allowed"
        shows = shows or command in {"show", "digest", "compare", "check"}
    return None if shows else "nothing is shown"


reason = complaint(sys.stdin.buffer.read())
if reason:
    sys.stderr.write(f"{reason}\n")
    sys.exit(43)
sys.exit(42)
