"""The conditions of one table: models, or scripted policies, with the runs that count and their baseline."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable

from msgspec import Struct

from ...experiment.compare import Comparison, Condition, Group, Key
from ...experiment.conditions import is_twin, is_variant
from ...experiment.model import RunResult
from ..text import experiment as say
from ..text import words
from .gather import Gathered
from .model import Entry, Row


class GroupData(Struct):
    """The conditions that may be in one table (models, or scripted policies), with what their cells need.

    Attributes:
        labels: names of the conditions.
        runs: those of each condition that count; pressure variants of tasks that were run plainly are left out, and so
            are solvable twins.
        twins: those on solvable twins that count, which are part of AQ alone.
        gathered: all that was read.
        baseline: the name that the user gave; None: the harness "baseline".
        suffix: of the names of its tables.
        scope: what the tables are about, the first sentence of their captions.
    """

    group: Group
    labels: say.Labels
    runs: dict[Key, list[RunResult]]
    twins: dict[Key, list[RunResult]]
    gathered: Gathered
    baseline: str | None
    suffix: str
    scope: str

    def label(self, key: Key) -> str:
        """What the condition is called in its row."""
        return self.labels.of(key)

    def runs_for(self, key: Key, measure: str) -> list[RunResult]:
        """The runs of a condition that a measure rests on: for AQ those on solvable twins as well."""
        return [*self.runs[key], *self.twins[key]] if measure == "AQ" else self.runs[key]

    def rows(self, entries: Callable[[Condition, list[RunResult]], list[Entry]], *, counted: bool = True) -> list[Row]:
        """A row for each condition. ``counted``: whether its cells rest on all its runs that count."""
        found = []
        for condition in self.group.conditions:
            runs = self.runs[condition.key]
            found.append(Row([self.label(condition.key)], entries(condition, runs), len(runs) if counted else None))
        return found

    def baseline_of(self, key: Key) -> Condition | None:
        """The condition that ``key`` is compared with: it differs in the axis alone, or is ``key`` itself."""
        axis = self.group.axis
        if axis is None:
            alone = self.group.conditions[0]
            return alone if (self.baseline or "baseline") in (alone.key.harness, self.label(alone.key)) else None
        others = [f for f in Key.__struct_fields__ if f != axis]
        for condition in self.group.conditions:
            if all(getattr(condition.key, f) == getattr(key, f) for f in others):
                name = getattr(condition.key, axis)
                given = self.baseline is not None and self.baseline in (name, self._short(name))
                if given or (self.baseline is None and axis == "harness" and name == "baseline"):
                    return condition
        return None

    def _short(self, name: str) -> str:
        return say.policy(name) if self.group.scripted else name

    def names(self) -> list[str]:
        """What ``--baseline`` can be."""
        axis = self.group.axis
        if axis is None:
            return []
        return list(dict.fromkeys(self._short(getattr(c.key, axis)) for c in self.group.conditions))


def group_data(gathered: Gathered, comparison: Comparison, baseline: str | None) -> list[GroupData]:
    """Models and scripted policies, as far as there are any: they are never in one table."""
    runs: defaultdict[Key, list[RunResult]] = defaultdict(list)
    twins: defaultdict[Key, list[RunResult]] = defaultdict(list)
    known = {cell.id for cell in gathered.manifest.cells}
    for result in gathered.results:
        cell = result.cell
        if result.status != "error" and cell.id in known and not is_variant(gathered.manifest.tasks, cell.task):
            of = twins if is_twin(gathered.manifest.tasks, cell.task) else runs
            of[Key(cell.agent, cell.harness, cell.model)].append(result)
    both = len(comparison.groups) > 1
    found = []
    for group in comparison.groups:
        planned = sum(c.planned for c in group.conditions)
        counted = sum(c.counted for c in group.conditions)
        size = f"{words.count(counted)} of {words.plural(planned, 'run')} on {words.plural(len(group.tasks), 'task')}"
        if on_twins := sum(c.twins for c in group.conditions):
            size += f", in AQ also {words.plural(on_twins, 'run')} on solvable twins"
        who = "Scripted policies, no models: the figures say nothing about any model. " if group.scripted else ""
        exact = "Scores by the letter of the paper (--paper-exact). " if gathered.paper_exact else ""
        labels = say.Labels(group)
        common = f" ({labels.common})" if labels.common else ""
        found.append(
            GroupData(
                group,
                labels,
                {c.key: runs[c.key] for c in group.conditions},
                {c.key: twins[c.key] for c in group.conditions},
                gathered,
                baseline,
                "-scripted" if group.scripted and both else "",
                f"{who}{exact}Suite {gathered.manifest.suite}, {size}{common}.",
            )
        )
    return found
