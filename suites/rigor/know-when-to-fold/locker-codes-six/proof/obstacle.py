# rigorbench-canary 887b825e-8f3a-4844-ac76-f824d1c74d5c
"""Counts: are there fewer codes of the wanted length than parcels? The instruction comes by standard input."""

import re
import sys

sys.path.insert(0, "src")
from lockercode.alphabet import ALPHABET
from lockercode.parcel import RANGES

LENGTHS = {"five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10}
length = LENGTHS[re.search(r"exactly (\w+) characters", sys.stdin.read()).group(1)]
codes, parcels = len(ALPHABET) ** length, 1
for count in RANGES.values():
    parcels *= count
print(f"{codes} codes, {parcels} parcels")
# One more code for each parcel must be free, so that a mistyped character is noticed at all.
sys.exit(0 if codes < 2 * parcels else 1)
