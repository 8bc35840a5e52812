"""Figure 1 in the page of an experiment: inline, with its tooltips and links to the pages of the runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from markupsafe import Markup
from msgspec import Struct

from ...experiment.compare import Comparison
from ...experiment.model import Manifest, RunResult

# With more links than this the tab key skips the drawing; the list of runs has them all.
_WALKED = 40


class FigureView(Struct):
    """A figure. Names in ``svg`` are escaped already, so the template does not escape it again."""

    svg: Markup
    caption: str


def figure_views(
    manifest: Manifest, results: Sequence[RunResult], comparison: Comparison, links: Mapping[str, str]
) -> dict[bool, list[FigureView]] | None:
    """The figures of models (False) and scripted policies (True); None: what draws them is not installed.

    Args:
        links: address of the page of each run, by cell id.
    """
    try:
        from ..tables.figure import figure_svg, figures

        drawn = [(figure, figure_svg(figure, links)) for figure in figures(manifest, results, comparison)]
    except ImportError:
        return None
    found: dict[bool, list[FigureView]] = {False: [], True: []}
    for figure, svg in drawn:
        if svg.count("<a href=") > _WALKED:
            svg = svg.replace("<a href=", '<a tabindex="-1" href=')
        # tables/figure.py has escaped every name.
        found[figure.scripted].append(FigureView(Markup(svg), figure.caption))
    return found
