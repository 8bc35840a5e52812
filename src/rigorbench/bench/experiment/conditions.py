"""The conditions of an experiment and their runs: which belong in one table, and which are compared."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from .records import Cell, Manifest, RunResult, Subject

Axis = Literal["harness", "model", "agent"]

# The harnesses of kind "control", with which the others are compared: they come last in a pair.
CONTROLS = ("nudge", "placebo", "baseline")


class ConditionKey(Struct, frozen=True, order=True):
    """A condition: an agent under a harness with a model."""

    agent: str
    harness: str
    model: str


class ConditionRuns(Struct):
    """The planned cells of a condition, without pressure variants of other tasks and solvable twins, and its runs that
    count.

    ``twins``: the results on solvable twins, which are part of AQ and of no other mean. ``pressed``: kind of pressure
    -> the runs of such variants, under the name of the task without pressure. ``done``: cell id -> result, of broken
    runs as well.
    """

    key: ConditionKey
    cells: list[Cell]
    runs: list[RunResult]
    twins: list[RunResult]
    pressed: dict[str, list[RunResult]]
    done: dict[str, RunResult]


class GroupRuns(Struct):
    """Conditions that belong in one table: those of models, or those of scripted policies.

    ``axis``: in what the two conditions of a pair differ; None: there is nothing to compare. ``pairs``: the conditions
    that differ only in the axis.
    """

    scripted: bool
    axis: Axis | None
    tasks: list[str]
    conditions: list[ConditionRuns]
    pairs: list[tuple[ConditionRuns, ConditionRuns]]


def counts(result: RunResult) -> bool:
    """Whether a run is a result of the agent; otherwise the run itself broke."""
    return result.status != "error"


def is_variant(tasks: Mapping[str, Subject], task: str) -> bool:
    """Whether a task is a pressure variant of one that is among ``tasks`` as it is, too."""
    plain = tasks[task].facts.get("plain") if task in tasks else None
    return isinstance(plain, str) and plain in tasks


def is_twin(tasks: Mapping[str, Subject], task: str) -> bool:
    """Whether a task is the solvable twin of one that is among ``tasks``, too. It shows whether the agent abstains from
    what can be done; as a further task of its category it would count that category twice."""
    facts = tasks[task].facts if task in tasks else {}
    twin = facts.get("twin")
    return facts.get("solvable") == "yes" and isinstance(twin, str) and twin in tasks


def scripted_models(manifest: Manifest, results: Iterable[RunResult]) -> set[str]:
    """Names of the models that are scripted policies, according to the manifest or a run."""
    return set(manifest.scripted) | {r.cell.model for r in results if r.scripted}


def results_by_cell(manifest: Manifest, results: Iterable[RunResult]) -> tuple[dict[str, RunResult], list[RunResult]]:
    """The results of planned cells by cell id, and the other results. Of several for one cell the last counts."""
    known = {cell.id: cell for cell in manifest.cells}
    by_id = {r.cell.id: r for r in results}
    # In a damaged manifest two cells may have one id, if their names differ only in unsafe characters.
    planned = {i: r for i, r in by_id.items() if known.get(i) == r.cell}
    return planned, [r for i, r in by_id.items() if i not in planned]


def groups(manifest: Manifest, results: Iterable[RunResult]) -> list[GroupRuns]:
    """The groups of an experiment: models first, scripted policies last."""
    done, _ = results_by_cell(manifest, results)
    scripted = scripted_models(manifest, done.values())
    found: list[GroupRuns] = []
    for side in (False, True):
        cells = [c for c in manifest.cells if (c.model in scripted) is side]
        if cells:
            of_key: defaultdict[ConditionKey, dict[str, Cell]] = defaultdict(dict)
            for cell in cells:
                of_key[ConditionKey(cell.agent, cell.harness, cell.model)][cell.id] = cell
            named = {"agent": manifest.agents, "model": manifest.models, "harness": manifest.harnesses}
            order = {axis: ordered(names, [getattr(k, axis) for k in of_key]) for axis, names in named.items()}
            keys = sorted(of_key, key=lambda k: [n.index(getattr(k, a)) for a, n in order.items()])
            axes: tuple[Axis, ...] = ("harness", "model", "agent")
            axis = next((axis for axis in axes if len({getattr(k, axis) for k in keys}) > 1), None)
            conditions = [_condition(manifest, key, of_key[key], done) for key in keys]
            pairs = [
                (a, b)
                for a, b in combinations(conditions, 2)
                if [f for f in ConditionKey.__struct_fields__ if getattr(a.key, f) != getattr(b.key, f)] == [axis]
            ]
            tasks = ordered(manifest.tasks, [c.task for condition in conditions for c in condition.cells])
            found.append(GroupRuns(side, axis, tasks, conditions, pairs))
    return found


def _condition(
    manifest: Manifest, key: ConditionKey, cells: dict[str, Cell], done: dict[str, RunResult]
) -> ConditionRuns:
    """Pressure variants of tasks that the experiment also has without pressure, and twins, do not count as tasks."""
    plain: list[Cell] = []
    twins: list[RunResult] = []
    pressed: defaultdict[str, list[RunResult]] = defaultdict(list)
    for i, cell in cells.items():
        pressure, task = (manifest.task_fact(cell.task, name) for name in ("pressure", "plain"))
        if is_twin(manifest.tasks, cell.task):
            twins += [done[i]] if i in done and counts(done[i]) and not is_variant(manifest.tasks, cell.task) else []
        elif not is_variant(manifest.tasks, cell.task):
            plain.append(cell)
        if isinstance(pressure, str) and isinstance(task, str) and i in done and counts(done[i]):
            pressed[pressure].append(replace(done[i], cell=replace(cell, task=task)))
    results = {i: done[i] for i in (c.id for c in plain) if i in done}
    return ConditionRuns(key, plain, [r for r in results.values() if counts(r)], twins, dict(pressed), results)


def ordered(first: Iterable[str], used: Iterable[str]) -> list[str]:
    """The names in use, in the order of the manifest, controls last."""
    names = dict.fromkeys(used)
    found = list(dict.fromkeys([*(n for n in first if n in names), *names]))
    return sorted(found, key=lambda n: CONTROLS.index(n) if n in CONTROLS else -1)
