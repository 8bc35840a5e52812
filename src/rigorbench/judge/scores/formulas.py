"""Scores of a project benchmark as plain functions of numbers: groups, problems, settings, and curves over submissions.

Source of the formulas: ProjDevBench (arXiv 2602.01655) and its public release. Scores of problems and settings are of
100. Two things differ from that release, on purpose: every ratio is clamped to [0, 1] (there 125 of 100 is reached),
and a run that failed counts 0 (there it is dropped). :func:`released_execution` and :func:`released_mean` compute as
the release does, to show the difference.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Literal

from msgspec import Struct

from ...problems.verdicts import Verdict

EXECUTION_WEIGHT: Final = 0.8
REVIEW_WEIGHT: Final = 0.2
# The classes of the published distribution of verdicts, and what of ours belongs to each.
CLASSES: Final = (
    *("accepted", "wrong_answer", "time_limit", "runtime_error", "compile_error", "memory_leak", "memory_limit"),
    "other",
)
_CLASS: Final[dict[Verdict, str]] = {
    "accepted": "accepted",
    "wrong_answer": "wrong_answer",
    "presentation_error": "wrong_answer",
    "time_limit_exceeded": "time_limit",
    "idleness_limit_exceeded": "time_limit",
    "runtime_error": "runtime_error",
    # A sanitizer's findings other than a leak; the published judge calls all of memcheck's errors leaks.
    "invalid_access": "runtime_error",
    "uninitialised_read": "runtime_error",
    "compile_error": "compile_error",
    "memory_leak": "memory_leak",
    "memory_limit_exceeded": "memory_limit",
}
# Points of 100 below which a difference is none, and submissions without a gain that make a plateau.
GAIN: Final = 1e-6
PLATEAU: Final = 3

Progress = Literal["none", "solved", "improving", "plateau"]


class Part(Struct, frozen=True):
    """One judged part of a problem (a judge id). ``points``: of each submission to it that counts, in their order, of
    ``full``; None: the judge failed on it."""

    points: tuple[float | None, ...]
    full: float = 100.0
    weight: float = 1.0


class Curve(Struct, frozen=True):
    """How a run's score went over its submissions. ``scores``: of each, of 100; ``best``: of the first k, for every k.

    ``last_gain``: number of the submission that last raised the best (from 1; None: none scored above 0).
    ``idle``: submissions after it. ``progress``: "solved" (100 reached), "plateau" (at least three submissions since
    the last gain), "improving" (fewer), "none" (nothing was submitted, or nothing of it judged).
    ``dropped``: by how much the last submission is below the best.
    """

    scores: tuple[float | None, ...]
    best: tuple[float | None, ...]
    last_gain: int | None
    idle: int
    progress: Progress
    dropped: float | None

    @property
    def final(self) -> float | None:
        return self.best[-1] if self.best else None


def clamp(ratio: float) -> float:
    """Into [0, 1]; what is no number counts 0."""
    return min(1.0, max(0.0, ratio)) if not math.isnan(ratio) else 0.0


def group_score(
    points: Sequence[float | None], full: float, aggregation: Literal["min", "sum"] = "min"
) -> float | None:
    """``full`` times the least of the test points' scores, each in [0, 1] ("sum": their mean); a group without test
    points has none. None: the judge failed on one of them."""
    known = [clamp(point) for point in points if point is not None]
    if len(known) < len(points):
        return None
    if not known:
        return 0.0
    return full * (min(known) if aggregation == "min" else sum(known) / len(known))


def best_of_first(points: Sequence[float | None]) -> list[float | None]:
    """Exec@k of one run for every k: the best of the first k submissions, each of 100 and clamped.

    A submission that the judge failed on (None) is left out; None as long as there is no other.
    """
    found: list[float | None] = []
    best: float | None = None
    for score in points:
        if score is not None:
            value = 100 * clamp(score / 100)
            best = value if best is None else max(best, value)
        found.append(best)
    return found


def execution(parts: Iterable[Part], budget: int | None = None) -> float | None:
    """Execution score of a problem, of 100: 100 x sum(best / full x weight) / sum(weight) over its parts.

    ``budget``: only so many first submissions to each part count. A part without a submission counts 0; None: nothing
    has a weight, or the judge failed on all that was submitted to a part.
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
    """0.8 x execution + 0.2 x code review, all of 100; None where one of them is unknown."""
    if execution_score is None or review is None:
        return None
    return EXECUTION_WEIGHT * execution_score + REVIEW_WEIGHT * review


def setting_mean(scores: Mapping[str, float | None], problems: Iterable[str]) -> float | None:
    """Mean over all problems. One without a score (the run failed, or there was none) counts 0."""
    every = list(problems)
    return sum(scores.get(problem) or 0.0 for problem in every) / len(every) if every else None


def released_execution(parts: Iterable[Part], budget: int | None = None) -> float | None:
    """As :func:`execution`, without the clamp, and without the parts that nothing was submitted to."""
    weights = total = 0.0
    for part in parts:
        known = [p for p in (part.points if budget is None else part.points[:budget]) if p is not None]
        if known:
            weights += part.weight
            total += max(known) / part.full * part.weight
    return 100 * total / weights if weights > 0 else None


def released_mean(scores: Mapping[str, float | None]) -> float | None:
    """Mean over the problems that have a score."""
    known = [score for score in scores.values() if score is not None]
    return sum(known) / len(known) if known else None


def expected_best(values: Sequence[float], k: int) -> float:
    """What the best of ``k`` runs is on average, without bias from n of them: sum of C(i - 1, k - 1) / C(n, k) x_(i)
    over the values in rising order. For values 0 and 1 it is pass@k of Chen et al. (2021).

    Raises:
        ValueError: not 1 <= k <= n.
    """
    ordered = sorted(values)
    if not 1 <= k <= len(ordered):
        raise ValueError(f"{len(ordered)} runs: no best of {k}")
    ways = math.comb(len(ordered), k)
    return sum(math.comb(n - 1, k - 1) * value for n, value in enumerate(ordered, 1)) / ways


def curve(points: Sequence[float | None], *, plateau: int = PLATEAU) -> Curve:
    """The course of one run from the scores of its submissions, of 100."""
    best = best_of_first(points)
    last_gain: int | None = None
    before = 0.0
    for number, value in enumerate(best, 1):
        if value is not None and value > before + GAIN:
            last_gain, before = number, value
    known = [100 * clamp(p / 100) for p in points if p is not None]
    idle = len(points) - (last_gain or 0)
    progress: Progress
    if not known:
        progress = "none"
    elif before >= 100 - GAIN:
        progress = "solved"
    else:
        progress = "plateau" if idle >= plateau else "improving"
    scores = tuple(None if p is None else 100 * clamp(p / 100) for p in points)
    return Curve(scores, tuple(best), last_gain, idle, progress, max(known) - known[-1] if known else None)


def distribution(verdicts: Iterable[Verdict]) -> dict[str, tuple[int, float]]:
    """How often each class of verdict occurs, and its share in percent, over submissions (not over problems)."""
    found = Counter(_CLASS.get(verdict, "other") for verdict in verdicts)
    total = sum(found.values())
    return {name: (found[name], 100 * found[name] / total if total else 0.0) for name in CLASSES}
