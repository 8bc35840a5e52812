"""Figure 1: the process (RigorScore) of runs against their outcome (Outcome score).

Altair describes the chart and vl-convert draws it, offline. No text of an experiment enters the description: marks and
legend contain placeholders, which are replaced in the finished SVG, where text is only text. The layout does not depend
on the width of text, so the drawing is the same on machines with other fonts.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from statistics import fmean
from typing import TYPE_CHECKING, Any, Literal
from xml.etree import ElementTree

import numpy as np
from msgspec import Struct

from ....base.sanitize import one_line
from ....base.stats.correlation import RESAMPLES, Correlation, Correlations, correlations, untested
from ....base.stats.correlation import RunPair as Pair
from ....base.stats.resampling import interval, weights
from ....review.pages import words
from ....review.pages.numbers import number as figure_text
from ...experiment.compare import Comparison, ConditionGroup, ConditionKey, compare
from ...experiment.conditions import is_twin, is_variant
from ...experiment.records import Manifest, RunResult
from ...experiment.values import value
from ..text import experiment as say

if TYPE_CHECKING:
    import altair

# Readable on white and on black: the contrast to both is between 3:1 and 7:1. Shapes differ, too.
COLOURS = ("#4a7fc1", "#c06a1f", "#2f8f68", "#9a63c4", "#cc4a5b", "#178a9c", "#8a7d1e", "#7f7f7f")
SHAPES = ("circle", "square", "diamond", "triangle-up", "triangle-down", "cross", "triangle-right", "triangle-left")
FONT = "Helvetica, Arial, sans-serif"
_WIDTH, _HEIGHT, _LEFT, _TOP, _RIGHT, _BOTTOM, _ENTRY = 480, 360, 56, 12, 16, 60, 19
# Height of a line of statistics above the chart.
_LINE = 17
# A placeholder for the colour of the surrounding text: Altair accepts only colours of its schema.
_INK = "#010203"
_SVG, _XLINK = "http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"
_LONG = re.compile(r"-?\d+\.\d{3,}(?:e-?\d+)?")
_LABEL = 70
_STANDALONE = "svg{color:#1d1f23}@media(prefers-color-scheme:dark){svg{color:#e4e2dc}}"
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


def _figure(group: ConditionGroup, results: Sequence[RunResult], name: str) -> Figure:
    labels = say.Labels(group)
    keys = {c.key: labels.of(c.key) for c in group.conditions}
    points: list[FigurePoint] = []
    left_out = 0
    for run in results:
        key = ConditionKey(run.cell.agent, run.cell.harness, run.cell.model)
        if key not in keys:
            continue
        x, y = value(run, "rigor_score"), value(run, "outcome")
        if x is None or y is None:
            left_out += 1
            continue
        points.append(FigurePoint("run", keys[key], run.cell.task, run.cell.id, x, y))
    found = correlations([Pair(p.task, p.x, p.y) for p in points])
    if group.scripted:
        found = untested(found)
    groups: defaultdict[tuple[str, str], list[FigurePoint]] = defaultdict(list)
    for point in points:
        groups[point.condition, point.task].append(point)
    means = [
        FigurePoint(
            "mean", condition, task, "", round(fmean(p.x for p in of), 6), round(fmean(p.y for p in of), 6), len(of)
        )
        for (condition, task), of in groups.items()
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
        list(keys.values()),
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


def figure1(figure: Figure) -> altair.LayerChart:
    """The chart. Labels are placeholders ("p0", "c0") that :func:`figure_svg` fills in. Raises: ImportError."""
    import altair as alt

    number = {name: f"c{n}" for n, name in enumerate(figure.conditions)}
    many = sum(p.kind == "run" for p in figure.points) > MOST_RUNS
    marks: dict[str, list[dict[str, Any]]] = {"run": [], "mean": []}
    for n, p in enumerate(figure.points):
        if p.kind == "mean" or not many:
            marks[p.kind].append({"x": p.x, "y": p.y, "c": number[p.condition], "d": f"p{n}"})
    domain = list(number.values())
    colours = alt.Scale(domain=domain, range=[COLOURS[n % len(COLOURS)] for n in range(len(domain))])
    colour = alt.Color(
        "c:N",
        scale=colours,
        legend=alt.Legend(
            title=None, orient="none", direction="vertical", columns=1, legendX=0, legendY=_HEIGHT + 52,
            labelLimit=0, rowPadding=6, symbolSize=70, symbolOpacity=1,
        ),
    )  # fmt: skip
    shapes = alt.Scale(domain=domain, range=[SHAPES[n % len(SHAPES)] for n in range(len(domain))])
    shape = alt.Shape("c:N", scale=shapes)
    shares = alt.Scale(domain=[0, 1], nice=False)
    # Fixed extents: else the place of the titles would depend on the width of labels.
    below = alt.Axis(format=".1f", labelLimit=0, minExtent=20, maxExtent=20)
    beside = alt.Axis(format=".1f", labelLimit=0, minExtent=30, maxExtent=30)
    x = alt.X("x:Q", title="RigorScore (process)", scale=shares, axis=below)
    y = alt.Y("y:Q", title="Outcome score", scale=shares, axis=beside)
    look = {"color": colour, "shape": shape, "description": "d:N"}

    def layer(values: list[dict[str, Any]]) -> Any:
        return alt.Chart(alt.InlineData(values=values))

    line = [{"x": p.x, "y": p.y, "low": p.low, "high": p.high} for p in figure.fit]
    layers = []
    if line and all(p["low"] is not None for p in line):
        layers.append(
            layer(line)
            .mark_area(color=_INK, opacity=0.1, aria=False)
            .encode(x=x, y=alt.Y("low:Q", scale=shares), y2="high:Q")
        )
    if line:
        layers.append(layer(line).mark_line(color=_INK, strokeWidth=1.5, opacity=0.8, aria=False).encode(x=x, y=y))
    layers.append(
        layer(marks["run"])
        .mark_point(filled=True, size=22, opacity=1)
        .encode(x=x, y=y, fillOpacity=alt.value(0.45), **look)
    )
    layers.append(layer(marks["mean"]).mark_point(filled=True, size=75, opacity=1).encode(x=x, y=y, **look))
    for n, line_of_text in enumerate(reversed(figure.statistics)):
        layers.append(
            layer([{"t": line_of_text}])
            .mark_text(align="left", baseline="bottom", fontSize=12.5, color=_INK, aria=False)
            .encode(text="t:N", x=alt.value(0), y=alt.value(-6 - n * _LINE))
        )
    chart: altair.LayerChart = (
        alt.layer(*layers)
        .properties(
            width=_WIDTH,
            height=_HEIGHT,
            autosize=alt.AutoSizeParams(type="none"),
            padding={
                "left": _LEFT, "top": _TOP + _LINE * len(figure.statistics), "right": _RIGHT,
                "bottom": _BOTTOM + _ENTRY * len(domain),
            },
        )
        .configure(font=FONT, background="transparent")
        .configure_axis(
            labelColor=_INK, titleColor=_INK, domainColor=_INK, tickColor=_INK, gridColor=_INK, gridOpacity=0.12,
            labelFontSize=12, titleFontSize=13, titleFontWeight="normal", titlePadding=8, tickCount=5,
        )
        .configure_legend(labelColor=_INK, labelFontSize=12.5)
        .configure_view(stroke=None)
    )  # fmt: skip
    return chart


# A report has the same drawing in four files.
@lru_cache(maxsize=4)
def _drawing(description: str) -> str:
    import vl_convert

    return str(vl_convert.vegalite_to_svg(description))


def figure_svg(figure: Figure, links: Mapping[str, str] | None = None, *, standalone: bool = False) -> str:
    """The figure as SVG: named, described, each point with its values as label and tooltip.

    Args:
        links: addresses of the pages of runs, by cell id; their points become links.
        standalone: a file of its own, with its colours; else for a page, whose colour it takes (no style in it).
    """
    root = ElementTree.fromstring(_drawing(figure1(figure).to_json()))
    labels = {f"p{n}": (p, _label(p)) for n, p in enumerate(figure.points)}
    names = {f"c{n}": one_line(name, _LABEL) for n, name in enumerate(figure.conditions)}
    _clean(root, labels, names, links or {})
    title, description = f"{figure.name}-title", f"{figure.name}-description"
    for key in ("class", "version"):
        root.attrib.pop(key, None)
    root.set("role", "graphics-document")
    root.set("aria-labelledby", f"{title} {description}")
    root.set("font-family", FONT)
    head = [_element("title", figure.title, id=title), _element("desc", one_line(figure.caption), id=description)]
    if standalone:
        root.set("color", "#1d1f23")
        head.append(_element("style", _STANDALONE))
    for n, element in enumerate(head):
        root.insert(n, element)
    ElementTree.register_namespace("", _SVG)
    ElementTree.register_namespace("xlink", _XLINK)
    return ElementTree.tostring(root, encoding="unicode") + "\n"


def _label(point: FigurePoint) -> str:
    where = f"{one_line(point.condition, _LABEL)} on {one_line(point.task, _LABEL)}"
    what = f"mean of {words.plural(point.runs, 'run')}" if point.kind == "mean" else one_line(point.cell, 200)
    return f"{where} ({what}): RigorScore {point.x:.2f}, Outcome score {point.y:.2f}"


def _clean(
    parent: ElementTree.Element,
    labels: Mapping[str, tuple[FigurePoint, str]],
    names: Mapping[str, str],
    links: Mapping[str, str],
) -> None:
    """Fill in labels, tooltips and links; drop invisible elements; shorten numbers; use the colour of the text."""
    for index, element in reversed(list(enumerate(parent))):
        if element.get("class") in ("background", "foreground") and not (
            element.get("display") != "none" and any(element.get(k, "none") != "none" for k in ("fill", "stroke"))
        ):
            parent.remove(element)
            continue
        _clean(element, labels, names, links)
        found = labels.get(element.attrib.pop("aria-label", ""))
        for name in ("aria-roledescription", "font-family", "class", "role"):
            element.attrib.pop(name, None)
        for name, given in list(element.attrib.items()):
            if given == _INK:
                element.set(name, "currentColor")
            elif name in ("transform", "d"):
                element.set(name, _LONG.sub(lambda m: f"{float(m[0]):.2f}".rstrip("0").rstrip("."), given))
        if element.text is not None:
            element.text = names.get(element.text, element.text)
        if found is None:
            continue
        point, label = found
        element.set("aria-label", label)
        element.set("role", "img")
        element.insert(0, _element("title", label))
        address = links.get(point.cell) if point.kind == "run" else None
        if address is not None:
            anchor = ElementTree.Element(f"{{{_SVG}}}a", {"href": address})
            parent.remove(element)
            anchor.append(element)
            parent.insert(index, anchor)


def _element(name: str, text: str, **attributes: str) -> ElementTree.Element:
    element = ElementTree.Element(f"{{{_SVG}}}{name}", attributes)
    element.text = text
    return element


def picture(drawing: str, kind: Literal["svg", "png", "pdf"]) -> bytes:
    """A standalone drawing, as PNG and PDF on white."""
    if kind == "svg":
        return drawing.encode()
    import vl_convert

    paper = re.sub(r"<style>.*?</style>", '<rect width="100%" height="100%" fill="#ffffff"/>', drawing, count=1)
    paper = paper.replace("currentColor", "#1d1f23")
    return bytes(vl_convert.svg_to_png(paper, scale=2) if kind == "png" else vl_convert.svg_to_pdf(paper))
