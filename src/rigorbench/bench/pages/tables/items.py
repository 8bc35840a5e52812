"""Tables with rows of items, each under the conditions that it is about: categories, sub-metrics, formulas, tasks."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

from msgspec.structs import replace

from ....base.stats.agreement import Agreement, agreement
from ....base.stats.correlation import RunPair, correlations
from ....base.stats.paired import adjusted
from ....review.pages import words
from ....review.result import PILLAR_TITLES, SUBMETRIC_TITLES, WEIGHTS
from ...experiment.compare import Condition, ConditionKey, Effect, of_abstention, paired_effect, within_reach
from ...experiment.conditions import CONTROLS
from ...experiment.records import RunResult
from ...experiment.values import by_task, value
from ...rigorscore.abstention import harness_abstention
from ...rigorscore.paper_exact import ALL, DEPARTURES, Departure, letter_scores
from ..text.experiment import FEWEST_FOR_SIZE, untested
from .conditions import grade, is_read, mean_entry, overall, submetric_of
from .gather import Gathered
from .query import (
    JOINT,
    NO_BASELINE,
    GroupData,
    TableSpec,
    by_item,
    entry,
    evidence,
    from_baseline,
    is_joint,
    joint,
    missing_reasons,
    rounded,
    runs_difference,
    summary,
)
from .suite import categories, category_title
from .table import Column, Table, TableCell, TableRow, cell

# -- Table IV

_POOLED = {"rigor_score": "RigorScore", **{name: f"{name} {title}" for name, title in PILLAR_TITLES.items()}}
_ALONE = "no value without runs on both unsolvable tasks, all of them judged, and solvable twins"
_NO_OTHERS = "no condition besides the baseline and other controls"


def _pooled_rows(group: GroupData) -> list[TableRow]:
    blocks = _blocks(group)
    rows: list[TableRow] = []
    for conditions in blocks:
        base = group.baseline_of(conditions[0].key) if conditions else None
        controls = CONTROLS if group.group.axis == "harness" else ()
        others = [c for c in conditions if base and c.key != base.key and c.key.harness not in controls]
        found = [_cells(group, base, others, measure) for measure in _POOLED]
        axes = [f for f in ConditionKey.__struct_fields__ if f != group.group.axis]
        shared = [getattr(conditions[0].key, f) for f in axes] if conditions else []
        effects = within_reach([effect for _, effect in found])
        p = adjusted([effect.p for effect in effects])
        for name, (cells, _), effect, one in zip(_POOLED.values(), found, effects, p, strict=True):
            label = [", ".join(shared)] if len(blocks) > 1 else []
            tasks = effect.tasks if effect.value is not None else None
            why = effect.reason or "no test"
            few = effect.size is not None and effect.tasks < FEWEST_FOR_SIZE
            test = [
                cell(None if one is None else rounded(one), untested(effect) or why, tasks=tasks),
                cell(
                    None if few or effect.size is None else rounded(effect.size),
                    f"d: only with {FEWEST_FOR_SIZE} tasks or more" if few else why,
                    tasks=tasks,
                ),
            ]
            rows.append(TableRow([*label, name], [*cells, *test]))
    return rows


def _of_harnesses(group: GroupData) -> bool:
    return group.group.axis in (None, "harness")


def _pooled_columns(group: GroupData) -> list[Column]:
    return [
        Column("baseline", "baseline"),
        Column("disciplined", "disciplined" if _of_harnesses(group) else "others"),
        Column("difference", "difference", "difference"),
        Column("p", "p", "p"),
        Column("d", "d", "kappa"),
    ]


def _pooled_caption(group: GroupData) -> str:
    if _of_harnesses(group):
        who = "Disciplined: all conditions but the controls (baseline, placebo, nudge)"
    else:
        who = "Others: all conditions but the baseline"
    test = " with the permutation test over tasks (p adjusted after Holm over the rows) and"
    return (
        f"{who}, pooled within each task as the mean of the conditions' means, so that a condition with "
        f"more repeats does not weigh more. The difference is taken within tasks,"
        f"{' with' if group.group.scripted else test} d, the difference in standard deviations over tasks."
    )


def _blocks(group: GroupData) -> list[list[Condition]]:
    """Conditions that differ in the axis alone."""
    axis = group.group.axis
    found: defaultdict[tuple[str, ...], list[Condition]] = defaultdict(list)
    for condition in group.group.conditions:
        found[tuple(getattr(condition.key, f) for f in ConditionKey.__struct_fields__ if f != axis)].append(condition)
    return list(found.values())


def _cells(
    group: GroupData, base: Condition | None, others: Sequence[Condition], measure: str
) -> tuple[list[TableCell], Effect]:
    """The cells of the baseline, of the disciplined and of their difference, and the effect that is tested."""
    if base is None:
        return [TableCell(None, reason=NO_BASELINE)] * 3, _no_effect(NO_BASELINE)
    first = entry(group, group.runs_for(base.key, measure), measure, mean=base.means[measure])
    if not others:
        return [first, *[TableCell(None, reason=_NO_OTHERS)] * 2], _no_effect(_NO_OTHERS)
    second, values = _pooled(group, others, measure)
    if measure == "AQ" and JOINT in first.reason and JOINT in second.reason:
        gap = rounded(float(second.value) - float(first.value))  # type: ignore[arg-type]
        return [first, second, TableCell(gap, tasks=second.tasks, reason=JOINT)], _no_effect("no test of a joint value")
    if measure == "AQ" and (first.value is None or second.value is None):
        reason = "one of the two has no value"
        return [first, second, TableCell(None, reason=reason)], _no_effect(reason)
    of_base = by_task(group.runs_for(base.key, measure), measure)
    found = paired_effect(values, of_base)
    if found.value is None:
        return [first, second, TableCell(None, runs=0, tasks=0, reason=found.reason)], found
    shared = values.keys() & of_base.keys()
    sides = [run for c in (base, *others) for run in group.runs_for(c.key, measure) if run.cell.task in shared]
    runs = sum(value(run, measure) is not None for run in sides)
    difference = TableCell(found.value, found.low, found.high, runs=runs, tasks=found.tasks, reason=found.reason)
    return [first, second, difference], found


def _no_effect(reason: str) -> Effect:
    return Effect(None, None, None, 0, 0, reason)


def _pooled(group: GroupData, others: Sequence[Condition], measure: str) -> tuple[TableCell, dict[str, list[float]]]:
    """The cell of conditions together, and the means of the conditions by task."""
    runs = [run for condition in others for run in group.runs_for(condition.key, measure)]
    values: defaultdict[str, list[float]] = defaultdict(list)
    for condition in others:
        for task, numbers in by_task(group.runs_for(condition.key, measure), measure).items():
            values[task].append(math.fsum(numbers) / len(numbers))
    ordered = dict(sorted(values.items()))
    share, methods, unknown = evidence(group.gathered, runs, measure)
    reasons = [*(missing_reasons(runs, measure) if runs else ["no run counts"]), *unknown]
    counted = sum(value(run, measure) is not None for run in runs)
    pooled = replace(summary(ordered, reasons), runs=counted, evidence_share=share, methods=methods)
    if measure == "AQ" and ordered and is_joint(group.gathered.manifest, runs):
        asked = ((run.cell.task, value(run, "AQ")) for run in runs)
        found = harness_abstention(*of_abstention(group.gathered.manifest, asked))
        number = None if found is None else rounded(found)
        pooled = joint(pooled, number, [JOINT if number is not None else _ALONE, *reasons])
    return pooled, ordered


POOLED_PILLARS = by_item(
    "table-4",
    lambda group: (
        f"Pillars under the baseline and under the {'disciplined conditions' if _of_harnesses(group) else 'others'}"
    ),
    _pooled_caption,
    _pooled_columns,
    _pooled_rows,
    heads=lambda group: [*(["agent, model"] if len(_blocks(group)) > 1 else []), "measure"],
    number="IV",
)

# -- Table V

_CATEGORY_MEASURES = {"rigor_score": "RigorScore", "outcome": "Outcome score"}


def _category_rows(group: GroupData) -> list[TableRow]:
    manifest = group.gathered.manifest
    nothing = TableCell(None, runs=0, tasks=0, reason="no run on a task of this category counts")
    rows = []
    for name in categories(manifest, group.group.tasks):
        for condition in group.group.conditions:

            def of(runs: list[RunResult], name: str = name) -> list[RunResult]:
                return [run for run in runs if manifest.task_text(run.cell.task, "category") == name]

            runs = of(group.runs[condition.key])
            base, empty = from_baseline(group, condition.key)
            cells = [TableCell(len(runs)), TableCell(len({run.cell.task for run in runs}))]
            for measure in _CATEGORY_MEASURES:
                cells.append(entry(group, runs, measure) if runs else nothing)
                if base is not None and runs:
                    cells.append(runs_difference(runs, of(group.runs[base]), measure))
                else:
                    cells.append(empty if runs or base is None else nothing)
            rows.append(TableRow([category_title(name), group.labels.of(condition.key)], cells, len(runs)))
    return rows


BY_CATEGORY = by_item(
    "table-5",
    "RigorScore and Outcome score by category of tasks",
    "Differences to the baseline are taken within the tasks of the category, without a test: a category has few "
    "tasks. Bold: the best condition of the category. Categories have different tasks: do not compare across "
    "them. n: runs behind a figure.",
    [
        Column("runs", "runs", "count"),
        Column("tasks", "tasks", "count"),
        *(
            column
            for measure, title in _CATEGORY_MEASURES.items()
            for column in (
                Column(measure, title, best="most"),
                Column(f"{measure}_difference", f"{title} minus baseline", "difference"),
            )
        ),
    ],
    _category_rows,
    heads=lambda group: ["category", group.labels.column],
    block=1,
    number="V",
)

# -- Table VII

# Sub-metric -> what of it is judged.
JUDGED = {
    "DQ": "DQ: decomposition of plans",
    "AQ": "AQ: abstention and clarification",
    "CH": "CH: commit messages",
    "RT": "RT: links of tests with requirements",
}


def table_7(agreements: Mapping[str, Agreement]) -> Table:
    """``agreements``: by sub-metric, for those that readers were asked about."""

    def cells(found: Agreement | None) -> list[TableCell]:
        if found is None:
            return [TableCell(None, reason="no reader was asked about this")] * 6
        estimates = (
            TableCell(e.value, e.low, e.high, reason=e.reason)
            for e in (found.raw, found.fleiss, found.ac1, found.alpha)
        )
        return [TableCell(found.subjects), TableCell(found.raters), *estimates]

    return Table(
        AGREEMENT.stem,
        "VII",
        "Agreement of the readings with each other",
        "An answer is a reading's yes or no to a question, about an item or the whole; intervals resample whole runs. "
        "Kappa and alpha have no value if all answers are the same, and are low if nearly all are: read them together "
        "with the raw agreement and AC1.",
        ["what is judged"],
        [
            Column("answers", "questions asked", "count"),
            Column("readings", "readings", "count"),
            Column("raw", "raw agreement"),
            Column("fleiss", "Fleiss' kappa", "kappa"),
            Column("ac1", "Gwet's AC1", "kappa"),
            Column("alpha", "Krippendorff's alpha", "kappa"),
        ],
        [TableRow([title], cells(agreements.get(name))) for name, title in JUDGED.items()],
    )


def _agreement(gathered: Gathered, _: list[GroupData]) -> list[Table]:
    """The agreement of readings with each other: answers are the subjects, runs the clusters."""
    tables: defaultdict[str, list[list[bool | None]]] = defaultdict(list)
    runs: defaultdict[str, list[str]] = defaultdict(list)
    readings = (review.reading for review in gathered.reviews.values() if review.reading is not None)
    for run, reading in enumerate(readings):
        for point in reading.points:
            tables[point.about].append(point.said)
            runs[point.about].append(str(run))
    found = {}
    for about, table in tables.items():
        raters = max(map(len, table))
        filled = [[*said, *[None] * (raters - len(said))] for said in table]
        found[about] = agreement(filled, categories=[False, True], clusters=runs[about])
    return [table_7(found)] if found else []


AGREEMENT = TableSpec("table-7", _agreement)

# -- sub-metrics


def _submetric_rows(group: GroupData) -> list[TableRow]:
    gathered = group.gathered
    rows = []
    for pillar, (_, parts) in WEIGHTS.items():
        for name in parts if pillar != "AQ" else ():
            of = submetric_of(gathered, name)

            def because(run: RunResult, name: str = name) -> str:
                found = gathered.submetrics.get(run.cell.id, {}).get(name)
                if found is None:
                    return gathered.no_evidence.get(run.cell.id, "not in score.json")
                return words.STATUS_WORDS.get(found.status, found.status)

            for condition in group.group.conditions:
                runs = group.runs[condition.key]
                base, empty = from_baseline(group, condition.key)
                difference = empty if base is None else runs_difference(runs, group.runs[base], of)
                cells = [entry(group, runs, name, of, because=because), difference]
                label = [pillar, f"{name}: {SUBMETRIC_TITLES[name]}", group.labels.of(condition.key)]
                rows.append(TableRow(label, cells, len(runs)))
    return rows


SUBMETRICS = by_item(
    "submetrics",
    "Sub-metrics",
    "Each over the runs in which it applies and has enough evidence. Differences to the baseline are taken within "
    "tasks, without a test. Bold: the best condition. AQ has one sub-metric, which is the pillar itself (Table "
    "VI).",
    [Column("value", "value", best="most"), Column("difference", "minus baseline", "difference")],
    _submetric_rows,
    heads=lambda group: ["pillar", "sub-metric", group.labels.column],
    block=2,
)

# -- departures from the paper


def ranks(values: list[float | None]) -> list[int | None]:
    """The place of each value among all, from 1; equal values share a place, None has none."""
    known = [v for v in values if v is not None]
    return [None if v is None else 1 + sum(other > v for other in known) for v in values]


def _departure_rows(group: GroupData) -> list[TableRow]:
    conditions = group.group.conditions
    variants: dict[str, Collection[Departure]] = {"our formulas": ()}
    variants |= {text: (name,) for name, (_, text) in DEPARTURES.items()} | {"all, by the letter": ALL}
    rows: list[TableRow] = []
    ours: list[int | None] = []
    for text, undone in variants.items():

        def of(run: RunResult, undone: Collection[Departure] = undone) -> float | None:
            found = group.gathered.submetrics.get(run.cell.id)
            return None if found is None else letter_scores(found, undone)[0]

        cells = [
            entry(group, group.runs[c.key], "rigor_score", of, because=lambda _: "too little evidence or no score")
            for c in conditions
        ]
        places = ranks([e.value if isinstance(e.value, int | float) else None for e in cells])
        ours = ours or places
        for condition, score, place, before in zip(conditions, cells, places, ours, strict=True):
            both = place is not None and before is not None
            moved = ("none" if place == before else f"{before} to {place}") if both else None
            found = [score, cell(place, "no score"), cell(moved, "no rank in one of the two")]
            label = [text, group.labels.of(condition.key)]
            rows.append(TableRow(label, found, len(group.runs[condition.key])))
    return rows


DEPARTURES_TABLE = by_item(
    "departures",
    "Departures from the paper, and the ranking",
    "The RigorScore with one of our departures undone at a time, and with all of them undone (`rigor report "
    "--paper-exact` makes every table so). Rank: of the conditions, by this score; equal scores share a rank. A "
    "rank that differs from that of our formulas is in the last column. Departures that no score document can "
    "undo (the planning tool of an agent, the quorum of judges) are in docs/scoring.md.",
    [
        Column("rigor_score", "RigorScore", best="most"),
        Column("rank", "rank", "count"),
        Column("moved", "places moved", "text"),
    ],
    _departure_rows,
    heads=lambda group: ["formula", group.labels.column],
    block=1,
)

# -- review by task

_ALL_THE_SAME = "all runs of the task have the same grade or the same RigorScore"
# Below it, a correlation within a task says nothing.
_FEWEST_RUNS = 4


def _task_rows(group: GroupData) -> list[TableRow]:
    runs = [run for found in group.runs.values() for run in found]
    rows = []
    for task in group.group.tasks:
        mine = [run for run in runs if run.cell.task == task]
        if mine:
            points = _graded_points(group, mine)
            few = len(points) < _FEWEST_RUNS
            within = None if few else correlations(points).pooled.spearman
            reason = f"fewer than {_FEWEST_RUNS} runs have both" if few else "" if within is not None else _ALL_THE_SAME
            rows.append(_task_row(group, task, mine, TableCell(within, runs=len(points), tasks=1, reason=reason)))
    points = _graded_points(group, runs)
    found = correlations(points).within if points else None
    rho = None if found is None else found.spearman
    reason = "" if rho is not None else "no task has runs that differ in both"
    if rho is not None and found is not None and found.spearman_low is None:
        reason = f"no interval: {found.reason or 'it is the same in every resample'}"
    low, high = (None, None) if found is None else (found.spearman_low, found.spearman_high)
    both = len({p.task for p in points})
    rows.append(
        _task_row(group, "all, within tasks", runs, TableCell(rho, low, high, len(points), both, reason=reason))
    )
    return rows


def _task_row(group: GroupData, label: str, runs: Sequence[RunResult], rho: TableCell) -> TableRow:
    scored = mean_entry(runs, lambda run: run.rigor_score, "without a RigorScore")
    return TableRow([label], [TableCell(len(runs)), overall(group, runs), scored, rho], len(runs))


def _graded_points(group: GroupData, runs: Sequence[RunResult]) -> list[RunPair]:
    found = []
    for run in runs:
        mine = grade(group, run)
        if mine is not None and run.rigor_score is not None:
            found.append(RunPair(run.cell.task, mine, run.rigor_score))
    return found


REVIEW_TASKS = by_item(
    "review-tasks",
    "Review and RigorScore by task",
    "Overall grade of a reader (of 100, of the runs that were read) and RigorScore of the runs on each task, over "
    "all conditions, and Spearman's rho of the two. They measure different things: the grade needs no task, the "
    "RigorScore does.",
    [
        Column("runs", "runs", "count"),
        Column("overall", "overall grade", "grade"),
        Column("rigor_score", "RigorScore"),
        Column("rho", "rho", "difference"),
    ],
    _task_rows,
    heads=lambda _: ["task"],
    where=is_read,
)
