"""Scores of a project benchmark as plain functions of numbers: problems, settings, and curves over submissions.

Source of the formulas: ProjDevBench (arXiv 2602.01655) and its public release. Scores of problems and settings are out
of 100. Two things differ from the release on purpose: every ratio is clamped to [0, 1] (there 125 of 100 is reached),
and a run that failed counts 0 (there it is dropped). :func:`released_execution` and :func:`released_mean` compute as
the release does, to show the difference.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Literal

from msgspec import Struct

from ....judge.problems.verdicts import ROWS, Verdict

EXECUTION_WEIGHT: Final = 0.8
REVIEW_WEIGHT: Final = 0.2
# The classes of the published distribution of verdicts, in its order.
CLASSES: Final = (
    *("accepted", "wrong_answer", "time_limit", "runtime_error", "compile_error", "memory_leak", "memory_limit"),
    "other",
)
# Smaller differences, in points of 100, are no gain; so many submissions without a gain are a plateau.
GAIN: Final = 1e-6
PLATEAU: Final = 3

Progress = Literal["none", "solved", "improving", "plateau"]


class JudgedPart(Struct, frozen=True):
    """One judged part of a problem (a judge id)."""

    points: tuple[float | None, ...]
    """Of each submission that counts, in order, out of `full`; None: the judge failed on it."""
    full: float = 100.0
    weight: float = 1.0


class Curve(Struct, frozen=True):
    """The scores of a run over its submissions."""

    scores: tuple[float | None, ...]
    best: tuple[float | None, ...]
    """The best of the first k, for every k."""
    last_gain: int | None
    """Number of the submission that last raised the best, from 1; None: none scored above 0."""
    idle: int
    progress: Progress
    """"solved" (100 reached), "plateau" (at least three submissions since the last gain), "improving" (fewer), "none"
    (nothing was gained, or no submission was judged)."""
    dropped: float | None
    """By how much the last submission is below the best."""


def clamp(ratio: float) -> float:
    """`ratio` limited to [0, 1]; NaN counts 0."""
    return min(1.0, max(0.0, ratio)) if not math.isnan(ratio) else 0.0


def best_of_first(points: Sequence[float | None]) -> list[float | None]:
    """Exec@k of one run for every k: the best of the first k submissions, each out of 100 and clamped.

    A submission that the judge failed on (None) is left out; the result is None while there is no other.
    """
    found: list[float | None] = []
    best: float | None = None
    for score in points:
        if score is not None:
            value = 100 * clamp(score / 100)
            best = value if best is None else max(best, value)
        found.append(best)
    return found


def execution(parts: Iterable[JudgedPart], budget: int | None = None) -> float | None:
    """Execution score of a problem, out of 100: 100 x sum(best / full x weight) / sum(weight) over its parts.

    A part without a submission counts 0. The result is None when the weights are 0, or when the judge failed on every
    submission to a part.

    Args:
        budget: only so many first submissions to each part count.
    """
    weights = total = 0.0
    for part in parts:
        points = part.points if budget is None else part.points[:budget]
        known = [point for point in points if point is not None]
        if points and not known:
            return None
        ratio = clamp(max(known) / part.full) if known and part.full > 0 else 0.0
        weights += part.weight
        total += ratio * part.weight
    return 100 * total / weights if weights > 0 else None


def final_score(execution_score: float | None, review: float | None) -> float | None:
    """0.8 x execution + 0.2 x code review, all out of 100; None if one of them is unknown."""
    if execution_score is None or review is None:
        return None
    return EXECUTION_WEIGHT * execution_score + REVIEW_WEIGHT * review


def setting_mean(scores: Mapping[str, float | None], problems: Iterable[str]) -> float | None:
    """Mean over all problems. A problem without a score (the run failed, or there is none) counts 0."""
    every = list(problems)
    return sum(scores.get(problem) or 0.0 for problem in every) / len(every) if every else None


def released_execution(parts: Iterable[JudgedPart]) -> float | None:
    """Like :func:`execution`, without the clamp, and without the parts that have no submission."""
    weights = total = 0.0
    for part in parts:
        known = [p for p in part.points if p is not None]
        if known:
            weights += part.weight
            total += max(known) / part.full * part.weight
    return 100 * total / weights if weights > 0 else None


def released_mean(scores: Mapping[str, float | None]) -> float | None:
    """Mean over the problems that have a score."""
    known = [score for score in scores.values() if score is not None]
    return sum(known) / len(known) if known else None


def expected_best(values: Sequence[float], k: int) -> float:
    """Expected best of `k` runs, estimated without bias from n values: sum of C(i - 1, k - 1) / C(n, k) x_(i) over the
    values in rising order. For values 0 and 1 it is pass@k of Chen et al. (2021).

    Raises:
        ValueError: not 1 <= k <= n.
    """
    ordered = sorted(values)
    if not 1 <= k <= len(ordered):
        raise ValueError(f"{len(ordered)} runs: no best of {k}")
    ways = math.comb(len(ordered), k)
    return sum(math.comb(n - 1, k - 1) * value for n, value in enumerate(ordered, 1)) / ways


def curve(points: Sequence[float | None]) -> Curve:
    """The curve of one run, from the scores of its submissions out of 100."""
    best = best_of_first(points)
    last_gain: int | None = None
    before = 0.0
    for number, value in enumerate(best, 1):
        if value is not None and value > before + GAIN:
            last_gain, before = number, value
    known = [100 * clamp(p / 100) for p in points if p is not None]
    idle = len(points) - (last_gain or 0)
    progress: Progress
    if not known or (last_gain is None and idle < PLATEAU):
        progress = "none"
    elif before >= 100 - GAIN:
        progress = "solved"
    else:
        progress = "plateau" if idle >= PLATEAU else "improving"
    scores = tuple(None if p is None else 100 * clamp(p / 100) for p in points)
    return Curve(scores, tuple(best), last_gain, idle, progress, max(known) - known[-1] if known else None)


def distribution(verdicts: Iterable[Verdict]) -> dict[str, tuple[int, float]]:
    """How often each class of verdict occurs, and its share in percent, over submissions (not over problems)."""
    found = Counter(ROWS[verdict].published for verdict in verdicts)
    total = sum(found.values())
    return {name: (found[name], 100 * found[name] / total if total else 0.0) for name in CLASSES}
