"""The first page of an experiment's report."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from types import ModuleType

from markupsafe import Markup
from msgspec import Struct, field

from ....review.model import Review
from ....review.pages.html import Page
from ...experiment.compare import Comparison, Group
from ...experiment.model import Manifest, RunResult
from ..text import experiment as say
from ..text.verdict import verdict
from . import figures
from .analysis import AnalysisView
from .flags import FlagTable, flag_table
from .projects import ProjectTable
from .rows import RunList, filters, run_lists

# Up to this many pairs all tables are open from the start.
OPEN_PAIRS = 4


class GroupView(Struct):
    """Conditions that may be compared: models, or scripted policies.

    Attributes:
        verdict: the answer in sentences.
        flags: None without a run that counts.
    """

    anchor: str
    group: Group
    labels: say.Labels
    verdict: list[str]
    flags: FlagTable | None

    @property
    def counted(self) -> int:
        return sum(condition.counted for condition in self.group.conditions)

    @property
    def single(self) -> bool:
        """Whether there is no more than one run: it has no statistics and no maps."""
        return self.counted <= 1


class Parts(Struct):
    """What the first page shows besides the comparison.

    Attributes:
        aside: directories of runs that did not end, kept as evidence.
        tasks: address of the page of each task.
        analyses: by whether the group is that of scripted policies; ``drawings`` likewise, with their captions, None:
            they cannot be drawn.
        judges: who judged what, in a few sentences.
        projects: None without projects.
        reviews: the review of each run that has one, by cell id.
        tables_href: address of the page of tables; empty: there is none.
    """

    aside: Sequence[str] = ()
    tasks: Mapping[str, str] = field(default_factory=dict)
    analyses: Mapping[bool, AnalysisView] = field(default_factory=dict)
    drawings: Mapping[bool, list[tuple[Markup, str]]] | None = None
    judges: str = ""
    projects: ProjectTable | None = None
    reviews: Mapping[str, Review] = field(default_factory=dict)
    tables_href: str = ""


class ExperimentPage(Page):
    """The first page of an experiment.

    Attributes:
        pages: address of the page of each run, by cell id.
        scales: the value at the end of the scale of each measure.
        lists: the runs of models and those of scripted policies.
        filters: attribute, label and values of each choice.
        command: the call of `rigor run` that began it.
        say, fig: the functions that put figures in words, and that say which figures there are.
    """

    template = "experiment.html.j2"
    scripts = ("index.js", "common.js", "scrolls.js")
    styles = ("experiment.css",)

    manifest: Manifest
    comparison: Comparison
    groups: list[GroupView]
    pages: Mapping[str, str]
    parts: Parts
    scales: dict[str, float]
    lists: list[RunList]
    filters: list[tuple[str, str, list[str]]]
    command: str
    open_pairs: int = OPEN_PAIRS
    say: ModuleType = say
    fig: ModuleType = figures


def experiment_page(
    manifest: Manifest,
    comparison: Comparison,
    results: Sequence[RunResult],
    pages: Mapping[str, str],
    parts: Parts,
) -> ExperimentPage:
    """The first page. ``pages``: address of the page of each run, by cell id."""
    groups = [
        GroupView(f"g{n}", group, say.Labels(group), verdict(group), flag_table(group, results, parts.reviews))
        for n, group in enumerate(comparison.groups)
    ]
    lists = run_lists(manifest, comparison, {r.cell.id: r for r in results}, pages, parts.reviews)
    return ExperimentPage(
        manifest,
        comparison,
        groups,
        pages,
        parts,
        figures.scales(comparison),
        lists,
        filters(lists),
        shlex.join(manifest.command),
    )
