"""What the page of a task shows: its facts, its conditions, and its runs side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from ...experiment.compare import MEASURES, Comparison, Condition, Group, Key, Measure, mean
from ...experiment.model import Manifest, RunResult
from ...experiment.problems import wrong_with
from ...experiment.values import value, why
from ...metrics.result import PILLAR_TITLES, SUBMETRIC_TITLES, WEIGHTS, Pillar
from ..pages import Page
from ..session.timeline import Timeline
from ..text import experiment as say
from ..text import words
from .rows import STATUS, tone

# What a page lists at most; the rest is counted.
RUNS_SHOWN = 48
STRIPS_SHOWN = 24
POINTS_SHOWN = 400
TESTS_SHOWN = 300
_BROKE = "the run broke"
_EFFORT = ("tokens", "seconds", "model_calls", "cost")
_OUTCOME = ("outcome", "fail_to_pass", "features", "kept", "pass_rate", "completeness", "regressions", "solved")
_MEASURE = {m.name: m for m in MEASURES}
# What a measure is called where there is one run and no mean.
_OF_A_RUN = {"regressions": "tests broken", "solved": "solved"}
# (text for screen readers, mark, tone) of a verdict: it is never shown by colour alone.
_MARKS = {
    "passed": ("passed", "✓", "pass"),
    "failed": ("failed", "✗", "fail"),
    "error": ("error", "!", "fail"),
    "skipped": ("skipped", "○", "muted"),
    "met": ("met", "✓", "pass"),
    "not met": ("not met", "✗", "fail"),
    "": ("unknown", "–", "muted"),
}
_SOLVABLE = {"yes": "yes", "impossible": "no, it is impossible", "ambiguous": "only after a question, it is ambiguous"}


class TaskRun(Struct):
    """The part of a run on the page of its task. ``href``: from the index; ``pillars``: empty without a score."""

    result: RunResult
    href: str
    pillars: dict[str, Pillar]
    strip: Timeline | None


class Cell(Struct):
    """``note``: what the value rests on, or why there is none. ``share``: length of its bar; ``few``: small print."""

    text: str
    note: str
    share: float | None = None
    value: bool = True
    few: str = ""


class Row(Struct):
    """A measure of all runs shown. ``kind``: its classes."""

    label: str
    title: str
    kind: str
    cells: list[Cell]


class Column(Struct):
    """A run, with the address of its page and what went wrong in it (kind and tone)."""

    label: str
    repeat: str
    href: str
    status: str
    troubles: list[tuple[str, str]]


class MarkRow(Struct):
    """Verdicts of the runs on a requirement or a hidden test: (word, mark, tone) each."""

    name: str
    text: str
    marks: list[tuple[str, str, str]]


class Strip(Struct):
    """The timeline of a run. ``cut``: marks that are only on the page of the run."""

    label: str
    href: str
    strip: Timeline
    cut: int
    summary: str


class Means(Struct):
    """The conditions of a group on this task: (label, n, cells in the order of ``heads``)."""

    heads: list[tuple[str, str]]
    rows: list[tuple[str, str, list[Cell]]]


class TaskGroup(Struct):
    """The runs of models on the task, or those of scripted policies.

    Attributes:
        column: what tells the conditions apart; ``common``: what they share.
        means: None where every condition ran once.
        columns: the runs shown side by side; ``more``: how many are not.
        sections: heading and measures.
        requirements: verdicts by requirement; ``tests``: by hidden test; ``tests_more``: how many tests are left out.
        strips: timelines of runs; ``strips_more``: how many are left out; ``glyphs``: their legend.
    """

    title: str
    scripted: bool
    column: str
    common: str
    means: Means | None
    columns: list[Column]
    sections: list[tuple[str, list[Row]]]
    more: int
    requirements: list[MarkRow]
    tests: list[MarkRow]
    tests_more: int
    strips: list[Strip]
    strips_more: int
    glyphs: list[tuple[str, str, str]]


class TaskPage(Page):
    """The page of a task.

    Attributes:
        lead: the first words of its instruction.
        kin: label, name and address of related tasks: its twin, and the task without pressure.
        missing: planned runs without a result.
    """

    template = "task.html.j2"
    scripts = ("common.js", "scrolls.js")
    styles = ("experiment.css", "task.css")

    task: str
    lead: str
    facts: list[tuple[str, str]]
    kin: list[tuple[str, str, str]]
    groups: list[TaskGroup]
    missing: int
    all_scripted: bool
    how_to_read: str
    index_href: str


def task_page(
    manifest: Manifest,
    comparison: Comparison,
    task: str,
    runs: Mapping[str, TaskRun],
    tasks: Mapping[str, str],
    index_href: str,
) -> TaskPage:
    """The page of a task.

    Args:
        runs: by cell id; a cell without one was not run.
        tasks: address of the page of each task, from the index.
        index_href: address of the index, from the report's directory.
    """
    groups = [made for g in comparison.groups if (made := _group(manifest, g, task, runs)) is not None]
    planned = [c for c in manifest.cells if c.task == task]
    counted = sum(c.id in runs and runs[c.id].result.status != "error" for c in planned)
    subject = manifest.tasks.get(task)
    known = {} if subject is None else subject.facts
    kin = [("Twin", known.get("twin")), ("Without pressure", known.get("plain"))]
    title = known.get("title", "")
    return TaskPage(
        task=task,
        lead=say.lead(title) if isinstance(title, str) else "",
        facts=[
            ("Runs counted", f"{words.count(counted)} of {words.plural(len(planned), 'run')}"),
            *_facts(manifest, task),
        ],
        kin=[(label, name, tasks[name]) for label, name in kin if isinstance(name, str) and name in tasks],
        groups=groups,
        missing=sum(c.id not in runs for c in planned),
        all_scripted=comparison.all_scripted,
        how_to_read=say.HOW_TO_READ,
        index_href=index_href,
    )


def _facts(manifest: Manifest, task: str) -> list[tuple[str, str]]:
    subject = manifest.tasks.get(task)
    if subject is None:
        return []
    facts = subject.facts
    listed = facts.get("requirements")
    found = [
        ("Category", facts.get("category")),
        ("Difficulty", facts.get("difficulty")),
        ("Solvable", _SOLVABLE.get(str(facts.get("solvable")), facts.get("solvable"))),
        ("Pressure", facts.get("pressure")),
        ("Requirements", words.count(len(listed)) if isinstance(listed, dict) and listed else None),
        ("Licence", subject.licence),
        ("Version", subject.version),
        ("Content hash", (subject.digest or "")[:23]),
    ]
    return [(name, str(text)) for name, text in found if isinstance(text, str | int | float) and text != ""]


def _group(manifest: Manifest, group: Group, task: str, runs: Mapping[str, TaskRun]) -> TaskGroup | None:
    models = {c.key.model for c in group.conditions}
    order = {c.key: n for n, c in enumerate(group.conditions)}
    cells = [c for c in manifest.cells if c.task == task and c.model in models]
    if not cells:
        return None
    cells.sort(key=lambda c: order.get(Key(c.agent, c.harness, c.model), len(order)))
    there = [runs[c.id] for c in cells if c.id in runs]
    shown = there[:RUNS_SHOWN]
    labels = say.Labels(group)

    def label(run: TaskRun) -> str:
        cell = run.result.cell
        return labels.of(Key(cell.agent, cell.harness, cell.model))

    several = any(run.result.cell.repeat > 1 for run in there)
    columns = [
        Column(
            label(run),
            f"repeat {run.result.cell.repeat}" if several else "",
            run.href,
            STATUS[run.result.status],
            [(kind, tone(kind)) for kind in dict.fromkeys(kind for kind, _ in wrong_with(run.result))],
        )
        for run in shown
    ]
    tests, tests_more = _tests(shown)
    drawn = [run for run in there if run.strip is not None and run.strip.points][:STRIPS_SHOWN]
    strips = [_strip(run, label(run), several=several) for run in drawn]
    glyphs = {g[0]: g for s in strips for g in s.strip.glyphs}
    return TaskGroup(
        say.heading(group),
        group.scripted,
        labels.column,
        labels.common,
        _means(group, labels, there) if several else None,
        columns,
        _sections(shown, group.scripted),
        len(there) - len(shown),
        _requirements(manifest, task, shown),
        tests,
        tests_more,
        strips,
        sum(run.strip is not None for run in there) - len(strips),
        list(glyphs.values()),
    )


def _means(group: Group, labels: say.Labels, runs: Sequence[TaskRun]) -> Means:
    names = ["rigor_score", *PILLAR_TITLES, *_OUTCOME, "tokens", "seconds"]
    heads = [(n if n in PILLAR_TITLES else say.title(_MEASURE[n], group.scripted), _MEASURE[n].title) for n in names]
    rows = []
    for condition in group.conditions:
        mine = [r.result for r in runs if _is_of(condition, r.result)]
        if not mine:
            continue
        counted = [r for r in mine if r.status != "error"]
        cells = []
        for name in names:
            found = mean(counted, name)
            text = say.mean_value(found, _MEASURE[name])
            cells.append(Cell(text, say.mean_note(found), _share(found.value, _MEASURE[name]), found.value is not None))
        of = f"{words.count(len(counted))} of " if len(counted) < len(mine) else ""
        rows.append((labels.of(condition.key), of + words.plural(len(mine), "run"), cells))
    return Means(heads, rows)


def _is_of(condition: Condition, result: RunResult) -> bool:
    cell = result.cell
    return condition.key == Key(cell.agent, cell.harness, cell.model)


def _sections(runs: Sequence[TaskRun], scripted: bool) -> list[tuple[str, list[Row]]]:
    score = [_measure_row("rigor_score", runs, scripted, "total"), _measure_row("evidence_share", runs, scripted)]
    sections = [("Score", score)]
    for name, (_, parts) in WEIGHTS.items():
        rows = [Row(name, PILLAR_TITLES[name], "total pillar", [_pillar(run, name) for run in runs])]
        # A pillar with one part has the value of that part.
        rows += [
            Row(part, SUBMETRIC_TITLES.get(part, ""), "part", [_submetric(run, name, part) for run in runs])
            for part in parts
            if len(parts) > 1
        ]
        sections.append(("", rows))
    sections.append(("Outcome", [_measure_row(name, runs, scripted) for name in _OUTCOME]))
    effort = [n for n in _EFFORT if n != "cost" or any(run.result.cost is not None for run in runs)]
    sections.append(("Effort", [_measure_row(name, runs, scripted) for name in effort]))
    return sections


def _measure_row(name: str, runs: Sequence[TaskRun], scripted: bool, kind: str = "") -> Row:
    measure = _MEASURE[name]
    title = _OF_A_RUN.get(name) or say.title(measure, scripted)
    return Row(title[:1].upper() + title[1:], "", kind, [_value(run.result, measure) for run in runs])


def _value(result: RunResult, measure: Measure) -> Cell:
    if result.status == "error" and measure.kind != "effort":
        return Cell(say.NO_VALUE, _BROKE, value=False)
    found = value(result, measure.name)
    if found is None:
        return Cell(say.NO_VALUE, why(result, measure.name), value=False)
    if measure.name == "solved":
        return Cell("yes" if found else "no", "")
    if measure.unit == "number":
        return Cell(words.count(round(found)), "")
    return Cell(say.number(found, measure), "", _share(found, measure))


def _share(found: float | None, measure: Measure) -> float | None:
    return found if measure.unit == "share" and measure.name not in ("evidence_share", "solved") else None


def _pillar(run: TaskRun, name: str) -> Cell:
    pillar = run.pillars.get(name)
    if pillar is None:
        # A run whose score cannot be read still has its result.
        return _value(run.result, _MEASURE[name])
    note = f"evidence {words.percent(pillar.evidence_share)} of the weight that applies"
    if pillar.value is None:
        reasons = list(dict.fromkeys(m.reason for m in pillar.submetrics.values() if m.reason))
        note = "; ".join([note, *reasons[:2]]) if pillar.evidence_share is not None else "; ".join(reasons[:2])
    few = "" if pillar.evidence_share is None else f"evidence {words.percent(pillar.evidence_share)}"
    return Cell(words.value_or_status(pillar), note, pillar.value, pillar.value is not None, few)


def _submetric(run: TaskRun, pillar: str, name: str) -> Cell:
    found = run.pillars[pillar].submetrics.get(name) if pillar in run.pillars else None
    if found is None:
        return Cell(say.NO_VALUE, _BROKE if run.result.status == "error" else "not scored", value=False)
    parts = [found.method or "", f"n = {words.count(found.n)}" if found.value is not None else "", found.reason]
    return Cell(words.value_or_status(found), "; ".join(filter(None, parts)), found.value, found.value is not None)


def _requirements(manifest: Manifest, task: str, runs: Sequence[TaskRun]) -> list[MarkRow]:
    subject = manifest.tasks.get(task)
    texts = subject.facts.get("requirements") if subject is not None else None
    texts = texts if isinstance(texts, dict) else {}
    outcomes = [run.result.outcome for run in runs]
    names = dict.fromkeys([*texts, *(name for o in outcomes if o is not None for name in o.requirements)])
    verdicts = {True: _MARKS["met"], False: _MARKS["not met"], None: _MARKS[""]}
    return [
        MarkRow(
            name,
            texts[name] if isinstance(texts.get(name), str) else "",
            [verdicts[None if o is None else o.requirements.get(name)] for o in outcomes],
        )
        for name in names
    ]


def _tests(runs: Sequence[TaskRun]) -> tuple[list[MarkRow], int]:
    outcomes = [
        {t.id: t.outcome for t in run.result.outcome.tests} if run.result.outcome is not None else {} for run in runs
    ]
    names = list(dict.fromkeys(name for tests in outcomes for name in tests))
    rows = [
        MarkRow(name, "", [_MARKS.get(tests.get(name, ""), (tests.get(name, ""), "?", "muted")) for tests in outcomes])
        for name in names[:TESTS_SHOWN]
    ]
    return rows, max(0, len(names) - TESTS_SHOWN)


def _strip(run: TaskRun, label: str, *, several: bool) -> Strip:
    strip = run.strip
    assert strip is not None
    cut = max(0, len(strip.points) - POINTS_SHOWN)
    name = f"{label}, repeat {run.result.cell.repeat}" if several else label
    return Strip(name, run.href, strip, cut, strip.summary)
