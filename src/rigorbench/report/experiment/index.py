"""What the first page of an experiment's report shows, as plain values for its template."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from ...experiment.compare import MEASURES, Comparison, Condition, Effect, Group, Mean, Measure, Pair
from ...experiment.model import Manifest, RunResult
from ...experiment.problems import Problem
from ...metrics.result import PILLAR_TITLES
from ..text import experiment as say
from ..text import words
from . import facts as facts
from .analysis import say_p
from .rows import filters, heads, run_lists, tone

# Up to this many pairs all tables are open from the start.
OPEN_PAIRS = 4
# From here on a corrected p-value does not count as small.
SMALL_P = 0.05
_SHADES = 9
_HEAT = ("rigor_score", "pass_rate")
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
    label: str
    n: str
    not_counted: str
    figures: list[Figure]


class FigureTable(Struct):
    title: str
    columns: list[tuple[str, str]]
    rows: list[ConditionRow]


class Line(Struct):
    """A difference. Places on its scale in percent of the width; None: no interval, or no difference at all."""

    title: str
    kind: str
    text: str
    interval: str
    reading: str
    p: str
    adjusted: str
    size: str
    basis: str
    remark: str
    tone: str
    zero: str
    at: str | None
    low: str | None
    width: str | None


class PairView(Struct):
    """``remark``: what holds of every line, said once."""

    label: str
    summary: str
    open: bool
    lines: list[Line]
    remark: str


class HeatCell(Struct):
    text: str
    n: str
    note: str
    shade: int | None


class HeatMap(Struct):
    title: str
    what: str
    columns: list[str]
    rows: list[tuple[str, list[HeatCell]]]


class GroupView(Struct):
    anchor: str
    scripted: bool
    title: str
    about: str
    common: str
    column: str
    tables: list[FigureTable]
    pairs: list[PairView]
    pressures: list[PairView]
    maps: list[HeatMap]


class ProblemView(Struct):
    kind: str
    tone: str
    what: str
    scripted: bool
    runs: str
    links: list[tuple[str, str | None]]


def index_view(
    manifest: Manifest,
    comparison: Comparison,
    results: Sequence[RunResult],
    pages: Mapping[str, str],
    aside: Sequence[str] = (),
    tasks: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """The context of the template.

    Args:
        pages: address of the page of each run, by cell id.
        aside: directories of runs that did not come to their end, kept as evidence.
        tasks: address of the page of each task.
    """
    by_id = {r.cell.id: r for r in results}
    scripted = {c.key.model for g in comparison.groups if g.scripted for c in g.conditions}
    lists = run_lists(manifest, comparison, by_id, pages)
    return {
        "title": f"{manifest.suite}: {facts.size(comparison)}",
        "heading": f"Suite {manifest.suite}",
        "facts": facts.facts(manifest, comparison),
        "banner": say.ALL_SCRIPTED if comparison.all_scripted else say.SOME_SCRIPTED if scripted else "",
        "all_scripted": comparison.all_scripted,
        "groups": [_group(g, f"g{n}", _scales(comparison)) for n, g in enumerate(comparison.groups)],
        "how_to_read": say.HOW_TO_READ,
        "method": say.method(comparison),
        "problems": [_problem(p, pages, comparison.all_scripted) for p in comparison.problems],
        "lists": lists,
        "heads": heads(),
        "tasks": tasks or {},
        "task_list": _tasks(manifest, tasks or {}),
        "filters": filters(lists),
        "subjects": facts.subjects(manifest, scripted),
        "command": shlex.join(manifest.command),
        "history": [facts.call(entry) for entry in manifest.history],
        "versions": list(manifest.versions.items()),
        "machine": [(k, facts.memory(v) if k == "memory" else facts.plain(v)) for k, v in manifest.machine.items()],
        "aside": list(aside),
    }


def _tasks(manifest: Manifest, pages: Mapping[str, str]) -> list[tuple[str, list[tuple[str, str, str]]]]:
    """(category, [(name, page, first words of its instruction)]) in the order of the manifest."""
    found: dict[str, list[tuple[str, str, str]]] = {}
    for name, href in pages.items():
        facts = manifest.tasks[name].facts if name in manifest.tasks else {}
        category, lead = (v if isinstance(v := facts.get(key), str) else "" for key in ("category", "title"))
        found.setdefault(category, []).append((name, href, lead))
    return list(found.items())


def _group(group: Group, anchor: str, scales: Mapping[str, float]) -> GroupView:
    labels = say.Labels(group)
    common = ", ".join(filter(None, [labels.common, words.plural(len(group.tasks), "task")]))
    return GroupView(
        anchor,
        group.scripted,
        say.heading(group),
        f"{say.POLICY} {say.POLICY_TOKENS}" if group.scripted else "",
        common,
        labels.column,
        [_table("Process", group, labels, _PROCESS), _table("Outcome and effort", group, labels, _REST)],
        [
            _pair(
                group, pair, labels.pair(pair.of, pair.minus), scales, is_open=n == 0 or len(group.pairs) <= OPEN_PAIRS
            )
            for n, pair in enumerate(group.pairs)
        ],
        [_pair(group, pair, labels.under(pair), scales, is_open=n == 0) for n, pair in enumerate(group.pressures)],
        [_heat(group, labels, _MEASURE[name]) for name in _HEAT],
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
    n = "" if say.says_n(mean) else f"n = {words.count(mean.runs)}"
    return Figure(say.mean_value(mean, measure), say.mean_note(mean), share, n, mean.value is not None)


def _scales(comparison: Comparison) -> dict[str, float]:
    """What half the width of a scale stands for: 1 for shares, else the largest difference of the experiment."""
    scales: dict[str, float] = {}
    for measure in MEASURES:
        effects = [p.effects[measure.name] for g in comparison.groups for p in (*g.pairs, *g.pressures)]
        ends = [abs(v) for e in effects for v in (e.value, e.low, e.high) if v is not None]
        scales[measure.name] = 1.0 if measure.unit == "share" else max([*ends, 1e-9])
    return scales


def _pair(group: Group, pair: Pair, label: str, scales: Mapping[str, float], *, is_open: bool) -> PairView:
    lines = [_line(m, say.title(m, group.scripted), pair.effects[m.name], scales[m.name]) for m in MEASURES]
    kept = [line for line, m in zip(lines, MEASURES, strict=True) if m.name != "cost" or line.at is not None]
    heads = [f"{_MEASURE[n].title} {say.effect_value(pair.effects[n], _MEASURE[n])}" for n in _HEAT]
    remarks = {line.remark for line in kept if line.at is not None}
    remark = remarks.pop() if len(remarks) == 1 else ""
    if remark:
        for line in kept:
            line.remark = ""
    return PairView(label, ", ".join(heads), is_open, kept, remark)


def _line(measure: Measure, title: str, effect: Effect, scale: float) -> Line:
    def place(value: float) -> float:
        return 50 + 50 * min(1.0, max(-1.0, value / scale))

    has = effect.low is not None and effect.high is not None
    reading, tone = _reading(measure, effect)
    low = place(effect.low) if effect.low is not None else 0.0
    high = place(effect.high) if effect.high is not None else 0.0
    return Line(
        title,
        measure.kind,
        say.effect_value(effect, measure),
        say.bounds(effect, measure),
        reading,
        "" if effect.p is None else say_p(effect.p),
        "" if effect.p_adjusted is None else say_p(effect.p_adjusted),
        "" if effect.size is None else f"{effect.size:+.2f}".replace("-", "−"),
        say.effect_basis(effect),
        effect.reason if effect.value is not None else "",
        tone,
        "50%",
        None if effect.value is None else f"{place(effect.value):.1f}%",
        f"{low:.1f}%" if has else None,
        f"{max(0.3, high - low):.1f}%" if has else None,
    )


def _reading(measure: Measure, effect: Effect) -> tuple[str, str]:
    """(word, tone). Better or worse only where the whole interval says so, and the corrected p-value too."""
    if measure.less_is_better is None or effect.low is None or effect.high is None or effect.low <= 0 <= effect.high:
        return "", ""
    if effect.p_adjusted is None or effect.p_adjusted >= SMALL_P:
        return "interval only", ""
    word = "worse" if (effect.low > 0) is measure.less_is_better else "better"
    return word, word


def _heat(group: Group, labels: say.Labels, measure: Measure) -> HeatMap:
    rows = [(task, [_heat_cell(c, task, measure) for c in group.conditions]) for task in group.tasks]
    title = {"rigor_score": "RigorScore by task", "pass_rate": "Hidden tests passed by task"}[measure.name]
    return HeatMap(
        title, "means over repeats; stronger colour: more", [labels.of(c.key) for c in group.conditions], rows
    )


def _heat_cell(condition: Condition, task: str, measure: Measure) -> HeatCell:
    measures = condition.tasks.get(task)
    if measures is None:
        return HeatCell("", "", "not planned", None)
    mean = measures[measure.name]
    shade = None if mean.value is None else round(min(1.0, max(0.0, mean.value)) * _SHADES)
    n = f"n = {words.count(mean.runs)}" if mean.runs else ""
    note = say.mean_note(mean)
    if measure.name == "rigor_score" and measures["evidence_share"].value is not None:
        note += f"; evidence share {words.percent(measures['evidence_share'].value)}"
    return HeatCell("" if mean.value is None else say.number(mean.value, measure), n, note, shade)


def _problem(problem: Problem, pages: Mapping[str, str], all_scripted: bool) -> ProblemView:
    return ProblemView(
        problem.kind,
        tone(problem.kind),
        problem.what,
        problem.scripted and not all_scripted,
        words.plural(len(problem.cells), "run"),
        [(cell, pages.get(cell)) for cell in problem.cells],
    )
