"""Points: from a raw value to a score, from test points to a group, from groups to a submission."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ...problems.model import Group, Metric
from ...problems.verdicts import Verdict
from ..model import GroupResult, PointResult, worst


def metric_score(metric: Metric, value: float) -> float:
    """The score in [0, 1] of a raw value: linear between the baselines, flat beyond them.

    Where two baselines have the same value (a step), the better score holds from that value on.

    Raises:
        ValueError: the value is no finite number.
    """
    if not math.isfinite(value):
        raise ValueError("a metric is a finite number")
    points = sorted(metric.baselines)
    below = [point for point in points if point[0] <= value]
    above = [point for point in points if point[0] >= value]
    if below and above and below[-1][0] == value:
        return _clamp(max(score for at, score in points if at == value), 1.0)
    if not below:
        return _clamp(above[0][1], 1.0)
    if not above:
        return _clamp(below[-1][1], 1.0)
    (low, low_score), (high, high_score) = below[-1], above[0]
    # Each difference on its own: the values may be so far apart that their distance is no finite number.
    share = (value / 2 - low / 2) / (high / 2 - low / 2)
    return _clamp(low_score + (high_score - low_score) * share, 1.0)


def cut_short(points: Sequence[PointResult]) -> list[PointResult]:
    """What a group shows whose first failure ends it: all after the first failed point is skipped.

    Where several points ran at a time some of those were run, too: they are left out, so that a verdict does not
    depend on how many slots there were.
    """
    shown: list[PointResult] = []
    failed: PointResult | None = None
    for point in points:
        if failed is None:
            shown.append(point)
            if hopeless(point):
                failed = point
        else:
            shown.append(point if point.verdict == "skipped" else skipped(point.id, twin=point.twin))
    return shown


def hopeless(point: PointResult) -> bool:
    """After it a "min" group has nothing more to gain."""
    return point.verdict != "accepted" and not point.score


def skipped(name: str, message: str = "", *, twin: str | None = None) -> PointResult:
    return PointResult(id=name, verdict="skipped", score=0.0, message=message, twin=twin)


def group_result(
    group: Group, points: list[PointResult], message: str = "", static: PointResult | None = None
) -> GroupResult:
    """``min``: the least score of the points times ``full``; ``sum``: their mean times ``full``; clamped to [0, full].

    ``static``: what the static validator said. Of the group's points ``static_full`` are its own; where these are none
    and it rejects, the group has no points. The score is None when a point's is (the judge failed there), and 0 where
    there is nothing to be scored by.
    """
    shown = [*points, static] if static is not None else points
    verdict = worst([point.verdict for point in shown])
    scores = [point.score for point in shown]
    known = [score for score in scores if score is not None]
    score: float | None
    if len(known) < len(scores):
        score = None
    elif not known:
        score = 0.0
    else:
        own = group.static_full if static is not None else 0.0
        score = _aggregated(group, [point.score or 0.0 for point in points]) * (group.full - own)
        if static is not None:
            score = score + (static.score or 0.0) * own if own or static.score else 0.0
    return GroupResult(
        id=group.id,
        verdict=verdict,
        score=None if score is None else _clamp(score, group.full),
        full=group.full,
        points=shown,
        message=message,
    )


def _aggregated(group: Group, scores: list[float]) -> float:
    if not scores:
        return 1.0
    return min(scores) if group.aggregation == "min" else math.fsum(scores) / len(scores)


def total(groups: Sequence[GroupResult]) -> tuple[Verdict, float | None, float]:
    """Verdict, score and full score of a submission; the score is None when a group's is."""
    full = math.fsum(group.full for group in groups)
    scores = [group.score for group in groups]
    known = [score for score in scores if score is not None]
    score = _clamp(math.fsum(known), full) if len(known) == len(scores) else None
    return worst([group.verdict for group in groups]), score, full


def share(points: float, group: Group) -> float:
    """The score in [0, 1] of a test point to which a checker gave ``points``, counted as those of its group."""
    full = group.full if group.aggregation == "min" else group.full / max(len(group.cases), 1)
    return _clamp(points / full, 1.0) if full > 0 else 1.0


def _clamp(value: float, most: float) -> float:
    return min(max(value, 0.0), most)
