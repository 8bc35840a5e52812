"""What the template of the page of a task calls: its facts, its conditions, and its runs side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ....review.pages.timeline import Timeline
from ....review.result import PILLAR_TITLES, SUBMETRIC_TITLES, WEIGHTS, Pillar
from ....review.review import Review
from ...experiment.compare import MEASURE, Comparison, Condition, ConditionGroup, Mean, Measure, mean
from ...experiment.problems import wrong_with
from ...experiment.records import Manifest, RunResult
from ..text import experiment as say
from .rows import STATUS, tone
from .rows import known as known

# What a page lists at most; the rest is counted.
RUNS_SHOWN = 48
STRIPS_SHOWN = 24
POINTS_SHOWN = 400
TESTS_SHOWN = 300
EFFORT = ("tokens", "seconds", "model_calls", "cost")
OUTCOME = ("outcome", "fail_to_pass", "features", "kept", "pass_rate", "completeness", "regressions", "solved")
# The measures of the means over repeats.
MEANS = tuple(MEASURE[name] for name in ("rigor_score", *PILLAR_TITLES, *OUTCOME, "tokens", "seconds"))
PARTS = {name: parts for name, (_, parts) in WEIGHTS.items()}
TITLES = {**SUBMETRIC_TITLES, **PILLAR_TITLES}
# What a measure is called where there is one run and no mean.
OF_A_RUN = {"regressions": "tests broken", "solved": "solved"}
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


def share(found: float | None, measure: Measure) -> float | None:
    return found if measure.unit == "share" and measure.name not in ("evidence_share", "solved") else None


class TaskRun:
    """The part of a run on the page of its task. ``href``: from the index; ``pillars``: empty without a score."""

    def __init__(
        self, result: RunResult, href: str, pillars: dict[str, Pillar], strip: Timeline | None, review: Review | None
    ) -> None:
        self.result, self.href, self.pillars, self.strip, self.review = result, href, pillars, strip, review
        self.key = result.cell.key
        self.status = STATUS[result.status]
        self.troubles = [(kind, tone(kind)) for kind in dict.fromkeys(kind for kind, _ in wrong_with(result))]
        """Kind and tone of what went wrong."""


# Name, text, and the verdicts of the runs on a requirement or a hidden test: (word, mark, tone) each.
Marks = tuple[str, str, list[tuple[str, str, str]]]


class TaskGroup:
    """The runs of models on the task, or those of scripted policies, in the order of their conditions."""

    def __init__(self, group: ConditionGroup, runs: list[TaskRun]) -> None:
        self.group, self.labels, self.runs, self.shown = group, say.Labels(group), runs, runs[:RUNS_SHOWN]
        self.several = any(run.result.cell.repeat > 1 for run in runs)
        self.strips = [run for run in runs if run.strip is not None and run.strip.points][:STRIPS_SHOWN]
        """The runs whose timelines are shown."""
        self.timelines = sum(run.strip is not None for run in runs)

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
        cells.sort(key=lambda c: order.get(c.key, len(order)))
        if cells:
            found.append(TaskGroup(group, [runs[c.id] for c in cells if c.id in runs]))
    return found


def missing(manifest: Manifest, task: str, runs: Mapping[str, TaskRun]) -> int:
    return sum(c.task == task and c.id not in runs for c in manifest.cells)


def kin(manifest: Manifest, task: str, tasks: Mapping[str, str]) -> list[tuple[str, str, str]]:
    """Label, name and address of related tasks: its twin, and the task without pressure."""
    related = [("Twin", manifest.task_text(task, "twin"))]
    related += [("Without pressure", manifest.task_text(task, "plain"))]
    return [(label, name, tasks[name]) for label, name in related if name in tasks]


def requirements(manifest: Manifest, task: str, runs: Sequence[TaskRun]) -> list[Marks]:
    texts = manifest.task_fact(task, "requirements")
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
