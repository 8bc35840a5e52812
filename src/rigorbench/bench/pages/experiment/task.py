"""What the page of a task shows: its facts, its conditions, and its runs side by side."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import ModuleType

from msgspec import Struct

from ....review.pages import words
from ....review.pages.html import Page
from ....review.pages.timeline import Timeline
from ....review.result import PILLAR_TITLES, SUBMETRIC_TITLES, WEIGHTS, Pillar
from ...experiment.compare import MEASURES, Comparison, Condition, Group, Key, Mean, Measure, mean
from ...experiment.model import Manifest, RunResult
from ...experiment.problems import wrong_with
from ...experiment.values import value, why
from ..text import experiment as say
from . import figures
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
# The measures of the means over repeats.
_OF_CONDITIONS = tuple(_MEASURE[name] for name in ("rigor_score", *PILLAR_TITLES, *_OUTCOME, "tokens", "seconds"))
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


def _share(found: float | None, measure: Measure) -> float | None:
    return found if measure.unit == "share" and measure.name not in ("evidence_share", "solved") else None


class TaskRun(Struct):
    """The part of a run on the page of its task. ``href``: from the index; ``pillars``: empty without a score."""

    result: RunResult
    href: str
    pillars: dict[str, Pillar]
    strip: Timeline | None

    @property
    def key(self) -> Key:
        """Its condition."""
        cell = self.result.cell
        return Key(cell.agent, cell.harness, cell.model)

    @property
    def status(self) -> str:
        return STATUS[self.result.status]

    @property
    def troubles(self) -> list[tuple[str, str]]:
        """Kind and tone of what went wrong."""
        return [(kind, tone(kind)) for kind in dict.fromkeys(kind for kind, _ in wrong_with(self.result))]


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


# Name, text, and the verdicts of the runs on a requirement or a hidden test: (word, mark, tone) each.
Marks = tuple[str, str, list[tuple[str, str, str]]]


class TaskGroup(Struct):
    """The runs of models on the task, or those of scripted policies.

    Attributes:
        runs: in the order of their conditions.
        sections: heading and measures of the runs that are shown side by side.
        requirements: verdicts by requirement; ``tests``: by hidden test; ``tests_more``: how many tests are left out.
    """

    group: Group
    labels: say.Labels
    runs: list[TaskRun]
    sections: list[tuple[str, list[Row]]]
    requirements: list[Marks]
    tests: list[Marks]
    tests_more: int

    @property
    def shown(self) -> list[TaskRun]:
        """The runs shown side by side."""
        return self.runs[:RUNS_SHOWN]

    @property
    def several(self) -> bool:
        """Whether a condition ran more than once."""
        return any(run.result.cell.repeat > 1 for run in self.runs)

    @property
    def strips(self) -> list[TaskRun]:
        """The runs whose timelines are shown."""
        return [run for run in self.runs if run.strip is not None and run.strip.points][:STRIPS_SHOWN]

    @property
    def timelines(self) -> int:
        return sum(run.strip is not None for run in self.runs)

    def glyphs(self) -> list[tuple[str, str, str]]:
        """The legend of the timelines."""
        return list({g[0]: g for run in self.strips if run.strip is not None for g in run.strip.glyphs}.values())

    def means(self) -> list[tuple[Condition, int, int, list[tuple[Measure, Mean]]]]:
        """(condition, runs that count, all runs, means) of each condition with runs on this task."""
        rows = []
        for condition in self.group.conditions:
            mine = [run.result for run in self.runs if run.key == condition.key]
            counted = [result for result in mine if result.status != "error"]
            if mine:
                means = [(measure, mean(counted, measure.name)) for measure in _OF_CONDITIONS]
                rows.append((condition, len(counted), len(mine), means))
        return rows


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
    index_href: str
    measures: Sequence[Measure] = _OF_CONDITIONS
    points_shown: int = POINTS_SHOWN
    say: ModuleType = say
    fig: ModuleType = figures
    share: Callable[[float | None, Measure], float | None] = _share


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
    sections, marks = _sections(shown, group.scripted), _requirements(manifest, task, shown)
    return TaskGroup(group, say.Labels(group), there, sections, marks, *_tests(shown))


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


def _requirements(manifest: Manifest, task: str, runs: Sequence[TaskRun]) -> list[Marks]:
    subject = manifest.tasks.get(task)
    texts = subject.facts.get("requirements") if subject is not None else None
    texts = texts if isinstance(texts, dict) else {}
    outcomes = [run.result.outcome for run in runs]
    names = dict.fromkeys([*texts, *(name for o in outcomes if o is not None for name in o.requirements)])
    verdicts = {True: _MARKS["met"], False: _MARKS["not met"], None: _MARKS[""]}
    return [
        (
            name,
            texts[name] if isinstance(texts.get(name), str) else "",
            [verdicts[None if o is None else o.requirements.get(name)] for o in outcomes],
        )
        for name in names
    ]


def _tests(runs: Sequence[TaskRun]) -> tuple[list[Marks], int]:
    outcomes = [
        {t.id: t.outcome for t in run.result.outcome.tests} if run.result.outcome is not None else {} for run in runs
    ]
    names = list(dict.fromkeys(name for tests in outcomes for name in tests))
    rows = [
        (name, "", [_MARKS.get(tests.get(name, ""), (tests.get(name, ""), "?", "muted")) for tests in outcomes])
        for name in names[:TESTS_SHOWN]
    ]
    return rows, max(0, len(names) - TESTS_SHOWN)
