# rigorbench-canary 5371e1d0-6a9b-4fbf-af89-0bc6e4a18505
"""Accepts (status 42) an input that the statement allows, as far as one run can tell; else ends with 43."""

import re
import sys

MOST_COMMANDS, LONGEST_LINE = 60_000, 1_200
ID, LINE, PORT = "[a-z0-9]{1,16}", "[a-z0-9-]{1,16}", "[A-Z]{1,16}"
TEXT = r"[!-+\--<>-~]{1,24}"
RANK, TIME = "[0-9]", "(?:[01][0-9]|2[0-3]):[0-5][0-9]"
DAY = "(?:[1-9][0-9]?|1[0-5][0-9]|160)"
COUNT = "(?:[1-9][0-9]{0,2}|[1-4][0-9]{3}|5000)"
NUMBER = "(?:[1-9][0-9]{0,5}|1000000)"
ORDER = "(?:time|price)"
FIELD = f"(?:password={TEXT}|name={TEXT}|rank={RANK})"

FREE = {
    "enter": f"{ID} {TEXT}",
    "search": f"{PORT} {PORT} {DAY} {ORDER}",
    "change": f"{PORT} {PORT} {DAY} {ORDER}",
    "show": f"{LINE} {DAY}",
    "stop": "",
}
OF_ACCOUNT = {
    "leave": "",
    "enrol": f"{ID} {TEXT} {TEXT} {RANK}",
    "profile": ID,
    "alter": f"{ID} {FIELD}(?: {FIELD}){{0,2}}",
    "draft": f"{LINE} {COUNT} {DAY} {DAY} {TIME} {PORT}(?:,{PORT})+ [0-9,]+ [0-9,]+ [0-9,-]+",
    "scrap": LINE,
    "launch": LINE,
    "cancel": f"{LINE} {DAY}",
    "manifest": f"{LINE} {DAY}",
    "book": f"{LINE} {DAY} {PORT} {PORT} {COUNT}(?: wait)?",
    "bookings": COUNT,
    "refund": NUMBER,
}


def compiled(commands, before):
    return {name: re.compile(f"{before}{name}{' ' if words else ''}{words}") for name, words in commands.items()}


PATTERNS = {False: compiled(FREE, ""), True: compiled(OF_ACCOUNT, f"@{ID} ")}


def numbers(text, count, least, most):
    """Whether this is a list of so many numbers without leading zeros, within these bounds."""
    words = text.split(",") if text != "-" else []
    if len(words) != count:
        return False
    return all(re.fullmatch("0|[1-9][0-9]{0,6}", word) and least <= int(word) <= most for word in words)


def draft_complaint(words):
    _, _, first, last, _, ports, prices, sail, stay = words
    named = ports.split(",")
    if not int(first) <= int(last) <= 100:
        return "the days are no season"
    if len(named) > 24 or len(set(named)) != len(named):
        return "too many ports, or one of them twice"
    if not numbers(prices, len(named) - 1, 1, 100_000) or not numbers(sail, len(named) - 1, 1, 1_440):
        return "prices or minutes of the legs"
    if (stay == "-") != (len(named) == 2) or not numbers(stay, len(named) - 2, 0, 720):
        return "minutes of the stays"
    return None


def command_complaint(line):
    words = line.split(" ")
    given = words[0].startswith("@")
    name = words[given] if len(words) > given else ""
    pattern = PATTERNS[given].get(name)
    if pattern is None or not pattern.fullmatch(line):
        return "no well-formed command"
    rest = words[given + 1 :]
    if name in {"search", "change"} and rest[0] == rest[1] or name == "book" and rest[2] == rest[3]:
        return "both ports are the same"
    if name == "alter":
        fields = [word.partition("=")[0] for word in rest[1:]]
        if len(set(fields)) != len(fields):
            return "a field twice"
    return draft_complaint(rest) if name == "draft" else None


def complaint(data):
    if data and not data.endswith("\n"):
        return "the last line has no end"
    lines = data.split("\n")[:-1]
    if len(lines) > MOST_COMMANDS:
        return f"{len(lines)} commands, more than {MOST_COMMANDS}"
    for place, line in enumerate(lines, 1):
        if len(line) > LONGEST_LINE:
            return f"line {place}: {len(line)} characters, more than {LONGEST_LINE}"
        reason = command_complaint(line)
        if reason is not None:
            return f"line {place}: {reason}"
        if line == "stop" and place < len(lines):
            return f"line {place}: something follows stop"
    return None


reason = complaint(sys.stdin.buffer.read().decode("latin-1"))
if reason:
    sys.stderr.write(f"{reason}\n")
    sys.exit(43)
sys.exit(42)
