"""Points: from a raw value to a score, from test points to a group, from groups to a submission."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..judgement import GroupResult, PointResult
from ..problems.problem import Metric, PointGroup
from ..problems.verdicts import Verdict, worst


def metric_score(metric: Metric, value: float) -> float:
    """The score in [0, 1] of a finite value: linear between the baselines, constant beyond them."""
    points = sorted(metric.baselines)
    above = next((at for at, point in enumerate(points) if point[0] >= value), len(points))
    if above == len(points) or above == 0 or points[above][0] == value:
        return clamp(points[min(above, len(points) - 1)][1], 1.0)
    (low, low_score), (high, high_score) = points[above - 1], points[above]
    # Halved, because the distance of two finite values may be infinite.
    share = (value / 2 - low / 2) / (high / 2 - low / 2)
    return clamp(low_score + (high_score - low_score) * share, 1.0)


def stop_at_first_failure(points: Sequence[PointResult]) -> list[PointResult]:
    """The points of a group that its first failure ends: all later ones are skipped.

    Some of them may have run at the same time; they are skipped all the same, so that a verdict does not depend on the
    number of slots.
    """
    shown: list[PointResult] = []
    failed: PointResult | None = None
    for point in points:
        if failed is None:
            shown.append(point)
            if ends_group(point):
                failed = point
        else:
            shown.append(point if point.verdict == "skipped" else skipped(point.id, twin=point.twin))
    return shown


def ends_group(point: PointResult) -> bool:
    """Whether a "min" group cannot gain anything after this point."""
    return point.verdict != "accepted" and not point.score


def skipped(name: str, message: str = "", *, twin: str | None = None) -> PointResult:
    return PointResult(id=name, verdict="skipped", score=0.0, message=message, twin=twin)


def group_result(
    group: PointGroup, points: list[PointResult], message: str = "", static: PointResult | None = None
) -> GroupResult:
    """The result of a group: the minimum or mean of the points' scores times ``full``, clamped to [0, full].

    The score is None when a point has none (the judge failed there), and 0 without any points.

    `static`: result of the static validator, which gives ``static_full`` of the group's points. If these are 0 and it
    rejects, the group scores 0.
    """
    shown = [*points, static] if static is not None else points
    score: float | None = 0.0
    if any(point.score is None for point in shown):
        score = None
    elif shown:
        own = group.static_full if static is not None else 0.0
        of_points = [point.score or 0.0 for point in points] or [1.0]
        mean = math.fsum(of_points) / len(of_points)
        score = (min(of_points) if group.aggregation == "min" else mean) * (group.full - own)
        if static is not None:
            score = score + (static.score or 0.0) * own if own or static.score else 0.0
    score = None if score is None else clamp(score, group.full)
    return GroupResult(group.id, worst([point.verdict for point in shown]), score, group.full, shown, message)


def total(groups: Sequence[GroupResult]) -> tuple[Verdict, float | None, float]:
    """Verdict, score and full score of a submission; the score is None when a group's is."""
    full = math.fsum(group.full for group in groups)
    scores = [group.score for group in groups]
    known = [score for score in scores if score is not None]
    score = clamp(math.fsum(known), full) if len(known) == len(scores) else None
    return worst([group.verdict for group in groups]), score, full


def share(points: float, group: PointGroup) -> float:
    """The score in [0, 1] of a test point to which a checker gave `points`, of the points that the group has for it."""
    full = group.full if group.aggregation == "min" else group.full / max(len(group.cases), 1)
    return clamp(points / full, 1.0) if full > 0 else 1.0


def clamp(value: float, most: float) -> float:
    """`value`, but at least 0 and at most `most`."""
    return min(max(value, 0.0), most)
