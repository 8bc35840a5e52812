"""The first picture of an experiment: how each condition worked, and what came of it."""

from __future__ import annotations

from msgspec import Struct

from ...experiment.compare import MEASURES, Condition, Group, Measure
from ..text import experiment as say

_SHOWN = tuple(m for m in MEASURES if m.primary)


class Bar(Struct):
    """A mean as a bar. ``share``: its length, None without a value; ``dots``: place of each task on it, in percent."""

    text: str
    note: str
    share: float | None
    dots: list[str]


class ChartRow(Struct):
    """A condition. ``n``: how many of its runs count."""

    label: str
    n: str
    bars: list[Bar]


class Chart(Struct):
    """``corner``: what tells the conditions apart; ``heads``: the measures; ``how``: how to read it."""

    corner: str
    heads: list[str]
    rows: list[ChartRow]
    how: str


def chart(group: Group) -> Chart:
    """The conditions of a group, the best first."""
    labels = say.Labels(group)
    ordered = sorted(group.conditions, key=lambda c: -(c.means["rigor_score"].value or 0.0))
    rows = [ChartRow(labels.of(c.key), say.runs_of(c), [_bar(c, m) for m in _SHOWN]) for c in ordered]
    dots = any(bar.dots for row in rows for bar in row.bars)
    how = "From 0 to 1: RigorScore rates how the agent worked, the Outcome score what came of it."
    heads = [m.title[:1].upper() + m.title[1:] for m in _SHOWN]
    return Chart(labels.column, heads, rows, f"{how} A bar is the mean over tasks, a dot a task." if dots else how)


def _bar(condition: Condition, measure: Measure) -> Bar:
    mean = condition.means[measure.name]
    values = [found[measure.name].value for found in condition.tasks.values()]
    places = [f"{min(1.0, max(0.0, v)) * 100:.1f}%" for v in values if v is not None]
    return Bar(say.mean_value(mean, measure), say.mean_note(mean), mean.value, places if len(places) > 1 else [])
