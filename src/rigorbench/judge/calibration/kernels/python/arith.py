"""64-bit integer and floating-point arithmetic in one long loop."""

import sys


def main() -> None:
    x, total, f = 1, 0, 0.0
    for _ in range(12000000):
        x = x * 48271 % 2147483647
        total = (total + (x & 255)) % 1000003
        f = f * 0.5 + (x & 1023)
    sys.stdout.write(f"{total} {int(f)}\n")


main()
