"""Tables of projects: points, effort, course, verdicts, failures, hints, and what goes with the final score."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from functools import partial
from statistics import fmean

from ....base.stats.correlation import Correlation, RunPair, correlations
from ....judge.problems.verdicts import VERDICTS
from ....review.pages import words
from ....review.pages.numbers import Unit
from ...experiment.compare import Condition
from ...experiment.records import FAILURE_MODES, HintFact, ProjectOutcome, RunResult
from ...projects.scores.formulas import CLASSES, curve, distribution
from .query import RUNS, GroupData, TableMeasure, Value, by_condition, by_item, mean
from .table import Column, TableCell, TableRow, cell


def project_runs(runs: list[RunResult]) -> list[RunResult]:
    return [run for run in runs if run.project is not None]


def has_projects(group: GroupData) -> bool:
    return any(map(project_runs, group.runs.values()))


def of_project(value: Callable[[ProjectOutcome], float | None]) -> Value:
    return lambda run: None if run.project is None else value(run.project)


def _size(name: str) -> Value:
    return of_project(lambda project: None if project.size is None else getattr(project.size, name))


# -- points and effort

# The best of the first k submissions is shown for so many k.
_CURVE = 3


def _because(run: RunResult) -> str:
    if run.project is None:
        return "not a project"
    return run.project.missing[0] if run.project.missing else "not measured"


def _mean(column: Column, of: Value | None = None, because: Callable[[RunResult], str] = _because) -> TableMeasure:
    return mean(column, of, because=because, among=project_runs)


def _at(k: int) -> Value:
    def value(project: ProjectOutcome) -> float | None:
        curve = project.execution_at
        return curve[min(k, len(curve)) - 1] if curve else project.execution

    return of_project(value)


PROJECTS = by_condition(
    "projects",
    "Projects",
    "Points of 100. Execution: the best submission. Final: .8 execution + .2 code review. Exec@k: the best of the "
    "first k submissions; a run that stopped earlier keeps its points. First pass: model calls before the first "
    "submission with all points, of the runs that have one. Files and lines of the best submission, without tests.",
    [
        RUNS,
        _mean(Column("execution", "execution", "number", best="most"), of_project(lambda p: p.execution)),
        _mean(Column("review", "code review", "number", best="most"), of_project(lambda p: p.review)),
        _mean(Column("final", "final", "number", best="most"), of_project(lambda p: p.final)),
        *(_mean(Column(f"at_{k}", f"Exec@{k}", "number"), _at(k)) for k in range(1, _CURVE + 1)),
        _mean(Column("submissions", "submissions", "number"), of_project(lambda p: len(p.counted))),
        _mean(
            Column("first_pass", "first pass at turn", "number"),
            of_project(lambda p: None if p.first_pass is None else p.first_pass.turn),
            lambda _: "no submission has all points",
        ),
        _mean(Column("turns", "turns", "number"), lambda run: run.model_calls),
        _mean(Column("tokens", "tokens", "tokens")),
        _mean(Column("seconds", "time", "seconds")),
        _mean(Column("files", "files", "number"), _size("files")),
        _mean(Column("lines", "lines", "number"), _size("lines")),
    ],
    where=has_projects,
)

# -- course

# The best submission made within so many turns.
_TURNS = (10, 20, 40, 80, 160, 320)
_COURSES = {"solved": "solved", "plateau": "plateau", "improving": "rising", "none": "no points"}


def _within(project: ProjectOutcome, turns: int) -> float | None:
    """The best counted submission made within so many turns; 0 before the first. None: their turns are unknown."""
    made = [s.turn for s in project.counted if s.turn is not None]
    if len(made) < len(project.counted):
        return None
    return max((b for turn, b in zip(made, project.execution_at, strict=False) if turn <= turns and b), default=0.0)


def _ended(project: ProjectOutcome, course: str) -> float:
    return float(curve([one.points for one in project.counted]).progress == course)


def _of_turns(name: str, title: str, unit: Unit, of: Callable[[ProjectOutcome], float | None]) -> TableMeasure:
    column = Column(name, title, unit, best="most" if unit == "number" else "")
    return _mean(column, of_project(of), lambda _: "the turns of its submissions are not known")


COURSE = by_condition(
    "projects-course",
    "The course of projects",
    "Points of 100 of the best submission made within so many model calls. Course of a run: solved; plateau: three "
    "submissions or more since the last gain; rising: fewer; no points.",
    [
        *(_of_turns(f"turns_{n}", f"within {n} turns", "number", partial(_within, turns=n)) for n in _TURNS),
        *(_of_turns(course, title, "percent", partial(_ended, course=course)) for course, title in _COURSES.items()),
    ],
    where=has_projects,
)

# -- verdicts


def _verdicts(_: GroupData, __: Condition, runs: list[RunResult]) -> list[TableCell]:
    """Shares of submissions, not of runs, as they are published."""
    given = [s.verdict for run in runs if run.project for s in run.project.counted]
    known = distribution(v for v in VERDICTS for given_one in given if given_one == v)
    total = sum(number for number, _ in known.values())
    nothing = TableCell(None, reason="no submission has a verdict")
    return [TableCell(len(given)), *(TableCell(share / 100) if total else nothing for _, share in known.values())]


VERDICTS_TABLE = by_condition(
    "projects-verdicts",
    "Verdicts on submissions of projects",
    "Shares of the submissions that the budget counts, by the published classes of verdicts.",
    [
        TableMeasure(
            [
                Column("submissions", "submissions", "count"),
                *(Column(name, name.replace("_", " "), "percent") for name in CLASSES),
            ],
            _verdicts,
        )
    ],
    where=has_projects,
)

# -- failures


def _failure_rows(group: GroupData) -> list[TableRow]:
    """In how many runs each failure mode was found, with one example of its evidence."""
    rows = []
    for condition in group.group.conditions:
        runs = project_runs(group.runs[condition.key])
        for kind, title in FAILURE_MODES.items():
            shown = [(r.cell, f) for r in runs if r.project for f in r.project.failures if f.kind == kind]
            if shown:
                run, example = shown[0]
                at = f", submission {example.submission}" if example.submission is not None else ""
                number = len({cell.id for cell, _ in shown})
                cells = [TableCell(number), TableCell(len(runs)), TableCell(f"{run.task}{at}: {example.evidence}")]
                rows.append(TableRow([group.labels.of(condition.key), title], cells, len(runs)))
    return rows


def _no_failure(group: GroupData, rows: list[TableRow]) -> list[str]:
    total = sum(len(project_runs(runs)) for runs in group.runs.values())
    return [] if rows else [f"No failure mode was found in {words.plural(total, 'run')}."]


FAILURES = by_item(
    "projects-failures",
    "What projects failed by",
    "A run has a mode if its best submission, its work tree or its course shows it; "
    "`rigor query` (table project_failures) has the evidence of each.",
    [
        Column("runs", "runs with it", "count"),
        Column("of", "of", "count"),
        Column("example", "for example", "text"),
    ],
    _failure_rows,
    heads=lambda group: [group.labels.column, "failure"],
    block=1,
    notes=_no_failure,
    where=has_projects,
)

# -- hints


def _hints(run: RunResult) -> list[HintFact]:
    return run.project.hints if run.project is not None else []


def _hint_cells(_: GroupData, __: Condition, runs: list[RunResult]) -> list[TableCell]:
    asked = [hint for run in runs for hint in _hints(run)]
    given = [hint for hint in asked if hint.text is not None]
    known = [(h.before, h.after) for h in given if h.before is not None and h.after is not None]
    nothing = [TableCell(None, reason="nothing was submitted after a hint")] * 2
    finals: defaultdict[str, dict[bool, list[float]]] = defaultdict(lambda: {True: [], False: []})
    for run in runs:
        if run.project is not None and run.project.final is not None:
            finals[run.cell.task][any(h.text is not None for h in run.project.hints)].append(run.project.final)
    both = [found for found in finals.values() if found[True] and found[False]]
    if not both:
        with_and_without = [TableCell(None, reason="no problem has runs with a hint and runs without")] * 2
    else:
        with_and_without = [
            TableCell(fmean(fmean(found[kind]) for found in both), runs=sum(len(found[kind]) for found in both))
            for kind in (True, False)
        ]
    return [
        TableCell(len(asked)),
        TableCell(len(given)),
        TableCell(sum(any(h.text is not None for h in _hints(run)) for run in runs)),
        *([TableCell(fmean(pair[side] for pair in known), runs=len(known)) for side in (0, 1)] if known else nothing),
        *with_and_without,
    ]


HINTS = by_condition(
    "projects-hints",
    "Hints on projects",
    "Points of 100 of the best submission before a hint was given, and at the next hint or the end, over the hints "
    "after which something was submitted: points that would have risen anyway are in the difference. Final with "
    "and without a hint: over the problems that have runs of both kinds; who asks is not drawn by lot.",
    [
        TableMeasure(
            [
                Column("asked", "hints asked for", "count"),
                Column("given", "given", "count"),
                Column("runs", "runs with one", "count"),
                Column("before", "points before", "number"),
                Column("after", "points after", "number"),
                Column("with", "final with a hint", "number"),
                Column("without", "final without", "number"),
            ],
            _hint_cells,
        )
    ],
    where=lambda group: any(_hints(run) for runs in group.runs.values() for run in runs),
)

# -- what goes with the final score


def _local_wrong(project: ProjectOutcome) -> float | None:
    """The share of submissions on which the agent's own tests had passed that did not pass at the judge."""
    green = [s for s in project.submissions if s.local == "passed" and s.verdict is not None]
    return sum(s.verdict != "accepted" for s in green) / len(green) if green else None


# Fewer runs of a problem say nothing about long and short ones of it.
_FEWEST_RUNS = 4
_GOES_WITH: dict[str, Value] = {
    "turns": lambda run: run.model_calls,
    "tokens": lambda run: run.metered,
    "submissions": of_project(lambda p: len(p.counted)),
    "cyclomatic complexity": _size("complexity"),
    "lines": _size("lines"),
    "own tests green, verdict not": of_project(_local_wrong),
}


def _relation_rows(group: GroupData) -> list[TableRow]:
    runs = [run for found in group.runs.values() for run in project_runs(found)]
    rows = []
    for name, measure in _GOES_WITH.items():
        points = [
            RunPair(run.cell.task, x, y)
            for run in runs
            if (x := measure(run)) is not None and run.project is not None and (y := run.project.final) is not None
        ]
        found: defaultdict[str, list[RunPair]] = defaultdict(list)
        for point in points:
            found[point.task].append(point)
        over = correlations(
            [RunPair(task, fmean(p.x for p in own), fmean(p.y for p in own)) for task, own in sorted(found.items())]
        ).pooled
        # The ranks of two or three runs of a problem are hardly more than a coin.
        enough = [point for point in points if len(found[point.task]) >= _FEWEST_RUNS]
        within = correlations(enough).within
        rows.append(TableRow([name], [_rho(over), TableCell(over.n), _rho(within), TableCell(within.n)], len(points)))
    return rows


def _rho(found: Correlation) -> TableCell:
    rho = None if found.spearman is None else round(found.spearman, 6)
    ends = {"low": found.spearman_low, "high": found.spearman_high}
    return cell(rho, found.reason or "not defined", runs=found.n, tasks=found.tasks, **ends)


RELATIONS = by_item(
    "projects-relations",
    "What goes with the final score of projects",
    "Spearman's rho with the final score. Over problems: each problem is one point, the mean of its runs under all "
    "conditions, as it is published; it says that hard problems take longer. Within problems: runs ranked among "
    "those of the same problem, if it has at least four; it says whether long runs end worse. 95 % interval by "
    "resampling problems.",
    [
        Column("over", "over problems", "number"),
        Column("problems", "problems", "count"),
        Column("within", "within problems", "number"),
        Column("runs", "runs", "count"),
    ],
    _relation_rows,
    heads=lambda _: ["measure"],
    where=has_projects,
)
