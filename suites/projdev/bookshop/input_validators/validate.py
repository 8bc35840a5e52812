# rigorbench-canary eae49e03-bf03-4c9b-96bf-e43b0f8364ae
"""Accepts (status 42) an input that the statement allows, as far as one run can tell; else ends with 43."""

import sys

ALLOWED = frozenset(range(32, 127))


def complaint(data):
    if data and not data.endswith(b"\n"):
        return "the last line has no end"
    lines = data.split(b"\n")[:-1]
    if len(lines) > 60_000:
        return f"{len(lines)} commands, more than 60000"
    for place, line in enumerate(lines, 1):
        if len(line) > 400:
            return f"line {place}: {len(line)} characters, more than 400"
        if not ALLOWED.issuperset(line):
            return f"line {place}: a character that is neither visible ASCII nor a space"
    return None


reason = complaint(sys.stdin.buffer.read())
if reason:
    sys.stderr.write(f"{reason}\n")
    sys.exit(43)
sys.exit(42)
