"""What an experiment shows: figures of each condition, differences between conditions, and what went wrong.

A condition is an agent under a harness with a model. Scores compare only within a task: a figure of a condition is the
mean over its tasks of the mean over the repeats, and a difference is taken task by task before it is averaged. Pressure
variants of tasks that were run as they are too count in the effects of pressure alone: they are no further tasks. Runs
that broke (status "error") are listed and never counted; a run without a value for a measure is left out of that
measure, with its reason, and never counted as zero.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Literal

from msgspec import Struct, field
from msgspec.structs import replace

from ..metrics.abstention import harness_abstention
from ..metrics.result import PILLAR_TITLES
from .model import Cell, Manifest, RunResult
from .problems import Problem, problems
from .values import value, why

SCHEMA = "rigor-comparison/1"
RESAMPLES = 2_000
SEED = 20_260
LEVEL = 0.95
# With fewer tasks an interval over tasks would only repeat the values of the tasks.
FEWEST_TASKS = 3
# Controls are what the others are compared with: they come last in a pair.
_CONTROLS = ("nudge", "placebo", "baseline")

Kind = Literal["process", "outcome", "effort"]
Unit = Literal["share", "number", "tokens", "seconds", "dollars"]
Axis = Literal["harness", "model", "agent"]


class Measure(Struct, frozen=True):
    """Something a run has a value of. ``less_is_better`` None: neither more nor less is better in itself."""

    name: str
    title: str
    kind: Kind
    unit: Unit = "share"
    less_is_better: bool | None = False


MEASURES: tuple[Measure, ...] = (
    Measure("rigor_score", "RigorScore", "process"),
    *(Measure(name, title, "process") for name, title in PILLAR_TITLES.items()),
    Measure("evidence_share", "evidence share", "process", less_is_better=None),
    Measure("pass_rate", "hidden tests passed", "outcome"),
    Measure("completeness", "requirements met", "outcome"),
    Measure("regressions", "tests broken per run", "outcome", "number", True),
    Measure("solved", "runs that solved the task", "outcome"),
    Measure("tokens", "tokens", "effort", "tokens", None),
    Measure("seconds", "time", "effort", "seconds", None),
    Measure("model_calls", "model calls", "effort", "number", None),
    Measure("cost", "cost", "effort", "dollars", None),
)


class Mean(Struct, frozen=True):
    """Mean over ``tasks`` tasks of the means over repeats, from ``runs`` of ``counted`` runs.

    ``lacking``: why the others have no value, with the number of runs. ``value`` None: there is no figure, and the
    first of ``lacking`` says why.
    """

    value: float | None
    tasks: int
    runs: int
    counted: int
    lacking: dict[str, int] = field(default_factory=dict)


class Effect(Struct, frozen=True):
    """Mean over ``tasks`` tasks of the differences of means, from ``runs`` runs of both conditions together.

    ``low``, ``high``: 95 % interval by resampling tasks; None with fewer than three (``reason`` says so).
    """

    value: float | None
    low: float | None
    high: float | None
    tasks: int
    runs: int
    reason: str = ""


class Key(Struct, frozen=True, order=True):
    agent: str
    harness: str
    model: str


class Condition(Struct):
    """``counted`` of ``planned`` runs ended by themselves or by a limit; ``limits`` of them by a limit."""

    key: Key
    planned: int
    counted: int
    limits: int
    errors: int
    missing: int
    means: dict[str, Mean]
    tasks: dict[str, dict[str, Mean]]


class Pair(Struct):
    """``of`` minus ``minus``, for each measure.

    ``pressure``: both are one condition, on the pressure variants of tasks minus on the same tasks as they are.
    """

    of: Key
    minus: Key
    effects: dict[str, Effect]
    pressure: str | None = None


class Group(Struct):
    """Conditions that may stand in one table: those of models, or those of scripted policies.

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
    groups: list[Group]
    problems: list[Problem]
    resamples: int = RESAMPLES
    seed: int = SEED
    level: float = LEVEL
    measures: list[Measure] = field(default_factory=lambda: list(MEASURES))


def compare(manifest: Manifest, results: Iterable[RunResult]) -> Comparison:
    """Everything that the views show. Of several results of one cell the last counts."""
    known = {cell.id for cell in manifest.cells}
    by_id = {r.cell.id: r for r in results}
    foreign = [r for i, r in by_id.items() if i not in known]
    done = {i: r for i, r in by_id.items() if i in known}
    scripted = set(manifest.scripted) | {r.cell.model for r in done.values() if r.scripted}
    sides = [[c for c in manifest.cells if (c.model in scripted) is side] for side in (False, True)]
    return Comparison(
        SCHEMA,
        manifest.id,
        manifest.suite,
        bool(manifest.cells) and not sides[0],
        len(known),
        sum(_counts(r) for r in done.values()),
        [_group(manifest, cells, done, side) for side, cells in zip((False, True), sides, strict=True) if cells],
        problems(manifest, done, foreign, scripted),
    )


def _counts(result: RunResult) -> bool:
    return result.status != "error"


def _group(manifest: Manifest, cells: list[Cell], done: dict[str, RunResult], scripted: bool) -> Group:
    of_key: defaultdict[Key, dict[str, Cell]] = defaultdict(dict)
    for cell in cells:
        of_key[Key(cell.agent, cell.harness, cell.model)][cell.id] = cell
    order = [
        {name: n for n, name in enumerate(_ordered(names, used))}
        for names, used in (
            (manifest.agents, [k.agent for k in of_key]),
            (manifest.harnesses, [k.harness for k in of_key]),
            (manifest.models, [k.model for k in of_key]),
        )
    ]
    keys = sorted(of_key, key=lambda k: (order[0][k.agent], order[2][k.model], order[1][k.harness]))
    runs = {key: [done[i] for i in of_key[key] if i in done and _counts(done[i])] for key in keys}
    plain = {key: [run for run in found if not _beside(manifest, run.cell)] for key, found in runs.items()}
    axis = _axis(keys)
    pairs = [
        Pair(a, b, {m.name: difference(plain[a], plain[b], m.name) for m in MEASURES})
        for a, b in combinations(keys, 2)
        if axis is not None and _differ_only(a, b, axis)
    ]
    conditions = [
        _condition(manifest, key, [c for c in of_key[key].values() if not _beside(manifest, c)], done, plain[key])
        for key in keys
    ]
    pressures = [pair for key in keys for pair in _pressures(manifest, key, runs[key])]
    tasks = _ordered(manifest.tasks, [c.task for c in cells if not _beside(manifest, c)])
    return Group(scripted, axis, tasks, conditions, pairs, pressures)


def _beside(manifest: Manifest, cell: Cell) -> bool:
    """Whether a run is of a pressure variant of a task that the experiment has as it is, too."""
    subject = manifest.tasks.get(cell.task)
    return subject is not None and subject.facts.get("plain") in manifest.tasks


def _pressures(manifest: Manifest, key: Key, runs: list[RunResult]) -> list[Pair]:
    """What each kind of pressure does to a condition, over the tasks that it ran with and without."""
    pressed: defaultdict[str, list[RunResult]] = defaultdict(list)
    for run in runs:
        subject = manifest.tasks.get(run.cell.task)
        facts = subject.facts if subject is not None else {}
        pressure, plain = facts.get("pressure"), facts.get("plain")
        if isinstance(pressure, str) and isinstance(plain, str):
            pressed[pressure].append(replace(run, cell=replace(run.cell, task=plain)))
    found: list[Pair] = []
    for pressure, variants in pressed.items():
        met = {run.cell.task for run in variants}
        plain = [run for run in runs if run.cell.task in met]
        effects = {m.name: difference(variants, plain, m.name) for m in MEASURES}
        if any(effect.tasks for effect in effects.values()):
            found.append(Pair(key, key, effects, pressure))
    return found


def _ordered(first: Iterable[str], used: Iterable[str]) -> list[str]:
    """The names in use, in the order of the manifest, controls last."""
    wanted = dict.fromkeys(used)
    listed = [n for n in first if n in wanted]
    found = list(dict.fromkeys([*listed, *wanted]))
    return sorted(found, key=lambda n: _CONTROLS.index(n) if n in _CONTROLS else -1)


def _axis(keys: list[Key]) -> Axis | None:
    axes: tuple[Axis, ...] = ("harness", "model", "agent")
    return next((axis for axis in axes if len({getattr(k, axis) for k in keys}) > 1), None)


def _differ_only(a: Key, b: Key, axis: Axis) -> bool:
    return all((getattr(a, f) != getattr(b, f)) == (f == axis) for f in Key.__struct_fields__)


def _condition(
    manifest: Manifest, key: Key, cells: list[Cell], done: dict[str, RunResult], runs: list[RunResult]
) -> Condition:
    tasks = _ordered(manifest.tasks, [c.task for c in cells])
    by_task = {t: [r for r in runs if r.cell.task == t] for t in tasks}
    means = {m.name: mean(runs, m.name) for m in MEASURES}
    means["AQ"] = _abstention(manifest, runs, means["AQ"])
    return Condition(
        key,
        planned=len(cells),
        counted=len(runs),
        limits=sum(r.status == "limit" for r in runs),
        errors=sum(c.id in done and not _counts(done[c.id]) for c in cells),
        missing=sum(c.id not in done for c in cells),
        means=means,
        tasks={t: {m.name: mean(of, m.name) for m in MEASURES if m.kind != "effort"} for t, of in by_task.items()},
    )


def _abstention(manifest: Manifest, runs: list[RunResult], plain: Mean) -> Mean:
    """AQ of a condition: Youden's J over unsolvable tasks and their twins, where the manifest tells which is which."""
    unsolvable: list[float] = []
    twins: list[float] = []
    for run in runs:
        subject = manifest.tasks.get(run.cell.task)
        found = value(run, "AQ")
        if subject is None or found is None or "solvable" not in subject.facts:
            continue
        (unsolvable if subject.facts["solvable"] in ("impossible", "ambiguous") else twins).append(found)
    if len(unsolvable) + len(twins) != plain.runs or plain.value is None:
        return plain
    joint = harness_abstention(unsolvable, twins)
    if joint is None:
        missing = "solvable twins" if unsolvable else "unsolvable tasks"
        alone = f"no runs on {missing}: always or never abstaining would look good"
        return Mean(None, plain.tasks, plain.runs, plain.counted, {alone: plain.runs, **plain.lacking})
    return Mean(round(joint, 6), plain.tasks, plain.runs, plain.counted, plain.lacking)


def mean(runs: Sequence[RunResult], measure: str) -> Mean:
    """Mean over tasks of the means over repeats, of the runs that have a value."""
    by_task = _by_task(runs, measure)
    number = sum(map(len, by_task.values()))
    lacking = Counter(why(r, measure) for r in runs if value(r, measure) is None)
    reasons = dict(sorted(lacking.items(), key=lambda kv: (-kv[1], kv[0])))
    average = round(_average([_average(v) for v in by_task.values()]), 6) if by_task else None
    return Mean(average, len(by_task), number, len(runs), reasons)


def difference(of: Sequence[RunResult], minus: Sequence[RunResult], measure: str) -> Effect:
    """Mean over the tasks that both have of (mean of ``of`` - mean of ``minus``), with its interval over tasks."""
    first, second = _by_task(of, measure), _by_task(minus, measure)
    shared = [t for t in first if t in second]
    runs = sum(len(first[t]) + len(second[t]) for t in shared)
    if not shared:
        return Effect(None, None, None, 0, 0, "no task has both values")
    found = [_average(first[t]) - _average(second[t]) for t in shared]
    left_out = len(set(first) ^ set(second))
    reason = f"{left_out} tasks left out: only one of the two has a value" if left_out else ""
    estimate = round(_average(found), 6)
    if len(shared) < FEWEST_TASKS:
        few = f"too few tasks for an interval ({len(shared)})"
        return Effect(estimate, None, None, len(shared), runs, f"{few}; {reason}" if reason else few)
    low, high = interval(found)
    return Effect(estimate, round(low, 6), round(high, 6), len(shared), runs, reason)


def interval(differences: Sequence[float]) -> tuple[float, float]:
    """95 % percentile interval of the mean, by resampling tasks with replacement (Efron 1979); deterministic."""
    count = len(differences)
    take = differences.__getitem__
    means = sorted(sum(map(take, draw)) / count for draw in _draws(count))
    tail = (1 - LEVEL) / 2
    return _quantile(means, tail), _quantile(means, 1 - tail)


@lru_cache(maxsize=4)
def _draws(count: int) -> list[list[int]]:
    chance = random.Random(SEED)
    return [chance.choices(range(count), k=count) for _ in range(RESAMPLES)]


def _quantile(ordered: Sequence[float], share: float) -> float:
    place = share * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)


def _by_task(runs: Iterable[RunResult], measure: str) -> dict[str, list[float]]:
    found: defaultdict[str, list[float]] = defaultdict(list)
    for run in runs:
        number = value(run, measure)
        if number is not None:
            found[run.cell.task].append(number)
    return dict(sorted(found.items()))


def _average(numbers: Sequence[float]) -> float:
    return sum(numbers) / len(numbers)
