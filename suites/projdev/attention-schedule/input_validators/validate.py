# rigorbench-canary 0d86b03a-d5c5-459a-82db-0d5736010225
"""Accepts (status 42) one problem within the statement's limits; else ends with 43."""

import re
import sys

RANGES = ((1, 400), (1, 64), (100, 100_000), (1, 5000), (1, 512), (0, 1), (0, 10**6))


def valid(text):
    if not re.fullmatch(r"(?:0|[1-9][0-9]{0,6})(?: (?:0|[1-9][0-9]{0,6})){6}\n", text):
        return False
    n, d, capacity, *_ = numbers = list(map(int, text.split()))
    inside = all(low <= number <= high for number, (low, high) in zip(numbers, RANGES))
    return inside and capacity >= n + 5 * d + 10


sys.exit(42 if valid(sys.stdin.buffer.read().decode("latin-1")) else 43)
