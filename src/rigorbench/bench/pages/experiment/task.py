"""What the template of the page of a task calls: its facts, its conditions, and its runs side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from ....review.pages import words
from ....review.pages.timeline import Timeline
from ....review.result import PILLAR_TITLES, SUBMETRIC_TITLES, WEIGHTS, Pillar
from ....review.review import Review
from ...experiment.compare import Comparison, Condition, ConditionGroup, ConditionKey, Mean, Measure, mean
from ...experiment.problems import wrong_with
from ...experiment.records import Manifest, RunResult
from ..text import experiment as say
from . import figures
from .rows import STATUS, known, tone

# What a page lists at most; the rest is counted.
RUNS_SHOWN = 48
STRIPS_SHOWN = 24
POINTS_SHOWN = 400
TESTS_SHOWN = 300
_EFFORT = ("tokens", "seconds", "model_calls", "cost")
_OUTCOME = ("outcome", "fail_to_pass", "features", "kept", "pass_rate", "completeness", "regressions", "solved")
# The measures of the means over repeats.
MEANS = tuple(figures.MEASURE[name] for name in ("rigor_score", *PILLAR_TITLES, *_OUTCOME, "tokens", "seconds"))
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


def share(found: float | None, measure: Measure) -> float | None:
    return found if measure.unit == "share" and measure.name not in ("evidence_share", "solved") else None


class TaskRun(Struct):
    """The part of a run on the page of its task. ``href``: from the index; ``pillars``: empty without a score."""

    result: RunResult
    href: str
    pillars: dict[str, Pillar]
    strip: Timeline | None
    review: Review | None

    @property
    def key(self) -> ConditionKey:
        cell = self.result.cell
        return ConditionKey(cell.agent, cell.harness, cell.model)

    @property
    def status(self) -> str:
        return STATUS[self.result.status]

    @property
    def troubles(self) -> list[tuple[str, str]]:
        """Kind and tone of what went wrong."""
        return [(kind, tone(kind)) for kind in dict.fromkeys(kind for kind, _ in wrong_with(self.result))]


class TaskCell(Struct):
    """``note``: what the value rests on, or why there is none. ``share``: length of its bar; ``few``: small print."""

    text: str
    note: str = ""
    share: float | None = None
    value: bool = True
    few: str = ""


# A measure of all runs shown: its label, title and classes, and a cell for each run.
Row = tuple[str, str, str, list[TaskCell]]
# Name, text, and the verdicts of the runs on a requirement or a hidden test: (word, mark, tone) each.
Marks = tuple[str, str, list[tuple[str, str, str]]]


class TaskGroup(Struct):
    """The runs of models on the task, or those of scripted policies, in the order of their conditions."""

    group: ConditionGroup
    labels: say.Labels
    runs: list[TaskRun]

    @property
    def shown(self) -> list[TaskRun]:
        return self.runs[:RUNS_SHOWN]

    @property
    def several(self) -> bool:
        return any(run.result.cell.repeat > 1 for run in self.runs)

    @property
    def strips(self) -> list[TaskRun]:
        """The runs whose timelines are shown."""
        return [run for run in self.runs if run.strip is not None and run.strip.points][:STRIPS_SHOWN]

    @property
    def timelines(self) -> int:
        return sum(run.strip is not None for run in self.runs)

    def glyphs(self) -> list[tuple[str, str, str]]:
        return list({g[0]: g for run in self.strips if run.strip is not None for g in run.strip.glyphs}.values())

    def means(self) -> list[tuple[Condition, int, int, list[tuple[Measure, Mean]]]]:
        """(condition, runs that count, all runs, means) of each condition with runs on this task."""
        rows = []
        for condition in self.group.conditions:
            mine = [run.result for run in self.runs if run.key == condition.key]
            counted = [result for result in mine if result.status != "error"]
            if mine:
                means = [(measure, mean(counted, measure.name)) for measure in MEANS]
                rows.append((condition, len(counted), len(mine), means))
        return rows


def groups(manifest: Manifest, comparison: Comparison, task: str, runs: Mapping[str, TaskRun]) -> list[TaskGroup]:
    """Those that have the task in their plan. ``runs``: by cell id."""
    found = []
    for group in comparison.groups:
        order = {c.key: n for n, c in enumerate(group.conditions)}
        models = {key.model for key in order}
        cells = [c for c in manifest.cells if c.task == task and c.model in models]
        cells.sort(key=lambda c: order.get(ConditionKey(c.agent, c.harness, c.model), len(order)))
        if cells:
            found.append(TaskGroup(group, say.Labels(group), [runs[c.id] for c in cells if c.id in runs]))
    return found


def missing(manifest: Manifest, task: str, runs: Mapping[str, TaskRun]) -> int:
    return sum(c.task == task and c.id not in runs for c in manifest.cells)


def kin(manifest: Manifest, task: str, tasks: Mapping[str, str]) -> list[tuple[str, str, str]]:
    """Label, name and address of related tasks: its twin, and the task without pressure."""
    related = [("Twin", figures.task_fact(manifest, task, "twin"))]
    related += [("Without pressure", figures.task_fact(manifest, task, "plain"))]
    return [(label, name, tasks[name]) for label, name in related if name in tasks]


def facts(manifest: Manifest, task: str, runs: Mapping[str, TaskRun]) -> list[tuple[str, str]]:
    planned = [c for c in manifest.cells if c.task == task]
    counted = sum(c.id in runs and runs[c.id].result.status != "error" for c in planned)
    found: list[tuple[str, Any]] = [("Runs counted", f"{words.count(counted)} of {words.plural(len(planned), 'run')}")]
    subject = manifest.tasks.get(task)
    if subject is not None:
        given = subject.facts
        listed = given.get("requirements")
        found += [
            ("Category", given.get("category")),
            ("Difficulty", given.get("difficulty")),
            ("Solvable", _SOLVABLE.get(str(given.get("solvable")), given.get("solvable"))),
            ("Pressure", given.get("pressure")),
            ("Requirements", words.count(len(listed)) if isinstance(listed, dict) and listed else None),
            ("Licence", subject.licence),
            ("Version", subject.version),
            ("Content hash", (subject.digest or "")[:23]),
        ]
    return [(name, str(text)) for name, text in found if isinstance(text, str | int | float) and text != ""]


def sections(runs: Sequence[TaskRun], scripted: bool) -> list[tuple[str, list[Row]]]:
    score = [_measure_row("rigor_score", runs, scripted, "total"), _measure_row("evidence_share", runs, scripted)]
    found = [("Score", score)]
    for name, (_, parts) in WEIGHTS.items():
        rows: list[Row] = [(name, PILLAR_TITLES[name], "total pillar", [_pillar(run, name) for run in runs])]
        # A pillar with one part has the value of that part.
        rows += [
            (part, SUBMETRIC_TITLES.get(part, ""), "part", [_submetric(run, name, part) for run in runs])
            for part in parts
            if len(parts) > 1
        ]
        found.append(("", rows))
    found.append(("Outcome", [_measure_row(name, runs, scripted) for name in _OUTCOME]))
    effort = [n for n in _EFFORT if n != "cost" or any(run.result.cost is not None for run in runs)]
    found.append(("Effort", [_measure_row(name, runs, scripted) for name in effort]))
    return found


def _measure_row(name: str, runs: Sequence[TaskRun], scripted: bool, kind: str = "") -> Row:
    measure = figures.MEASURE[name]
    title = _OF_A_RUN.get(name) or say.title(measure, scripted)
    return (title[:1].upper() + title[1:], "", kind, [_value(run.result, measure) for run in runs])


def _value(result: RunResult, measure: Measure) -> TaskCell:
    found, reason = known(result, measure.name)
    if found is None:
        return TaskCell(say.NO_VALUE, reason, value=False)
    if measure.name == "solved":
        return TaskCell("yes" if found else "no")
    if measure.unit == "number":
        return TaskCell(words.count(round(found)))
    return TaskCell(say.number(found, measure), "", share(found, measure))


def _pillar(run: TaskRun, name: str) -> TaskCell:
    pillar = run.pillars.get(name)
    if pillar is None:
        # A run whose score cannot be read still has its result.
        return _value(run.result, figures.MEASURE[name])
    note = f"evidence {words.percent(pillar.evidence_share)} of the weight that applies"
    if pillar.value is None:
        reasons = list(dict.fromkeys(m.reason for m in pillar.submetrics.values() if m.reason))
        note = "; ".join([note, *reasons[:2]]) if pillar.evidence_share is not None else "; ".join(reasons[:2])
    few = "" if pillar.evidence_share is None else f"evidence {words.percent(pillar.evidence_share)}"
    return TaskCell(words.value_or_status(pillar), note, pillar.value, pillar.value is not None, few)


def _submetric(run: TaskRun, pillar: str, name: str) -> TaskCell:
    found = run.pillars[pillar].submetrics.get(name) if pillar in run.pillars else None
    if found is None:
        return TaskCell(say.NO_VALUE, "the run broke" if run.result.status == "error" else "not scored", value=False)
    parts = [found.method or "", f"n = {words.count(found.n)}" if found.value is not None else "", found.reason]
    return TaskCell(words.value_or_status(found), "; ".join(filter(None, parts)), found.value, found.value is not None)


def requirements(manifest: Manifest, task: str, runs: Sequence[TaskRun]) -> list[Marks]:
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


def tests(runs: Sequence[TaskRun]) -> tuple[list[Marks], int]:
    """Verdicts by hidden test, and how many tests are left out."""
    outcomes = [
        {t.id: t.outcome for t in run.result.outcome.tests} if run.result.outcome is not None else {} for run in runs
    ]
    names = list(dict.fromkeys(name for tests in outcomes for name in tests))
    rows = [
        (name, "", [_MARKS.get(tests.get(name, ""), (tests.get(name, ""), "?", "muted")) for tests in outcomes])
        for name in names[:TESTS_SHOWN]
    ]
    return rows, max(0, len(names) - TESTS_SHOWN)
