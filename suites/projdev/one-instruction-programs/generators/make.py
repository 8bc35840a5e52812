# rigorbench-canary db51cb59-97c0-4244-bd0e-38998cd92480
"""Writes all data of the package from seeds. `python generators/make.py [DIRECTORY]` (default: the package's data)

An input: ``par LENGTH``, then the numbers of one test in each line; its answers: the output of each.
"""

from __future__ import annotations

import math
import random
import sys
from collections.abc import Callable
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent
CANARY = (PACKAGE / "problem.yaml").read_text("utf-8").splitlines()[0]
POINTS = {"1-easy": 30, "2-arithmetic": 40, "3-memory": 30}
Numbers = list[int]


def listed(chance: random.Random, count: int, low: int, high: int) -> Numbers:
    return [count, *(chance.randint(low, high) for _ in range(count))]


def pairs(chance: random.Random, low: int, high: int, *fixed: tuple[int, int]) -> list[Numbers]:
    return [*map(list, fixed), *([chance.randint(low, high), chance.randint(low, high)] for _ in range(4))]


def tasks(chance: random.Random) -> dict[str, tuple[int, list[Numbers], Callable[[Numbers], Numbers]]]:
    """case -> (par, inputs, the right output of an input)."""
    many = [0, 1, 2, 3, 7, 20, 50]
    copies = [[], [0], [0, 0, 0], [5], [1000, 0, 1], *(listed(chance, n, 0, 3)[1:] for n in (10, 50)), listed(chance, 50, 0, 1000)[1:]]
    largest = [[1, 1], [2, 3, 8], [2, 8, 3], [3, 4, 4, 4], [1, 10**9], *(listed(chance, n, 1, 10**9) for n in (4, 20, 50)), listed(chance, 50, 1, 9)]
    sums = [[0], [1, 0], [2, 0, 5], [50, *[10**9] * 50], *(listed(chance, n, 0, 10**9) for n in many[1:])]
    factors = pairs(chance, 0, 1000, (0, 0), (0, 7), (7, 0), (1, 1), (1000, 1000), (1, 1000), (1000, 1))
    divisions = [[0, 1], [0, 9], [7, 7], [6, 7], [2000, 1], [2000, 2000], [1999, 2000], [17, 5], [20, 5], *([chance.randint(0, 2000), chance.randint(1, 99)] for _ in range(4))]
    divisors = pairs(chance, 1, 1000, (1, 1), (7, 7), (1, 1000), (1000, 1), (999, 1000), (12, 18), (18, 12), (1000, 10), (610, 987))
    reverses = [listed(chance, n, 0, 1000) for n in many] + [[3, 0, 0, 5]]
    sorts = [[0], [1, 0], [2, 2, 1], [12, *range(12, 0, -1)], [12, *[4] * 12], [3, 0, 10**9, 0], *(listed(chance, 12, 0, top) for top in (3, 20, 10**9)), listed(chance, 7, 5, 900)]
    return {
        "sample/double": (20, [[0], [21], [1000]], lambda n: [2 * n[0]]),
        "secret/1-easy/copy": (7, copies, lambda n: n),
        "secret/1-easy/countdown": (14, [[n] for n in (0, 1, 2, 9, 1000)], lambda n: list(range(n[0], -1, -1))),
        "secret/1-easy/largest": (31, largest, lambda n: [max(n[1:])]),
        "secret/1-easy/sum": (22, sums, lambda n: [sum(n[1:])]),
        "secret/2-arithmetic/product": (25, factors, lambda n: [n[0] * n[1]]),
        "secret/2-arithmetic/divide": (31, divisions, lambda n: list(divmod(*n))),
        "secret/2-arithmetic/gcd": (24, divisors, lambda n: [math.gcd(*n)]),
        "secret/2-arithmetic/powers": (29, [[k] for k in (0, 1, 2, 10, 33, 40)], lambda n: [2**k for k in range(n[0] + 1)]),
        "secret/3-memory/reverse": (39, reverses, lambda n: n[:0:-1]),
        "secret/3-memory/sort": (97, sorts, lambda n: sorted(n[1:])),
    }


def lines(rows: list[Numbers]) -> str:
    return "".join(" ".join(map(str, row)) + "\n" for row in rows)


def main() -> None:
    place = Path(sys.argv[1]) if len(sys.argv) > 1 else PACKAGE / "data"
    for name, (par, inputs, right) in tasks(random.Random(1808)).items():
        target = place / f"{name}.in"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(f"par {par}\n{lines(inputs)}", "ascii")
        target.with_suffix(".ans").write_text(lines([right(numbers) for numbers in inputs]), "ascii")
    for group, points in POINTS.items():
        content = f"{CANARY}\nmax_score: {points}\nscore_aggregation: sum\n"
        (place / "secret" / group / "test_group.yaml").write_text(content, "utf-8")


if __name__ == "__main__":
    main()
