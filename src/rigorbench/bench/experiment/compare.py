"""The comparison of an experiment: figures of each condition, differences between conditions, and problems.

A condition is an agent under a harness with a model. Scores are comparable only within a task: a figure of a condition
is the mean over its tasks of the mean over the repeats, and a difference is taken task by task before it is averaged.
Pressure variants of tasks that also ran without pressure count only in the effects of pressure, and solvable twins of
tasks that also ran only in AQ. Runs that broke (status
"error") are listed and never counted; a run without a value for a measure is left out of that measure, with its reason,
and never counted as zero.

Differences are tested, and the tests of a group are adjusted in families: the primary measures over all its pairs by
Holm's method, all others together by that of Benjamini and Hochberg; the effects of pressure likewise, separately.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from msgspec import Struct, field
from msgspec.structs import replace

from ...base.stats.paired import EXACT_UP_TO, SIGNIFICANT, Effect, adjusted, fewest_tasks, paired_difference
from ...base.stats.resampling import FEWEST_TASKS, LEVEL, RESAMPLES, SEED
from ...base.text import count
from ...review.result import PILLAR_TITLES
from ..rigorscore.abstention import harness_abstention
from .conditions import Axis, ConditionRuns, GroupRuns, groups, ordered, results_by_cell, scripted_models
from .conditions import counts as _counts
from .records import ConditionKey, Manifest, RunResult
from .values import RunProblem, by_task, digits, problems, value, why

__all__ = ["FEWEST_TASKS", "SIGNIFICANT", "Axis", "ConditionKey", "Effect"]

SCHEMA = "rigor-comparison/1"

Kind = Literal["process", "outcome", "effort"]
Unit = Literal["share", "number", "tokens", "seconds", "dollars"]


class Measure(Struct, frozen=True):
    """A measure of runs. ``less_is_better`` None: neither more nor less is better in itself.

    ``primary``: whether experiments are made to compare it; differences in all others are exploratory.
    """

    name: str
    title: str
    kind: Kind
    unit: Unit = "share"
    less_is_better: bool | None = False
    primary: bool = False


MEASURES: tuple[Measure, ...] = (
    Measure("rigor_score", "RigorScore", "process", primary=True),
    *(Measure(name, title, "process") for name, title in PILLAR_TITLES.items()),
    Measure("evidence_share", "evidence share", "process", less_is_better=None),
    Measure("outcome", "Outcome score", "outcome", primary=True),
    Measure("fail_to_pass", "fail-to-pass tests passed", "outcome"),
    Measure("features", "missing requirements met", "outcome"),
    Measure("kept", "passing tests kept", "outcome"),
    Measure("pass_rate", "hidden tests passed", "outcome"),
    Measure("completeness", "requirements met", "outcome"),
    Measure("regressions", "tests broken per run", "outcome", "number", True),
    Measure("solved", "runs that solved the task", "outcome"),
    Measure("tokens", "tokens", "effort", "tokens", None),
    Measure("seconds", "time", "effort", "seconds", None),
    Measure("model_calls", "model calls", "effort", "number", None),
    Measure("cost", "cost", "effort", "dollars", None),
)


MEASURE = {m.name: m for m in MEASURES}


class Mean(Struct, frozen=True):
    """Mean over ``tasks`` tasks of the means over repeats, from ``runs`` of ``counted`` runs.

    ``missing_reasons``: reason -> number of the other runs, which have no value. ``value`` None: there is no figure,
    and the first reason in ``missing_reasons`` says why.
    """

    value: float | None
    tasks: int
    runs: int
    counted: int
    missing_reasons: dict[str, int] = field(default_factory=dict)


class Condition(Struct):
    """``counted`` of ``planned`` runs ended by themselves or by a limit; ``limits`` of them by a limit. ``twins``: runs
    on solvable twins, which are in none of these numbers and count only in AQ."""

    key: ConditionKey
    planned: int
    counted: int
    limits: int
    errors: int
    missing: int
    means: dict[str, Mean]
    tasks: dict[str, dict[str, Mean]]
    twins: int = 0


class Pair(Struct):
    """``of`` minus ``minus``, for each measure.

    ``pressure``: both are one condition, on the pressure variants of tasks minus on the same tasks as they are.
    """

    of: ConditionKey
    minus: ConditionKey
    effects: dict[str, Effect]
    pressure: str | None = None


class ConditionGroup(Struct):
    """Conditions that belong in one table: those of models, or those of scripted policies.

    ``axis``: in what the two conditions of a pair differ; None: there is nothing to compare.
    """

    scripted: bool
    axis: Axis | None
    tasks: list[str]
    conditions: list[Condition]
    pairs: list[Pair]
    pressures: list[Pair] = field(default_factory=list)


class Comparison(Struct):
    schema: str
    experiment: str
    suite: str
    all_scripted: bool
    planned: int
    counted: int
    groups: list[ConditionGroup]
    problems: list[RunProblem]
    resamples: int = RESAMPLES
    seed: int = SEED
    level: float = LEVEL
    exact_up_to: int = EXACT_UP_TO
    measures: list[Measure] = field(default_factory=lambda: list(MEASURES))


def compare(manifest: Manifest, results: Iterable[RunResult]) -> Comparison:
    """Everything that the views show. Of several results for one cell the last counts."""
    given = list(results)
    done, foreign = results_by_cell(manifest, given)
    found = groups(manifest, given)
    return Comparison(
        SCHEMA,
        manifest.id,
        manifest.suite,
        bool(found) and all(group.scripted for group in found),
        len({cell.id for cell in manifest.cells}),
        sum(_counts(r) for r in done.values()),
        [_group(manifest, group) for group in found],
        problems(manifest, done, foreign, scripted_models(manifest, done.values())),
    )


def _group(manifest: Manifest, group: GroupRuns) -> ConditionGroup:
    values = {c.key: {m.name: by_task(runs_for(c, m.name), m.name) for m in MEASURES} for c in group.conditions}
    pairs = [
        Pair(a.key, b.key, {m.name: paired_effect(values[a.key][m.name], values[b.key][m.name]) for m in MEASURES})
        for a, b in group.pairs
    ]
    pressures = [pair for condition in group.conditions for pair in _pressures(condition)]
    conditions = [_condition(manifest, condition) for condition in group.conditions]
    if group.scripted:  # what was written to differ is no sample, and has no p-value
        pairs, pressures = (
            [replace(p, effects={name: replace(e, p=None) for name, e in p.effects.items()}) for p in side]
            for side in (pairs, pressures)
        )
    else:
        pairs, pressures = _families(pairs), _families(pressures)
    return ConditionGroup(group.scripted, group.axis, group.tasks, conditions, pairs, pressures)


def runs_for(condition: ConditionRuns, measure: str) -> list[RunResult]:
    """The runs that a measure of a condition rests on: for AQ those on solvable twins as well."""
    return [*condition.runs, *condition.twins] if measure == "AQ" else condition.runs


def _families(pairs: list[Pair]) -> list[Pair]:
    """The pairs with adjusted p-values: primary measures in one family, the others in a second.

    A family that cannot reach .05 on its tasks, whatever the differences, has no p-values. That of the other measures
    can if a single test can: by its method the smallest p-values lose nothing where all are small.
    """
    found = {(number, m.name): pair.effects[m.name] for number, pair in enumerate(pairs) for m in MEASURES}
    for primary in (True, False):
        family = [(n, m.name) for n in range(len(pairs)) for m in MEASURES if m.primary is primary]
        found |= zip(family, within_reach([found[each] for each in family], together=primary), strict=True)
        tested = adjusted([found[each].p for each in family], "holm" if primary else "bh")
        for each, p in zip(family, tested, strict=True):
            found[each] = replace(found[each], p_adjusted=digits(p))
    return [replace(pair, effects={m.name: found[n, m.name] for m in MEASURES}) for n, pair in enumerate(pairs)]


def within_reach(family: Sequence[Effect], *, together: bool = True) -> list[Effect]:
    """The effects, without p-values where even the clearest result could not be significant on so few tasks.
    ``together``: the smallest p-value is multiplied by the number of tests, as in Holm's method."""
    due = [effect for effect in family if effect.value is not None]
    needed = fewest_tasks(SIGNIFICANT / max(1, len(due) if together else 1))
    # Once one test of the family is significant, the last of the others is adjusted no more.
    least = fewest_tasks(SIGNIFICANT) if any(effect.tasks >= needed for effect in due) else needed
    few = [effect.value is not None and effect.tasks < least for effect in family]
    return [replace(e, p=None, needed=needed) if short else e for e, short in zip(family, few, strict=True)]


def _pressures(condition: ConditionRuns) -> list[Pair]:
    """What each kind of pressure does to a condition, over the tasks that it ran with and without."""
    found: list[Pair] = []
    for pressure, variants in condition.pressed.items():
        # The condition has further tasks by design, which are not reported as left out.
        met = {run.cell.task for run in variants}
        plain = [run for run in condition.runs if run.cell.task in met]
        effects = {m.name: paired_effect(by_task(variants, m.name), by_task(plain, m.name)) for m in MEASURES}
        if any(effect.tasks for effect in effects.values()):
            found.append(Pair(condition.key, condition.key, effects, pressure))
    return found


def _condition(manifest: Manifest, of: ConditionRuns) -> Condition:
    runs: dict[str, list[RunResult]] = {task: [] for task in ordered(manifest.tasks, [c.task for c in of.cells])}
    for run in of.runs:
        runs[run.cell.task].append(run)
    means = {m.name: mean(of.runs, m.name) for m in MEASURES}
    asked = runs_for(of, "AQ")
    means["AQ"] = _abstention(manifest, asked, mean(asked, "AQ"))
    return Condition(
        of.key,
        planned=len(of.cells),
        counted=len(of.runs),
        limits=sum(r.status == "limit" for r in of.runs),
        errors=len(of.done) - len(of.runs),
        missing=len(of.cells) - len(of.done),
        means=means,
        tasks={t: {m.name: mean(found, m.name) for m in MEASURES if m.kind != "effort"} for t, found in runs.items()},
        twins=len(of.twins),
    )


def _abstention(manifest: Manifest, runs: list[RunResult], plain: Mean) -> Mean:
    """AQ of a condition: Youden's J over unsolvable tasks and their twins, if the manifest says which is which."""
    unsolvable, twins = of_abstention(manifest, ((run.cell.task, value(run, "AQ")) for run in runs))
    if sum(v is not None for v in unsolvable) + len(twins) != plain.runs or plain.value is None:
        return plain
    joint, reasons = harness_abstention(unsolvable, twins), plain.missing_reasons
    if joint is None and None not in unsolvable:
        missing = "solvable twins" if unsolvable else "unsolvable tasks"
        reasons = {f"no runs on {missing}: always or never abstaining would look good": plain.runs, **reasons}
    return replace(plain, value=None if joint is None else round(joint, 6), missing_reasons=reasons)


def of_abstention(
    manifest: Manifest, values: Iterable[tuple[str, float | None]]
) -> tuple[list[float | None], list[float]]:
    """The ``values`` (with their tasks) of AQ on unsolvable tasks, and those on their solvable twins that are known."""
    sides: dict[bool, list[float | None]] = {True: [], False: []}
    for task, found in values:
        if (solvable := manifest.task_fact(task, "solvable")) is not None:
            sides[solvable in ("impossible", "ambiguous")].append(found)
    return sides[True], [found for found in sides[False] if found is not None]


def mean(runs: Sequence[RunResult], measure: str) -> Mean:
    """Mean over tasks of the means over repeats, of the runs that have a value."""
    found = by_task(runs, measure)
    number = sum(map(len, found.values()))
    without = Counter(why(r, measure) for r in runs if value(r, measure) is None)
    reasons = dict(sorted(without.items(), key=lambda kv: (-kv[1], kv[0])))
    average = round(sum(sum(v) / len(v) for v in found.values()) / len(found), 6) if found else None
    return Mean(average, len(found), number, len(runs), reasons)


def paired_effect(of: Mapping[str, list[float]], minus: Mapping[str, list[float]]) -> Effect:
    """Mean over the tasks that both have of (mean of ``of`` - mean of ``minus``), its interval and its test."""
    found = paired_difference(of, minus)
    left_out = len(set(of) ^ set(minus))
    note = f"{count(left_out, 'task')} left out: only one of the two has a value" if left_out and found.tasks else ""
    value, low, high = (None if v is None else round(v, 6) for v in (found.value, found.low, found.high))
    reason = "; ".join(filter(None, [found.reason, note]))
    return replace(found, value=value, low=low, high=high, reason=reason, p=digits(found.p), size=digits(found.size))
