"""What the templates of an experiment call: which figures there are, their places in drawings, and names of things."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from ....review.result import PILLAR_TITLES
from ....review.review import Review
from ...experiment.compare import MEASURE as MEASURE
from ...experiment.compare import (
    MEASURES,
    SIGNIFICANT,
    Comparison,
    Condition,
    ConditionGroup,
    Effect,
    Measure,
    Pair,
)
from ...experiment.records import Manifest, RunResult, Subject
from ..tables.figure import figure_svg
from ..tables.figure import figures as draw
from ..text import experiment as say
from ..text.verdict import verdict
from .flags import flag_table

PRIMARY = tuple(m for m in MEASURES if m.primary)


# -- groups


class GroupView:
    """Conditions that may be compared: models, or scripted policies."""

    def __init__(
        self, number: int, group: ConditionGroup, results: Sequence[RunResult], reviews: Mapping[str, Review]
    ) -> None:
        self.anchor, self.group, self.labels = f"g{number}", group, say.Labels(group)
        self.verdict = verdict(group)
        """The answer in sentences."""
        self.flags = flag_table(group, results, reviews)
        """None without a run that counts."""
        self.counted = sum(condition.counted for condition in group.conditions)
        self.single = self.counted <= 1
        """Whether there is no more than one run: it has no statistics and no maps."""


def groups(comparison: Comparison, results: Sequence[RunResult], reviews: Mapping[str, Review]) -> list[GroupView]:
    return [GroupView(n, group, results, reviews) for n, group in enumerate(comparison.groups)]


# -- means


def measures(group: ConditionGroup, *, process: bool) -> list[Measure]:
    """Those of the process, or the others; cost only where it is known."""
    found = [m for m in MEASURES if (m.kind == "process") is process]
    return [m for m in found if m.name != "cost" or any(c.means["cost"].runs for c in group.conditions)]


def head(measure: Measure, scripted: bool) -> str:
    """Of a column: pillars by their short names."""
    return measure.name if measure.name in PILLAR_TITLES else say.title(measure, scripted)


def share(value: float | None, measure: Measure) -> float | None:
    """The length of the bar of a value; None: it has no bar."""
    return value if measure.unit == "share" and measure.name != "evidence_share" else None


def ranked(group: ConditionGroup) -> list[Condition]:
    """The conditions, that with the best RigorScore first."""
    return sorted(group.conditions, key=lambda c: -(c.means["rigor_score"].value or 0.0))


def of_tasks(condition: Condition, measure: Measure) -> list[float]:
    """The values of single tasks behind a mean; none where there is only one."""
    values = [found[measure.name].value for found in condition.tasks.values()]
    known = [v for v in values if v is not None]
    return known if len(known) > 1 else []


def repeats(group: ConditionGroup, measure: Measure) -> int:
    """The largest number of runs of a condition on a task, which is said once for a whole map."""
    runs = {c.tasks[t][measure.name].runs for c in group.conditions for t in group.tasks if t in c.tasks}
    return max(runs, default=0)


# -- differences


def differences(pair: Pair) -> list[tuple[Measure, Effect]]:
    """Cost only where it is known."""
    lines = [(m, pair.effects[m.name]) for m in MEASURES]
    return [(m, effect) for m, effect in lines if m.name != "cost" or effect.value is not None]


def scales(comparison: Comparison) -> dict[str, float]:
    """The value at the end of each scale: 1 for shares, else the largest difference of the experiment."""
    found: dict[str, float] = {}
    for measure in MEASURES:
        effects = [p.effects[measure.name] for g in comparison.groups for p in (*g.pairs, *g.pressures)]
        ends = [abs(v) for e in effects for v in (e.value, e.low, e.high) if v is not None]
        found[measure.name] = 1.0 if measure.unit == "share" else max([*ends, 1e-9])
    return found


def place(value: float, scale: float) -> float:
    """Of a difference on its scale, in percent of the width; 0 is in the middle."""
    return 50 + 50 * min(1.0, max(-1.0, value / scale))


def reading_of(measure: Measure, effect: Effect) -> tuple[str, str]:
    """(word, tone). Better or worse only if both the whole interval and the corrected p-value show it."""
    if measure.less_is_better is None or effect.low is None or effect.high is None or effect.low <= 0 <= effect.high:
        return "", ""
    if effect.p_adjusted is None:
        return ("too few tasks" if effect.needed else ""), ""
    if effect.p_adjusted >= SIGNIFICANT:
        return "not certain", ""
    word = "worse" if (effect.low > 0) is measure.less_is_better else "better"
    return word, word


# -- the drawing of process and outcome


def drawings(
    manifest: Manifest, results: Sequence[RunResult], links: Mapping[str, str]
) -> dict[bool, list[tuple[Markup, str]]]:
    """Figure 1 and its caption, of models (False) and scripted policies (True).

    ``links``: address of the page of each run, by cell id.
    """
    found: dict[bool, list[tuple[Markup, str]]] = {False: [], True: []}
    for figure in draw(manifest, results):
        found[figure.scripted].append((figure_svg(figure, links), figure.caption))
    return found


# -- how it was run


def shell(command: Sequence[str]) -> str:
    return shlex.join(command)


def policies(manifest: Manifest, comparison: Comparison) -> set[str]:
    """The models that are scripted policies."""
    return {c.key.model for g in comparison.groups if g.scripted for c in g.conditions}


def subject_facts(subject: Subject) -> str:
    return ", ".join(
        f"{k} {say.lead(plain(v)) if k == 'title' else plain(v)}"
        for k, v in subject.facts.items()
        if isinstance(v, str | int | float) and v != ""
    )


def task_fact(manifest: Manifest, task: str, key: str) -> str:
    """A fact of a task that is text; "" without one."""
    return found if isinstance(found := manifest.task_fact(task, key), str) else ""


def by_category(manifest: Manifest, tasks: Mapping[str, str]) -> dict[str, list[str]]:
    """The tasks of each category ("": of none), in the order of the manifest."""
    found: dict[str, list[str]] = {}
    for task in tasks:
        found.setdefault(task_fact(manifest, task, "category"), []).append(task)
    return found


def plain(value: Any) -> str:
    """A value of the manifest as text; "" where it is not known."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else str(value)
