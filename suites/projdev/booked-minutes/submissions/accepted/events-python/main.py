# rigorbench-canary 0acfbf02-af4d-4026-9032-675bb485a582
"""Booked minutes: beginnings and ends in the order of time, and how many bookings hold at each moment."""

import sys

MASK = (1 << 64) - 1


def read(lines):
    """The beginnings and the ends of all bookings that have a minute."""
    starts, ends = [], []
    for line in lines:
        words = line.split()
        if words[0] != "many":
            first, end = int(words[0]), int(words[1])
            if first < end:
                starts.append(first)
                ends.append(end)
            continue
        count, x, span, length = map(int, words[1:])
        for _ in range(count):
            x = (x * 6364136223846793005 + 1442695040888963407) & MASK
            first = (x >> 20) % span
            x = (x * 6364136223846793005 + 1442695040888963407) & MASK
            minutes = (x >> 20) % length
            if minutes:
                starts.append(first)
                ends.append(first + minutes)
    return starts, ends


def summary(starts, ends):
    starts.sort()
    ends.sort()
    booked = blocks = gap = 0
    begun = 0  # where the current block begins
    for index, start in enumerate(starts):
        # As many bookings have ended as have begun before: a block is over, unless the last one ended just here.
        if index == 0:
            blocks, begun = 1, start
        elif ends[index - 1] < start:
            end = ends[index - 1]
            booked += end - begun
            gap = max(gap, start - end)
            blocks, begun = blocks + 1, start
    if starts:
        booked += ends[-1] - begun
    return booked, blocks, gap


def main():
    starts, ends = read(sys.stdin)
    booked, blocks, gap = summary(starts, ends)
    print(f"booked {booked}\nblocks {blocks}\ngap {gap}")


main()
