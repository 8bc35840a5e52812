"""The report of an experiment, from its files: every table, the figure, what they rest on, and how they are written."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct, structs

from ....base.errors import GivenError
from ....base.files import read_json
from ....base.version import __version__
from ...experiment.analysis import Analysis, analyse
from ...experiment.compare import Comparison, compare
from ...experiment.projects import project_means
from ...experiment.results.files import INPUTS_SCHEMA, Inputs
from .conditions import ABSTENTION, MAIN_RESULTS, PILLARS, RELATIVE, REVIEW, TOKENS
from .figure import Figure, figure_svg, figures, picture
from .formats import csv_lines, csv_text, delimited, latex, latex_document, markdown, page
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
FOLDER = "tables"
INPUTS = f"{FOLDER}/inputs.json"
PAGE = "tables.html"
DOCUMENT = f"{FOLDER}/tables.tex"
RENDERERS: dict[str, Callable[[Table], str]] = {
    "md": markdown,
    "csv": delimited,
    "tex": latex,
}
_STEMS, _KINDS = "|".join(spec.stem for spec in TABLES), "|".join(RENDERERS)
_OURS = re.compile(
    rf"tables/(?:(?:{_STEMS})(?:-scripted)?\.(?:{_KINDS})|tables\.tex)"
    r"|figure-1(?:-scripted)?\.(?:svg|png|pdf|csv)|tables\.html"
)
# Their bytes depend on fonts and drawing programs: they are written, but never compared.
PICTURES = (".png", ".pdf")


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


def files(
    report: ReportTables,
    *,
    pictures: bool = True,
    index: str | None = None,
) -> dict[str, bytes]:
    """Name below the report's directory -> content; ``tables/inputs.json`` last, with digests of the others.

    Args:
        pictures: also the figure as PNG and PDF.
        index: address of the experiment's first page, seen from ``tables.html``.
    """
    found = dict(_files(report, pictures, index))
    compared = {n: hashlib.sha256(c).hexdigest() for n, c in sorted(found.items()) if not n.endswith(PICTURES)}
    noted = structs.replace(report.inputs, files=compared)
    found[INPUTS] = msgspec.json.format(msgspec.json.encode(noted), indent=1) + b"\n"
    return found


def _files(report: ReportTables, pictures: bool, index: str | None) -> Iterator[tuple[str, bytes]]:
    formats = report.inputs.formats
    for table in report.tables:
        for suffix, render in RENDERERS.items():
            if suffix in formats:
                yield f"{FOLDER}/{table.name}.{suffix}", render(table).encode()
    if "tex" in formats:
        yield DOCUMENT, latex_document(report.tables).encode()
    for figure in report.figures:
        if figure.points:
            drawing = figure_svg(figure, standalone=True)
            yield f"{figure.name}.csv", points_csv(figure).encode()
            kinds: tuple[Literal["svg", "png", "pdf"], ...] = ("svg", "png", "pdf") if pictures else ("svg",)
            for kind in kinds:
                yield f"{figure.name}.{kind}", picture(drawing, kind)
    if "html" in formats:
        manifest = report.gathered.manifest
        text = page(report.tables, report.figures, suite=manifest.suite, experiment=manifest.id, index=index)
        yield PAGE, text.encode()


def points_csv(figure: Figure) -> str:
    """The points of the figure, the runs first."""
    head = ["kind", "condition", "task", "run", "rigor_score", "outcome", "runs"]
    points = ([p.kind, *map(csv_text, (p.condition, p.task, p.cell)), p.x, p.y, p.runs] for p in figure.points)
    return csv_lines([head, *points])


def write(directory: Path, contents: Mapping[str, bytes]) -> list[Path]:
    """Write the files, and remove files of an earlier report that this one does not have. Raises: OSError."""
    (directory / FOLDER).mkdir(parents=True, exist_ok=True)
    for name in _outdated(directory, contents):
        (directory / name).unlink(missing_ok=True)
    for name, content in contents.items():
        (directory / name).write_bytes(content)
    return [directory / name for name in contents]


def _outdated(directory: Path, contents: Mapping[str, bytes]) -> Iterator[str]:
    """The files of the earlier report, by its own record, as far as their names can be ours."""
    noted = read_json(directory / INPUTS, Inputs)
    for name in noted.files if noted is not None else ():
        stem, _, kind = name.rpartition(".")
        pictures = [f"{stem}{suffix}" for suffix in PICTURES] if kind == "svg" else []
        yield from (n for n in (name, *pictures) if n not in contents and is_ours(n))


def is_ours(name: str) -> bool:
    """Whether a report can have a file of this name."""
    return _OURS.fullmatch(name) is not None


def document(report: ReportTables) -> bytes:
    """The report as one JSON document (``rigor-report/1``)."""
    manifest = report.gathered.manifest
    return msgspec.json.encode(
        {
            "schema": SCHEMA,
            "experiment": manifest.id,
            "suite": manifest.suite,
            "inputs": report.inputs,
            "tables": report.tables,
            "figures": report.figures,
            "comparison": report.comparison,
            "analysis": report.analysis(),
            "projects": project_means(manifest, report.gathered.results),
            "manifest": manifest,
            "runs": report.gathered.results,
        }
    )
