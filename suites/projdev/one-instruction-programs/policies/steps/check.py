"""Compares all programs with simple computations, at the limits of the statement and on random inputs."""

import math
import random
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT))

from machine import ProgramError, assemble, run  # noqa: E402

CHANCE = random.Random(7)


def listed(count, low, high):
    return [count, *(CHANCE.randint(low, high) for _ in range(count))]


TASKS = {
    "copy": ([[], [0, 0], [5, 0, 1000]], lambda n: n),
    "countdown": ([[0], [1], [1000]], lambda n: list(range(n[0], -1, -1))),
    "largest": ([[1, 1], listed(50, 1, 10**9), listed(9, 1, 3)], lambda n: [max(n[1:])]),
    "sum": ([[0], [1, 0], [50, *[10**9] * 50], listed(9, 0, 99)], lambda n: [sum(n[1:])]),
    "product": ([[0, 0], [0, 5], [5, 0], [1000, 1000], [12, 30]], lambda n: [n[0] * n[1]]),
    "divide": ([[0, 1], [2000, 1], [6, 7], [7, 7], [17, 5]], lambda n: list(divmod(*n))),
    "gcd": ([[1, 1], [1000, 1], [1, 1000], [999, 1000], [12, 18]], lambda n: [math.gcd(*n)]),
    "powers": ([[0], [1], [40]], lambda n: [2**k for k in range(n[0] + 1)]),
    "reverse": ([[0], [1, 0], listed(50, 0, 1000)], lambda n: n[:0:-1]),
    "sort": ([[0], [1, 5], [12, *range(12, 0, -1)], listed(12, 0, 3), listed(12, 0, 10**9)], lambda n: sorted(n[1:])),
}


def main():
    failed = 0
    for name, (inputs, right) in TASKS.items():
        try:
            cells = assemble((ROOT / f"{name}.one").read_text("ascii"))
            wrong = [numbers for numbers in inputs if run(cells, numbers)[0] != right(numbers)]
        except (OSError, ProgramError) as error:
            wrong, cells = [error], []
        failed += bool(wrong)
        print(f"{name}: {'FAILED ' + str(wrong[0])[:80] if wrong else f'{len(cells)} cells'}")
    print(f"{len(TASKS) - failed} passed, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
