"""What the statistics keep of what they promise, in simulated experiments; seeded.

    python benchmarks/intervals.py differences    # a minute: how often four kinds of 95 % interval hold the truth
    python benchmarks/intervals.py correlations   # how often intervals of r and rho do
    python benchmarks/intervals.py power          # the formula of `rigor power` beside experiments that were tested

The figures of docs/statistics.md are from here. "widened" is the interval that the comparisons use.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable

import numpy as np
from scipy import stats

from rigorbench.base.stats.correlation import Correlation, RunPair, correlations
from rigorbench.base.stats.paired import exact_p
from rigorbench.base.stats.power import power
from rigorbench.base.stats.resampling import interval, weights

TRIALS = 2_000
RESAMPLES = 2_000
TASKS = (3, 5, 7, 10, 20, 30)
KINDS = ("percentile", "BCa", "widened", "Student's t")
Draw = Callable[[np.random.Generator, int], np.ndarray]
# Name -> (differences of n tasks, their true mean).
DIFFERENCES: dict[str, tuple[Draw, float]] = {
    "normal": (lambda chance, n: chance.normal(0.1, 0.2, n), 0.1),
    "exponential": (lambda chance, n: chance.exponential(0.2, n), 0.2),
    "two shares of 8 tests": (lambda chance, n: (chance.binomial(8, 0.7, n) - chance.binomial(8, 0.5, n)) / 8, 0.2),
    "solved or not, 70 % the same": (lambda chance, n: chance.choice([0.0, 1.0, -1.0], n, p=[0.7, 0.25, 0.05]), 0.2),
}


def ends(differences: np.ndarray, drawn: np.ndarray) -> list[tuple[float, float]]:
    """The four intervals, in the order of KINDS."""
    count, mean = len(differences), float(differences.mean())
    means = drawn @ differences / count
    widened = interval(means, count)
    assert widened is not None
    half = float(stats.t.ppf(0.975, count - 1) * differences.std(ddof=1)) / math.sqrt(count)
    below = ((means < mean).mean() + (means <= mean).mean()) / 2
    bias = stats.norm.ppf(np.clip(below, 1e-4, 1 - 1e-4))
    left_out = (differences.sum() - differences) / (count - 1)
    spread = left_out.mean() - left_out
    skew = (spread**3).sum() / max(1e-300, 6 * (spread**2).sum() ** 1.5)
    z = bias + stats.norm.ppf([0.025, 0.975])
    corrected = np.quantile(means, stats.norm.cdf(bias + z / (1 - skew * z)))
    return [
        tuple(np.quantile(means, [0.025, 0.975])),
        tuple(corrected),
        widened,
        (mean - half, mean + half),
    ]


def differences() -> None:
    print(f"share of {TRIALS:,} simulated experiments whose interval holds the truth\n")
    print(f"| tasks | differences | {' | '.join(KINDS)} |\n|---|---|{'---|' * len(KINDS)}")
    for tasks in TASKS:
        drawn = weights(tasks, RESAMPLES)
        for name, (draw, truth) in DIFFERENCES.items():
            chance = np.random.default_rng(tasks)
            held = np.zeros(len(KINDS))
            for _ in range(TRIALS):
                found = ends(draw(chance, tasks), drawn)
                held += [low - 1e-12 <= truth <= high + 1e-12 for low, high in found]
            print(f"| {tasks} | {name} | " + " | ".join(f"{share:.2f}" for share in held / TRIALS) + " |")


def relations() -> None:
    """Half of each variance between tasks; r = .6 between tasks, within them, and so over all runs."""
    trials, truth = 400, {"pearson": 0.6, "spearman": 6 / math.pi * math.asin(0.3)}
    covariance = [[0.5, 0.3], [0.3, 0.5]]

    def holds(found: Correlation, name: str) -> bool:
        low, high = getattr(found, f"{name}_low"), getattr(found, f"{name}_high")
        return low is not None and low <= truth[name] <= high

    print(f"share of {trials} simulated experiments of 4 runs a task whose interval holds the truth")
    print("| tasks | r, all runs | rho, all runs | r, within tasks |\n|---|---|---|---|")
    for tasks in (4, 6, 10, 20, 30):
        chance = np.random.default_rng(tasks)
        held = np.zeros(3)
        for _ in range(trials):
            level = chance.multivariate_normal([0, 0], covariance, tasks)
            runs = chance.multivariate_normal([0, 0], covariance, (tasks, 4))
            points = [RunPair(str(t), *(level[t] + runs[t, k])) for t in range(tasks) for k in range(4)]
            found = correlations(points, resamples=500)
            held += [holds(found.pooled, "pearson"), holds(found.pooled, "spearman"), holds(found.within, "pearson")]
        print(f"| {tasks} | " + " | ".join(f"{share:.2f}" for share in held / trials) + " |")


def planned() -> None:
    print(f"power: in {TRIALS:,} simulated experiments with the exact permutation test, and by the formula")
    print("| tasks | alpha | difference / sd | simulated | formula |\n|---|---|---|---|---|")
    for tasks, alpha in [(n, 0.05) for n in (6, 7, 8, 10, 15)] + [(n, 0.05 / 6) for n in (8, 9, 10, 12)]:
        for size in (0.5, 1.0, 1.5, 2.0):
            chance = np.random.default_rng(tasks)
            seen = sum(exact_p(chance.normal(size, 1, tasks)) <= alpha for _ in range(TRIALS)) / TRIALS
            formula = power(size, tasks, math.inf, within=0, between=1, alpha=alpha)
            print(f"| {tasks} | {alpha:.4f} | {size} | {seen:.3f} | {formula:.3f} |")


if __name__ == "__main__":
    sections = {"differences": differences, "correlations": relations, "power": planned}
    if len(sys.argv) != 2 or sys.argv[1] not in sections:
        sys.exit(f"usage: python benchmarks/intervals.py {'|'.join(sections)}")
    sections[sys.argv[1]]()
