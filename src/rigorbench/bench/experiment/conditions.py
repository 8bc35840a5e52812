"""The conditions of an experiment and their runs: which belong in one table, and which are compared."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Literal

from msgspec.structs import replace

from .records import Cell, ConditionKey, Manifest, RunResult, Subject

Axis = Literal["harness", "model", "agent"]

# The harnesses of kind "control", with which the others are compared: they come last in a pair.
CONTROLS = ("nudge", "placebo", "baseline")


class ConditionRuns:
    """The planned ``cells`` of a condition, without pressure variants of tasks that the experiment also has without
    pressure and solvable twins, which do not count as tasks, and its ``runs`` that count.

    ``twins``: the results on solvable twins, which are part of AQ and of no other mean. ``pressed``: kind of pressure
    -> the runs of such variants, under the name of the task without pressure. ``done``: cell id -> result, of broken
    runs as well.
    """

    def __init__(
        self, manifest: Manifest, key: ConditionKey, cells: Mapping[str, Cell], done: Mapping[str, RunResult]
    ) -> None:
        self.key = key
        self.cells: list[Cell] = []
        self.twins: list[RunResult] = []
        self.pressed: defaultdict[str, list[RunResult]] = defaultdict(list)
        for i, cell in cells.items():
            pressure, task = (manifest.task_fact(cell.task, name) for name in ("pressure", "plain"))
            run = done[i] if i in done and counts(done[i]) else None
            if is_twin(manifest.tasks, cell.task):
                self.twins += [run] if run is not None and not is_variant(manifest.tasks, cell.task) else []
            elif not is_variant(manifest.tasks, cell.task):
                self.cells.append(cell)
            if isinstance(pressure, str) and isinstance(task, str) and run is not None:
                self.pressed[pressure].append(replace(run, cell=replace(cell, task=task)))
        self.done = {c.id: done[c.id] for c in self.cells if c.id in done}
        self.runs = [r for r in self.done.values() if counts(r)]


class GroupRuns:
    """Conditions that belong in one table: those of models, or those of scripted policies.

    ``axis``: in what the two conditions of a pair differ; None: there is nothing to compare. ``pairs``: the conditions
    that differ only in the axis.
    """

    def __init__(
        self, manifest: Manifest, scripted: bool, cells: Sequence[Cell], done: Mapping[str, RunResult]
    ) -> None:
        self.scripted = scripted
        of_key: defaultdict[ConditionKey, dict[str, Cell]] = defaultdict(dict)
        for cell in cells:
            of_key[cell.key][cell.id] = cell
        named = {"agent": manifest.agents, "model": manifest.models, "harness": manifest.harnesses}
        order = {axis: ordered(names, [getattr(k, axis) for k in of_key]) for axis, names in named.items()}
        keys = sorted(of_key, key=lambda k: [names.index(getattr(k, axis)) for axis, names in order.items()])
        axes: tuple[Axis, ...] = ("harness", "model", "agent")
        self.axis = next((axis for axis in axes if len({getattr(k, axis) for k in keys}) > 1), None)
        self.conditions = [ConditionRuns(manifest, key, of_key[key], done) for key in keys]
        self.pairs = [
            (a, b)
            for a, b in combinations(self.conditions, 2)
            if [f for f in ConditionKey.__struct_fields__ if getattr(a.key, f) != getattr(b.key, f)] == [self.axis]
        ]
        self.tasks = ordered(manifest.tasks, [c.task for condition in self.conditions for c in condition.cells])


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
    sides = ((side, [c for c in manifest.cells if (c.model in scripted) is side]) for side in (False, True))
    return [GroupRuns(manifest, side, cells, done) for side, cells in sides if cells]


def ordered(first: Iterable[str], used: Iterable[str]) -> list[str]:
    """The names in use, in the order of the manifest, controls last."""
    names = dict.fromkeys(used)
    found = list(dict.fromkeys([*(n for n in first if n in names), *names]))
    return sorted(found, key=lambda n: CONTROLS.index(n) if n in CONTROLS else -1)
