"""The report of an experiment, from its files: every table, the figure, and what they rest on."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from ....base.errors import GivenError
from ....base.version import __version__
from ...experiment.analysis import Analysis, analyse
from ...experiment.compare import Comparison, compare
from ...experiment.results.files import INPUTS_SCHEMA, Inputs
from .conditions import ABSTENTION, MAIN_RESULTS, PILLARS, RELATIVE, REVIEW, TOKENS
from .figure import Figure, figures
from .gather import Gathered, gather
from .items import AGREEMENT, BY_CATEGORY, DEPARTURES_TABLE, POOLED_PILLARS, REVIEW_TASKS, SUBMETRICS
from .projects import COURSE, FAILURES, HINTS, PROJECTS, RELATIONS, VERDICTS_TABLE
from .query import TableSpec, group_data
from .suite import SUITE, SURVEY
from .table import FORMATS, Table

SCHEMA = "rigor-report/1"
# All tables, in their order. A new one is a declaration in one of these modules, and a line here and in the docs.
TABLES: tuple[TableSpec, ...] = (
    SURVEY,
    SUITE,
    MAIN_RESULTS,
    POOLED_PILLARS,
    BY_CATEGORY,
    PILLARS,
    ABSTENTION,
    AGREEMENT,
    SUBMETRICS,
    RELATIVE,
    DEPARTURES_TABLE,
    TOKENS,
    PROJECTS,
    COURSE,
    VERDICTS_TABLE,
    FAILURES,
    HINTS,
    RELATIONS,
    REVIEW,
    REVIEW_TASKS,
)


class BaselineError(GivenError):
    """No condition has the name given for the baseline. One line that lists the possible names."""


class ReportTables(Struct):
    """The content of a report."""

    gathered: Gathered
    comparison: Comparison
    tables: list[Table]
    figures: list[Figure]
    inputs: Inputs

    def analysis(self) -> Analysis:
        """The analysis, computed when needed: it takes longer than all tables."""
        return analyse(self.gathered.manifest, self.gathered.results)


def build(
    outs: Sequence[Path],
    *,
    baseline: str | None = None,
    formats: Sequence[str] = FORMATS,
    paper_exact: bool = False,
) -> ReportTables:
    """The report of one experiment, or of several that may be merged.

    ``baseline``: what the conditions are compared with: a harness, or a model or agent where they differ in that.
    Default: the harness "baseline". ``formats``: of the tables; noted in what the report rests on. Raises:
    ExperimentError, NotComparable, BaselineError.
    """
    gathered = gather(outs, paper_exact=paper_exact)
    comparison = compare(gathered.manifest, gathered.results)
    groups = group_data(gathered, comparison, baseline)
    known = any(group.baseline_of(c.key) is not None for group in groups for c in group.group.conditions)
    if baseline == "" or (baseline is not None and not known):
        names = list(dict.fromkeys(name for group in groups for name in group.names()))
        raise BaselineError(
            f"--baseline {baseline}: no condition has this name; choose one of: {', '.join(names) or 'none'}"
        )
    return ReportTables(
        gathered,
        comparison,
        [table for spec in TABLES for table in spec.build(gathered, groups)],
        figures(gathered.manifest, gathered.results),
        Inputs(
            INPUTS_SCHEMA, __version__, baseline, list(formats), gathered.experiments, paper_exact=gathered.paper_exact
        ),
    )
