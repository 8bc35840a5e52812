"""The analysis of an experiment in sentences and tables: what the template of its page calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from ....base.stats.consistency import Icc, Passes
from ....base.stats.correlation import Correlation
from ....base.stats.sensitivity import Sensitivity
from ....base.stats.transfer import Transfer
from ....review.pages import words
from ....review.pages.numbers import number as figure
from ...experiment.analysis import Analysis, GroupAnalysis, Relation
from ...experiment.compare import MEASURES, ConditionGroup
from ..text import experiment as say

# What a page lists at most.
PAIRS_SHOWN = 30
_SHOWN_K = (1, 2, 3, 5)
_TITLES = {m.name: m.title for m in MEASURES}
_SHORT = {"rigor_score": "RigorScore", "outcome": "Outcome score"}
_RELATIONS_LEAD = (
    "Over all runs, a correlation also contains how hard the tasks are. Within tasks, runs are compared only with runs "
    "of the same task: that is the figure to read."
)
_REPEATS_LEAD = (
    "ICC is the share of the variance between single runs that is due to the task: near 1, repeats of a task have "
    "nearly the same result; near 0 or below, two runs of one task are no more alike than runs of two tasks. pass@k is "
    "the chance that at least one of k runs solves a task, pass^k that all of them do."
)


# The text of a cell, and what to know of it: the runs and tasks that it rests on, why it has no value.
Cell = tuple[str, str]


class AnalysisPart(Struct):
    """A table of the analysis. ``lead``: what to conclude; ``heads``: short head, and title where that says more."""

    title: str
    lead: str
    caption: str
    corner: str
    heads: list[tuple[str, str]]
    rows: list[tuple[str, list[Cell]]]
    remarks: Sequence[str] = ()


def of_group(analysis: Analysis, group: ConditionGroup) -> GroupAnalysis | None:
    return next((found for found in analysis.groups if found.scripted == group.scripted), None)


def parts(analysis: GroupAnalysis, labels: say.Labels) -> list[AnalysisPart]:
    """The tables for which the experiment has something."""
    names = {name: labels.of(key) for name, key in analysis.conditions.items()}
    most = max((p.k for c in analysis.consistency for p in c.passes), default=0)
    if most <= 1 and not any(i.runs for c in analysis.consistency for i in c.icc.values()):
        repeats = None
    else:
        shown = [k for k in _SHOWN_K if k < most] + ([most] if most else [])
        heads = [("ICC RigorScore", ""), ("ICC Outcome score", "")]
        heads += [
            (f"pass@{k}", f"the chance that {f'at least one of {k} runs' if k > 1 else 'a run'} solves it")
            for k in shown
        ]
        heads += [(f"pass^{k}", f"the chance that all {k} solve it") for k in shown if k > 1]
        rows = []
        for each in analysis.consistency:
            by_k = {p.k: p for p in each.passes}
            cells = [_icc(each.icc.get(name)) for name in ("rigor_score", "outcome")]
            cells += [_passes(by_k.get(k), hat=False) for k in shown]
            cells += [_passes(by_k.get(k), hat=True) for k in shown if k > 1]
            rows.append((labels.of(each.key), cells))
        repeats = AnalysisPart("Repeats", _REPEATS_LEAD, "Repeats of a task", labels.column, heads, rows)
    found = (
        repeats,
        _transfer(analysis.transfer),
        _weights(analysis.sensitivity, names),
    )
    return [part for part in found if part is not None]


def basis(analysis: Analysis) -> str:
    return (
        f"Intervals: {analysis.level * 100:.0f} %, bootstrap over tasks, at most {words.count(analysis.resamples)} "
        f"resamples, seed {analysis.seed}."
    )


# -- correlations


def badge(relation: Relation) -> str:
    """Set when the signs over all runs and within tasks differ."""
    both = relation.correlations
    return "reversal" if both.clear else "signs differ" if both.reversal else ""


def label(relation: Relation, scripted: bool) -> str:
    x, y = _title(relation.x, scripted), _title(relation.y, scripted)
    return f"{x[:1].upper()}{x[1:]} and {y}"


def pearson(found: Correlation) -> str:
    return _with_interval(found.pearson, found.pearson_low, found.pearson_high)


def relation_basis(relation: Relation) -> str:
    pooled, within = relation.correlations.pooled, relation.correlations.within
    return (
        f"{words.plural(pooled.n, 'run')} on {words.plural(pooled.tasks, 'task')}; "
        f"within: {words.count(within.n)} on {words.count(within.tasks)}"
    )


def reading(relation: Relation, scripted: bool) -> str:
    """What to conclude."""
    x, y = _title(relation.x, scripted), _title(relation.y, scripted)
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
    if badge(relation):
        text += " Over all runs the sign is the opposite; that means little, as one interval contains 0 or is missing."
    return text


def relations_lead(relations: Sequence[Relation]) -> str:
    turned = [f"{_TITLES[r.x]} with {_TITLES[r.y]}" for r in relations if r.correlations.clear]
    if not turned:
        return _RELATIONS_LEAD
    return f"{_RELATIONS_LEAD} The two have opposite signs, both clearly different from 0, for {say.listing(turned)}."


def _title(name: str, scripted: bool) -> str:
    return "turns" if scripted and name == "model_calls" else _SHORT.get(name, _TITLES[name])


def _direction(value: float | None) -> str:
    return "more" if value is not None and value > 0 else "less"


def signed(value: float | None) -> str:
    return say.NO_VALUE if value is None else figure(round(value, 6), "difference")


def slope(value: float | None) -> str:
    return say.NO_VALUE if value is None else f"{value:.2g}".replace("-", "−")


def _with_interval(value: float | None, low: float | None, high: float | None) -> str:
    interval = f" [{signed(low)}, {signed(high)}]" if None not in (value, low, high) else ""
    return signed(value) + interval


# -- repeats


def _icc(found: Icc | None) -> Cell:
    if found is None:
        return say.NO_VALUE, "no runs"
    text = _with_interval(found.single, found.single_low, found.single_high).replace("+", "")
    if found.within is not None:
        text += f", sd of repeats {found.within**0.5:.2f}"
    return text, _basis(found)


def _passes(found: Passes | None, *, hat: bool) -> Cell:
    if found is None:
        return say.NO_VALUE, "too few runs of a task"
    value, low, high = (found.hat, found.hat_low, found.hat_high) if hat else (found.at, found.at_low, found.at_high)
    text = words.score(value)
    if value is not None and low is not None and high is not None:
        text += f" [{low:.2f}, {high:.2f}]"
    return text, _basis(found)


def _basis(found: Icc | Passes) -> str:
    text = f"{words.plural(found.runs, 'run')} on {words.plural(found.tasks, 'task')}"
    return f"{text}; {found.reason}" if found.reason else text


# -- categories and weights


def _transfer(found: Transfer) -> AnalysisPart | None:
    if found.concordance is None:
        return None
    p = ""
    if found.p is not None:
        number = words.count(found.permutations)
        ways = f"all {number} exchanges" if found.exact else f"{number} random exchanges"
        p = f" ({say.p_equals(found.p)}, {ways} of names)"
    text = (
        "Does a condition that ranks high in some categories also rank high in another? The means over the other "
        f"categories predict the order in a category for {words.percent(found.concordance)} of the pairs of "
        f"conditions; chance is 50 %{p}."
    )
    if found.left_out:
        text += (
            f" Left out: {words.plural(found.left_out, 'task')} without a category or without a value of every "
            "condition."
        )
    if found.reason:
        text += f" {found.reason[:1].upper()}{found.reason[1:]}."
    rows = [
        (
            h.category,
            [
                (words.count(h.tasks), ""),
                (words.percent(h.concordance), h.reason or f"{words.plural(h.pairs, 'pair')} of conditions"),
                (signed(h.tau), h.reason),
            ],
        )
        for h in found.held_out
    ]
    heads = [("tasks", ""), ("pairs in the predicted order", ""), ("Kendall's tau", "tau-b of the two orders")]
    caption = "Categories, each predicted from the others"
    return AnalysisPart("Transfer between categories", text, caption, "Category", heads, rows)


def _weights(found: Sensitivity, names: Mapping[str, str]) -> AnalysisPart | None:
    if not found.pairs:
        return None
    order = ", ".join(f"{names[name]} {found.scores[name]:.2f}" for name in found.ranking)
    text = (
        f"With the default weights, over the tasks that all conditions have: {order}. The weights are a choice: "
        f"{words.count(found.draws)} others near the default were drawn, and as many from all possible ones."
    )
    if found.tau_around is not None and found.tau_uniform is not None:
        text += (
            f" Kendall's tau to this ranking is {found.tau_around:.2f} on average near the default, "
            f"{found.tau_uniform:.2f} over all weights."
        )
    if found.left_out:
        text += f" Left out: {'; '.join(f'{pillar} ({why})' for pillar, why in found.left_out.items())}."
    rows = [
        (
            f"{names[p.above]} over {names[p.below]}",
            [
                (signed(p.difference), ""),
                (words.exact_share(p.around), ""),
                (words.exact_share(p.uniform), ""),
                ("no weights reverse it" if p.always else "some weights reverse it", ""),
            ],
        )
        for p in found.pairs[:PAIRS_SHOWN]
    ]
    heads = [
        ("difference", ""),
        ("near the default", "share of the weights near the default with the same order"),
        ("all weights", "share of all weights with the same order"),
        ("", "Reading"),
    ]
    reversed_by = [
        f"Without {w.pillar} the order is reversed: "
        + say.listing([f"{names[b]} over {names[a]}" for a, b in w.reversed], 3)
        for w in found.without
        if w.reversed
    ]
    caption = "Order of two conditions"
    if len(found.pairs) > PAIRS_SHOWN:
        caption += f", the first {PAIRS_SHOWN} of {words.count(len(found.pairs))}"
    remarks = reversed_by or ["Leaving out any one pillar reverses no pair."]
    return AnalysisPart("Sensitivity to the weights of the pillars", text, caption, "Order", heads, rows, remarks)
