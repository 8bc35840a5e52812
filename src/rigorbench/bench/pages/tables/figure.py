"""Figure 1: the process (RigorScore) of runs against their outcome (Outcome score)."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any, Literal

import numpy as np
from markupsafe import Markup
from msgspec import Struct

from ....base.sanitize import one_line
from ....base.stats.correlation import RESAMPLES, Correlation, Correlations, correlations, untested
from ....base.stats.correlation import RunPair as Pair
from ....base.stats.resampling import interval, weights
from ....review.pages import words
from ....review.pages.html import environment
from ....review.pages.numbers import number as figure_text
from ...experiment.conditions import GroupRuns, groups
from ...experiment.records import Manifest, RunResult
from ...experiment.values import value
from ..text import experiment as say

# Readable on white and on black: the contrast to both is between 3:1 and 7:1. Shapes differ, too.
COLOURS = ("#4a7fc1", "#c06a1f", "#2f8f68", "#9a63c4", "#cc4a5b", "#178a9c", "#8a7d1e", "#7f7f7f")
# Of a mark with a half width of 1.
SHAPES = (
    "M1,0A1,1,0,1,1,-1,0A1,1,0,1,1,1,0",
    "M-1,-1h2v2h-2Z",
    "M-1,0L0,-1L1,0L0,1Z",
    "M0,-.866L-1,.866L1,.866Z",
    "M0,.866L-1,-.866L1,-.866Z",
    "M-1,-.4V.4H-.4V1H.4V.4H1V-.4H.4V-1H-.4V-.4Z",
    "M.866,0L-.866,-1L-.866,1Z",
    "M-.866,0L.866,-1L.866,1Z",
)
_LABEL = 70
# More points than this are a cloud: then only the means are drawn, and the CSV has the runs.
MOST_RUNS = 1_500
_STEPS = 40


class FigurePoint(Struct, frozen=True):
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
    points: list[FigurePoint]
    fit: list[FitPoint]
    correlations: Correlations
    left_out: int

    @property
    def statistics(self) -> list[str]:
        """What the picture itself says: r, p, n and the line over all runs, and r and p within tasks."""
        both = _stated("all runs", self.correlations.pooled), _stated("within tasks", self.correlations.within)
        return [text for text in both if text]


def figures(manifest: Manifest, results: Sequence[RunResult]) -> list[Figure]:
    """The figure of the models' runs and that of the scripted policies', as far as there are such runs."""
    found = groups(manifest, results)
    return [
        _figure(group, results, "figure-1-scripted" if group.scripted and len(found) > 1 else "figure-1")
        for group in found
    ]


def _figure(group: GroupRuns, results: Sequence[RunResult], name: str) -> Figure:
    labels = say.Labels(group)
    condition_of = {run.cell.id: labels.of(c.key) for c in group.conditions for run in c.runs}
    points: list[FigurePoint] = []
    left_out = 0
    for run in (run for run in results if run.cell.id in condition_of):
        x, y = value(run, "rigor_score"), value(run, "outcome")
        if x is None or y is None:
            left_out += 1
            continue
        points.append(FigurePoint("run", condition_of[run.cell.id], run.cell.task, run.cell.id, x, y))
    found = correlations([Pair(p.task, p.x, p.y) for p in points])
    if group.scripted:
        found = untested(found)
    together: defaultdict[tuple[str, str], list[FigurePoint]] = defaultdict(list)
    for point in points:
        together[point.condition, point.task].append(point)
    means = [
        FigurePoint(
            "mean", condition, task, "", round(fmean(p.x for p in of), 6), round(fmean(p.y for p in of), 6), len(of)
        )
        for (condition, task), of in together.items()
    ]
    runs = len(points)
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
    return Figure(
        name,
        group.scripted,
        "Figure 1. Process against outcome" + (" (scripted policies)" if group.scripted else ""),
        " ".join(parts),
        [labels.of(c.key) for c in group.conditions],
        [*points, *means],
        _fit(points, found.pooled),
        found,
        left_out,
    )


def _fit(points: Sequence[FigurePoint], found: Correlation) -> list[FitPoint]:
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


def _band(points: Sequence[FigurePoint], at: Any) -> list[tuple[float, float] | None]:
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
    if found.pearson is None or found.slope is None:
        return ""
    p = f", {say.p_equals(found.p)}" if found.p is not None else ""
    text = f"{where}: r = {_signed(found.pearson)}{p}, n = {words.count(found.n)}"
    if found.intercept is None:
        return text
    return f"{text}, y = {_signed(found.intercept)} {'+' if found.slope >= 0 else '−'} {_signed(abs(found.slope))} x"


def _signed(number: float) -> str:
    return figure_text(round(number, 6), "share")


# -- the drawing


def figure_svg(figure: Figure, links: Mapping[str, str] | None = None, *, standalone: bool = False) -> Markup:
    """The figure as SVG: named, described, each point with its values as label and tooltip.

    Args:
        links: addresses of the pages of runs, by cell id; their points become links.
        standalone: a file of its own, with its colours; else for a page, whose colour it takes (no style in it).
    """
    many = sum(p.kind == "run" for p in figure.points) > MOST_RUNS
    points = [p for kind in ("run", "mean") for p in figure.points if p.kind == kind and not (many and kind == "run")]
    known = {p.cell: href for p in points if (href := (links or {}).get(p.cell)) is not None}
    given = {"figure": figure, "points": points, "links": known, "standalone": standalone, "label": _label}
    drawing = environment().get_template("figure.svg.j2").render(given, colours=COLOURS, shapes=SHAPES)
    return Markup(drawing)


def _label(point: FigurePoint) -> str:
    where = f"{one_line(point.condition, _LABEL)} on {one_line(point.task, _LABEL)}"
    what = f"mean of {words.plural(point.runs, 'run')}" if point.kind == "mean" else one_line(point.cell, 200)
    return f"{where} ({what}): RigorScore {point.x:.2f}, Outcome score {point.y:.2f}"


def picture(drawing: str, kind: Literal["svg", "png", "pdf"]) -> bytes:
    """A standalone drawing, as PNG and PDF on white."""
    if kind == "svg":
        return drawing.encode()
    import vl_convert

    paper = re.sub(r"<style>.*?</style>", '<rect width="100%" height="100%" fill="#ffffff"/>', drawing, count=1)
    paper = paper.replace("currentColor", "#1d1f23")
    return bytes(vl_convert.svg_to_png(paper, scale=2) if kind == "png" else vl_convert.svg_to_pdf(paper))
