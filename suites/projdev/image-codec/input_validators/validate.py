# rigorbench-canary ecf4fdca-358f-4d14-bb58-275f2dfb8b72
"""Accepts (status 42) lines of one driver, within the statement's limits; else ends with 43."""

import re
import sys

NUMBER = r"(?:0|[1-9][0-9]{0,8})"
SHAPE = rf"(flat|tiles|lines|drift|noise|spots) ({NUMBER}) ({NUMBER}) ([134]) {NUMBER}"
ENCODE = re.compile(SHAPE)
BOTH = re.compile(rf"[1-9][0-9]{{0,8}} {SHAPE}")
DECODE = re.compile(rf"(?:stream [1-9][0-9]{{0,8}}|damage [1-9][0-9]{{0,2}} {NUMBER}) (?:[0-9a-f]{{2}})+")


def valid(text):
    if not text.endswith("\n"):
        return False
    lines = text[:-1].split("\n")
    for form in (ENCODE, BOTH):
        found = [form.fullmatch(line) for line in lines]
        if all(found):
            return all(0 < int(match[2]) <= 10**6 and 0 < int(match[3]) <= 10**6 and int(match[2]) * int(match[3]) < 2**20 for match in found)
    return all(DECODE.fullmatch(line) for line in lines)


sys.exit(42 if valid(sys.stdin.buffer.read().decode("latin-1")) else 43)
