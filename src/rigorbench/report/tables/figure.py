"""Figure 1: the process (RigorScore) of runs against their outcome (Outcome score).

Altair describes the chart and vl-convert draws it, offline. No text of an experiment enters the description: marks and
legend contain placeholders, which are replaced in the finished SVG, where text is only text. The layout does not depend
on the width of text, so the drawing is the same on machines with other fonts.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

from ...base.sanitize import one_line
from ..text import words
from .delimited import text
from .figure_data import MOST_RUNS, Figure, FitPoint, Point, figures

if TYPE_CHECKING:
    import altair

__all__ = [
    "Figure",
    "FitPoint",
    "Point",
    "figure1",
    "figure_svg",
    "figures",
    "picture",
    "points_csv",
    "rendered",
    "save",
    "svg",
]

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


def figure1(figure: Figure) -> altair.LayerChart:
    """The chart. Labels are placeholders ("p0", "c0") that :func:`figure_svg` fills in.

    Raises:
        ImportError: Altair is not installed (the extra ``report``).
    """
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


def svg(chart: altair.LayerChart) -> str:
    """The drawing as vl-convert makes it. Raises ImportError without it."""
    return _drawing(chart.to_json())


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
    root = ElementTree.fromstring(svg(figure1(figure)))
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


def _label(point: Point) -> str:
    where = f"{one_line(point.condition, _LABEL)} on {one_line(point.task, _LABEL)}"
    what = f"mean of {words.plural(point.runs, 'run')}" if point.kind == "mean" else one_line(point.cell, 200)
    return f"{where} ({what}): RigorScore {point.x:.2f}, Outcome score {point.y:.2f}"


def _clean(
    parent: ElementTree.Element,
    labels: Mapping[str, tuple[Point, str]],
    names: Mapping[str, str],
    links: Mapping[str, str],
) -> None:
    """Fill in labels, tooltips and links; drop invisible elements; shorten numbers; use the colour of the text."""
    for index, element in reversed(list(enumerate(parent))):
        if element.get("class") in ("background", "foreground") and not _paints(element):
            parent.remove(element)
            continue
        _clean(element, labels, names, links)
        found = labels.get(element.attrib.pop("aria-label", ""))
        _tidy(element)
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


def _tidy(element: ElementTree.Element) -> None:
    for name in ("aria-roledescription", "font-family", "class", "role"):
        element.attrib.pop(name, None)
    for name, given in list(element.attrib.items()):
        if given == _INK:
            element.set(name, "currentColor")
        elif name in ("transform", "d"):
            element.set(name, _LONG.sub(lambda m: f"{float(m[0]):.2f}".rstrip("0").rstrip("."), given))


def _paints(element: ElementTree.Element) -> bool:
    return element.get("display") != "none" and any(element.get(k, "none") != "none" for k in ("fill", "stroke"))


def _element(name: str, text: str, **attributes: str) -> ElementTree.Element:
    element = ElementTree.Element(f"{{{_SVG}}}{name}", attributes)
    element.text = text
    return element


def points_csv(figure: Figure) -> str:
    """The points of the figure, at full precision, the runs first."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["kind", "condition", "task", "run", "rigor_score", "outcome", "runs"])
    for p in figure.points:
        writer.writerow([p.kind, *map(text, (p.condition, p.task, p.cell)), repr(p.x), repr(p.y), p.runs])
    return out.getvalue()


def save(figure: Figure, path: Path) -> None:
    """Write the figure in the format that the file's suffix names: .svg, .png, .pdf or .csv.

    Raises:
        OSError: it cannot be written.
        ImportError: Altair or vl-convert is not installed.
        ValueError: another suffix.
    """
    path.write_bytes(rendered(figure, path.suffix.lstrip(".")))


def rendered(figure: Figure, kind: str) -> bytes:
    """The file of the figure: "svg", "png", "pdf" or "csv"."""
    if kind == "csv":
        return points_csv(figure).encode()
    return picture(figure_svg(figure, standalone=True), kind)


def picture(drawing: str, kind: str) -> bytes:
    """A standalone drawing as "svg", or on white as "png" or "pdf"."""
    if kind == "svg":
        return drawing.encode()
    import vl_convert

    paper = re.sub(r"<style>.*?</style>", '<rect width="100%" height="100%" fill="#ffffff"/>', drawing, count=1)
    paper = paper.replace("currentColor", "#1d1f23")
    if kind == "png":
        return bytes(vl_convert.svg_to_png(paper, scale=2))
    if kind == "pdf":
        return bytes(vl_convert.svg_to_pdf(paper))
    raise ValueError(f"a figure is svg, png, pdf or csv, not {kind!r}")
