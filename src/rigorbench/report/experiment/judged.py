"""What readers answered about the points behind the values of a run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from msgspec import Struct

from ...metrics.result import SUBMETRIC_TITLES, Score, SubMetric
from ...reader.model import Reading
from ..text import words
from .task import TaskRun


class PointView(Struct):
    """One answer key of a point. ``said``: the answers in the order of the readers; ``split``: they differ."""

    question: str
    item: str
    said: list[str]
    majority: str
    split: bool


class JudgedView(Struct):
    """A value that rests on readings."""

    name: str
    title: str
    value: str
    readers: list[str]
    points: list[PointView]


class JudgedValues(Struct):
    """The judged values of a run. ``estimated``: name and title of the sub-metrics that rules estimated."""

    judged: list[JudgedView]
    estimated: list[tuple[str, str]]


def judged_values(score: Score, reading: Reading | None) -> JudgedValues:
    """What stands behind the judged values of a run. The key of a task's authors is in no answer, so in no page."""
    metrics = [item for pillar in score.pillars.values() for item in pillar.submetrics.items()]
    metrics += list(score.extended.items())
    return JudgedValues(
        [_judged(name, metric, reading) for name, metric in metrics if metric.method == "judged"],
        [(name, SUBMETRIC_TITLES.get(name, "")) for name, metric in metrics if metric.method == "estimated"],
    )


def _judged(name: str, metric: SubMetric, reading: Reading | None) -> JudgedView:
    found = [point for point in reading.points if point.about == name] if reading is not None else []
    points = [
        PointView(
            point.question,
            f"{point.key.rpartition('/')[2]}. {point.item}" if point.item else "",
            [_word(said) for said in point.said],
            _word(point.majority),
            len({said for said in point.said if said is not None}) > 1,
        )
        for point in found
    ]
    return JudgedView(name, SUBMETRIC_TITLES.get(name, ""), words.value_or_status(metric), metric.readers, points)


def who_judged(runs: Iterable[TaskRun]) -> str:
    """Who judged what in an experiment, in a few sentences."""
    methods: dict[str, Counter[str]] = {}
    readers: dict[str, None] = {}
    for run in runs:
        for pillar in run.pillars.values():
            for name, metric in pillar.submetrics.items():
                if metric.method in ("judged", "estimated"):
                    methods.setdefault(name, Counter())[metric.method] += 1
                    readers |= dict.fromkeys(metric.readers)
    if not methods:
        return ""
    parts = []
    for name, found in methods.items():
        said = [
            f"{method} in {words.plural(found[method], 'run')}" for method in ("judged", "estimated") if found[method]
        ]
        parts.append(f"{name} {' and '.join(said)}")
    text = "; ".join(parts) + "."
    if any(found["estimated"] for found in methods.values()):
        text += " Estimated: from features of the text, because no reader was asked."
    if any(found["judged"] for found in methods.values()):
        text += f" Judged: by {', '.join(readers)}, whose answers are on the pages of the runs."
    return text


def _word(answer: bool | None) -> str:
    return "–" if answer is None else "yes" if answer else "no"
