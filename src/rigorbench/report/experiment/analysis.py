"""The analysis of an experiment in plain words: what goes with what, how alike repeats are, what carries over, and how
far the ranking hangs on the weights."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from ...experiment.analysis import Consistency, GroupAnalysis, Relation, analyse
from ...experiment.compare import MEASURES, Comparison, Group
from ...experiment.model import Manifest, RunResult
from ...stats.consistency import Icc, Passes
from ...stats.correlation import Correlation
from ...stats.sensitivity import Sensitivity
from ...stats.transfer import Transfer
from ..text import experiment as say
from ..text import words
from ..text.numbers import number as figure

# What a page lists at most.
PAIRS_SHOWN = 30
_SHOWN_K = (1, 2, 3, 5)
_TITLES = {m.name: m.title for m in MEASURES}
_SHORT = {"rigor_score": "RigorScore", "pass_rate": "hidden tests passed"}


class RelationView(Struct):
    """``badge``: a word where pooled and within tasks disagree in sign."""

    label: str
    pooled: str
    within: str
    rank: str
    slope: str
    n: str
    badge: str
    reading: str


class Table(Struct):
    """``rows``: (name, cells); a cell is (text, note)."""

    caption: str
    corner: str
    heads: list[tuple[str, str]]
    rows: list[tuple[str, list[tuple[str, str]]]]


class AnalysisView(Struct):
    """``lead`` of each part: what a reader should take from it; a part without a table says why there is none."""

    relations: list[RelationView]
    relations_lead: str
    consistency: Table | None
    consistency_lead: str
    transfer: Table | None
    transfer_lead: str
    sensitivity: Table | None
    sensitivity_lead: str
    without: list[str]
    basis: str


def analysis_views(
    manifest: Manifest, results: Sequence[RunResult], comparison: Comparison
) -> dict[bool, AnalysisView]:
    """The analysis of each group of conditions, by whether it is the one of scripted policies."""
    analysis = analyse(manifest, results)
    found = {group.scripted: group for group in analysis.groups}
    basis = (
        f"Intervals: {analysis.level * 100:.0f} %, from {words.count(analysis.resamples)} draws of tasks at most, seed "
        f"{analysis.seed}."
    )
    return {g.scripted: _view(g, found[g.scripted], basis) for g in comparison.groups if g.scripted in found}


def _view(group: Group, analysis: GroupAnalysis, basis: str) -> AnalysisView:
    labels = say.Labels(group)
    names = {name: labels.of(key) for name, key in analysis.conditions.items()}
    relations = [_relation(r, scripted=group.scripted) for r in analysis.relations if r.correlations.pooled.n]
    consistency, repeats = _consistency(analysis.consistency, labels)
    transfer, carried = _transfer(analysis.transfer)
    sensitivity, stays, without = _sensitivity(analysis.sensitivity, names)
    return AnalysisView(
        relations,
        _lead(analysis.relations),
        consistency,
        repeats,
        transfer,
        carried,
        sensitivity,
        stays,
        without,
        basis,
    )


# -- what goes with what


def _relation(relation: Relation, *, scripted: bool) -> RelationView:
    both = relation.correlations
    x, y = _title(relation.x, scripted), _title(relation.y, scripted)
    badge = "reversal" if both.clear else "signs differ" if both.reversal else ""
    pooled, within = both.pooled, both.within
    return RelationView(
        f"{x[:1].upper()}{x[1:]} and {y}",
        _with_interval(pooled.pearson, pooled.pearson_low, pooled.pearson_high),
        _with_interval(within.pearson, within.pearson_low, within.pearson_high),
        f"{_signed(pooled.spearman)} / {_signed(within.spearman)}",
        f"{_slope(pooled.slope)} / {_slope(within.slope)}",
        f"{words.plural(pooled.n, 'run')} on {words.plural(pooled.tasks, 'task')}; "
        f"within: {words.count(within.n)} on {words.count(within.tasks)}",
        badge,
        _reading(x, y, pooled, within, badge),
    )


def _reading(x: str, y: str, pooled: Correlation, within: Correlation, badge: str) -> str:
    if badge == "reversal":
        first, second = _direction(pooled.pearson), _direction(within.pearson)
        return (
            f"The sign turns round once the task is held fixed: over all runs more {x} goes with {first} {y}, within a "
            f"task with {second}. The first comes from what differs between tasks, the second from ways of working."
        )
    if within.pearson is None:
        if pooled.pearson is None:
            return f"No value: {pooled.reason or within.reason}."
        return f"Within tasks there is no value: {within.reason}. Over all runs difficulty is mixed in."
    if _clear(within.pearson_low, within.pearson_high):
        text = f"Within a task, more {x} goes with {_direction(within.pearson)} {y}."
    elif within.pearson_low is None:
        text = f"Within a task there is no interval ({within.reason or 'too few tasks'})."
    else:
        text = "Within a task no relation can be told: the interval holds 0."
    if badge:
        text += " Over all runs the sign is the other one; as an interval holds 0 or is missing, that decides nothing."
    return text


def _lead(relations: Sequence[Relation]) -> str:
    turned = [r for r in relations if r.correlations.clear]
    text = (
        "Over all runs, a correlation also holds what makes one task harder than another; within tasks, runs are "
        "compared with runs of the same task only, and that is the figure to read."
    )
    if turned:
        pairs = say.listing([f"{_TITLES[r.x]} with {_TITLES[r.y]}" for r in turned])
        text += f" The two have opposite signs, with both intervals clear of 0, for {pairs}."
    return text


def _title(name: str, scripted: bool) -> str:
    return "turns" if scripted and name == "model_calls" else _SHORT.get(name, _TITLES[name])


def _direction(value: float | None) -> str:
    return "more" if value is not None and value > 0 else "less"


def _clear(low: float | None, high: float | None) -> bool:
    return low is not None and high is not None and (low > 0 or high < 0)


def _signed(value: float | None) -> str:
    if value is None:
        return say.NO_VALUE
    return figure(round(value, 6), "difference")


def _slope(value: float | None) -> str:
    if value is None:
        return say.NO_VALUE
    return f"{value:.2g}".replace("-", "−")


def _with_interval(value: float | None, low: float | None, high: float | None) -> str:
    if value is None:
        return say.NO_VALUE
    return _signed(value) + (f" [{_signed(low)}, {_signed(high)}]" if low is not None and high is not None else "")


# -- repeats


def _consistency(found: Sequence[Consistency], labels: say.Labels) -> tuple[Table | None, str]:
    most = max((p.k for c in found for p in c.passes), default=0)
    several = any(i.runs for c in found for i in c.icc.values())
    if not several and most <= 1:
        return None, "Each task was run once under each condition: nothing can be said about repeats."
    shown = [k for k in _SHOWN_K if k < most] + ([most] if most else [])
    heads = [("ICC RigorScore", ""), ("ICC hidden tests", "")]
    heads += [
        (f"pass@{k}", f"the chance that {f'at least one of {k} runs' if k > 1 else 'a run'} solves it") for k in shown
    ]
    heads += [(f"pass^{k}", f"the chance that all {k} solve it") for k in shown if k > 1]
    rows = []
    for each in found:
        by_k = {p.k: p for p in each.passes}
        cells = [_icc(each.icc.get(name)) for name in ("rigor_score", "pass_rate")]
        cells += [_passes(by_k.get(k), hat=False) for k in shown]
        cells += [_passes(by_k.get(k), hat=True) for k in shown if k > 1]
        rows.append((labels.of(each.key), cells))
    text = (
        "ICC is the share of the variance between single runs that lies between tasks: near 1, repeats of a task come "
        "out alike; near 0 or below, two runs of one task are no more alike than runs of two tasks. pass@k is the "
        "chance that at least one of k runs solves a task, pass^k that all of them do."
    )
    return Table("Repeats of a task", labels.column, heads, rows), text


def _icc(found: Icc | None) -> tuple[str, str]:
    if found is None:
        return say.NO_VALUE, "no runs"
    note = f"{words.plural(found.runs, 'run')} on {words.plural(found.tasks, 'task')}"
    text = _with_interval(found.single, found.single_low, found.single_high).replace("+", "")
    return text, f"{note}; {found.reason}" if found.reason else note


def _passes(found: Passes | None, *, hat: bool) -> tuple[str, str]:
    if found is None:
        return say.NO_VALUE, "too few runs of a task"
    value, low, high = (
        (found.hat, found.hat_low, found.hat_high) if hat else (found.at, found.at_low, found.at_high)
    )  # fmt: skip
    note = f"{words.plural(found.runs, 'run')} on {words.plural(found.tasks, 'task')}"
    if value is None:
        return say.NO_VALUE, f"{note}; {found.reason}"
    text = f"{value:.2f}" + (f" [{low:.2f}, {high:.2f}]" if low is not None and high is not None else "")
    return text, f"{note}; {found.reason}" if found.reason else note


# -- categories and weights


def _transfer(found: Transfer) -> tuple[Table | None, str]:
    if found.concordance is None:
        return None, f"Not told: {found.reason or 'there are too few categories or conditions'}."
    way = "all" if found.exact else "drawn"
    p = (
        ""
        if found.p is None
        else f" (p = {say_p(found.p)}, {words.count(found.permutations)} {way} exchanges of names)"
    )
    text = (
        f"Does what ranks high in some categories rank high in another? Holding out one category at a time, its order "
        f"of conditions follows from their means over the others in {words.percent(found.concordance)} of the pairs; "
        f"chance is 50 %{p}."
    )
    if found.left_out:
        text += (
            f" {words.plural(found.left_out, 'task')} without a value of every condition, or of no category, left out."
        )
    if found.reason:
        text += f" {found.reason[:1].upper()}{found.reason[1:]}."
    rows = [
        (
            h.category,
            [
                (words.count(h.tasks), ""),
                (words.percent(h.concordance), h.reason or f"{words.plural(h.pairs, 'pair')} of conditions"),
                (_signed(h.tau), h.reason),
            ],
        )
        for h in found.held_out
    ]
    heads = [("tasks", ""), ("pairs in the predicted order", ""), ("Kendall's tau", "tau-b of the two orders")]
    return Table("Categories, each predicted from the others", "Category", heads, rows), text


def _sensitivity(found: Sensitivity, names: dict[str, str]) -> tuple[Table | None, str, list[str]]:
    def label(name: str) -> str:
        return names.get(name, name)

    if not found.pairs:
        return None, f"Not told: {found.reason or 'there is nothing to rank'}.", []
    text = (
        f"By the default weights: {', '.join(label(n) for n in found.ranking)}. The weights are a choice, so they were "
        f"drawn anew {words.count(found.draws)} times from near the default, and as often from all there are."
    )
    if found.tau_around is not None and found.tau_uniform is not None:
        text += (
            f" Kendall's tau to this ranking is {found.tau_around:.2f} on average near the default, "
            f"{found.tau_uniform:.2f} over all weights."
        )
    if found.left_out:
        text += " Without " + "; ".join(f"{pillar} ({why})" for pillar, why in found.left_out.items()) + "."
    rows = [
        (
            f"{label(p.above)} over {label(p.below)}",
            [
                (_signed(p.difference), ""),
                (say.holds(p.around), ""),
                (say.holds(p.uniform), ""),
                ("no weights can reverse it" if p.always else "some weights can reverse it", ""),
            ],
        )
        for p in found.pairs[:PAIRS_SHOWN]
    ]
    heads = [
        ("difference", ""),
        ("holds in draws near the default", ""),
        ("holds in draws from all", ""),
        ("", "Reading"),
    ]
    without = [
        f"Without {w.pillar}: "
        + say.listing([f"{label(a)} no longer stands over {label(b)}" for a, b in w.reversed], 3)
        for w in found.without
        if w.reversed
    ]
    more = len(found.pairs) - PAIRS_SHOWN
    caption = "Order of two conditions" + (
        f", the first {PAIRS_SHOWN} of {words.count(len(found.pairs))}" if more > 0 else ""
    )
    return Table(caption, "Order", heads, rows), text, without or ["Leaving out any one pillar reverses no pair."]


def say_p(p: float) -> str:
    """A p-value as it is written: "0.031", "< 0.001"."""
    return "< 0.001" if p < 0.001 else f"{p:.3f}"
