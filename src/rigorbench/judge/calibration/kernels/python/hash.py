"""Counting in the library's hash map: 1.5 million updates of half a million keys."""

import sys


def main() -> None:
    count: dict[int, int] = {}
    x, most = 3, 0
    for i in range(1500000):
        x = x * 48271 % 2147483647
        key = x % 500009 * 4001
        value = count[key] = count.get(key, 0) + (i & 7)
        if value > most:
            most = value
    sys.stdout.write(f"{len(count)} {most}\n")


main()
