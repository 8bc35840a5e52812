"""Reading two numbers from each of many lines and writing one."""

import sys


def main() -> None:
    write = sys.stdout.write
    for line in sys.stdin:
        a, b = line.split()
        write(f"{int(a) + int(b)}\n")


main()
