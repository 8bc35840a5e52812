"""What a simulation may show by chance."""

from __future__ import annotations

from scipy.stats import binom

# A test that asserts within these bounds fails by chance once in a million runs; with a fixed seed, never.
RARE = 1e-6


def bounds(trials: int, share: float) -> tuple[int, int]:
    """The numbers of successes of ``trials`` with chance ``share`` that lie outside with a chance of RARE in all."""
    return int(binom.ppf(RARE / 2, trials, share)), int(binom.ppf(1 - RARE / 2, trials, share))
