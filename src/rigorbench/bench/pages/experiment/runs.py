"""What templates call of runs: those of a task side by side, and the list of all runs with its filters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from ....review.pages.timeline import Timeline
from ....review.result import PILLAR_TITLES, SUBMETRIC_TITLES, WEIGHTS, Pillar
from ....review.review import Review
from ...experiment.compare import MEASURE, Comparison, Condition, ConditionGroup, Mean, Measure, mean
from ...experiment.records import Cell, Manifest, RunResult
from ...experiment.values import value, why, wrong_with
from ..text import experiment as say
from .figures import check_name

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
NUMBERS = ("rigor_score", "evidence_share", "outcome", "solved", "tokens", "seconds")
STATUS = {"completed": "completed", "limit": "stopped by a limit", "crashed": "crashed", "error": "broke"}
NOT_RUN = "not run"
_LABELS = {
    "task": "Task",
    "agent": "Agent",
    "harness": "Harness",
    "model": "Model or policy",
    "status": "Status",
    "trouble": "Trouble",
}
_SHORT = {"evidence_share": "Evidence", "outcome": "Outcome", "solved": "Solved", "seconds": "Time"}


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


# -- the list of runs


class RunCell(Struct):
    """A value of a run; ``value``: what it is sorted by, None where there is none; ``note``: why there is none."""

    text: str
    value: float | None = None
    note: str = ""


# A column of the list: label, "text" or "number", and what is measured where the label is short.
RunColumn = tuple[str, str, str]


class RunRow:
    """A run. ``troubles``: name and class of colour."""

    def __init__(
        self, cell: Cell, result: RunResult | None, scripted: bool, href: str | None, review: Review | None
    ) -> None:
        kinds = [kind for kind, _ in wrong_with(result)] if result is not None else [NOT_RUN]
        troubles = {kind: tone(kind) for kind in kinds}
        flags = [c for c in review.checks if c.severity == "flag"] if review is not None else []
        troubles |= {check_name(flag.id): "fail" for flag in flags}
        status = NOT_RUN if result is None else STATUS[result.status]
        self.href, self.task, self.troubles = href, cell.task, list(troubles.items())
        self.data = {
            "task": cell.task,
            "agent": cell.agent,
            "harness": cell.harness,
            "model": say.model_name(cell.model, scripted),
            "status": status,
            "trouble": "\n".join(troubles) or "none",
        }
        """The attributes by which the list is filtered; several values are divided by line ends."""
        texts = [cell.agent, cell.harness, say.policy(cell.model) if scripted else cell.model]
        self.cells = [*map(RunCell, texts), RunCell(str(cell.repeat), cell.repeat), RunCell(status)]
        self.cells += [_number(result, measure) for measure in NUMBERS]


class RunList:
    """The runs of models, or those of scripted policies, with the columns in which they differ."""

    def __init__(self, group: ConditionGroup, rows: list[RunRow], grades: Sequence[RunCell]) -> None:
        self.title, self.rows = say.heading(group), rows
        texts = [
            (label, "text", "") for label in ("Agent", "Harness", "Scripted policy" if group.scripted else "Model")
        ]
        columns: list[RunColumn] = [*texts, ("Repeat", "number", ""), ("Status", "text", "")]
        for name in NUMBERS:
            title = MEASURE[name].title
            label = _SHORT.get(name) or title.capitalize().replace("Rigorscore", "RigorScore")
            columns.append((label, "number", title))
        if any(grade.value is not None for grade in grades):
            columns.append(("Grade", "number", "overall grade of a reader, of 100"))
            for row, grade in zip(rows, grades, strict=True):
                row.cells.append(grade)
        differing = [
            n for n in range(len(columns)) if len(rows) < 2 or any(r.cells[n] != rows[0].cells[n] for r in rows)
        ]
        same = [_same(column[0], rows[0].cells[n]) for n, column in enumerate(columns) if n not in differing]
        self.troubled = len(rows) < 2 or any(row.troubles != rows[0].troubles for row in rows)
        """There is a column of troubles."""
        if not self.troubled:
            same.append(", ".join(kind for kind, _ in rows[0].troubles) or "no trouble")
        for row in rows:
            row.cells = [row.cells[n] for n in differing]
        self.columns = [columns[n] for n in differing]
        self.same = f"All {len(rows)} runs: {', '.join(same)}." if same else ""
        """What is the same in all runs, in words; empty for a single run, which has all columns."""


def run_lists(
    manifest: Manifest,
    comparison: Comparison,
    results: Sequence[RunResult],
    pages: Mapping[str, str],
    reviews: Mapping[str, Review],
) -> list[RunList]:
    """Runs of models and runs of scripted policies, each in the order of the manifest."""
    lists, by_id = [], {r.cell.id: r for r in results}
    for group in comparison.groups:
        models = {c.key.model for c in group.conditions}
        cells = [c for c in manifest.cells if c.model in models]
        rows = [RunRow(c, by_id.get(c.id), group.scripted, pages.get(c.id), reviews.get(c.id)) for c in cells]
        lists.append(RunList(group, rows, [_grade(reviews.get(cell.id)) for cell in cells]))
    return lists


def _grade(review: Review | None) -> RunCell:
    found = None if review is None or review.reading is None else review.overall
    return RunCell("", note="not read, or without an overall grade") if found is None else RunCell(str(found), found)


def _same(label: str, cell: RunCell) -> str:
    if label == "Status":
        return cell.text
    name = label if label == "RigorScore" else label.lower()
    return f"{name} {cell.text}" if cell.text else f"no {name} ({cell.note})"


def known(result: RunResult, measure: str) -> tuple[float | None, str]:
    """The value of a measure in a run, or why it has none."""
    if result.status == "error" and MEASURE[measure].kind != "effort":
        return None, "the run broke"
    found = value(result, measure)
    return found, why(result, measure) if found is None else ""


def _number(result: RunResult | None, measure: str) -> RunCell:
    found, reason = (None, NOT_RUN) if result is None else known(result, measure)
    if found is None:
        return RunCell("", note=reason)
    text = ("yes" if found else "no") if measure == "solved" else say.number(found, MEASURE[measure])
    return RunCell(text, found)


def tone(kind: str) -> str:
    return "fail" if kind in ("error", "breach") else "talk"


def filters(lists: Sequence[RunList]) -> list[tuple[str, str, list[str]]]:
    """(attribute, label, values) of each choice that leaves something out."""
    rows = [row for each in lists for row in each.rows]
    found = []
    for name, label in _LABELS.items():
        values = dict.fromkeys(v for row in rows for v in row.data[name].split("\n"))
        if len(values) > 1:
            found.append((name, label, list(values)))
    return found
