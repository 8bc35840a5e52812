# rigorbench-canary 0acfbf02-af4d-4026-9032-675bb485a582
"""Accepts (status 42) an input that the statement allows; else ends with 43."""

import re
import sys

NUMBER = re.compile(r"0|[1-9][0-9]{0,18}")
FAR = 2 * 10**12
MOST = 500_000
RANGES = ((1, MOST), (0, 2**63 - 1), (1, 10**12), (1, 10**12))


def complaint(data):
    try:
        text = data.decode("ascii")
    except UnicodeDecodeError:
        return "not ASCII"
    if text and not text.endswith("\n"):
        return "the last line has no end"
    count = 0
    for place, line in enumerate(text.split("\n")[:-1], 1):
        words = line.split(" ")
        many = words[0] == "many"
        numbers = words[1:] if many else words
        if len(numbers) != (4 if many else 2) or not all(map(NUMBER.fullmatch, numbers)):
            return f"line {place}: not FROM TO, and not many COUNT SEED SPAN LENGTH"
        values = list(map(int, numbers))
        if many and not all(low <= value <= high for value, (low, high) in zip(values, RANGES)):
            return f"line {place}: a number is too small or too large"
        if not many and not values[0] <= values[1] <= FAR:
            return f"line {place}: not a booking"
        count += values[0] if many else 1
    return None if count <= MOST else f"{count} bookings, more than {MOST}"


reason = complaint(sys.stdin.buffer.read())
if reason:
    sys.stderr.write(f"{reason}\n")
    sys.exit(43)
sys.exit(42)
