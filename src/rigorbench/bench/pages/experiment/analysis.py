"""The analysis of an experiment in sentences: what the template of its page calls."""

from __future__ import annotations

from collections.abc import Sequence

from ....review.pages.numbers import number as figure
from ...experiment.analysis import Analysis, GroupAnalysis, Relation
from ...experiment.compare import MEASURES, ConditionGroup
from ..text import experiment as say

_SHOWN_K = (1, 2, 3, 5)
_TITLES = {m.name: m.title for m in MEASURES}
_SHORT = {"rigor_score": "RigorScore", "outcome": "Outcome score"}
_RELATIONS_LEAD = (
    "Over all runs, a correlation also contains how hard the tasks are. Within tasks, runs are compared only with runs "
    "of the same task: that is the figure to read."
)


def of_group(analysis: Analysis, group: ConditionGroup) -> GroupAnalysis | None:
    return next((found for found in analysis.groups if found.scripted == group.scripted), None)


def names(analysis: GroupAnalysis, labels: say.Labels) -> dict[str, str]:
    return {name: labels.of(key) for name, key in analysis.conditions.items()}


def repeats(analysis: GroupAnalysis) -> list[int] | None:
    """The k of pass@k that are shown; None: no task was repeated."""
    most = max((p.k for c in analysis.consistency for p in c.passes), default=0)
    if most <= 1 and not any(i.runs for c in analysis.consistency for i in c.icc.values()):
        return None
    return [k for k in _SHOWN_K if k < most] + ([most] if most else [])


def reading(relation: Relation, scripted: bool) -> str:
    """What to conclude."""
    x, y = title(relation.x, scripted), title(relation.y, scripted)
    pooled, within = relation.correlations.pooled, relation.correlations.within
    if relation.correlations.clear:
        first, second = _direction(pooled.pearson), _direction(within.pearson)
        return (
            f"The sign changes when runs of the same task are compared: over all runs more {x} goes with {first} {y}, "
            f"within a task with {second}. The first comes from differences between tasks, the second from ways of "
            "working."
        )
    if within.pearson is None:
        if pooled.pearson is None:
            return f"No value: {pooled.reason or within.reason}."
        return f"No value within tasks: {within.reason}. The value over all runs also contains how hard the tasks are."
    low, high = within.pearson_low, within.pearson_high
    if low is None:
        text = f"Within a task there is no interval ({within.reason or 'too few tasks'})."
    elif high is not None and (low > 0 or high < 0):
        text = f"Within a task, more {x} goes with {_direction(within.pearson)} {y}."
    else:
        text = "Within a task there is no clear correlation: the interval contains 0."
    if relation.correlations.reversal:
        text += " Over all runs the sign is the opposite; that means little, as one interval contains 0 or is missing."
    return text


def relations_lead(relations: Sequence[Relation]) -> str:
    turned = [f"{_TITLES[r.x]} with {_TITLES[r.y]}" for r in relations if r.correlations.clear]
    if not turned:
        return _RELATIONS_LEAD
    return f"{_RELATIONS_LEAD} The two have opposite signs, both clearly different from 0, for {say.listing(turned)}."


def title(name: str, scripted: bool) -> str:
    return "turns" if scripted and name == "model_calls" else _SHORT.get(name, _TITLES[name])


def _direction(value: float | None) -> str:
    return "more" if value is not None and value > 0 else "less"


def signed(value: float | None) -> str:
    return say.NO_VALUE if value is None else figure(round(value, 6), "difference")


def slope(value: float | None) -> str:
    return say.NO_VALUE if value is None else f"{value:.2g}".replace("-", "−")
