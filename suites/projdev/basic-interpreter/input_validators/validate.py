# rigorbench-canary a434b772-c12c-41be-acce-e6e88575a926
"""Accepts (status 42) a session of printable lines of at most 200 characters that has something to answer; else ends with 43."""

import re
import sys

LINE = re.compile("[ -~]{0,200}")
ASKS = re.compile(" *(RUN|LIST|PRINT|INPUT)")


def complaint(data):
    try:
        text = data.decode("ascii")
    except UnicodeDecodeError:
        return "not ASCII"
    if not text.endswith("\n"):
        return "the last line has no end"
    lines = text.split("\n")[:-1]
    for place, line in enumerate(lines, 1):
        if not LINE.fullmatch(line):
            return f"line {place} is too long, or has other characters than printable ones"
    numbers = {line.split()[0] for line in lines if line.strip() and line.split()[0].isdigit()}
    if len(numbers) > 20_000:
        return f"{len(numbers)} lines of a program"
    if not any(ASKS.match(line) for line in lines):
        return "nothing is run, listed or printed"
    return None


reason = complaint(sys.stdin.buffer.read())
if reason:
    sys.stderr.write(f"{reason}\n")
    sys.exit(43)
sys.exit(42)
