"""Figure 1: its points and fit, and a drawing that is the same everywhere, safe, and readable on light and dark."""

from __future__ import annotations

import csv
import io
import re
from xml.etree import ElementTree

import numpy as np
import pytest
from msgspec.structs import replace

from fake_experiment import make_manifest, make_result
from rigorbench.bench.experiment.records import Manifest, RunResult
from rigorbench.bench.pages.tables.build import points_csv
from rigorbench.bench.pages.tables.figure import COLOURS, MOST_RUNS, Figure, figure_svg, figures, picture

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = '"><script>alert(1)</script>&_\x1b[31m\x00'
# Coordinates of the frame: left and top margin, width and height of the plot.
LEFT, TOP, WIDTH, HEIGHT = 56, 12, 480, 360


def experiment(**wanted: object) -> tuple[Manifest, list[RunResult]]:
    made = make_manifest(**{"harnesses": ("agent-rigor", "baseline"), "models": ("acme/x",), "repeats": 2, **wanted})
    return made, [make_result(cell) for cell in made.cells]


@pytest.fixture(scope="module")
def figure() -> Figure:
    made, results = experiment()
    results[0] = replace(results[0], rigor_score=None)
    results[1] = replace(results[1], outcome=None)
    results[2] = replace(results[2], status="error")
    (found,) = figures(made, results)
    return found


def marks(drawing: str) -> list[ElementTree.Element]:
    return [e for e in ElementTree.fromstring(drawing).iter() if e.get("aria-label")]


def test_points_are_the_runs_with_both_values_and_their_means(figure: Figure) -> None:
    runs = [p for p in figure.points if p.kind == "run"]
    means = [p for p in figure.points if p.kind == "mean"]
    assert (len(runs), figure.left_out) == (17, 2)
    for mean in means:
        of = [p for p in runs if (p.condition, p.task) == (mean.condition, mean.task)]
        assert mean.runs == len(of)
        assert mean.x == pytest.approx(np.mean([p.x for p in of]), abs=1e-6)
        assert mean.y == pytest.approx(np.mean([p.y for p in of]), abs=1e-6)
    assert sum(m.runs for m in means) == len(runs)
    assert "Left out: 2 runs" in figure.caption


def test_the_line_is_least_squares_over_runs(figure: Figure) -> None:
    runs = [p for p in figure.points if p.kind == "run"]
    slope, intercept = np.polyfit([p.x for p in runs], [p.y for p in runs], 1)
    assert figure.correlations.pooled.slope == pytest.approx(slope)
    for point in figure.fit:
        assert point.y == pytest.approx(intercept + slope * point.x, abs=1e-5)
        assert point.low <= point.y <= point.high
    assert f"Pearson r {figure.correlations.pooled.pearson:.2f}".replace("-", "−") in figure.caption


def test_every_point_is_drawn_where_its_values_say(figure: Figure) -> None:
    drawn = marks(figure_svg(figure))
    assert len(drawn) == len(figure.points)
    for point, mark in zip(figure.points, drawn, strict=True):
        x, y = map(float, re.findall(r"[\d.]+", mark.get("transform", ""))[:2])
        assert x / WIDTH == pytest.approx(point.x, abs=1e-4)
        assert 1 - y / HEIGHT == pytest.approx(point.y, abs=1e-4)
        label = mark.get("aria-label", "")
        assert f"RigorScore {point.x:.2f}, Outcome score {point.y:.2f}" in label
        assert point.task in label
        assert (point.cell if point.kind == "run" else f"mean of {point.runs} run") in label
        assert mark.findtext(f"{SVG}title") == label


def test_the_drawing_is_the_same_every_time_and_small(figure: Figure) -> None:
    first = figure_svg(figure, standalone=True).encode()
    assert figure_svg(figure, standalone=True).encode() == first
    assert len(first) < 40_000


def test_the_drawing_for_a_page_brings_no_style_and_no_address(figure: Figure) -> None:
    drawing = figure_svg(figure)
    assert "<style" not in drawing
    assert "style=" not in drawing
    assert "href" not in drawing
    assert set(re.findall(r"https?://[^\s\"]+", drawing)) == {"http://www.w3.org/2000/svg"}
    assert {*re.findall(r'(?:fill|stroke)="(#\w+)"', drawing)} <= set(COLOURS)
    standalone = figure_svg(figure, standalone=True)
    assert "prefers-color-scheme:dark" in standalone


def test_it_has_a_name_and_a_description(figure: Figure) -> None:
    root = ElementTree.fromstring(figure_svg(figure))
    named = {e.get("id"): e.text for e in root if e.get("id")}
    assert [named[i] for i in root.get("aria-labelledby", "").split()] == [figure.title, figure.caption]


def test_points_link_to_the_pages_of_their_runs(figure: Figure) -> None:
    runs = [p for p in figure.points if p.kind == "run"]
    drawing = figure_svg(figure, {runs[0].cell: "runs/a&b.html", "no such run": "x"})
    root = ElementTree.fromstring(drawing)
    (anchor,) = root.iter(f"{SVG}a")
    assert anchor.get("href") == "runs/a&b.html"
    assert runs[0].cell in anchor[0].get("aria-label", "")
    assert len(marks(drawing)) == len(figure.points)
    # The order of the marks is that of the points still.
    assert [m.get("transform") for m in marks(drawing)] == [m.get("transform") for m in marks(figure_svg(figure))]


def test_hostile_names_stay_text() -> None:
    made, results = experiment(harnesses=(HOSTILE, "x"), tasks=("a", "b", "c"), repeats=1)
    (found,) = figures(made, results)
    drawing = figure_svg(found, {r.cell.id: 'x" onload="y' for r in results}, standalone=True)
    root = ElementTree.fromstring(drawing)
    assert not [e for e in root.iter() if e.tag == f"{SVG}script" or any(k.startswith("on") for k in e.attrib)]
    texts = [e.text for e in root.iter(f"{SVG}text")]
    assert any("<script>" in (t or "") for t in texts)
    assert "\x1b" not in drawing
    rows = list(csv.reader(io.StringIO(points_csv(found))))
    assert {len(row) for row in rows} == {7}
    assert "\\x1b" in rows[1][1]


def test_colours_are_seen_on_light_and_on_dark() -> None:
    def luminance(colour: str) -> float:
        parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    for ground in ("#ffffff", "#fbfaf7", "#15171a", "#1b1e22"):
        for colour in COLOURS:
            light, dark = sorted((luminance(colour), luminance(ground)), reverse=True)
            assert (light + 0.05) / (dark + 0.05) >= 3, (colour, ground)


def test_a_cloud_of_runs_is_left_to_the_csv() -> None:
    made, results = experiment(tasks=("a", "b", "c"), repeats=MOST_RUNS // 6 + 1)
    (found,) = figures(made, results)
    assert len(marks(figure_svg(found))) == 6
    assert points_csv(found).count("\nrun,") == len(results)
    assert "the dots are left out" in found.caption


def test_without_points_or_fit_it_says_so() -> None:
    made, results = experiment(tasks=("a",), repeats=1)
    (found,) = figures(made, results)
    assert found.fit == []
    assert "Pooled: too few runs" in found.caption
    assert len(marks(figure_svg(found))) == 4
    (none,) = figures(made, [])
    assert none.points == []


def test_files_of_each_kind(figure: Figure) -> None:
    drawing = figure_svg(figure, standalone=True)
    for kind, start in (("svg", b"<svg "), ("png", b"\x89PNG"), ("pdf", b"%PDF")):
        assert picture(drawing, kind).startswith(start)


def test_the_csv_has_every_digit(figure: Figure) -> None:
    header, *lines = points_csv(figure).splitlines()
    assert header == "kind,condition,task,run,rigor_score,outcome,runs"
    assert [tuple(map(float, line.split(",")[4:6])) for line in lines] == [(p.x, p.y) for p in figure.points]
