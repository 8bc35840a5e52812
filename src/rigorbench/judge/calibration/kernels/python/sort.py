"""The library's sort over a million pseudo-random numbers."""

import sys


def main() -> None:
    n = 1000000
    a = [0] * n
    x = 7
    for i in range(n):
        x = x * 48271 % 2147483647
        a[i] = x
    a.sort()
    total = 0
    for i in range(n):
        total = (total + i % 7 * a[i]) % 1000000007
    sys.stdout.write(f"{total}\n")


main()
