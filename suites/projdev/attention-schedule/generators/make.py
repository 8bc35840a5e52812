# rigorbench-canary 0d86b03a-d5c5-459a-82db-0d5736010225
"""Writes all data of the package. `python generators/make.py [DIRECTORY]` (default: the package's data)

An input is one problem: N D CAPACITY LATENCY RATE CAUSAL SEED. Its answer has two times, the slow one (0 points) and the good one (all
points), which generators/times.py measures with the package's own schedules and writes into generators/times.txt.
"""

from __future__ import annotations

import sys
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent
CANARY = (PACKAGE / "problem.yaml").read_text("utf-8").splitlines()[0]
POINTS = {"1-large": 20, "2-small": 30, "3-slow-transfers": 20, "4-causal": 30}

# n, d, capacity, latency, rate, causal
CASES = {
    "sample/01": (6, 4, 200, 10, 8, 0),
    "sample/02": (40, 8, 600, 20, 16, 1),
    "secret/1-large/01": (64, 16, 20_000, 20, 16, 0),
    "secret/1-large/02": (200, 32, 60_000, 50, 64, 0),
    "secret/1-large/03": (127, 24, 40_000, 10, 32, 0),
    "secret/1-large/04": (3, 16, 1000, 20, 16, 0),
    "secret/2-small/01": (250, 32, 1500, 10, 32, 0),
    "secret/2-small/02": (256, 32, 4000, 20, 32, 0),
    "secret/2-small/03": (100, 64, 600, 20, 16, 0),
    "secret/2-small/04": (311, 16, 2500, 30, 64, 0),
    "secret/3-slow-transfers/01": (300, 16, 3000, 1000, 32, 0),
    "secret/3-slow-transfers/02": (200, 48, 8000, 3000, 128, 0),
    "secret/3-slow-transfers/03": (257, 32, 5000, 400, 256, 0),
    "secret/4-causal/01": (300, 16, 3000, 50, 16, 1),
    "secret/4-causal/02": (256, 32, 6000, 20, 32, 1),
    "secret/4-causal/03": (400, 32, 12_000, 200, 64, 1),
    "secret/4-causal/04": (129, 64, 30_000, 50, 16, 1),
}


def problem(name: str) -> str:
    return " ".join(map(str, (*CASES[name], 1819 + list(CASES).index(name)))) + "\n"


def main() -> None:
    place = Path(sys.argv[1]) if len(sys.argv) > 1 else PACKAGE / "data"
    times = dict(line.split(" ", 1) for line in (PACKAGE / "generators" / "times.txt").read_text("ascii").splitlines()[1:])
    for name in CASES:
        target = place / f"{name}.in"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(problem(name), "ascii")
        target.with_suffix(".ans").write_text(times[name] + "\n", "ascii")
    for group, points in POINTS.items():
        content = f"{CANARY}\nmax_score: {points}\nscore_aggregation: sum\n"
        (place / "secret" / group / "test_group.yaml").write_text(content, "utf-8")


if __name__ == "__main__":
    main()
