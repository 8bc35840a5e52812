"""What the first page of an experiment's report shows."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence

from msgspec import Struct, field

from ...experiment.compare import MEASURES, Comparison, Condition, Group, Mean, Measure
from ...experiment.model import Manifest, RunResult
from ...experiment.problems import Problem
from ...metrics.result import PILLAR_TITLES
from ...review.model import Review
from ..pages import Page
from ..text import experiment as say
from ..text import words
from ..text.verdict import verdict
from .analysis import AnalysisView
from .chart import Chart, chart
from .differences import PairView, pair_view, scales
from .facts import CallView, SubjectKind, call, facts, memory, plain, size, subjects
from .figure import FigureView
from .flags import FlagTable, flag_table
from .projects import ProjectTable
from .rows import RunList, filters, run_lists, tone

# Up to this many pairs all tables are open from the start.
OPEN_PAIRS = 4
_SHADES = 9
_HEAT = ("rigor_score", "outcome")
_PROCESS = tuple(m for m in MEASURES if m.kind == "process")
_REST = tuple(m for m in MEASURES if m.kind != "process")
_MEASURE = {m.name: m for m in MEASURES}


class Figure(Struct):
    """A cell with a mean. ``share``: length of its bar (None: no bar). ``n``: only where it is not that of the row."""

    text: str
    note: str
    share: float | None
    n: str
    value: bool


class ConditionRow(Struct):
    """The figures of a condition. ``n``: how many of its runs count; ``not_counted``: why not all do."""

    label: str
    n: str
    not_counted: str
    figures: list[Figure]


class FigureTable(Struct):
    """Means of all conditions of a group. ``columns``: head and title."""

    title: str
    columns: list[tuple[str, str]]
    rows: list[ConditionRow]


class HeatCell(Struct):
    """A mean of a condition on a task. ``shade``: 0 to 9; None: no value, and ``note`` says why."""

    text: str
    n: str
    note: str
    shade: int | None


class HeatRow(Struct):
    """A task, with the address of its page if it has one."""

    task: str
    href: str | None
    cells: list[HeatCell]


class HeatMap(Struct):
    """A measure on every task under every condition. ``what``: how to read the cells."""

    title: str
    what: str
    columns: list[str]
    rows: list[HeatRow]


class GroupView(Struct):
    """Conditions that may be compared: models, or scripted policies.

    Attributes:
        verdict: the answer in sentences.
        about: what scripted policies are; empty for models.
        common: what all conditions share.
        column: what tells the conditions apart.
        chart: None without a run that counts.
        flags: None without a reviewed run.
        single: whether there is no more than one run: it has no statistics and no maps.
        pairs: differences between conditions; ``pressures``: between a task under pressure and without.
        analysis: None without a run that counts.
    """

    anchor: str
    scripted: bool
    title: str
    verdict: list[str]
    about: str
    common: str
    column: str
    chart: Chart | None
    flags: FlagTable | None
    single: bool
    tables: list[FigureTable]
    pairs: list[PairView]
    pressures: list[PairView]
    maps: list[HeatMap]
    figures: list[FigureView]
    analysis: AnalysisView | None


class ProblemView(Struct):
    """A kind of problem. ``scripted``: whether to say that it is one of scripted policies; ``links``: its runs."""

    kind: str
    tone: str
    what: str
    scripted: bool
    runs: str
    links: list[tuple[str, str | None]]


class TaskLink(Struct):
    """A task with the address of its page and the first words of its instruction."""

    name: str
    href: str
    lead: str


class TaskCategory(Struct):
    """The tasks of a category; ``title`` is empty for those of none."""

    title: str
    tasks: list[TaskLink]


class Parts(Struct):
    """What the first page shows besides the comparison.

    Attributes:
        aside: directories of runs that did not end, kept as evidence.
        tasks: address of the page of each task.
        analyses: by whether the group is that of scripted policies; ``figures`` likewise, None: they cannot be drawn.
        judges: who judged what, in a few sentences.
        projects: None without projects.
        reviews: the review of each run that has one, by cell id.
        tables_href: address of the page of tables; empty: there is none.
    """

    aside: Sequence[str] = ()
    tasks: Mapping[str, str] = field(default_factory=dict)
    analyses: Mapping[bool, AnalysisView] = field(default_factory=dict)
    figures: Mapping[bool, list[FigureView]] | None = None
    judges: str = ""
    projects: ProjectTable | None = None
    reviews: Mapping[str, Review] = field(default_factory=dict)
    tables_href: str = ""


class ExperimentPage(Page):
    """The first page of an experiment.

    Attributes:
        facts: name and value of what holds for all runs.
        banner: what to know about scripted policies; empty without any.
        drawn: whether the figures could be drawn.
        method: how intervals and tests were made.
        lists: the runs of models and those of scripted policies.
        filters: attribute, label and values of each choice.
        history: later calls of `rigor run` with this directory.
    """

    template = "experiment.html.j2"
    scripts = ("index.js", "common.js", "scrolls.js")
    styles = ("experiment.css",)

    title: str
    heading: str
    facts: list[tuple[str, str]]
    banner: str
    all_scripted: bool
    groups: list[GroupView]
    drawn: bool
    how_to_read: str
    method: str
    projects: ProjectTable | None
    tasks: list[TaskCategory]
    problems: list[ProblemView]
    aside: Sequence[str]
    lists: list[RunList]
    filters: list[tuple[str, str, list[str]]]
    command: str
    history: list[CallView]
    judges: str
    subjects: list[SubjectKind]
    versions: list[tuple[str, str]]
    machine: list[tuple[str, str]]
    tables_href: str


def experiment_page(
    manifest: Manifest,
    comparison: Comparison,
    results: Sequence[RunResult],
    pages: Mapping[str, str],
    parts: Parts,
) -> ExperimentPage:
    """The first page. ``pages``: address of the page of each run, by cell id."""
    by_id = {r.cell.id: r for r in results}
    scripted = {c.key.model for g in comparison.groups if g.scripted for c in g.conditions}
    lists = run_lists(manifest, comparison, by_id, pages, parts.reviews)
    limits = scales(comparison)
    return ExperimentPage(
        title=f"{manifest.suite}: {size(comparison)}",
        heading=f"Suite {manifest.suite}",
        facts=facts(manifest, comparison),
        banner=say.ALL_SCRIPTED if comparison.all_scripted else say.SOME_SCRIPTED if scripted else "",
        all_scripted=comparison.all_scripted,
        groups=[_group(g, f"g{n}", limits, results, parts) for n, g in enumerate(comparison.groups)],
        drawn=parts.figures is not None,
        how_to_read=say.HOW_TO_READ,
        method=say.method(comparison),
        projects=parts.projects,
        tasks=_tasks(manifest, parts.tasks),
        problems=[_problem(p, manifest, pages, comparison.all_scripted) for p in comparison.problems],
        aside=parts.aside,
        lists=lists,
        filters=filters(lists),
        command=shlex.join(manifest.command),
        history=[call(entry) for entry in manifest.history],
        judges=parts.judges,
        subjects=subjects(manifest, scripted),
        versions=list(manifest.versions.items()),
        machine=[(k, memory(v) if k == "memory" else plain(v)) for k, v in manifest.machine.items()],
        tables_href=parts.tables_href,
    )


def _tasks(manifest: Manifest, pages: Mapping[str, str]) -> list[TaskCategory]:
    """In the order of the manifest."""
    found: dict[str, list[TaskLink]] = {}
    for name, href in pages.items():
        known = manifest.tasks[name].facts if name in manifest.tasks else {}
        category, lead = (v if isinstance(v := known.get(key), str) else "" for key in ("category", "title"))
        found.setdefault(category, []).append(TaskLink(name, href, say.lead(lead)))
    return [TaskCategory(title, links) for title, links in found.items()]


def _group(
    group: Group, anchor: str, limits: Mapping[str, float], results: Sequence[RunResult], parts: Parts
) -> GroupView:
    labels = say.Labels(group)
    common = ", ".join(filter(None, [labels.common, words.plural(len(group.tasks), "task")]))
    counted = sum(c.counted for c in group.conditions)
    single = counted <= 1
    return GroupView(
        anchor,
        group.scripted,
        say.heading(group),
        verdict(group),
        f"{say.POLICY} {say.POLICY_TOKENS}" if group.scripted else "",
        common,
        labels.column,
        chart(group) if counted else None,
        flag_table(group, results, parts.reviews),
        single,
        [_table("Process", group, labels, _PROCESS), _table("Outcome and effort", group, labels, _REST)],
        [
            pair_view(
                group, pair, labels.pair(pair.of, pair.minus), limits, is_open=n == 0 or len(group.pairs) <= OPEN_PAIRS
            )
            for n, pair in enumerate(group.pairs)
        ],
        [pair_view(group, pair, labels.under(pair), limits, is_open=n == 0) for n, pair in enumerate(group.pressures)],
        [] if single else [_heat(group, labels, _MEASURE[name], parts.tasks) for name in _HEAT],
        [] if single else list((parts.figures or {}).get(group.scripted, [])),
        None if single else parts.analyses.get(group.scripted),
    )


def _table(title: str, group: Group, labels: say.Labels, measures: Sequence[Measure]) -> FigureTable:
    used = [m for m in measures if m.name != "cost" or any(c.means["cost"].runs for c in group.conditions)]
    columns = [
        (m.name if m.name in PILLAR_TITLES else say.title(m, group.scripted), say.title(m, group.scripted))
        for m in used
    ]
    rows = [
        ConditionRow(labels.of(c.key), say.runs_of(c), say.not_counted(c), [_figure(c.means[m.name], m) for m in used])
        for c in group.conditions
    ]
    return FigureTable(title, columns, rows)


def _figure(mean: Mean, measure: Measure) -> Figure:
    share = mean.value if measure.unit == "share" and measure.name != "evidence_share" else None
    n = "" if say.has_row_count(mean) else f"n = {words.count(mean.runs)}"
    return Figure(say.mean_value(mean, measure), say.mean_note(mean), share, n, mean.value is not None)


def _heat(group: Group, labels: say.Labels, measure: Measure, pages: Mapping[str, str]) -> HeatMap:
    runs = {c.tasks[t][measure.name].runs for c in group.conditions for t in group.tasks if t in c.tasks}
    repeats = max(runs, default=0)
    rows = [
        HeatRow(task, pages.get(task), [_heat_cell(c, task, measure, repeats) for c in group.conditions])
        for task in group.tasks
    ]
    title = {"rigor_score": "RigorScore by task", "outcome": "Outcome score by task"}[measure.name]
    each = "one run each" if repeats <= 1 else f"means of {words.count(repeats)} runs"
    return HeatMap(title, f"{each}; stronger colour: more", [labels.of(c.key) for c in group.conditions], rows)


def _heat_cell(condition: Condition, task: str, measure: Measure, repeats: int) -> HeatCell:
    """``repeats``: the number of runs that is said once for the whole map."""
    measures = condition.tasks.get(task)
    if measures is None:
        return HeatCell("", "", "not planned", None)
    mean = measures[measure.name]
    shade = None if mean.value is None else round(min(1.0, max(0.0, mean.value)) * _SHADES)
    n = f"n = {words.count(mean.runs)}" if mean.runs not in (0, repeats) else ""
    note = say.mean_note(mean)
    if measure.name == "rigor_score" and measures["evidence_share"].value is not None:
        note += f"; evidence share {words.percent(measures['evidence_share'].value)}"
    return HeatCell("" if mean.value is None else say.number(mean.value, measure), n, note, shade)


def _problem(problem: Problem, manifest: Manifest, pages: Mapping[str, str], all_scripted: bool) -> ProblemView:
    return ProblemView(
        problem.kind,
        tone(problem.kind),
        say.problem_text(problem, manifest),
        problem.scripted and not all_scripted,
        words.plural(len(problem.cells), "run"),
        [(cell, pages.get(cell)) for cell in problem.cells],
    )
