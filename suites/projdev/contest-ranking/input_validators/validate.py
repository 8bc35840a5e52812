# rigorbench-canary 9f053aa7-50d0-4793-a06a-a46ec9262edc
"""Accepts (status 42) an input that the statement allows; else ends with 43."""

import re
import sys

NAME = re.compile(r"[A-Za-z0-9_]{1,16}").fullmatch
PROBLEM = re.compile(r"[A-Z]").fullmatch
VERDICT = re.compile(r"accepted|wrong|crash|slow|compile").fullmatch
ANY_PROBLEM = re.compile(r"[A-Z*]").fullmatch
ANY_VERDICT = re.compile(r"accepted|wrong|crash|slow|compile|\*").fullmatch
NUMBER = re.compile(r"0|[1-9][0-9]{0,9}").fullmatch


def number(low, high):
    return lambda word: NUMBER(word) and low <= int(word) <= high


TIME, COUNTING = number(0, 1_000_000_000), number(1, 1_000_000)
COMMANDS = {
    "team": (NAME,),
    "start": (),
    "end": (),
    "submit": (NAME, PROBLEM, VERDICT, TIME),
    "rejudge": (COUNTING, VERDICT),
    "freeze": (),
    "scroll": (),
    "rank": (NAME,),
    "board": (COUNTING, number(1, 40_000)),
    "first": (PROBLEM,),
    "tally": (PROBLEM,),
    "last": (NAME, ANY_PROBLEM, ANY_VERDICT),
    "disqualify": (NAME,),
    "reinstate": (NAME,),
}
HEADER = (re.compile(r"contest").fullmatch, number(1, 26), number(0, 100_000))


def complaint(data):
    try:
        text = data.decode("ascii")
    except UnicodeDecodeError:
        return "not ASCII"
    if not text.endswith("\n"):
        return "the last line has no end"
    lines = text.split("\n")[:-1]
    header = lines[0].split(" ")
    if len(header) != 3 or not all(check(word) for word, check in zip(header, HEADER)):
        return "line 1: not 'contest M P'"
    if len(lines) > 300_001:
        return f"{len(lines) - 1} commands, more than 300000"
    teams, cells, time, asked = set(), {}, 0, 0
    for place, line in enumerate(lines[1:], 2):
        name, *words = line.split(" ")
        checks = COMMANDS.get(name)
        if checks is None:
            return f"line {place}: no command {name!r}"
        if len(words) != len(checks):
            return f"line {place}: {name} has {len(checks)} words after it, not {len(words)}"
        for word, check in zip(words, checks):
            if not check(word):
                return f"line {place}: {word!r} is not allowed here"
        if name == "team":
            teams.add(words[0])
        elif name == "board":
            asked += int(words[1])
        elif name == "submit":
            if int(words[3]) < time:
                return f"line {place}: the time decreases"
            time = int(words[3])
            cell = words[0], words[1]
            cells[cell] = cells.get(cell, 0) + 1
    if len(teams) > 10_000:
        return f"{len(teams)} teams, more than 10000"
    if asked > 40_000:
        return f"{asked} teams asked of the board, more than 40000"
    if any(made > 200 and cell[0] in teams for cell, made in cells.items()):
        return "more than 200 submissions to a cell"
    return None


reason = complaint(sys.stdin.buffer.read())
if reason:
    sys.stderr.write(f"{reason}\n")
    sys.exit(43)
sys.exit(42)
