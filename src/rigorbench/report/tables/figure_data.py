"""The data of Figure 1: process (RigorScore) of runs against their outcome, the fit, and the caption."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np
from msgspec import Struct

from ...experiment.compare import Comparison, Group, Key, compare
from ...experiment.conditions import is_twin, is_variant
from ...experiment.model import Manifest, RunResult
from ...experiment.values import value
from ...stats.correlation import RESAMPLES, Correlation, Correlations, correlations, untested
from ...stats.correlation import Point as Pair
from ...stats.resampling import interval, weights
from ..text import experiment as say
from ..text import words
from ..text.numbers import number as figure_text

# More points than this are a cloud: then only the means are drawn, and the CSV has the runs.
MOST_RUNS = 1_500
_STEPS = 40


class Point(Struct, frozen=True):
    """``kind`` "run": one run, ``cell`` its id. "mean": the mean of ``runs`` runs of a condition on a task."""

    kind: str
    condition: str
    task: str
    cell: str
    x: float
    y: float
    runs: int = 1


class FitPoint(Struct, frozen=True):
    """The line at x, with the ends of its interval; None: there is none."""

    x: float
    y: float
    low: float | None
    high: float | None


class Figure(Struct):
    """``name``: of its files. ``conditions``: labels, in the order of the legend. ``left_out``: runs without
    a RigorScore or an outcome."""

    name: str
    scripted: bool
    title: str
    caption: str
    conditions: list[str]
    points: list[Point]
    fit: list[FitPoint]
    correlations: Correlations
    left_out: int

    @property
    def statistics(self) -> list[str]:
        """What the picture itself says: r, p, n and the line over all runs, and r and p within tasks."""
        return [
            text for text in (_stated("all runs", self.correlations.pooled), _within(self.correlations.within)) if text
        ]


def figures(manifest: Manifest, results: Sequence[RunResult], comparison: Comparison | None = None) -> list[Figure]:
    """The figure of the models' runs and that of the scripted policies', as far as there are such runs."""
    found = comparison if comparison is not None else compare(manifest, results)
    known = {
        cell.id
        for cell in manifest.cells
        if not is_variant(manifest.tasks, cell.task) and not is_twin(manifest.tasks, cell.task)
    }
    counted = [r for r in results if r.status != "error" and r.cell.id in known]
    both = len(found.groups) > 1
    return [
        _figure(group, counted, "figure-1-scripted" if group.scripted and both else "figure-1")
        for group in found.groups
    ]


def _figure(group: Group, results: Sequence[RunResult], name: str) -> Figure:
    labels = say.Labels(group)
    keys = {c.key: labels.of(c.key) for c in group.conditions}
    points: list[Point] = []
    left_out = 0
    for run in results:
        key = Key(run.cell.agent, run.cell.harness, run.cell.model)
        if key not in keys:
            continue
        x, y = value(run, "rigor_score"), value(run, "outcome")
        if x is None or y is None:
            left_out += 1
            continue
        points.append(Point("run", keys[key], run.cell.task, run.cell.id, x, y))
    found = correlations([Pair(p.task, p.x, p.y) for p in points])
    if group.scripted:
        found = untested(found)
    return Figure(
        name,
        group.scripted,
        "Figure 1. Process against outcome" + (" (scripted policies)" if group.scripted else ""),
        _caption(group, found, len(points), left_out),
        list(keys.values()),
        [*points, *_means(points)],
        _fit(points, found.pooled),
        found,
        left_out,
    )


def _means(points: Sequence[Point]) -> list[Point]:
    groups: defaultdict[tuple[str, str], list[Point]] = defaultdict(list)
    for point in points:
        groups[point.condition, point.task].append(point)
    return [
        Point(
            "mean",
            condition,
            task,
            "",
            round(sum(p.x for p in of) / len(of), 6),
            round(sum(p.y for p in of) / len(of), 6),
            len(of),
        )
        for (condition, task), of in groups.items()
    ]


def _fit(points: Sequence[Point], found: Correlation) -> list[FitPoint]:
    """The line over the range of x, inside the frame, with its pointwise interval by resampling whole tasks."""
    if found.slope is None or found.intercept is None:
        return []
    at = np.linspace(min(p.x for p in points), max(p.x for p in points), _STEPS + 1)
    ends = _band(points, at) if found.slope_low is not None else [None] * len(at)
    line = [
        FitPoint(
            round(float(x), 6),
            round(found.intercept + found.slope * float(x), 6),
            None if end is None else round(min(1.0, max(0.0, end[0])), 6),
            None if end is None else round(min(1.0, max(0.0, end[1])), 6),
        )
        for x, end in zip(at, ends, strict=True)
    ]
    return [p for p in line if 0 <= p.y <= 1]


def _band(points: Sequence[Point], at: Any) -> list[tuple[float, float] | None]:
    names = sorted({p.task for p in points})
    place = {name: n for n, name in enumerate(names)}
    task = np.array([place[p.task] for p in points])
    x, y = np.array([p.x for p in points]), np.array([p.y for p in points])
    drawn = weights(len(names), RESAMPLES)
    n, sx, sy, sxx, sxy = (drawn @ np.bincount(task, v, len(names)) for v in (np.ones(len(x)), x, y, x * x, x * y))
    spread = sxx - sx * sx / n
    spread[spread <= 1e-12 * float(x @ x + 1)] = np.nan
    slope = (sxy - sx * sy / n) / spread
    return [interval((sy + slope * (n * one - sx)) / n, len(names)) for one in at]


def _caption(group: Group, found: Correlations, runs: int, left_out: int) -> str:
    who = "Scripted policies, no models. " if group.scripted else ""
    parts = [
        f"{who}RigorScore against the Outcome score. A full mark is the mean of a condition on a task, "
        f"a faint dot a run ({words.plural(runs, 'run')})."
    ]
    if runs > MOST_RUNS:
        parts.append(f"With more than {words.count(MOST_RUNS)} runs the dots are left out; the CSV has them.")
    if found.pooled.slope is not None:
        band = " with its 95 % interval, which resamples tasks" if found.pooled.slope_low is not None else ""
        parts.append(f"The line is the least-squares fit over runs{band}.")
    parts += [_said("Pooled", found.pooled), _said("Within tasks", found.within)]
    if found.pooled.p is not None:
        parts.append("The p over all runs takes runs for independent, as the paper does; that within tasks does not.")
    if found.clear:
        parts.append("The signs differ: the relation between tasks is reversed within tasks.")
    if left_out:
        parts.append(f"Left out: {words.plural(left_out, 'run')} without a RigorScore or without an outcome.")
    return " ".join(parts)


def _said(where: str, found: Correlation) -> str:
    if found.pearson is None:
        return f"{where}: {found.reason}."

    def one(name: str, number: float | None, low: float | None, high: float | None) -> str:
        if number is None:
            return f"no {name}"
        text = f"{name} {_signed(number)}"
        return text if low is None or high is None else f"{text} [{_signed(low)}, {_signed(high)}]"

    parts = [
        one("Pearson r", found.pearson, found.pearson_low, found.pearson_high),
        one("Spearman rho", found.spearman, found.spearman_low, found.spearman_high),
        *([f"p {say.p_value(found.p).replace('<', '< ')}"] if found.p is not None else []),
        one("slope", found.slope, found.slope_low, found.slope_high),
        *([f"intercept {_signed(found.intercept)}"] if found.intercept is not None else []),
    ]
    basis = f"{words.plural(found.n, 'run')}, {words.plural(found.tasks, 'task')}"
    why = f"; {found.reason}" if found.reason else ""
    return f"{where} ({basis}{why}): {', '.join(parts)}."


def _stated(where: str, found: Correlation) -> str:
    if found.pearson is None or found.slope is None or found.intercept is None:
        return ""
    p = f", {say.p_equals(found.p)}" if found.p is not None else ""
    sign = "+" if found.slope >= 0 else "−"
    line = f"y = {_signed(found.intercept)} {sign} {_signed(abs(found.slope))} x"
    return f"{where}: r = {_signed(found.pearson)}{p}, n = {words.count(found.n)}, {line}"


def _within(found: Correlation) -> str:
    if found.pearson is None:
        return ""
    p = f", {say.p_equals(found.p)}" if found.p is not None else ""
    return f"within tasks: r = {_signed(found.pearson)}{p}, n = {words.count(found.n)}"


def _signed(number: float) -> str:
    return figure_text(round(number, 6), "share")
