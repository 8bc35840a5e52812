"""Differences between conditions, as the first page of an experiment draws them."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from ...experiment.compare import MEASURES, SIGNIFICANT, Comparison, Effect, Group, Measure, Pair
from ..text import experiment as say

# The measures in the summary of a pair.
_SUMMARY = tuple(m for m in MEASURES if m.primary)


class Line(Struct):
    """A difference.

    Attributes:
        kind: process, outcome or effort.
        reading: better, worse, "not certain" or "too few tasks"; ``tone``: its colour class.
        size: effect size; ``basis``: the tasks and runs behind it, or why there is no difference.
        zero: place of 0 on the scale, in percent of the width; ``at``: of the difference, None without one; ``low``:
            of the lower end of the interval, None without one; ``width``: of the interval.
    """

    title: str
    kind: str
    text: str
    interval: str
    reading: str
    p: str
    adjusted: str
    size: str
    basis: str
    remark: str
    tone: str
    zero: str
    at: str | None
    low: str | None
    width: str | None


class PairView(Struct):
    """The differences of two conditions. ``remark``: what applies to every line."""

    label: str
    summary: str
    open: bool
    lines: list[Line]
    remark: str


def scales(comparison: Comparison) -> dict[str, float]:
    """The value at the end of each scale: 1 for shares, else the largest difference of the experiment."""
    found: dict[str, float] = {}
    for measure in MEASURES:
        effects = [p.effects[measure.name] for g in comparison.groups for p in (*g.pairs, *g.pressures)]
        ends = [abs(v) for e in effects for v in (e.value, e.low, e.high) if v is not None]
        found[measure.name] = 1.0 if measure.unit == "share" else max([*ends, 1e-9])
    return found


def pair_view(group: Group, pair: Pair, label: str, scales: Mapping[str, float], *, is_open: bool) -> PairView:
    lines = [_line(m, say.title(m, group.scripted), pair.effects[m.name], scales[m.name]) for m in MEASURES]
    kept = [line for line, m in zip(lines, MEASURES, strict=True) if m.name != "cost" or line.at is not None]
    heads = [f"{m.title} {say.effect_value(pair.effects[m.name], m)}" for m in _SUMMARY]
    remarks = {line.remark for line in kept if line.at is not None}
    remark = remarks.pop() if len(remarks) == 1 else ""
    if remark:
        for line in kept:
            line.remark = ""
    return PairView(label, ", ".join(heads), is_open, kept, remark)


def _line(measure: Measure, title: str, effect: Effect, scale: float) -> Line:
    def place(value: float) -> float:
        return 50 + 50 * min(1.0, max(-1.0, value / scale))

    has = effect.low is not None and effect.high is not None
    reading, tone = reading_of(measure, effect)
    low = place(effect.low) if effect.low is not None else 0.0
    high = place(effect.high) if effect.high is not None else 0.0
    return Line(
        title,
        measure.kind,
        say.effect_value(effect, measure),
        say.bounds(effect, measure),
        reading,
        "" if effect.p is None else say.p_value(effect.p),
        "" if effect.p_adjusted is None else say.p_value(effect.p_adjusted),
        size if (size := say.effect_size(effect)) != say.NO_VALUE else "",
        say.effect_basis(effect),
        effect.reason if effect.value is not None else "",
        tone,
        "50%",
        None if effect.value is None else f"{place(effect.value):.1f}%",
        f"{low:.1f}%" if has else None,
        f"{max(0.3, high - low):.1f}%" if has else None,
    )


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
